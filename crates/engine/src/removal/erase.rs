//! Immediate, permanent erasure of a memory, a turn or a whole mind, with everything that would still reveal it.

use std::collections::HashSet;

use saegim_core::{
    Assertion, AssertionId, Change, Deed, Fact, Facts, Memory, MemoryId, Op, Role, Scene, SessionId, Source, Tier, Turn, TurnId, Values,
    cut, restated,
};
use saegim_language::{TopicMentions, TopicName, ValueComparison};
use saegim_store::{CandidatePage, Erased, TurnPage};

use crate::EngineError;
use crate::intake::turn::model_results::{Attempt, Missing, ModelResults};
use crate::intake::turn::statement_book::StatementBook;
use crate::lifecycle::essences::ErasureEffect;
use crate::removal::Removal;

/// Counts of what was erased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErasedItems {
    /// Number of memories, including essences based only on them.
    pub memories: usize,
    /// Number of essences that have other originals too and were reworded.
    pub reworded: usize,
    /// Number of turns.
    pub turns: usize,
    /// Number of facts.
    pub facts: usize,
    /// Number of assertions that facts were derived from.
    pub assertions: usize,
    /// Number of statements in the user's own words.
    pub statements: usize,
    /// Number of candidates from the erased turns.
    pub candidates: usize,
    /// Whether the data is completely removed from the database file.
    pub swept: bool,
}

