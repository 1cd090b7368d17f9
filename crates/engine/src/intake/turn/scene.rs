//! The scene of a turn: place, time, people, tone and topic.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{Change, Emotion, LruCache, Scene, SceneId, Turn, cut};

use crate::intake::Intake;
use crate::intake::observe::Exchange;
use crate::intake::turn::turn_draft::TurnDraft;

impl Intake<'_> {
    /// Sets the scene of these turns: the current one, or a new one after a long silence or in another session, place or story
    /// time.
    pub(crate) fn set_scene(&self, draft: &mut TurnDraft, exchange: &Exchange, turns: &[Turn]) {
        let Some(first) = turns.first() else { return };
        let last_said = draft.context.last_said().unwrap_or(first.at);
        let moved = |scene: &Scene| {
            let elsewhere = |known: &Option<String>, told: &Option<String>| told.is_some() && known.is_some() && known != told;
            elsewhere(&scene.place, &exchange.place) || elsewhere(&scene.time, &exchange.story_time)
        };
        let before = draft.context.scene.clone();
        let going_on = before
            .clone()
            .filter(|scene| scene.goes_on(&first.session, first.at.since(last_said), &self.mind.policy().relationship) && !moved(scene));
        let mut scene = match (going_on, before) {
            (Some(scene), _) => scene,
            (None, before) => {
                if let Some(ended) = before.filter(|scene| scene.ended_at.is_none()) {
                    draft.commit.changes.push(Change::SceneSet(Box::new(Scene { ended_at: Some(last_said), ..ended })));
                }
                Scene {
                    id: SceneId::new(first.at, self.mind.inner.config.dice.chance()),
                    session: first.session.clone(),
                    place: None,
                    time: None,
                    people: Vec::new(),
                    tone: None,
                    topic: None,
                    began_at: first.at,
                    ended_at: None,
                }
            }
        };
        scene.place = exchange.place.clone().or(scene.place);
        scene.time = exchange.story_time.clone().or(scene.time);
        for name in exchange.people.iter().chain(turns.iter().filter_map(|turn| turn.speaker.as_ref())) {
            if !scene.people.contains(name) {
                scene.people.push(name.clone());
            }
        }
        scene.topic = topic(draft.context.window.iter().chain(turns)).or(scene.topic);
        let felt = draft.context.mood.emotions(&self.mind.policy().mood);
        scene.tone = felt.iter().find(|emotion| *emotion != Emotion::Neutral).map(|emotion| emotion.as_str().to_owned()).or(scene.tone);
        draft.commit.changes.push(Change::SceneSet(Box::new(scene.clone())));
        draft.context.scene = Some(scene);
    }
}

/// Maximum length in bytes of a message whose words are cached.
const LONGEST_READ: usize = 400;

/// Number of messages in each of the two generations of the word cache. Every new message reads the recent ones again.
const READ: usize = 256;

static CACHE: LazyLock<Mutex<LruCache<String, Arc<[String]>>>> = LazyLock::new(|| Mutex::new(LruCache::with_room(READ)));

/// Returns the distinct words of a message, without words of one character.
fn words_of(message: &str) -> Arc<[String]> {
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(words) = cache().get(message) {
        return words;
    }
    let mut words = cut(message).words;
    words.sort();
    words.dedup();
    words.retain(|word| word.chars().count() > 1);
    let words: Arc<[String]> = words.into();
    if message.len() <= LONGEST_READ {
        cache().put(message.to_owned(), Arc::clone(&words));
    }
    words
}

/// Returns the topic of some turns: up to three of the most frequent words, if any occurs more than once.
fn topic<'a>(turns: impl Iterator<Item = &'a Turn>) -> Option<String> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for turn in turns {
        for word in words_of(&turn.content).iter() {
            match counts.iter_mut().find(|(known, _)| known == word) {
                Some((_, count)) => *count += 1,
                None => counts.push((word.clone(), 1)),
            }
        }
    }
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(b.0.chars().count().cmp(&a.0.chars().count())).then(a.0.cmp(&b.0)));
    let top: Vec<String> = counts.into_iter().filter(|(_, count)| *count > 1).take(3).map(|(word, _)| word).collect();
    (!top.is_empty()).then(|| top.join(", "))
}
