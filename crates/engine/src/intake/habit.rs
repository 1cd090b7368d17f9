//! Habits: what was told before, in other words and at other times, found among the turns of the mind in memory.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{
    CandidateType, Category, Doing, FactCategory, Lately, Memory, MemoryId, Role, SessionId, Source, Standing, Subjects, Telling, Tier,
    Timestamp, Turn, TurnId, Unit, cut, is_denial, is_habit, is_theme, tellings, tells_life_event,
};
use saegim_provider::rules::{essence_subject, is_felt, is_told_of, uncounted};
use saegim_provider::{About, Finding, Reading};

use crate::intake::observe::Working;
use crate::retrieval::index::{Earlier, Index};
use crate::{EngineError, MindHandle};

/// How many of the nearest messages are looked at: more than a month of daily tellings.
const NEAREST: usize = 40;
/// How many of the newest messages about a subject are looked at: some days have several.
const NEWEST: usize = 64;
/// Of so many earlier tellings it is asked what was learned from them.
const LEARNED_FROM: usize = 4;
/// A habit matters later as much as any other fact about a person.
const IMPACT: f32 = 0.9;
/// A message in which nothing was found is as sure as what happened, and matters as little by itself.
const CONFIDENCE: f32 = 0.8;
/// A longer message tells of more than one thing.
const LONGEST_TELLING: usize = 200;

/// What was told before of what is told now.
#[derive(Default)]
pub(crate) struct Before {
    /// One turn for each sitting, the oldest first.
    pub(crate) turns: Vec<Arc<Earlier>>,
    /// What all of them are about, where that is what makes them one topic.
    subject: Option<u64>,
}

impl Before {
    /// Whether they have a thing or a person in common rather than what is done.
    pub(crate) fn is_topic(&self) -> bool {
        self.subject.is_some()
    }

    /// How often it has been told by now.
    pub(crate) fn times(&self) -> u32 {
        self.turns.len() as u32 + 1
    }
}

impl MindHandle {
    /// The turns in which the user told the same kind of thing before. Only what happened can become a habit, and its tellings are
    /// alike; whatever is told of one thing, in words as different as they please, is a topic.
    pub(crate) async fn told_before(
        &self,
        working: &Working<'_>,
        turn: &Turn,
        (finding, habit): (&Finding, &Habit),
    ) -> Result<Before, EngineError> {
        if turn.role != Role::User || !self.is_topical(finding) {
            return Ok(Before::default());
        }
        let Some(term) = Tier::M30.term(&self.policy().tier) else { return Ok(Before::default()) };
        let since = turn.at.minus(term);
        let index = self.near_turn_index().await?.read_owned().await;
        let alike: Vec<TurnId> = match (working.vectors.get(&finding.content), self.inner.config.embedder.as_ref()) {
            (Some(vector), Some(embedder)) if habit.everyday => {
                let (calibration, least) = (embedder.calibration(), self.policy().admission.predictable_from);
                // Years of tellings must not take the room of those that count.
                let near = index.nearest_said(&vector.quantised(), NEAREST, since).into_iter();
                near.filter(|(_, cosine)| calibration.similarity(*cosine).get() >= least).map(|(id, _)| turn_of(id)).collect()
            }
            _ => Vec::new(),
        };
        let about = index.told_of(&Subjects::of(&finding.content).numbers(&self.names()), since);
        // The subject most was told of is what this is one more telling of; of equals it is what is named.
        let most = about.into_iter().max_by_key(|(subject, turns)| (turns.len(), !is_theme(*subject), *subject));
        let (subject, of_subject) = most.map_or((0, Vec::new()), |(subject, turns)| (subject, turns));
        if !habit.everyday && !self.is_forming(of_subject.len()) {
            return Ok(Before::default());
        }
        let alike = self.said_in_turns(turn, &index, &alike).await?;
        let told = self.tellings_among(turn, &alike, |other| habit.is_told_by(other));
        if of_subject.len() <= told.len() {
            return Ok(Before { turns: told, subject: None });
        }
        let known: HashSet<TurnId> = alike.iter().map(|turn| turn.id).collect();
        let of_subject: Vec<TurnId> = of_subject.into_iter().map(turn_of).take(NEWEST).collect();
        let unread: Vec<TurnId> = of_subject.iter().copied().filter(|id| !known.contains(id)).collect();
        let mut said: Vec<Arc<Earlier>> = alike.into_iter().filter(|turn| of_subject.contains(&turn.id)).collect();
        said.extend(self.said_in_turns(turn, &index, &unread).await?);
        // What was not done is no telling of a deed; of a thing it is.
        let of_subject = self.tellings_among(turn, &said, |other| !is_theme(subject) || !habit.is_denied_by(other));
        Ok(match of_subject.len() > told.len() {
            true => Before { turns: of_subject, subject: Some(subject) },
            false => Before { turns: told, subject: None },
        })
    }

