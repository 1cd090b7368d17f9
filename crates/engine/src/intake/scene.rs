//! The scene a turn plays in: where, when, with whom, in what tone and about what.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{Change, Emotion, Lately, Scene, SceneId, Turn, cut};

use crate::MindHandle;
use crate::intake::observe::Working;

impl MindHandle {
    /// The scene these turns play in: the one going on, or a new one after a long silence, in another session or place.
    pub(crate) fn set_scene(&self, working: &mut Working<'_>, turns: &[Turn]) {
        let Some(first) = turns.first() else { return };
        let exchange = working.exchange;
        let last_said = working.present.last_said().unwrap_or(first.at);
        let moved = |scene: &Scene| {
            let elsewhere = |known: &Option<String>, told: &Option<String>| told.is_some() && known.is_some() && known != told;
            elsewhere(&scene.place, &exchange.place) || elsewhere(&scene.time, &exchange.story_time)
        };
        let before = working.present.scene.clone();
        let going_on = before
            .clone()
            .filter(|scene| scene.goes_on(&first.session, first.at.since(last_said), &self.policy().relationship) && !moved(scene));
        let mut scene = match (going_on, before) {
            (Some(scene), _) => scene,
            (None, before) => {
                if let Some(ended) = before.filter(|scene| scene.ended_at.is_none()) {
                    working.commit.changes.push(Change::SceneSet(Box::new(Scene { ended_at: Some(last_said), ..ended })));
                }
                Scene {
                    id: SceneId::new(first.at, self.inner.config.dice.chance()),
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
        scene.topic = topic(working.present.window.iter().chain(turns)).or(scene.topic);
        let felt = working.present.mood.emotions(&self.policy().mood);
        scene.tone = felt.iter().find(|emotion| *emotion != Emotion::Neutral).map(|emotion| emotion.as_str().to_owned()).or(scene.tone);
        working.commit.changes.push(Change::SceneSet(Box::new(scene.clone())));
        working.present.scene = Some(scene);
    }
}

/// Longer messages are read each time.
const LONGEST_READ: usize = 400;

/// The words of so many messages are remembered, in each of two generations: the last few are looked at with every new one.
const READ: usize = 256;

static LATELY: LazyLock<Mutex<Lately<String, Arc<[String]>>>> = LazyLock::new(|| Mutex::new(Lately::with_room(READ)));

/// The words of a message, each once, but for those of one letter.
fn words_of(message: &str) -> Arc<[String]> {
    let lately = || LATELY.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(words) = lately().get(message) {
        return words;
    }
    let mut words = cut(message).words;
    words.sort();
    words.dedup();
    words.retain(|word| word.chars().count() > 1);
    let words: Arc<[String]> = words.into();
    if message.len() <= LONGEST_READ {
        lately().put(message.to_owned(), Arc::clone(&words));
    }
    words
}

/// What a stretch of talk is about: the words that came up most, if any came up twice.
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