impl Removal<'_> {
    pub(crate) async fn erase_memory(&self, id: MemoryId) -> Result<ErasedItems, EngineError> {
        self.mind.may(Deed::Erase).await?;
        let memory = self.fetch_anywhere(id).await?;
        self.mind.check_revision(&memory)?;
        self.erase_all(&self.own_turns(&memory).await?, vec![memory]).await
    }

    /// Returns the turns that state the content of a memory. Turns that only counted as mentions of the same topic or person state
    /// something else and stay. For an essence, all turns about its subject count.
    async fn own_turns(&self, memory: &Memory) -> Result<Vec<TurnId>, EngineError> {
        let turns = self.mind.store().turns_by_id(self.mind.id, &memory.turns).await?;
        let share = self.mind.policy().admission.echo_share;
        let texts: Vec<&str> = [Some(&memory.content), memory.original_event.as_ref()].into_iter().flatten().map(String::as_str).collect();
        let subject = memory.subject().filter(|_| memory.source == Source::Distillation).map(TopicName::of);
        let began = |turn: &Turn| {
            let place = &memory.coordinate;
            place.session.as_ref() == Some(&turn.session) && place.sequence == Some(turn.sequence)
        };
        let says = |turn: &Turn| texts.iter().any(|text| restated(text, &turn.content) >= share || restated(&turn.content, text) >= share);
        let own = |turn: &Turn| {
            began(turn) || says(turn) || subject.as_ref().is_some_and(|subject| subject.covers(&TopicMentions::of(&turn.content)))
        };
        let own: Vec<TurnId> = turns.iter().filter(|turn| own(turn)).map(|turn| turn.id).collect();
        // A memory that was reworded since matches none of its turns; then all of them count.
        Ok(if own.is_empty() { memory.turns.clone() } else { own })
    }

    /// Checks whether a memory rests on other turns than the erased ones: they must say every word of it that an erased turn says.
    /// A turn of the same form with another value is no reason to keep the value that was erased. Essences are reworded instead.
    async fn rests_on(&self, memory: &Memory, others: &[TurnId], erased: &[Turn]) -> Result<bool, EngineError> {
        if others.is_empty() || memory.source == Source::Distillation {
            return Ok(!others.is_empty());
        }
        let said: HashSet<String> = erased.iter().flat_map(|turn| cut(&turn.content).words).collect();
        let others = self.mind.store().turns_by_id(self.mind.id, others).await?;
        let still: HashSet<String> = others.iter().flat_map(|turn| cut(&turn.content).words).collect();
        Ok(cut(&memory.content).words.iter().all(|word| still.contains(word) || !said.contains(word)))
    }

    pub(crate) async fn erase_turn(&self, id: TurnId) -> Result<ErasedItems, EngineError> {
        self.mind.may(Deed::Erase).await?;
        self.erase_all(&[id], Vec::new()).await
    }

    /// Erases turns and memories. The new texts of essences are embedded before the lock of the mind is taken.
    async fn erase_all(&self, ids: &[TurnId], memories: Vec<Memory>) -> Result<ErasedItems, EngineError> {
        let mut results = ModelResults::default();
        loop {
            match self.erase_once(ids, memories.clone(), &results).await? {
                Attempt::Done(gone) => return Ok(gone),
                Attempt::Missing(missing) => self.mind.intake().supply(&mut results, missing).await?,
            }
        }
    }

    async fn erase_once(
        &self,
        ids: &[TurnId],
        mut memories: Vec<Memory>,
        results: &ModelResults,
    ) -> Result<Attempt<ErasedItems>, EngineError> {
        let lock = self.mind.intake().turn_lock();
        let mut cached = lock.lock().await;
        let (ids, told) = self.erasable_turns(ids, &memories).await?;
        let ids = &ids;
        let turns = self.mind.store().turns_by_id(self.mind.id, ids).await?;
        self.open_archives_of(&turns.iter().map(|turn| turn.session.clone()).collect::<Vec<_>>()).await?;
        for turn in &turns {
            for memory in self.mind.store().learned_from(self.mind.id, turn.id).await? {
                let others: Vec<TurnId> = self.own_turns(&memory).await?.into_iter().filter(|other| !ids.contains(other)).collect();
                if !self.rests_on(&memory, &others, &turns).await? && memories.iter().all(|known| known.id != memory.id) {
                    memories.push(memory);
                }
            }
        }
        let before = Facts::known(self.mind.store().facts(self.mind.id).await?);
        let assertions = self.mind.store().assertions(self.mind.id).await?;
        let (gone, rest): (Vec<_>, Vec<_>) =
            assertions.into_iter().partition(|assertion| assertion.turn.is_some_and(|turn| ids.contains(&turn)));
        let live = self.mind.intake().live_assertions(rest).await?;
        let after = Facts::from_assertions(&live, &ValueComparison);
        let (changed, lost) = after.differences(&before);
        // Also erase an end assertion once no fact is left that it ends, because it reveals the erased value. The owner makes them by
        // hand, and a turn with a new value makes one for the value before it.
        let ends = |over: &Assertion, fact: &Fact| ValueComparison.ends((&over.subject, &over.value), (&fact.subject, &fact.value));
        let hollow = |over: &&Assertion| {
            let names_value = over.ends && !over.value.is_empty();
            names_value
                && lost.iter().filter_map(|id| before.get(*id)).any(|fact| ends(over, fact))
                && !after.all().iter().any(|fact| ends(over, fact))
        };
        let hollow: Vec<AssertionId> = live.iter().filter(hollow).map(|over| over.id).collect();
        let reworded = self.follow_up(&mut memories).await?;
        let texts = reworded.iter().map(|essence| essence.content.clone());
        let unembedded: Vec<String> = texts.filter(|text| !results.was_embedded(text)).collect();
        if !unembedded.is_empty() {
            return Ok(Attempt::Missing(Missing::Vectors(unembedded)));
        }
        let core = memories.iter().any(|memory| memory.tier == Tier::M0);
        let about: Vec<&Memory> = memories.iter().collect();
        let mut commit = self.mind.commit(Op::Erase, &about).because(match reworded.len() {
            0 => "erased at the owner's word".to_owned(),
            count => format!("erased at the owner's word; {count} worded anew"),
        });
        commit.changes.extend(self.mind.self_model().blank_turn_proposals(&turns).await?);
        commit.changes.extend(self.scenes_after_erasure(&told, &turns).await?);
        commit.changes.extend(self.mind.self_model().self_without(&memories).await?);
        commit.changes.extend(self.mind.self_model().blank_essence_proposals(&reworded).await?);
        for mut essence in reworded.iter().cloned() {
            essence.turns.retain(|turn| !ids.contains(turn));
            let vector = results.vector(&essence.content).cloned();
            commit.memories.extend(self.mind.commit(Op::Erase, &[&essence]).memories);
            commit.changes.extend(vector.map(|vector| self.mind.models().embedded(essence.id, vector)));
            commit.changes.push(Change::MemoryChanged(Box::new(essence)));
        }
        commit.changes.extend(memories.iter().map(|memory| Change::MemoryGone(memory.id)));
        commit.changes.extend(gone.iter().map(|assertion| assertion.id).chain(hollow).map(Change::AssertionGone));
        let mut book = StatementBook::default();
        let statements = self.mind.intake().delete_statements(&mut book, ids).await?;
        commit.changes.extend(book.changes());
        commit.changes.extend(turns.iter().flat_map(|turn| [Change::RelationshipTakenBack(turn.id), Change::TurnGone(turn.id)]));
        let (facts, assertions) = (lost.len(), gone.len());
        let mut candidates = 0;
        for turn in &turns {
            let page = CandidatePage { limit: 1000, turn: Some(turn.id), verdict: None };
            candidates += self.mind.store().candidates(self.mind.id, page).await?.len();
        }
        commit.changes.extend(lost.into_iter().map(Change::FactGone));
        commit.changes.extend(changed.into_iter().map(|fact| Change::FactSet(Box::new(fact))));
        self.mind.write(commit).await?;
        *cached = None;
        drop(cached);
        if core {
            self.mind.self_model().core_memories_changed().await?;
        }
        let swept = self.mind.store().sweep().await?;
        let (memories, reworded, turns) = (memories.len(), reworded.len(), turns.len());
        Ok(Attempt::Done(ErasedItems { memories, reworded, turns, facts, assertions, statements, candidates, swept }))
    }

    /// Returns the turns to erase: `ids` and all turns that repeat them, the memories, or facts known only from them. Also returns
    /// the words of the erased content.
    async fn erasable_turns(&self, ids: &[TurnId], memories: &[Memory]) -> Result<(Vec<TurnId>, HashSet<String>), EngineError> {
        let given = self.mind.store().turns_by_id(self.mind.id, ids).await?;
        let mut texts: Vec<&str> = given.iter().filter(|turn| turn.role == Role::User).map(|turn| turn.content.as_str()).collect();
        for memory in memories {
            texts.push(&memory.content);
            texts.extend([&memory.original_event, &memory.interpretation].into_iter().flatten().map(String::as_str));
        }
        let only = |fact: &Fact| !fact.turns.is_empty() && fact.turns.iter().all(|turn| ids.contains(turn));
        let facts = self.mind.store().facts(self.mind.id).await?;
        let values: Vec<String> = facts.iter().filter(|fact| only(fact)).map(|fact| fact.value.to_lowercase()).collect();
        let told: Vec<HashSet<String>> = texts.iter().map(|text| cut(text).words.into_iter().collect()).collect();
        let mut all: HashSet<String> = told.iter().flatten().cloned().collect();
        all.extend(values.iter().flat_map(|value| cut(value).words));
        let every = TurnPage { limit: usize::from(u16::MAX), withdrawn: true, ..TurnPage::default() };
        let every = self.mind.store().turns(self.mind.id, every).await?;
        let mut gone: HashSet<TurnId> = given.iter().map(|turn| turn.id).collect();
        let others = every.iter().filter(|turn| turn.role == Role::User && !gone.contains(&turn.id));
        let elsewhere: HashSet<String> = others.flat_map(|turn| cut(&turn.content).words).collect();
        let sessions = given.iter().map(|turn| turn.session.clone()).collect();
        let said = given.iter().filter(|turn| turn.role == Role::User).map(|turn| (turn.session.clone(), turn.sequence)).collect();
        let own = all.iter().filter(|word| word.chars().count() > 1 && !elsewhere.contains(*word)).cloned().collect();
        let tells = Tells { sessions, said, own, numbers: all.iter().filter(|word| is_number(word)).cloned().collect(), told, values };
        let share = self.mind.policy().admission.echo_share;
        let again: Vec<TurnId> = every.iter().filter(|turn| tells.again(turn, share)).map(|turn| turn.id).collect();
        gone.extend(again);
        Ok((gone.into_iter().collect(), all))
    }

    /// Returns changes that blank scenes without any turn left, and remove erased words from the topics of the others.
    async fn scenes_after_erasure(&self, told: &HashSet<String>, erased: &[Turn]) -> Result<Vec<Change>, EngineError> {
        let mut changes = Vec::new();
        for scene in self.mind.store().scenes(self.mind.id, usize::from(u16::MAX)).await? {
            if self.is_emptied(&scene, erased).await? {
                let (place, time, people, tone, topic) = (None, None, Vec::new(), None, None);
                changes.push(Change::SceneSet(Box::new(Scene { place, time, people, tone, topic, ..scene })));
                continue;
            }
            let Some(topic) = &scene.topic else { continue };
            let left: Vec<&str> = topic.split(", ").filter(|word| cut(word).words.iter().all(|word| !told.contains(word))).collect();
            if left.join(", ") != *topic {
                let topic = (!left.is_empty()).then(|| left.join(", "));
                changes.push(Change::SceneSet(Box::new(Scene { topic, ..scene })));
            }
        }
        Ok(changes)
    }

    /// Checks whether some of the erased turns belong to a scene, and no other turn does.
    async fn is_emptied(&self, scene: &Scene, erased: &[Turn]) -> Result<bool, EngineError> {
        let is_in =
            |turn: &Turn| turn.session == scene.session && turn.at >= scene.began_at && scene.ended_at.is_none_or(|ended| turn.at <= ended);
        if !erased.iter().any(is_in) {
            return Ok(false);
        }
        let page = TurnPage { limit: usize::from(u16::MAX), session: Some(scene.session.clone()), withdrawn: true, ..TurnPage::default() };
        let turns = self.mind.store().turns(self.mind.id, page).await?;
        Ok(!turns.iter().any(|turn| is_in(turn) && erased.iter().all(|gone| gone.id != turn.id)))
    }

    /// Adds to `memories` everything that would still reveal them: imaginations made from them and essences based only on them.
    /// Returns the essences that have other originals too, reworded.
    async fn follow_up(&self, memories: &mut Vec<Memory>) -> Result<Vec<Memory>, EngineError> {
        loop {
            let ErasureEffect { gone, reworded } = self.mind.lifecycle().remains(memories).await?;
            let touched: Vec<Memory> = memories.iter().chain(&gone).chain(&reworded).cloned().collect();
            let more = gone.into_iter().chain(self.mind.self_model().imagined_from(&touched).await?);
            let more: Vec<Memory> = more.filter(|memory| memories.iter().all(|known| known.id != memory.id)).collect();
            if more.is_empty() {
                return Ok(reworded);
            }
            memories.extend(more);
        }
    }

    pub(crate) async fn erase(&self) -> Result<Erased, EngineError> {
        self.mind.may(Deed::Erase).await?;
        let commit = self.mind.commit(Op::Erase, &[]).because("the whole mind was erased at the owner's word");
        Ok(self.mind.store().erase(commit).await?)
    }
}

