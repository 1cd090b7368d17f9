//! Habits: what was told before, in other words and at other times, found among the turns of the mind in memory.

use std::cell::RefCell;
use std::collections::HashMap;

use saegim_core::{
    CandidateType, Category, Doing, Memory, Role, Telling, Tier, Turn, TurnId, Unit, cut, denies, is_habit, tellings, tells_life_event,
};
use saegim_provider::Finding;
use saegim_provider::rules::{is_felt, uncounted};

use crate::observe::Working;
use crate::{EngineError, MindHandle};

/// How many of the nearest turns are looked at: more than a month of daily tellings brings up with what answered them.
const NEAREST: usize = 64;
/// A habit matters later as much as any other fact about a person.
const IMPACT: f32 = 0.9;

impl MindHandle {
    /// The turns in which the user told the same kind of thing before, one for each sitting, the oldest first. Only what
    /// happened can become a habit.
    pub(crate) async fn told_before(&self, working: &Working<'_>, turn: &Turn, finding: &Finding) -> Result<Vec<TurnId>, EngineError> {
        if turn.role != Role::User || !self.is_everyday(finding) {
            return Ok(Vec::new());
        }
        let Some(vector) = working.vectors.get(&finding.content) else { return Ok(Vec::new()) };
        let Some(embedder) = self.inner.config.embedder.clone() else { return Ok(Vec::new()) };
        let (calibration, least) = (embedder.calibration(), self.policy().admission.predictable_from);
        let term = Tier::M30.term(&self.policy().tier);
        let index = self.near_turn_index().await?.read_owned().await;
        // Years of tellings must not take the room of those that count.
        let near = index.nearest_since(&vector.quantised(), NEAREST, term.map(|term| turn.at.minus(term))).into_iter();
        let alike: Vec<TurnId> = near
            .filter(|(_, cosine)| calibration.similarity(*cosine).get() >= least)
            .map(|(id, _)| TurnId::from_bytes(*id.bytes()))
            .filter(|id| *id != turn.id)
            .collect();
        drop(index);
        if alike.is_empty() {
            return Ok(Vec::new());
        }
        let earlier = self.store().turns_by_id(self.id, &alike).await?;
        let (zone, habit) = (&self.inner.config.time_zone, self.habit_of(working, finding));
        let telling = |turn: &Turn| Telling { turn: turn.id, session: turn.session.clone(), at: turn.at, day: turn.at.midnight(zone) };
        let told = |other: &Turn| other.role == Role::User && other.withdrawn_at.is_none() && !only_asks(&other.content);
        let counts = |other: &&Turn| told(other) && habit.is_told_by(&other.content);
        let earlier = earlier.iter().filter(counts).map(telling).collect();
        Ok(tellings(&telling(turn), earlier, term))
    }

    /// Whether a finding may tell of a habit: something that happened, and neither turned a life nor moved anybody strongly. A
    /// day that was like no other is no other day's.
    fn is_everyday(&self, finding: &Finding) -> bool {
        finding.candidate_type == CandidateType::Event && finding.claim.is_none() && !self.is_great(finding)
    }

    /// Whether what was found is kept for its own sake, however much it is like something known.
    pub(crate) fn is_great(&self, finding: &Finding) -> bool {
        finding.feeling.intensity.get() > self.policy().admission.great_intensity || tells_life_event(&finding.content)
    }

    /// A finding as it is judged after so many tellings: an event told often enough tells what one does, which is a fact.
    pub(crate) fn after_tellings(&self, finding: &Finding, times: u32) -> Finding {
        if !is_habit(finding.candidate_type, times, &self.policy().candidate) {
            return finding.clone();
        }
        let future_impact = Unit::clamped(finding.future_impact.get().max(IMPACT));
        Finding { candidate_type: CandidateType::Fact, future_impact, ..finding.clone() }
    }
}

/// What a finding tells, as something one may do again and again.
pub(crate) struct Habit<'a> {
    finding: &'a Finding,
    everyday: bool,
    /// From which intensity on what happened once stays by itself.
    strong: f32,
    doing: Doing,
    /// Those it is told by and of: they do not say what is done.
    names: Vec<String>,
    /// Which words only tell what is felt: tellings of one habit share most of theirs.
    felt: RefCell<HashMap<String, bool>>,
    /// Which texts tell of it: everyday talk repeats itself.
    told: RefCell<HashMap<String, bool>>,
}

/// What is known of the user under these is somebody's name.
const SOMEBODY: [&str; 6] = ["name", "family", "child", "pet", "best_friend", "partner"];

impl MindHandle {
    pub(crate) fn habit_of<'a>(&self, working: &Working<'_>, finding: &'a Finding) -> Habit<'a> {
        let around = working.present.facts.current().filter(|fact| SOMEBODY.contains(&fact.subject.as_str()));
        let around = around.map(|fact| fact.value.as_str()).chain([self.key().user(), self.key().character()]);
        let names: Vec<String> = around.flat_map(|name| cut(name).words).collect();
        let (everyday, strong) = (self.is_everyday(finding), self.policy().admission.great_intensity);
        // Whatever is no habit's is not read for what it is of.
        let doing = if everyday { Doing::of(&finding.content, &names) } else { Doing::default() };
        Habit { finding, everyday, strong, doing, names, felt: RefCell::default(), told: RefCell::default() }
    }
}

impl Habit<'_> {
    /// Whether a memory of something that happened, clearly related to the finding, is told by it at least for the third time.
    pub(crate) fn tells_again(&self, memory: &Memory, fully: u32) -> bool {
        memory.mentions.saturating_add(2) >= fully && self.is_of(memory)
    }

    /// Whether a memory is of the same habit.
    pub(crate) fn is_of(&self, memory: &Memory) -> bool {
        let everyday = memory.mentions > 0 || memory.feeling.intensity.get() <= self.strong;
        self.everyday && everyday && memory.category == Some(Category::SharedEvents) && self.is_told_by(uncounted(&memory.content))
    }

    fn is_felt(&self, word: &str) -> bool {
        if let Some(&known) = self.felt.borrow().get(word) {
            return known;
        }
        let felt = is_felt(word);
        self.felt.borrow_mut().insert(word.to_owned(), felt);
        felt
    }

    /// Whether another telling can be of the same habit. At which hour it was and how it was this time does not make it another
    /// thing one does; not having done it does, and so does being alike in tone alone.
    fn is_told_by(&self, other: &str) -> bool {
        if let Some(&known) = self.told.borrow().get(other) {
            return known;
        }
        let told = self.doing.is_also(&Doing::of(other, &self.names), |word| self.is_felt(word))
            && !denies(&done(&self.finding.content), &done(other));
        self.told.borrow_mut().insert(other.to_owned(), told);
        told
    }
}

/// Whether a message tells nothing and asks: "내가 자주 가는 카페가 어디였지?" is not one more visit.
fn only_asks(message: &str) -> bool {
    let mut sentences = message.split_inclusive(['.', '!', '?', '？', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty());
    sentences.all(|sentence| sentence.ends_with(['?', '？']))
}

/// A telling without its hour. To stop by somewhere, or at it, is not to stop.
fn done(text: &str) -> String {
    let text = text.to_lowercase().replace("stopped by", "came by").replace("stopped at", "came by").replace("stopped in", "came by");
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}