    /// What the user said in other turns and what still stands of it, but for mere questions.
    async fn said_in_turns(&self, turn: &Turn, index: &Index, ids: &[TurnId]) -> Result<Vec<Arc<Earlier>>, EngineError> {
        let ids: Vec<TurnId> = ids.iter().copied().filter(|id| *id != turn.id).collect();
        let mut said: HashMap<TurnId, Arc<Earlier>> = ids.iter().filter_map(|id| Some((*id, index.said(*id)?))).collect();
        // What was said long before is not kept in its words.
        let unread: Vec<TurnId> = ids.iter().copied().filter(|id| !said.contains_key(id)).collect();
        if !unread.is_empty() {
            let turns = self.store().turns_by_id(self.id, &unread).await?.into_iter();
            let stands = turns.filter(|other| other.role == Role::User && other.withdrawn_at.is_none());
            said.extend(stands.map(|Turn { id, session, at, content, .. }| (id, Arc::new(Earlier { id, session, at, content }))));
        }
        Ok(ids.iter().filter_map(|id| said.remove(id)).filter(|other| !only_asks(&other.content)).collect())
    }

    /// Those of earlier turns that tell it, one for each sitting, the oldest first.
    fn tellings_among(&self, turn: &Turn, earlier: &[Arc<Earlier>], tells: impl Fn(&str) -> bool) -> Vec<Arc<Earlier>> {
        let zone = &self.inner.config.time_zone;
        let telling = |turn, session: &SessionId, at: Timestamp| Telling { turn, session: session.clone(), at, day: at.midnight(zone) };
        let telling_it: Vec<&Arc<Earlier>> = earlier.iter().filter(|other| tells(&other.content)).collect();
        let told = telling_it.iter().map(|other| telling(other.id, &other.session, other.at)).collect();
        let counted = tellings(&telling(turn.id, &turn.session, turn.at), told, Tier::M30.term(&self.policy().tier));
        let turns: HashMap<TurnId, &Arc<Earlier>> = telling_it.into_iter().map(|other| (other.id, other)).collect();
        counted.iter().filter_map(|id| turns.get(id).copied().cloned()).collect()
    }

    /// The memory a topic has already, learned from what was told of it before.
    pub(crate) async fn memory_of_topic(
        &self,
        working: &Working<'_>,
        (told, before): (&str, &Before),
    ) -> Result<Option<Memory>, EngineError> {
        let Some(subject) = before.subject else { return Ok(None) };
        let names = self.names();
        let stands_for = |memory: &Memory| {
            let of_many = memory.standing == Standing::Alive && memory.category == Some(Category::SharedEvents) && memory.mentions > 0;
            let about = |text: &str| Subjects::of(text).numbers(&names).contains(&subject);
            of_many
                && match essence_subject(&memory.content) {
                    Some(known) => is_told_of(told, known),
                    None => about(&memory.content),
                }
        };
        for turn in before.turns.iter().rev().take(LEARNED_FROM) {
            let learned = self.store().learned_from(self.id, turn.id).await?;
            let known = learned.into_iter().map(|memory| working.memories.get(&memory.id).cloned().unwrap_or(memory));
            let mut fitting: Vec<Memory> = known.filter(|memory| stands_for(memory)).collect();
            // What is still told of in its own words comes before its essence.
            fitting.sort_by_key(|memory| (memory.source == Source::Distillation, Reverse(memory.mentions), memory.id));
            if let Some(memory) = fitting.into_iter().next() {
                return Ok(Some(memory));
            }
        }
        Ok(None)
    }

    /// Those of earlier tellings that a memory tells of, too: what is like what was said now may be nothing like the memory.
    pub(crate) fn told_by(&self, working: &Working<'_>, memory: &Memory, before: &Before) -> Vec<TurnId> {
        let habit = self.habit(working, uncounted(&memory.content), true);
        let tells = |turn: &&Arc<Earlier>| before.subject.is_some() || habit.is_told_by(&turn.content);
        before.turns.iter().filter(tells).map(|turn| turn.id).collect()
    }

    /// Whether a finding may tell of a habit: something that happened, and neither turned a life nor moved anybody strongly. A
    /// day that was like no other is no other day's.
    fn is_everyday(&self, finding: &Finding) -> bool {
        finding.candidate_type == CandidateType::Event && finding.claim.is_none() && !self.is_great(finding)
    }

    /// Whether a finding may be one more telling of a topic. A fact about the user has its own way to be told again.
    fn is_topical(&self, finding: &Finding) -> bool {
        use CandidateType::{Event, Fact, Feeling, Plan, Preference};
        let told = matches!(finding.candidate_type, Event | Fact | Feeling | Plan | Preference);
        // What somebody else is like is told of them.
        let other = matches!(finding.about, About::Other(_));
        let unsettled = finding.claim.as_ref().is_none_or(|claim| other || claim.category == FactCategory::Preference);
        told && unsettled && !self.is_great(finding)
    }

    /// Whether something told of so often before may be becoming a topic now. What was told of much more often has its memory, or
    /// somebody let go of it; from then on what happens is counted, and not everything that is said of it.
    fn is_forming(&self, told: usize) -> bool {
        let seen = self.policy().candidate.seen_fully as usize;
        (seen.saturating_sub(1)..=2 * seen).contains(&told)
    }

