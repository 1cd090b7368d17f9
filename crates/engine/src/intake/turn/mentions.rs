//! Mentions: finds earlier turns that mention the same activity or topic, in the turn index in memory.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use saegim_core::{
    CandidateType, Category, EventMention, FactCategory, Memory, MemoryId, MemoryState, Role, SessionId, Tier, Timestamp, Turn, TurnId,
    Unit, tellings,
};
use saegim_language::{About, Finding, ReadBy, Reading};
use saegim_language::{TopicMentions, TopicName, is_life_event, is_theme_number, subject_numbers};

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::turn::activity::MentionedActivity;
use crate::intake::turn::model_results::ModelResults;
use crate::retrieval::index::{Index, UserMessage};

/// Number of nearest turns considered: more than a month of daily mentions.
const NEAREST: usize = 40;
/// Number of newest turns about a subject considered; some days have several.
const NEWEST: usize = 64;
/// Number of earlier mentions whose learned memories are checked.
const LEARNED_FROM: usize = 4;
/// Confidence of a message without findings. Equal to that of an event.
const CONFIDENCE: f32 = 0.8;
/// Maximum length of a message that counts as one mention, in bytes. Longer messages cover several topics.
const LONGEST_MENTION: usize = 200;

/// Earlier mentions of the activity or topic of a finding.
#[derive(Default)]
pub(crate) struct MentionedBefore {
    /// One turn per session and day, the oldest first.
    pub(crate) turns: Vec<Arc<UserMessage>>,
    /// The common subject, if that is what connects the mentions.
    pub(crate) subject: Option<u64>,
}

/// A finding as a possible mention of a habit or topic.
pub(crate) struct Mention<'a> {
    pub(crate) turn: &'a Turn,
    pub(crate) finding: &'a Finding,
    pub(crate) activity: MentionedActivity,
    /// Whether it may be part of a habit.
    pub(crate) everyday: bool,
}

impl Mention<'_> {
    /// Checks whether a text can be about the same habit.
    pub(crate) fn is_same_habit(&self, text: &str) -> bool {
        self.everyday && self.activity.matches(text)
    }
}

