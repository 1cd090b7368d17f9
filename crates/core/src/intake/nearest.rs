//! Selects the memory that a finding repeats, among the stored ones and those created earlier in the exchange.

use crate::intake::draft::DecisionDraft;
use crate::intake::finding::{EarlierMentions, FindingInput, KnownMemory, TextRelation};
use crate::{Category, Memory, Policy, Source, TurnId, Unit};

/// A memory that a finding repeats, in its latest state.
#[derive(Clone)]
pub(crate) struct Nearest<'a> {
    pub(crate) memory: Memory,
    pub(crate) similarity: Unit,
    pub(crate) essences: &'a [Memory],
    /// Earlier mentions that are about the activity of the memory, too.
    pub(crate) covers: &'a [TurnId],
    same_activity: bool,
}

impl Nearest<'_> {
    /// Whether the similarity is at least that of a predictable finding.
    pub(crate) fn is_related(&self, policy: &Policy) -> bool {
        self.similarity.get() >= policy.admission.predictable_from
    }

    /// Whether the memory is about the habit that the finding mentions. An exceptional event is not part of a habit.
    pub(crate) fn is_of_habit(&self, policy: &Policy) -> bool {
        let memory = &self.memory;
        let everyday = memory.mentions > 0 || memory.feeling.intensity.get() <= policy.admission.great_intensity;
        self.same_activity && everyday && memory.category == Some(Category::SharedEvents)
    }

    /// Whether the finding is at least the last mention that makes the memory a habit.
    fn completes_habit(&self, policy: &Policy) -> bool {
        self.memory.mentions.saturating_add(2) >= policy.candidate.seen_fully && self.is_of_habit(policy)
    }
}

impl DecisionDraft<'_> {
    /// Returns the most similar memory that can have the same meaning. A repeated habit matches its memory in other words, too.
    pub(crate) fn nearest<'a>(&self, input: &'a FindingInput) -> Option<Nearest<'a>> {
        let policy = self.policy;
        let stored = input.similar.iter().map(|similar| Nearest {
            memory: self.latest(&similar.known.memory),
            similarity: similar.similarity,
            essences: &similar.known.essences,
            covers: &similar.relation.covers,
            same_activity: similar.relation.same_activity,
        });
        let stored = stored.zip(input.similar.iter().map(|similar| &similar.relation));
        let mut candidates: Vec<(Nearest<'a>, &TextRelation)> = stored.chain(self.created_near(input)).collect();
        candidates.sort_by(|(a, _), (b, _)| b.similarity.get().total_cmp(&a.similarity.get()));
        let repeats = |(nearest, relation): &(Nearest<'a>, &TextRelation)| {
            relation.same_meaning || nearest.is_related(policy) && nearest.completes_habit(policy)
        };
        candidates.into_iter().find(repeats).map(|(nearest, _)| nearest)
    }

    /// Returns the memories created in this exchange with their similarity to the finding.
    fn created_near<'a>(&self, input: &'a FindingInput) -> Vec<(Nearest<'a>, &'a TextRelation)> {
        let (Some(vector), Some(calibration)) = (&input.vector, &self.context.calibration) else { return Vec::new() };
        let near = |created: &crate::intake::draft::Created| {
            let relation = input.to_earlier.get(created.finding)?;
            let nearest = Nearest {
                memory: created.memory.clone(),
                similarity: calibration.similarity(vector.cosine(created.vector.as_ref()?)),
                essences: &[],
                covers: &relation.covers,
                same_activity: relation.same_activity,
            };
            Some((nearest, relation))
        };
        self.created.iter().filter_map(near).collect()
    }

    /// Returns the memory of a topic, as similar as a predictable finding.
    pub(crate) fn topic_memory<'a>(&self, mentions: &'a EarlierMentions) -> Option<Nearest<'a>> {
        for learned in &mentions.memories {
            let latest = learned.iter().map(|known| (self.latest(&known.memory), known));
            let counted = latest.filter(|(memory, _)| memory.mentions > 0);
            // Prefer a memory in its own words over an essence.
            let order = |memory: &Memory| (memory.source == Source::Distillation, std::cmp::Reverse(memory.mentions), memory.id);
            if let Some((memory, known)) = counted.min_by_key(|(memory, _)| order(memory)) {
                return Some(self.known_as(memory, known, Unit::clamped(self.policy.admission.predictable_from)));
            }
        }
        None
    }

    /// Returns a memory that is known for another reason than the similarity of its vector.
    pub(crate) fn known_as<'a>(&self, memory: Memory, known: &'a KnownMemory, similarity: Unit) -> Nearest<'a> {
        Nearest { memory, similarity, essences: &known.essences, covers: &[], same_activity: false }
    }
}
