//! Decides about the messages of an exchange, one after the other.

use crate::intake::admit::Promoted;
use crate::intake::context::{IgnoredPart, IntakeContext, ReadTurn};
use crate::intake::draft::DecisionDraft;
use crate::intake::finding::{EarlierMentions, FindingInput, IntakeFinding};
use crate::intake::ids::DecisionIds;
use crate::intake::nearest::Nearest;
use crate::intake::reason::Reason;
use crate::intake::reinforce::Reinforcement;
use crate::intake::score::Occurrence;
use crate::{
    Candidate, CandidateId, CandidateType, CandidateVerdict, Change, Embedding, Factors, Invalid, Memory, MemoryId, Mood, Novelty, Policy,
    Relationship, RelationshipChange, Settled, Turn, Unit, is_habit,
};

/// What an exchange changes, apart from its messages and the facts.
#[derive(Clone, Debug)]
pub struct IntakeDecision {
    /// Mood after the exchange.
    pub mood: Mood,
    /// Relationship before the exchange.
    pub relationship_before: Relationship,
    /// Relationship after the exchange.
    pub relationship: Relationship,
    /// Changes of the relationship.
    pub moved: Vec<RelationshipChange>,
    /// Candidates with their verdicts.
    pub candidates: Vec<Candidate>,
    /// New memories.
    pub created: Vec<CreatedMemory>,
    /// Changed memories, ordered by id.
    pub changed: Vec<Memory>,
    /// Memories from the prompt that the answers used.
    pub used: Vec<MemoryId>,
    /// Texts whose appraisal the decision needs. If there are any, it must be repeated with their appraisals.
    pub unappraised: Vec<String>,
}

/// A new memory with its vector.
#[derive(Clone, Debug)]
pub struct CreatedMemory {
    /// The memory.
    pub memory: Memory,
    /// Its vector, if there is one.
    pub vector: Option<Embedding>,
}

/// Decides what an exchange changes. Findings of later messages see the changes of earlier ones.
pub fn decide_exchange(context: IntakeContext, turns: &[ReadTurn], policy: &Policy, ids: DecisionIds) -> Result<IntakeDecision, Invalid> {
    let relationship_before = context.relationship;
    let mut draft = DecisionDraft::new(context, policy, ids);
    for read in turns {
        draft.feel_and_recall(read);
        draft.candidates_of(read)?;
        draft.relate(read);
    }
    Ok(draft.finish(relationship_before))
}

/// A held candidate that the owner approved, as a finding that is not scored again.
#[derive(Clone, Debug)]
pub struct ApprovedCandidate<'a> {
    /// The candidate.
    pub candidate: Candidate,
    /// Its message.
    pub read: &'a ReadTurn,
    /// Its text as a finding.
    pub input: &'a FindingInput,
}

/// Admits a candidate that the owner approved, as if the user had asked to remember it.
pub fn decide_approval(
    context: IntakeContext,
    approved: ApprovedCandidate<'_>,
    policy: &Policy,
    ids: DecisionIds,
) -> Result<IntakeDecision, Invalid> {
    let ApprovedCandidate { mut candidate, read, input } = approved;
    let relationship_before = context.relationship;
    let mut draft = DecisionDraft::new(context, policy, ids);
    let nearest = draft.nearest(input);
    draft.admit(Promoted { read, input, finding: &input.finding, nearest, mentions: None }, &mut candidate)?;
    draft.candidates.push(candidate);
    Ok(draft.finish(relationship_before))
}

/// How a finding relates to what is known.
struct Repetition<'a> {
    nearest: Option<Nearest<'a>>,
    /// The nearest memory says the same.
    known: bool,
    /// It is another mention of a habit or topic whose memory is `nearest`.
    again: bool,
    /// Its mentions count: it belongs to a habit or topic that has no memory yet or is mentioned again.
    mentions: Option<&'a EarlierMentions>,
}