/// Minimum number of words of a text for a match anywhere in the mind. Shorter texts match only answers in the same session.
const PLAIN: usize = 4;

/// Content to be erased, prepared to find repetitions of it.
struct Tells {
    /// Words of each text.
    told: Vec<HashSet<String>>,
    /// Fact values known only from it.
    values: Vec<String>,
    /// Numbers in it, such as phone numbers, account numbers or codes.
    numbers: HashSet<String>,
    /// Sessions in which it was said.
    sessions: HashSet<SessionId>,
    /// Positions (session and sequence) of the user's turns.
    said: HashSet<(SessionId, u32)>,
    /// Its words that occur in no other user turn.
    own: HashSet<String>,
}

impl Tells {
    /// Checks whether a turn repeats the content. A user turn repeats it if it contains all words of a text. An answer repeats it
    /// if it contains most words of a text, names a fact value known only from it, directly answers one of the turns and shares a
    /// word, or contains a word that no other user turn has (in the same session). Any turn that contains one of its numbers
    /// repeats it.
    fn again(&self, turn: &Turn, share: f32) -> bool {
        let words: HashSet<String> = cut(&turn.content).words.into_iter().collect();
        // A user turn with one different word states something else: a second allergy is not the first. One common word means
        // nothing, and a few may match by chance, so short texts match only answers in the same session.
        let share = if turn.role == Role::User { 1.0 } else { share };
        let near = turn.role != Role::User && (self.sessions.is_empty() || self.sessions.contains(&turn.session));
        let plain = |told: &HashSet<String>| told.len() >= PLAIN || told.len() > 1 && near;
        let held = |told: &HashSet<String>| plain(told) && told.intersection(&words).count() as f32 >= share * told.len() as f32;
        let content = turn.content.to_lowercase();
        let named = |value: &String| value.chars().count() > 1 && content.contains(value.as_str());
        let answers = || {
            let before = turn.sequence.checked_sub(1).map(|before| (turn.session.clone(), before));
            let answered = before.is_some_and(|before| self.said.contains(&before));
            let word = |word: &String| word.chars().count() > 1 && self.told.iter().any(|told| told.contains(word));
            answered && words.iter().any(word) || near && !self.said.is_empty() && words.iter().any(|word| self.own.contains(word))
        };
        self.told.iter().any(held)
            || turn.role != Role::User && answers()
            || self.numbers.iter().any(|number| words.contains(number))
            || turn.role != Role::User && self.values.iter().any(named)
    }
}

/// Checks whether a word contains at least four digits, so that a match is unlikely to be a coincidence.
fn is_number(word: &str) -> bool {
    word.chars().filter(char::is_ascii_digit).count() >= 4
}