impl Intake<'_> {
    /// Returns the earlier turns in which the user mentioned the same. Only events can become habits, and those mentions must be
    /// similar; mentions of one subject are a topic, however different their wording.
    pub(crate) async fn mentioned_before(&self, mention: &Mention<'_>, results: &ModelResults) -> Result<MentionedBefore, EngineError> {
        let Mention { turn, finding, activity, everyday } = mention;
        if turn.role != Role::User || !self.is_topical(finding) {
            return Ok(MentionedBefore::default());
        }
        let Some(term) = Tier::M30.term(&self.mind.policy().tier) else { return Ok(MentionedBefore::default()) };
        let since = turn.at.minus(term);
        let index = self.mind.retrieval().near_turn_index().await?.read_owned().await;
        let alike: Vec<TurnId> = match (results.vector(&finding.content), self.mind.inner.config.embedder.as_ref()) {
            (Some(vector), Some(embedder)) if *everyday => {
                let (calibration, least) = (embedder.calibration(), self.mind.policy().admission.predictable_from);
                // Search only recent turns; years of mentions must not fill the result limit.
                let near = index.nearest_said(&vector.quantised(), NEAREST, since).into_iter();
                near.filter(|(_, cosine)| calibration.similarity(*cosine).get() >= least).map(|(id, _)| turn_of(id)).collect()
            }
            _ => Vec::new(),
        };
        let about = index.turns_about(&subject_numbers(&finding.content, &self.mind.lifecycle().names()), since);
        // The subject with the most mentions wins. On a tie, a named subject wins over a theme.
        let most = about.into_iter().max_by_key(|(subject, turns)| (turns.len(), !is_theme_number(*subject), *subject));
        let (subject, of_subject) = most.map_or((0, Vec::new()), |(subject, turns)| (subject, turns));
        if !everyday && !self.is_forming(of_subject.len()) {
            return Ok(MentionedBefore::default());
        }
        let alike = self.said_in_turns(turn, &index, &alike).await?;
        let told = self.mentions_among(turn, &alike, |other| activity.matches(other));
        if of_subject.len() <= told.len() {
            return Ok(MentionedBefore { turns: told, subject: None });
        }
        let known: HashSet<TurnId> = alike.iter().map(|turn| turn.id).collect();
        let of_subject: Vec<TurnId> = of_subject.into_iter().map(turn_of).take(NEWEST).collect();
        let unread: Vec<TurnId> = of_subject.iter().copied().filter(|id| !known.contains(id)).collect();
        let mut said: Vec<Arc<UserMessage>> = alike.into_iter().filter(|turn| of_subject.contains(&turn.id)).collect();
        said.extend(self.said_in_turns(turn, &index, &unread).await?);
        // For an activity, a denial is not a mention; for an object or person it is.
        let of_subject = self.mentions_among(turn, &said, |other| !is_theme_number(subject) || !activity.is_denied_by(other));
        Ok(match of_subject.len() > told.len() {
            true => MentionedBefore { turns: of_subject, subject: Some(subject) },
            false => MentionedBefore { turns: told, subject: None },
        })
    }

    /// Returns the user turns with these ids that were not retracted, without those that only ask a question.
    async fn said_in_turns(&self, turn: &Turn, index: &Index, ids: &[TurnId]) -> Result<Vec<Arc<UserMessage>>, EngineError> {
        let ids: Vec<TurnId> = ids.iter().copied().filter(|id| *id != turn.id).collect();
        let mut said: HashMap<TurnId, Arc<UserMessage>> = ids.iter().filter_map(|id| Some((*id, index.said(*id)?))).collect();
        // Old turns are not stored with their text in the index.
        let unread: Vec<TurnId> = ids.iter().copied().filter(|id| !said.contains_key(id)).collect();
        if !unread.is_empty() {
            let turns = self.mind.store().turns_by_id(self.mind.id, &unread).await?.into_iter();
            let stands = turns.filter(|other| other.role == Role::User && other.withdrawn_at.is_none());
            said.extend(stands.map(|Turn { id, session, at, content, .. }| (id, Arc::new(UserMessage { id, session, at, content }))));
        }
        Ok(ids.iter().filter_map(|id| said.remove(id)).filter(|other| !only_asks(&other.content)).collect())
    }

    /// Returns the earlier turns that mention it, one per session and day, the oldest first.
    fn mentions_among(&self, turn: &Turn, earlier: &[Arc<UserMessage>], tells: impl Fn(&str) -> bool) -> Vec<Arc<UserMessage>> {
        let zone = &self.mind.inner.config.time_zone;
        let telling =
            |turn, session: &SessionId, at: Timestamp| EventMention { turn, session: session.clone(), at, day: at.midnight(zone) };
        let telling_it: Vec<&Arc<UserMessage>> = earlier.iter().filter(|other| tells(&other.content)).collect();
        let told = telling_it.iter().map(|other| telling(other.id, &other.session, other.at)).collect();
        let counted = tellings(&telling(turn.id, &turn.session, turn.at), told, Tier::M30.term(&self.mind.policy().tier));
        let turns: HashMap<TurnId, &Arc<UserMessage>> = telling_it.into_iter().map(|other| (other.id, other)).collect();
        counted.iter().filter_map(|id| turns.get(id).copied().cloned()).collect()
    }

    /// Returns the memories of a topic that were learned from its latest mentions, by mention, the newest first.
    pub(crate) async fn memories_of_topic(&self, text: &str, before: &MentionedBefore) -> Result<Vec<Vec<Memory>>, EngineError> {
        let Some(subject) = before.subject else { return Ok(Vec::new()) };
        let names = self.mind.lifecycle().names();
        let is_about_topic = |memory: &Memory| match memory.subject() {
            Some(known) => TopicName::of(known).covers(&TopicMentions::of(text)),
            None => subject_numbers(&memory.content, &names).contains(&subject),
        };
        let mut memories = Vec::new();
        for turn in before.turns.iter().rev().take(LEARNED_FROM) {
            let learned = self.mind.store().learned_from(self.mind.id, turn.id).await?.into_iter();
            let shared = learned.filter(|memory| memory.standing == MemoryState::Alive && memory.category == Some(Category::SharedEvents));
            memories.push(shared.filter(is_about_topic).collect());
        }
        Ok(memories)
    }

    /// Checks whether a finding may be part of a habit: an event without a claim that is neither a life event nor strongly
    /// emotional. An exceptional day is not part of a routine.
    pub(crate) fn is_everyday(&self, finding: &Finding) -> bool {
        finding.candidate_type == CandidateType::Event && finding.claim.is_none() && !self.is_great(finding)
    }

    /// Checks whether a finding may be a mention of a topic. Facts about the user have their own repetition rule.
    pub(crate) fn is_topical(&self, finding: &Finding) -> bool {
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
        let seen = self.mind.policy().candidate.seen_fully as usize;
        (seen.saturating_sub(1)..=2 * seen).contains(&told)
    }

    /// Turns a message without findings into an event finding, if it names a subject that may be forming a topic.
    pub(crate) async fn implied_finding(&self, turn: &Turn, reading: &Reading) -> Result<Option<Finding>, EngineError> {
        let quiet = reading.findings.is_empty() && reading.left_alone.is_empty();
        if turn.role != Role::User || !quiet || turn.content.len() > LONGEST_MENTION || only_asks(&turn.content) {
            return Ok(None);
        }
        let numbers = subject_numbers(&turn.content, &self.mind.lifecycle().names());
        let Some(term) = Tier::M30.term(&self.mind.policy().tier).filter(|_| !numbers.is_empty()) else { return Ok(None) };
        let told = self.mind.retrieval().near_turn_index().await?.read_owned().await.turns_about(&numbers, turn.at.minus(term));
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
            read_by: ReadBy::Rules,
        }))
    }

    /// Checks whether a finding is stored regardless of its similarity to known memories.
    fn is_great(&self, finding: &Finding) -> bool {
        finding.feeling.intensity.get() > self.mind.policy().admission.great_intensity || is_life_event(&finding.content)
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
