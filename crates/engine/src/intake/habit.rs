//! Habits: finds earlier turns that mention the same kind of event or topic, in the turn index in memory.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{
    CandidateType, Category, Doing, FactCategory, Lately, Memory, MemoryId, MemoryState, Mention, Role, SessionId, Source, Subjects, Tier,
    Timestamp, Turn, TurnId, Unit, cut, is_denial, is_habit, is_theme, tellings, tells_life_event,
};
use saegim_provider::rules::{essence_subject, is_felt, is_told_of, uncounted};
use saegim_provider::{About, Finding, Reading};

use crate::intake::observe::Working;
use crate::retrieval::index::{Index, UserMessage};
use crate::{EngineError, MindHandle};

/// Number of nearest turns considered: more than a month of daily mentions.
const NEAREST: usize = 40;
/// Number of newest turns about a subject considered; some days have several.
const NEWEST: usize = 64;
/// Number of earlier mentions whose learned memories are checked.
const LEARNED_FROM: usize = 4;
/// Future impact of a habit, equal to that of other facts about a person.
const IMPACT: f32 = 0.9;
/// Confidence of a message without findings. Equal to that of an event.
const CONFIDENCE: f32 = 0.8;
/// Maximum length of a message that counts as one mention, in bytes. Longer messages cover several topics.
const LONGEST_TELLING: usize = 200;

/// Earlier mentions of the current topic.
#[derive(Default)]
pub(crate) struct Before {
    /// One turn per session and day, the oldest first.
    pub(crate) turns: Vec<Arc<UserMessage>>,
    /// The common subject, if that is what connects the mentions.
    subject: Option<u64>,
}

impl Before {
    /// Checks whether the mentions share an object or a person rather than an activity.
    pub(crate) fn is_topic(&self) -> bool {
        self.subject.is_some()
    }

    /// Number of mentions, including the current one.
    pub(crate) fn times(&self) -> u32 {
        self.turns.len() as u32 + 1
    }
}