impl DecisionDraft<'_> {
    /// Applies the feeling of a message to the mood and counts the memories it restates as recalled.
    fn feel_and_recall(&mut self, read: &ReadTurn) {
        let (at, policy, turns) = (read.turn.at, self.policy, self.context.turns);
        if let Some(feeling) = &read.moves_mood {
            self.context.mood = self.context.mood.moved(feeling, at, &policy.mood);
        }
        for memory in &read.restated {
            self.used.push(memory.id);
            self.context.mood = self.context.mood.moved(&memory.feeling, at, &policy.mood);
            self.change(memory, |known| known.recalled(at, turns, &policy.strength));
        }
        for essence in &read.restated_essences {
            self.change(essence, |known| known.recalled(at, turns, &policy.strength));
        }
    }

    /// Records a candidate for every ignored part and every finding of a message.
    fn candidates_of(&mut self, read: &ReadTurn) -> Result<(), Invalid> {
        for part in &read.ignored {
            let candidate = self.ignored(&read.turn, part);
            self.candidates.push(candidate);
        }
        for input in &read.findings {
            let candidate = self.candidate(read, input)?;
            self.candidates.push(candidate);
            self.decided += 1;
        }
        Ok(())
    }

    fn ignored(&mut self, turn: &Turn, part: &IgnoredPart) -> Candidate {
        let (policy, candidate_type) = (&self.policy.candidate, CandidateType::SmallTalk);
        let factors = Factors { type_weight: Unit::clamped(candidate_type.weight(policy)), ..Factors::default() };
        Candidate {
            id: CandidateId::new(turn.at, self.ids.draw()),
            turn: turn.id,
            content: part.content.clone(),
            candidate_type,
            factors,
            score: Unit::clamped(factors.score(policy).total()),
            verdict: part.verdict,
            reason: part.reason.in_language(crate::Language::of(&part.content)).to_owned(),
            memory: None,
        }
    }

    /// Scores a finding and, if it scores high enough, admits it or reinforces the memory it repeats.
    fn candidate(&mut self, read: &ReadTurn, input: &FindingInput) -> Result<Candidate, Invalid> {
        let policy = self.policy;
        let repetition = self.repetition(input);
        let occurrence = self.occurrence(input, &repetition);
        let finding = &input.finding.after_mentions(occurrence.times, policy);
        let score = finding.score(occurrence, policy);
        let mut candidate = Candidate {
            id: CandidateId::new(read.turn.at, self.ids.draw()),
            turn: read.turn.id,
            content: finding.content.clone(),
            candidate_type: finding.candidate_type,
            factors: finding.factors(occurrence, policy),
            score,
            verdict: CandidateVerdict::Skipped,
            reason: String::new(),
            memory: None,
        };
        let least = policy.candidate.promoted_from;
        let Repetition { nearest, known, again, mentions } = repetition;
        if input.is_echo {
            candidate.verdict = CandidateVerdict::Rejected;
            candidate.reason = Reason::Echo.for_text(&finding.content);
        } else if !finding.remember_this && score.get() < least {
            candidate.reason = Reason::LowScore { score, least }.for_text(&finding.content);
        } else if matches!(input.fact.effect, Settled::Mentioned(_)) {
            self.mention_fact(input, nearest, &mut candidate);
        } else if let Some(target) = nearest.clone().filter(|_| again && !known) {
            self.mention_again(AgainMention { finding, target, mentions: &input.mentions, times: occurrence.times }, &mut candidate);
        } else {
            self.admit(Promoted { read, input, finding, nearest, mentions }, &mut candidate)?;
        }
        Ok(candidate)
    }

    /// Compares a finding with the nearest memory and with the earlier mentions.
    fn repetition<'a>(&self, input: &'a FindingInput) -> Repetition<'a> {
        let (policy, finding, mentions) = (self.policy, &input.finding, &input.mentions);
        let nearest = self.nearest(input);
        let known = nearest.as_ref().is_some_and(|nearest| nearest.similarity.get() >= policy.admission.known_from);
        // A habit is worded differently each time, so enough earlier mentions count as the same memory mentioned again.
        let is_activity = is_habit(finding.candidate_type, mentions.times(), &policy.candidate);
        let recurs = is_activity || mentions.is_topic && mentions.times() >= policy.candidate.seen_fully;
        let again = is_activity && nearest.as_ref().is_some_and(|nearest| nearest.is_related(policy) && nearest.is_of_habit(policy));
        if !recurs || again || known {
            let mentions = (recurs && !known).then_some(mentions).filter(|mentions| !mentions.turns.is_empty());
            return Repetition { nearest, known, again, mentions };
        }
        // A finding that scores high enough without its mentions is stored on its own, even if its topic already has a memory.
        let first = Occurrence { novelty: Novelty::New, times: 1 };
        let stands_alone = !is_activity && finding.score(first, policy).get() >= policy.candidate.promoted_from;
        let of_topic = self.topic_memory(mentions);
        let has_memory = of_topic.is_some();
        let again = has_memory && !stands_alone;
        Repetition {
            nearest: of_topic.filter(|_| again).or(nearest),
            known,
            again,
            mentions: (again || !has_memory).then_some(mentions).filter(|mentions| !mentions.turns.is_empty()),
        }
    }

    /// Returns how new a finding is and how often it was mentioned.
    fn occurrence(&self, input: &FindingInput, repetition: &Repetition<'_>) -> Occurrence {
        let same = repetition.known || repetition.again;
        let novelty = match &input.fact.effect {
            Settled::Superseded { .. } | Settled::Ended(_) => Novelty::Changed,
            Settled::Mentioned(_) => Novelty::Same,
            Settled::New(_) | Settled::Past(_) => Novelty::New,
            Settled::Nothing if same => Novelty::Same,
            Settled::Nothing => Novelty::New,
        };
        let of_memory = repetition.nearest.as_ref().filter(|_| same).map_or(0, |nearest| nearest.memory.mentions.saturating_add(2));
        let times = match &input.fact.effect {
            Settled::Mentioned(_) => input.fact.mentions,
            _ => of_memory.max(input.mentions.times()),
        };
        Occurrence { novelty, times }
    }

    /// Handles a known fact that was mentioned again: reinforces its memory instead of creating a second one.
    fn mention_fact(&mut self, input: &FindingInput, nearest: Option<Nearest<'_>>, candidate: &mut Candidate) {
        let finding = &input.finding;
        let learned = |nearest: &Nearest<'_>| input.fact.turns.iter().any(|turn| nearest.memory.turns.contains(turn));
        let of_fact = || input.fact.memory.as_ref().map(|known| self.known_as(self.latest(&known.memory), known, Unit::ONE));
        let Some(target) = nearest.filter(learned).or_else(of_fact) else {
            candidate.reason = Reason::KnownFact.for_text(&finding.content);
            return;
        };
        self.reinforce(Reinforcement { target, earlier: &[], remember_this: finding.remember_this }, candidate);
        candidate.reason = Reason::KnownMemory.for_text(&finding.content);
    }

    /// Handles another mention of a habit or topic that has a memory.
    fn mention_again(&mut self, mention: AgainMention<'_>, candidate: &mut Candidate) {
        let AgainMention { finding, target, mentions, times } = mention;
        // EarlierMentions that are similar to the current one may be unlike the memory.
        let earlier = if mentions.is_topic { &mentions.turns } else { target.covers };
        self.reinforce(Reinforcement { target, earlier, remember_this: false }, candidate);
        let reason = if mentions.is_topic { Reason::TopicAgain { times } } else { Reason::HabitAgain { times } };
        candidate.reason = reason.for_text(&finding.content);
    }

    fn finish(self, relationship_before: Relationship) -> IntakeDecision {
        let mut changed: Vec<Memory> = self.changed.into_values().collect();
        changed.sort_by_key(|memory| memory.id);
        IntakeDecision {
            mood: self.context.mood,
            relationship_before,
            relationship: self.context.relationship,
            moved: self.moved,
            candidates: self.candidates,
            created: self.created.into_iter().map(Into::into).collect(),
            changed,
            used: self.used,
            unappraised: self.unappraised,
        }
    }
}

