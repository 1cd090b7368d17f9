//! The self: beliefs derived from core memories, proposed to the owner, and stored in versions that can be restored.

use crate::lifecycle::maintenance::TickScope;
use std::collections::{HashMap, HashSet};

use saegim_core::{
    Belief, BeliefChange, BeliefId, Change, Deed, Drawn, Filing, Hash, Memory, MemoryId, MemoryState, Op, Phrase, Principal, ProposalKind,
    ProposalStatus, Proposed, Reason, Reflection, SelfReason, SelfVersion, Thing, Thought, Tier, Timestamp, Wish, belief_confidence,
    differences, phrase, reflected, statement, supports,
};
use saegim_language::BelieveFrom;
use saegim_store::ProposalPage;

use crate::EngineError;
use crate::identity::SelfModel;

/// Subject of the proposal for the first set of beliefs.
const WHOLE: &str = "self";

impl SelfModel<'_> {
    pub(crate) async fn current_self(&self) -> Result<Option<SelfVersion>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().current_self(self.mind.id).await?)
    }

    pub(crate) async fn self_versions(&self) -> Result<Vec<SelfVersion>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().self_versions(self.mind.id).await?)
    }

    pub(crate) async fn self_difference(&self, from: u64, to: u64) -> Result<Vec<BeliefChange>, EngineError> {
        let versions = self.self_versions().await?;
        let of = |number: u64| match number {
            0 => Ok(Vec::new()),
            _ => versions
                .iter()
                .find(|version| version.version == number)
                .map(|version| version.beliefs.clone())
                .ok_or_else(|| no_version(number)),
        };
        Ok(differences(&of(from)?, &of(to)?))
    }

    pub(crate) async fn return_to(&self, number: u64) -> Result<SelfVersion, EngineError> {
        self.mind.may(Deed::WriteSelf).await?;
        let versions = self.mind.store().self_versions(self.mind.id).await?;
        let earlier = versions.iter().find(|version| version.version == number).ok_or_else(|| no_version(number))?;
        let next = SelfVersion {
            version: versions.last().map_or(1, |version| version.version + 1),
            made_at: self.mind.now(),
            reason: SelfReason::Returned,
            proposal: None,
            beliefs: earlier.beliefs.clone(),
        };
        let mut commit = self.mind.commit(Op::Return, &[]).because(format!("to version {number}")).about(Thing::Version(next.version));
        commit.changes.push(Change::SelfVersioned(Box::new(next.clone())));
        self.mind.write(commit).await?;
        self.reflect().await?;
        Ok(next)
    }

    /// Derives a belief's id from its statement, so that the same belief leads to the same proposal.
    pub(crate) fn belief_id(&self, statement: &str) -> BeliefId {
        let digest = Hash::salted(self.mind.salt(), statement);
        BeliefId::new(Timestamp::from_millis(0), digest.bytes()[..10].try_into().expect("a hash has more than ten bytes"))
    }

    /// Derives islands and beliefs from the core memories and proposes them to the owner. Idempotent; also lapses proposals that
    /// the memories no longer support.
    pub(crate) async fn reflect(&self) -> Result<(), EngineError> {
        let core: Vec<Memory> = self.mind.lifecycle().alive(Tier::M0).await?;
        let carrying: Vec<Memory> = core.iter().filter(|memory| supports(memory, &self.mind.policy().belief)).cloned().collect();
        let mut wishes = self.island_wishes(&carrying).await?;
        // While the thinker is not available, its earlier proposals stay as they are.
        let drawn = self.drawn(&carrying).await?;
        let asked = drawn.is_some();
        if let Some(drawn) = drawn {
            wishes.extend(self.belief_wishes(&carrying, &drawn).await?);
        }
        let page = ProposalPage { limit: 100, status: Some(ProposalStatus::Pending) };
        for proposal in self.mind.store().proposals(self.mind.id, page).await? {
            let kind = proposal.kind == ProposalKind::Island || proposal.kind == ProposalKind::Belief && asked;
            let ours = proposal.made_by == Principal::Worker && kind;
            if ours && !wishes.iter().any(|wish| wish.kind == proposal.kind && wish.subject == proposal.subject) {
                self.reject_stale(proposal, "the memories no longer ask for it").await?;
            }
        }
        for wish in wishes {
            if self.file(wish, Principal::Worker, self.mind.now()).await? == Filing::Full {
                break;
            }
        }
        Ok(())
    }

    async fn belief_wishes(&self, core: &[Memory], drawn: &[Drawn]) -> Result<Vec<Wish>, EngineError> {
        let current = self.mind.store().current_self(self.mind.id).await?;
        let beliefs: Vec<Belief> = current.as_ref().map(|version| version.beliefs.clone()).unwrap_or_default();
        let resting: Vec<MemoryId> = beliefs.iter().flat_map(|belief| belief.supporting.iter().copied()).collect();
        let resting = self.mind.store().memories(self.mind.id, &resting).await?;
        let carries = |memory: &&Memory| memory.standing == MemoryState::Alive && supports(memory, &self.mind.policy().belief);
        let known: HashMap<MemoryId, &Memory> = resting.iter().chain(core).filter(carries).map(|memory| (memory.id, memory)).collect();
        let alive: HashSet<MemoryId> = known.keys().copied().collect();
        let edited = |id: MemoryId| known.get(&id).and_then(|memory| memory.edited_at);
        let rejected = self.mind.store().rejections(self.mind.id).await?;
        let look = Reflection { current: &beliefs, drawn, alive: &alive, edited: &edited, rejected: &rejected };
        let changes = reflected(&look, &self.mind.policy().belief, |statement| self.belief_id(statement));
        if beliefs.is_empty() && !changes.is_empty() {
            let count = changes.len();
            let evidence: Vec<MemoryId> = changes.iter().flat_map(|change| change.evidence().iter().copied()).collect();
            let reason = match count {
                1 => phrase!("engine.self_model.first_self_of_one"),
                _ => phrase!("engine.self_model.first_self", count),
            };
            return Ok(vec![Wish {
                kind: ProposalKind::Belief,
                subject: WHOLE.into(),
                change: Proposed::Beliefs { changes },
                reasons: vec![reason.into()],
                evidence: unique(evidence),
                recalls: 0,
            }]);
        }
        Ok(changes.into_iter().map(wish_for).collect())
    }

    /// Returns the beliefs the thinker derives from the core memories; `None` if it is not available.
    async fn drawn(&self, core: &[Memory]) -> Result<Option<Vec<Drawn>>, EngineError> {
        if core.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let texts: Vec<&str> = core.iter().map(|memory| memory.content.as_str()).collect();
        let user = self.user_name().await?;
        let from = BelieveFrom { memories: &texts, user: &user, character: self.mind.key().character() };
        let Ok(convictions) = self.mind.models().think(Thought::Believe, |thinker| thinker.believe(&from)).await else { return Ok(None) };
        let drawn = convictions.into_iter().filter_map(|conviction| {
            let resting: Vec<&Memory> = conviction.supporting.iter().filter_map(|&place| core.get(place)).collect();
            let newest = resting.iter().map(|memory| memory.edited_at.unwrap_or(memory.created_at)).max()?;
            Some(Drawn {
                statement: statement(&conviction.statement).ok()?,
                confidence: belief_confidence(&resting, &self.mind.policy().belief),
                supporting: resting.iter().map(|memory| memory.id).collect(),
                at: newest,
            })
        });
        Ok(Some(drawn.collect()))
    }

    /// Returns the user's name if it is known, otherwise the user part of the mind's key.
    pub(crate) async fn user_name(&self) -> Result<String, EngineError> {
        let facts = self.mind.store().facts(self.mind.id).await?;
        let name = facts.iter().find(|fact| fact.subject == "name" && fact.is_current()).map(|fact| fact.value.clone());
        Ok(name.unwrap_or_else(|| self.mind.key().user().to_owned()))
    }

    /// Returns the changes of the self after memories are erased: beliefs that rested only on them are removed from the current
    /// version and erased from all versions.
    pub(crate) async fn self_without(&self, memories: &[Memory]) -> Result<Vec<Change>, EngineError> {
        let gone = |belief: &Belief| belief.supporting.iter().all(|id| memories.iter().any(|memory| memory.id == *id));
        let versions = self.mind.store().self_versions(self.mind.id).await?;
        let Some(current) = versions.last() else { return Ok(Vec::new()) };
        let mut changes = Vec::new();
        let rest: Vec<Belief> = current.beliefs.iter().filter(|belief| !gone(belief)).cloned().collect();
        if rest.len() < current.beliefs.len() {
            let next = SelfVersion {
                version: current.version + 1,
                made_at: self.mind.now(),
                reason: SelfReason::Erased,
                proposal: None,
                beliefs: rest,
            };
            changes.push(Change::SelfVersioned(Box::new(next)));
        }
        let erased = versions.iter().flat_map(|version| &version.beliefs).filter(|belief| gone(belief)).map(|belief| belief.id);
        let erased: HashSet<BeliefId> = erased.collect();
        let mut erased: Vec<BeliefId> = erased.into_iter().collect();
        erased.sort();
        changes.extend(erased.into_iter().map(Change::BeliefErased));
        Ok(changes)
    }

    /// Maintains the self: expires unanswered proposals, updates islands and, once a day, derives beliefs from the core memories.
    pub(crate) async fn maintain_self(&self, scope: TickScope) -> Result<Vec<Phrase>, EngineError> {
        self.lapse().await?;
        let told = self.settle_islands().await?;
        if scope == TickScope::NewDay {
            self.reflect().await?;
            self.file_held().await?;
            self.expire_unjudged().await?;
        }
        Ok(told)
    }

    /// Returns when the self needs maintenance again: the next collapse of a shaking island or expiry of a proposal.
    pub(crate) async fn self_due(&self) -> Result<Option<Timestamp>, EngineError> {
        let policy = &self.mind.policy().island;
        let falls = self.mind.store().islands(self.mind.id).await?.into_iter().filter_map(|island| island.collapses_at(policy)).min();
        let lapses = self.mind.store().waiting(self.mind.id).await?.lapses_at;
        Ok([falls, lapses].into_iter().flatten().min())
    }
}

fn no_version(number: u64) -> EngineError {
    EngineError::NotFound(phrase!("engine.self_model.version_not_found", number))
}

fn unique(ids: Vec<MemoryId>) -> Vec<MemoryId> {
    let mut seen = HashSet::new();
    ids.into_iter().filter(|id| seen.insert(*id)).collect()
}

/// Builds the proposal for one change of the self.
fn wish_for(change: BeliefChange) -> Wish {
    let support = change.evidence().len();
    let reason: Reason = match &change {
        BeliefChange::Added { .. } => phrase!("engine.self_model.derived", support),
        BeliefChange::Changed { before, after } if before.statement == after.statement => {
            phrase!("engine.self_model.now_supported", support)
        }
        BeliefChange::Changed { .. } => phrase!("engine.self_model.support_changed"),
        BeliefChange::Dropped { .. } => phrase!("engine.self_model.support_gone"),
    }
    .into();
    Wish {
        kind: ProposalKind::Belief,
        subject: change.subject(),
        evidence: change.evidence().to_vec(),
        change: Proposed::Beliefs { changes: vec![change] },
        reasons: vec![reason],
        recalls: 0,
    }
}