impl MindHandle {
    /// Returns the earlier turns in which the user mentioned the same. Only events can become habits, and those mentions must be
    /// similar; mentions of one subject are a topic, however different their wording.
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
        let index = self.retrieval().near_turn_index().await?.read_owned().await;
        let alike: Vec<TurnId> = match (working.vectors.get(&finding.content), self.inner.config.embedder.as_ref()) {
            (Some(vector), Some(embedder)) if habit.everyday => {
                let (calibration, least) = (embedder.calibration(), self.policy().admission.predictable_from);
                // Search only recent turns; years of mentions must not fill the result limit.
                let near = index.nearest_said(&vector.quantised(), NEAREST, since).into_iter();
                near.filter(|(_, cosine)| calibration.similarity(*cosine).get() >= least).map(|(id, _)| turn_of(id)).collect()
            }
            _ => Vec::new(),
        };
        let about = index.turns_about(&Subjects::of(&finding.content).numbers(&self.lifecycle().names()), since);
        // The subject with the most mentions wins. On a tie, a named subject wins over a theme.
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
        let mut said: Vec<Arc<UserMessage>> = alike.into_iter().filter(|turn| of_subject.contains(&turn.id)).collect();
        said.extend(self.said_in_turns(turn, &index, &unread).await?);
        // For an activity, a denial is not a mention; for an object or person it is.
        let of_subject = self.tellings_among(turn, &said, |other| !is_theme(subject) || !habit.is_denied_by(other));
        Ok(match of_subject.len() > told.len() {
            true => Before { turns: of_subject, subject: Some(subject) },
            false => Before { turns: told, subject: None },
        })
    }

    /// Returns the user turns with these ids that were not retracted, without those that only ask a question.
    async fn said_in_turns(&self, turn: &Turn, index: &Index, ids: &[TurnId]) -> Result<Vec<Arc<UserMessage>>, EngineError> {
        let ids: Vec<TurnId> = ids.iter().copied().filter(|id| *id != turn.id).collect();
        let mut said: HashMap<TurnId, Arc<UserMessage>> = ids.iter().filter_map(|id| Some((*id, index.said(*id)?))).collect();
        // Old turns are not stored with their text in the index.
        let unread: Vec<TurnId> = ids.iter().copied().filter(|id| !said.contains_key(id)).collect();
        if !unread.is_empty() {
            let turns = self.store().turns_by_id(self.id, &unread).await?.into_iter();
            let stands = turns.filter(|other| other.role == Role::User && other.withdrawn_at.is_none());
            said.extend(stands.map(|Turn { id, session, at, content, .. }| (id, Arc::new(UserMessage { id, session, at, content }))));
        }
        Ok(ids.iter().filter_map(|id| said.remove(id)).filter(|other| !only_asks(&other.content)).collect())
    }

    /// Returns the earlier turns that mention it, one per session and day, the oldest first.
    fn tellings_among(&self, turn: &Turn, earlier: &[Arc<UserMessage>], tells: impl Fn(&str) -> bool) -> Vec<Arc<UserMessage>> {
        let zone = &self.inner.config.time_zone;
        let telling = |turn, session: &SessionId, at: Timestamp| Mention { turn, session: session.clone(), at, day: at.midnight(zone) };
        let telling_it: Vec<&Arc<UserMessage>> = earlier.iter().filter(|other| tells(&other.content)).collect();
        let told = telling_it.iter().map(|other| telling(other.id, &other.session, other.at)).collect();
        let counted = tellings(&telling(turn.id, &turn.session, turn.at), told, Tier::M30.term(&self.policy().tier));
        let turns: HashMap<TurnId, &Arc<UserMessage>> = telling_it.into_iter().map(|other| (other.id, other)).collect();
        counted.iter().filter_map(|id| turns.get(id).copied().cloned()).collect()
    }

    /// Returns the existing memory of a topic, learned from one of its earlier mentions.
    pub(crate) async fn memory_of_topic(
        &self,
        working: &Working<'_>,
        (told, before): (&str, &Before),
    ) -> Result<Option<Memory>, EngineError> {
        let Some(subject) = before.subject else { return Ok(None) };
        let names = self.lifecycle().names();
        let stands_for = |memory: &Memory| {
            let of_many = memory.standing == MemoryState::Alive && memory.category == Some(Category::SharedEvents) && memory.mentions > 0;
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
            // Prefer a memory in its own words over its essence.
            fitting.sort_by_key(|memory| (memory.source == Source::Distillation, Reverse(memory.mentions), memory.id));
            if let Some(memory) = fitting.into_iter().next() {
                return Ok(Some(memory));
            }
        }
        Ok(None)
    }

    /// Returns the earlier turns that the memory covers too. Turns similar to the current one may be unlike the memory.
    pub(crate) fn told_by(&self, working: &Working<'_>, memory: &Memory, before: &Before) -> Vec<TurnId> {
        let habit = self.habit(working, uncounted(&memory.content), true);
        let tells = |turn: &&Arc<UserMessage>| before.subject.is_some() || habit.is_told_by(&turn.content);
        before.turns.iter().filter(tells).map(|turn| turn.id).collect()
    }

    /// Checks whether a finding may be part of a habit: an event without a claim that is neither a life event nor strongly
    /// emotional. An exceptional day is not part of a routine.
    fn is_everyday(&self, finding: &Finding) -> bool {
        finding.candidate_type == CandidateType::Event && finding.claim.is_none() && !self.is_great(finding)
    }

    /// Checks whether a finding may be a mention of a topic. Facts about the user have their own repetition rule.
    fn is_topical(&self, finding: &Finding) -> bool {
        use CandidateType::{Event, Fact, Feeling, Plan, Preference};
        let told = matches!(finding.candidate_type, Event | Fact | Feeling | Plan | Preference);
        // A claim about another person counts as a mention of that person.
        let other = matches!(finding.about, About::Other(_));
        let unsettled = finding.claim.as_ref().is_none_or(|claim| other || claim.category == FactCategory::Preference);
        told && unsettled && !self.is_great(finding)
    }

    /// Checks whether this number of earlier mentions means that a topic may be forming. With many more mentions, the topic already
    /// has a memory or someone forgot it; from then on only events count.
    fn is_forming(&self, told: usize) -> bool {
        let seen = self.policy().candidate.seen_fully as usize;
        (seen.saturating_sub(1)..=2 * seen).contains(&told)
    }

    /// Turns a message without findings into an event finding, if it names a subject that may be forming a topic.
    pub(crate) async fn passed_over(&self, turn: &Turn, reading: &Reading) -> Result<Option<Finding>, EngineError> {
        let quiet = reading.findings.is_empty() && reading.left_alone.is_empty();
        if turn.role != Role::User || !quiet || turn.content.len() > LONGEST_TELLING || only_asks(&turn.content) {
            return Ok(None);
        }
        let numbers = Subjects::of(&turn.content).numbers(&self.lifecycle().names());
        let Some(term) = Tier::M30.term(&self.policy().tier).filter(|_| !numbers.is_empty()) else { return Ok(None) };
        let told = self.retrieval().near_turn_index().await?.read_owned().await.turns_about(&numbers, turn.at.minus(term));
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

    /// Checks whether a finding is stored regardless of its similarity to known memories.
    pub(crate) fn is_great(&self, finding: &Finding) -> bool {
        finding.feeling.intensity.get() > self.policy().admission.great_intensity || tells_life_event(&finding.content)
    }

    /// Returns the finding as judged after this many mentions: an event mentioned often enough becomes a fact.
    pub(crate) fn after_tellings(&self, finding: &Finding, times: u32) -> Finding {
        if !is_habit(finding.candidate_type, times, &self.policy().candidate) {
            return finding.clone();
        }
        let future_impact = Unit::clamped(finding.future_impact.get().max(IMPACT));
        Finding { candidate_type: CandidateType::Fact, future_impact, ..finding.clone() }
    }
}