    /// A message in which nothing was found, as something that happened: where it names what was told of before it may be the
    /// telling that makes a topic.
    pub(crate) async fn passed_over(&self, turn: &Turn, reading: &Reading) -> Result<Option<Finding>, EngineError> {
        let quiet = reading.findings.is_empty() && reading.left_alone.is_empty();
        if turn.role != Role::User || !quiet || turn.content.len() > LONGEST_TELLING || only_asks(&turn.content) {
            return Ok(None);
        }
        let numbers = Subjects::of(&turn.content).numbers(&self.names());
        let Some(term) = Tier::M30.term(&self.policy().tier).filter(|_| !numbers.is_empty()) else { return Ok(None) };
        let told = self.near_turn_index().await?.read_owned().await.told_of(&numbers, turn.at.minus(term));
        Ok(told.values().any(|turns| self.is_forming(turns.len())).then(|| Finding {
            content: turn.content.clone(),
            candidate_type: CandidateType::Event,
            about: About::User,
            claim: None,
            feeling: reading.feeling.clone(),
            confidence: Unit::clamped(CONFIDENCE),
            future_impact: Unit::ZERO,
            remember_this: false,
            corrects: false,
            appraisal: None,
        }))
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

/// What is told, as something one may do again and again.
pub(crate) struct Habit {
    everyday: bool,
    /// From which intensity on what happened once stays by itself.
    strong: f32,
    told: Arc<Told>,
    /// Those it is told by and of: they do not say what is done.
    names: Vec<String>,
}

/// A telling as it was read.
#[derive(Default)]
struct Told {
    doing: Doing,
    /// Whether it says that something was not done.
    denial: bool,
}

/// So many tellings are remembered as they were read, in each of two generations: what is said now is held against the same few
/// hundred again and again.
const READ: usize = 2048;

static LATELY: LazyLock<Mutex<Lately<String, Arc<Told>>>> = LazyLock::new(|| Mutex::new(Lately::with_room(READ)));

impl Told {
    /// Reads a telling among those who are around.
    fn of(text: &str, names: &[String]) -> Arc<Self> {
        let key = names.iter().map(String::as_str).chain([text]).collect::<Vec<_>>().join("\n");
        let lately = || LATELY.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = lately().get(&key) {
            return told;
        }
        let told = Arc::new(Self { doing: Doing::of(text, names, is_felt), denial: is_denial(&done(text)) });
        lately().put(key, Arc::clone(&told));
        told
    }
}

/// What is known of the user under these is somebody's name.
const SOMEBODY: [&str; 6] = ["name", "family", "child", "pet", "best_friend", "partner"];

impl MindHandle {
    pub(crate) fn habit_of(&self, working: &Working<'_>, finding: &Finding) -> Habit {
        Habit { everyday: self.is_everyday(finding), ..self.habit(working, &finding.content, self.is_topical(finding)) }
    }

    fn habit(&self, working: &Working<'_>, content: &str, everyday: bool) -> Habit {
        let strong = self.policy().admission.great_intensity;
        // Whatever is neither a habit's nor a topic's is not read for what it is of.
        if !everyday {
            return Habit { everyday, strong, told: Arc::default(), names: Vec::new() };
        }
        let around = working.present.facts.current().filter(|fact| SOMEBODY.contains(&fact.subject.as_str()));
        let around = around.map(|fact| fact.value.as_str()).chain([self.key().user(), self.key().character()]);
        let names: Vec<String> = around.flat_map(|name| cut(name).words).collect();
        Habit { everyday, strong, told: Told::of(content, &names), names }
    }
}

impl Habit {
    /// Whether a memory of something that happened, clearly related to the finding, is told by it at least for the third time.
    pub(crate) fn tells_again(&self, memory: &Memory, fully: u32) -> bool {
        memory.mentions.saturating_add(2) >= fully && self.is_of(memory)
    }

    /// Whether a memory is of the same habit.
    pub(crate) fn is_of(&self, memory: &Memory) -> bool {
        let everyday = memory.mentions > 0 || memory.feeling.intensity.get() <= self.strong;
        self.everyday && everyday && memory.category == Some(Category::SharedEvents) && self.is_told_by(uncounted(&memory.content))
    }

    /// Whether another telling says that it was not done.
    fn is_denied_by(&self, other: &str) -> bool {
        self.told.denial != Told::of(other, &self.names).denial
    }

    /// Whether another telling can be of the same habit. At which hour it was and how it was this time does not make it another
    /// thing one does; not having done it does, and so does being alike in tone alone.
    fn is_told_by(&self, other: &str) -> bool {
        let other = Told::of(other, &self.names);
        self.told.denial == other.denial && self.told.doing.is_also(&other.doing)
    }
}

fn turn_of(id: MemoryId) -> TurnId {
    TurnId::from_bytes(*id.bytes())
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
