//! Looks up what the decision needs to know about one finding: similar memories, earlier mentions, its appraisal.

use std::collections::HashMap;

use saegim_core::{
    Appraised, CandidateType, EarlierMentions, Embedding, Facts, FindingInput, IntakeFinding, KnownMemory, Memory, MemoryClass, MemoryId,
    MemoryState, Role, Sentiment, Settled, SettledFact, SimilarMemory, TextRelation, Thought, Turn, TurnId, Unit, content, is_habit,
    restated,
};
use saegim_language::{EventRelation, EventText, Finding, compare_events, is_life_event};
use saegim_store::{Filter, VectorSearch};

use crate::EngineError;
use crate::engine::no_vectors;
use crate::intake::Intake;
use crate::intake::turn::activity::MentionedActivity;
use crate::intake::turn::classify::{category_of, kind_of};
use crate::intake::turn::mentions::{Mention, MentionedBefore};
use crate::intake::turn::model_results::ModelResults;

/// Number of nearest memories to compare a finding with.
const NEAREST: usize = 5;

/// A finding to look up, with what is known before it.
#[derive(Clone, Copy)]
pub(crate) struct FindingLookup<'a> {
    pub(crate) turn: &'a Turn,
    pub(crate) finding: &'a Finding,
    /// Facts after the finding.
    pub(crate) facts: &'a Facts,
    /// Memories that were in the prompt of the answer.
    pub(crate) injected: &'a [Memory],
    /// Earlier findings of the same exchange.
    pub(crate) earlier: &'a [EarlierFinding],
    pub(crate) results: &'a ModelResults,
}

/// An earlier finding of the same exchange. It may have become a memory.
pub(crate) struct EarlierFinding {
    pub(crate) content: String,
    pub(crate) sentiment: Sentiment,
}

/// A finding with the earlier mentions of its activity or topic.
struct Compared<'a> {
    lookup: FindingLookup<'a>,
    mention: Mention<'a>,
    before: MentionedBefore,
}

/// A text a finding is compared with.
struct ComparedText<'a> {
    text: &'a str,
    /// The text without the count of an essence.
    said: &'a str,
    sentiment: Sentiment,
}