/// What a message says, as a possible habit.
pub(crate) struct Habit {
    everyday: bool,
    /// Intensity above which a single event is stored by itself.
    strong: f32,
    told: Arc<Told>,
    /// Names of the people involved. They do not describe the activity.
    names: Vec<String>,
}

/// The parsed activity of a text.
#[derive(Default)]
struct Told {
    doing: Doing,
    /// Whether it says that something was not done.
    denial: bool,
}

/// Capacity of each of the two cache generations. New messages are compared with the same few hundred texts again and again.
const READ: usize = 2048;

static LATELY: LazyLock<Mutex<Lately<String, Arc<Told>>>> = LazyLock::new(|| Mutex::new(Lately::with_room(READ)));

impl Told {
    /// Parses a text, with the names of the people involved. Cached.
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

/// Fact subjects whose value is a name.
const SOMEBODY: [&str; 6] = ["name", "family", "child", "pet", "best_friend", "partner"];

impl MindHandle {
    pub(crate) fn habit_of(&self, working: &Working<'_>, finding: &Finding) -> Habit {
        Habit { everyday: self.is_everyday(finding), ..self.habit(working, &finding.content, self.is_topical(finding)) }
    }

    fn habit(&self, working: &Working<'_>, content: &str, everyday: bool) -> Habit {
        let strong = self.policy().admission.great_intensity;
        // Skip parsing for findings that are neither habits nor topics.
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
    /// Checks whether the finding is at least the third mention of a related event memory.
    pub(crate) fn tells_again(&self, memory: &Memory, fully: u32) -> bool {
        memory.mentions.saturating_add(2) >= fully && self.is_of(memory)
    }

    /// Checks whether a memory belongs to the same habit.
    pub(crate) fn is_of(&self, memory: &Memory) -> bool {
        let everyday = memory.mentions > 0 || memory.feeling.intensity.get() <= self.strong;
        self.everyday && everyday && memory.category == Some(Category::SharedEvents) && self.is_told_by(uncounted(&memory.content))
    }

    /// Checks whether exactly one of the two texts says that it was not done.
    fn is_denied_by(&self, other: &str) -> bool {
        self.told.denial != Told::of(other, &self.names).denial
    }

    /// Checks whether another text can belong to the same habit. The time of day and the outcome may differ; a denial, or
    /// similarity only in tone, does not match.
    fn is_told_by(&self, other: &str) -> bool {
        let other = Told::of(other, &self.names);
        self.told.denial == other.denial && self.told.doing.is_also(&other.doing)
    }
}

fn turn_of(id: MemoryId) -> TurnId {
    TurnId::from_bytes(*id.bytes())
}

/// Checks whether a message consists only of questions: "내가 자주 가는 카페가 어디였지?" is not another visit.
fn only_asks(message: &str) -> bool {
    let mut sentences = message.split_inclusive(['.', '!', '?', '？', '\n']).map(str::trim).filter(|sentence| !sentence.is_empty());
    sentences.all(|sentence| sentence.ends_with(['?', '？']))
}

/// Removes digits (the time of day) and rewrites "stopped by", which is not a denial.
fn done(text: &str) -> String {
    let text = text.to_lowercase().replace("stopped by", "came by").replace("stopped at", "came by").replace("stopped in", "came by");
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}