/// Another mention of a habit or topic.
struct AgainMention<'a> {
    finding: &'a IntakeFinding,
    target: Nearest<'a>,
    mentions: &'a EarlierMentions,
    times: u32,
}

impl IntakeDecision {
    /// Returns the new and changed memories.
    pub fn memories(&self) -> impl Iterator<Item = &Memory> {
        self.created.iter().map(|created| &created.memory).chain(&self.changed)
    }

    /// Returns the changes to commit. `embedder` is the embedder of the vectors.
    pub fn changes(&self, embedder: &str) -> Vec<Change> {
        let mut changes = vec![Change::MoodSet(self.mood.clone())];
        for CreatedMemory { memory, vector } in &self.created {
            changes.push(Change::MemoryAdded(Box::new(memory.clone())));
            changes.extend(vector.clone().map(|vector| Change::Embedded { memory: memory.id, embedder: embedder.to_owned(), vector }));
        }
        changes.extend(self.changed.iter().map(|memory| Change::MemoryChanged(Box::new(memory.clone()))));
        changes.extend(self.candidates.iter().map(|candidate| Change::CandidateAdded(Box::new(candidate.clone()))));
        if !self.moved.is_empty() {
            changes.push(Change::RelationshipSet { before: self.relationship_before, after: self.relationship });
            changes.extend(self.moved.iter().cloned().map(Change::RelationshipMoved));
        }
        changes
    }
}