impl Intake<'_> {
    /// Returns a finding of a message as the decision sees it.
    pub(crate) fn intake_finding(&self, role: Role, finding: &Finding) -> IntakeFinding {
        let finding = &Finding { remember_this: finding.remember_this && role == Role::User, ..finding.clone() };
        let class = |finding: &Finding| MemoryClass { kind: kind_of(finding), category: category_of(finding) };
        let habit = Finding { candidate_type: CandidateType::Fact, ..finding.clone() };
        IntakeFinding {
            content: finding.content.clone(),
            candidate_type: finding.candidate_type,
            feeling: finding.feeling.clone(),
            confidence: finding.confidence,
            future_impact: finding.future_impact,
            remember_this: finding.remember_this,
            has_claim: finding.claim.is_some(),
            life_event: is_life_event(&finding.content),
            class: class(finding),
            class_of_habit: class(&habit),
        }
    }

    /// Checks whether a finding can become a memory at all. Only such findings are embedded and looked up.
    pub(crate) fn may_be_promoted(&self, role: Role, finding: &Finding) -> bool {
        self.intake_finding(role, finding).may_be_promoted(self.mind.policy())
    }

    /// Looks up a finding. One that cannot be promoted needs no comparison.
    pub(crate) async fn look_up(&self, lookup: FindingLookup<'_>, fact: SettledFact) -> Result<FindingInput, EngineError> {
        let finding = self.intake_finding(lookup.turn.role, lookup.finding);
        if !finding.may_be_promoted(self.mind.policy()) {
            return Ok(FindingInput {
                is_echo: self.is_echo(&lookup),
                finding,
                fact,
                vector: None,
                appraisal: Appraised::NotYet,
                similar: Vec::new(),
                to_earlier: Vec::new(),
                mentions: EarlierMentions::default(),
            });
        }
        let mention = self.mention(&lookup);
        let before = self.mentioned_before(&mention, lookup.results).await?;
        self.compare(Compared { lookup, mention, before }, fact).await
    }

    /// Looks up a held candidate that the owner approved. Its earlier mentions do not count.
    pub(crate) async fn look_up_approved(&self, lookup: FindingLookup<'_>) -> Result<FindingInput, EngineError> {
        let mention = self.mention(&lookup);
        self.compare(Compared { lookup, mention, before: MentionedBefore::default() }, SettledFact::default()).await
    }

    async fn compare(&self, compared: Compared<'_>, mut fact: SettledFact) -> Result<FindingInput, EngineError> {
        let lookup = &compared.lookup;
        let vector = lookup.results.vector(&lookup.finding.content);
        fact.memory = self.memory_of_fact(lookup, &fact).await?;
        Ok(FindingInput {
            finding: self.intake_finding(lookup.turn.role, lookup.finding),
            is_echo: self.is_echo(lookup),
            fact,
            appraisal: self.appraised(lookup).await,
            similar: match vector {
                Some(vector) => self.similar_memories(&compared, vector).await?,
                None => Vec::new(),
            },
            to_earlier: match vector {
                Some(_) => lookup
                    .earlier
                    .iter()
                    .map(|other| {
                        self.relation(&compared, ComparedText { text: &other.content, said: &other.content, sentiment: other.sentiment })
                    })
                    .collect(),
                None => Vec::new(),
            },
            vector: vector.cloned(),
            mentions: self.earlier_mentions(&compared).await?,
        })
    }

    fn mention<'a>(&self, lookup: &FindingLookup<'a>) -> Mention<'a> {
        let FindingLookup { turn, finding, facts, .. } = *lookup;
        // Findings that are neither habits nor topics are not parsed.
        let topical = self.is_topical(finding);
        let activity = if topical { MentionedActivity::of(&finding.content, self.names_in(facts)) } else { MentionedActivity::none() };
        Mention { turn, finding, activity, everyday: self.is_everyday(finding) }
    }

    /// Checks whether a finding from the character only repeats the prompt: injected memories or known facts.
    fn is_echo(&self, lookup: &FindingLookup<'_>) -> bool {
        let FindingLookup { turn, finding, facts, injected, .. } = lookup;
        if turn.role == Role::User || finding.remember_this {
            return false;
        }
        let share = self.mind.policy().admission.echo_share;
        // If the character mentions a known fact value, it comes from the prompt, so it is not new information.
        injected.iter().any(|memory| restated(&finding.content, &memory.content) >= share)
            || facts.current().any(|fact| fact.value.chars().count() > 1 && finding.content.contains(&fact.value))
    }

    /// Returns the appraisal of a finding: that of its reading, or the thinker's. A model is not asked here.
    async fn appraised(&self, lookup: &FindingLookup<'_>) -> Appraised {
        let finding = lookup.finding;
        if let Some(appraisal) = &finding.appraisal {
            return Appraised::Done(Some(appraisal.overall(&self.mind.policy().appraisal)));
        }
        match (lookup.results.appraisal(&finding.content), content(&finding.content)) {
            (Some(appraisal), _) => Appraised::Done(appraisal),
            (None, Ok(text)) if !self.mind.models().asks(Thought::Appraise) => Appraised::Done(self.appraisal_of(&text, None).await),
            _ => Appraised::NotYet,
        }
    }

    /// Returns the memory learned from the turns of a known fact that is most like the finding.
    async fn memory_of_fact(&self, lookup: &FindingLookup<'_>, fact: &SettledFact) -> Result<Option<KnownMemory>, EngineError> {
        if !matches!(fact.effect, Settled::Mentioned(_)) {
            return Ok(None);
        }
        let text = &lookup.finding.content;
        for turn in fact.turns.iter().filter(|turn| **turn != lookup.turn.id) {
            let learned = self.mind.store().learned_from(self.mind.id, *turn).await?;
            let alive = learned.into_iter().filter(|memory| memory.standing == MemoryState::Alive);
            let likeness = |memory: &Memory| restated(text, &memory.content);
            if let Some(memory) = alive.max_by(|a, b| likeness(a).total_cmp(&likeness(b))) {
                return self.known_memory(memory, text).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Returns a memory with the essences above it that `text` mentions too.
    async fn known_memory(&self, memory: Memory, text: &str) -> Result<KnownMemory, EngineError> {
        let essences = self.mind.lifecycle().essences_mentioned(memory.id, text).await?;
        Ok(KnownMemory { memory, essences })
    }

    /// Returns the most similar memories that the finding may repeat.
    async fn similar_memories(&self, compared: &Compared<'_>, vector: &Embedding) -> Result<Vec<SimilarMemory>, EngineError> {
        let Some(embedder) = self.mind.inner.config.embedder.clone() else { return Ok(Vec::new()) };
        let (calibration, least) = (embedder.calibration(), self.mind.policy().admission.predictable_from);
        let nearest = self.nearest(vector).await?.into_iter().map(|(id, cosine)| (id, calibration.similarity(cosine)));
        let nearest: Vec<(MemoryId, Unit)> = nearest.filter(|(_, similarity)| similarity.get() >= least).collect();
        if nearest.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<MemoryId> = nearest.iter().map(|(id, _)| *id).collect();
        let memories = self.mind.store().memories(self.mind.id, &ids).await?.into_iter();
        let mut memories: HashMap<MemoryId, Memory> = memories.map(|memory| (memory.id, memory)).collect();
        let mut similar = Vec::new();
        for (id, similarity) in nearest {
            let Some(memory) = memories.remove(&id) else { continue };
            let relation =
                self.relation(compared, ComparedText { text: &memory.content, said: memory.said(), sentiment: memory.feeling.sentiment });
            if relation.same_meaning || relation.same_activity {
                let known = self.known_memory(memory, &compared.lookup.finding.content).await?;
                similar.push(SimilarMemory { known, similarity, relation });
            }
        }
        Ok(similar)
    }

    /// Compares a finding with the text of a memory.
    fn relation(&self, compared: &Compared<'_>, other: ComparedText<'_>) -> TextRelation {
        let ComparedText { text, said, sentiment } = other;
        let Compared { lookup, mention, before } = compared;
        let own = EventText { text: &lookup.finding.content, sentiment: lookup.finding.feeling.sentiment };
        let same_activity = mention.is_same_habit(said);
        let covers = if same_activity && before.subject.is_none() && !before.turns.is_empty() {
            let activity = MentionedActivity::of(said, self.names_in(lookup.facts));
            before.turns.iter().filter(|turn| activity.matches(&turn.content)).map(|turn| turn.id).collect()
        } else {
            Vec::new()
        };
        // A memory that says something different or less than the finding does not have the same meaning.
        let same_meaning = !matches!(compare_events(own, EventText { text, sentiment }), EventRelation::Different | EventRelation::More);
        TextRelation { same_meaning, same_activity, covers }
    }

    /// Returns the earlier mentions of a finding, with the memories of its topic if it recurs.
    async fn earlier_mentions(&self, compared: &Compared<'_>) -> Result<EarlierMentions, EngineError> {
        let Compared { lookup, before, .. } = compared;
        let policy = &self.mind.policy().candidate;
        let turns: Vec<TurnId> = before.turns.iter().map(|turn| turn.id).collect();
        let mut mentions = EarlierMentions { turns, is_topic: before.subject.is_some(), memories: Vec::new() };
        let recurs = is_habit(lookup.finding.candidate_type, mentions.times(), policy) || mentions.times() >= policy.seen_fully;
        if mentions.is_topic && recurs {
            let text = &lookup.finding.content;
            for learned in self.memories_of_topic(text, before).await? {
                let mut known = Vec::with_capacity(learned.len());
                for memory in learned {
                    known.push(self.known_memory(memory, text).await?);
                }
                mentions.memories.push(known);
            }
        }
        Ok(mentions)
    }

    /// Returns the nearest memories with their uncalibrated cosines.
    async fn nearest(&self, vector: &Embedding) -> Result<Vec<(MemoryId, f32)>, EngineError> {
        if let Some(index) = self.mind.retrieval().index().await? {
            let (index, quantised) = (index.read_owned().await, vector.quantised());
            return Ok(index.nearest(&quantised, NEAREST));
        }
        let search = VectorSearch {
            mind: self.mind.id,
            embedder: self.mind.models().embedder_id(),
            vector,
            filter: &Filter::default(),
            limit: NEAREST,
        };
        match self.mind.store().by_vector(search).await {
            Ok(hits) => Ok(hits.into_iter().map(|hit| (hit.memory, hit.cosine)).collect()),
            Err(error) if no_vectors(&error).is_some() => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}
