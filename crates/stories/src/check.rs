//! Checks the expectations of a story and describes the actual state.

use std::collections::HashSet;

use saegim_core::{LinkKind, Memory, MemoryId, MemoryState, Op, Phrase, PromotionReason, Tier, Timestamp, Verdict, phrase};

use super::act::shown;
use super::deed::Which;
use super::diary::promotion_of;
use super::expectation::{Bound, Counted, Expectation};
use super::stage::Stage;
use super::story::Story;
use saegim_engine::{ContextQuery, EngineError, Query};

/// The part of a memory that must not depend on downtime of the program: content, tier, expiry and recalls.
pub(crate) type StableState = (String, Tier, Option<Timestamp>, u32);

/// Description of the actual state, if an expectation failed.
type Instead = Option<Phrase>;

impl Stage {
    /// Checks an expectation. Returns the actual state if it does not hold.
    pub(crate) async fn check(&mut self, expected: &Expectation, story: &Story) -> Result<Instead, EngineError> {
        match expected {
            Expectation::InTier { memory, tier, because } => self.in_tier(memory, *tier, because).await,
            Expectation::InZone(memory, zone) => {
                let found = self.meant(memory).await?;
                Ok(instead(found.iter().any(|memory| is_alive(memory) && memory.zone == *zone), || places(&found)))
            }
            Expectation::OnCliff(memory, reason) => self.on_cliff(memory, *reason).await,
            Expectation::Alive(memory) => {
                let found = self.meant(memory).await?;
                Ok(instead(found.iter().any(is_alive), || places(&found)))
            }
            Expectation::Gone(memory) => {
                let found = self.meant(memory).await?;
                Ok(instead(found.is_empty(), || places(&found)))
            }
            Expectation::Recalls(memory, bound) => {
                let found = self.meant(memory).await?;
                let recalls: Vec<u64> = found.iter().map(|memory| u64::from(memory.recalls)).collect();
                Ok(instead(!recalls.is_empty() && recalls.iter().all(|number| bound.holds(*number)), || format!("{recalls:?}").into()))
            }
            Expectation::Essence { of, tier, because, name } => self.essence(of, (*tier, because), name.as_deref()).await,
            Expectation::NoEssence(of) => self.no_essence(of).await,
            Expectation::NoBytes(text) => Ok(instead(!self.holds_bytes(text)?, || phrase!("engine.check.bytes_remain"))),
            Expectation::Finds { question, memory, holds } => self.finds(question, memory.as_ref(), *holds).await,
            Expectation::Context { message, text, holds } => {
                let context = self.mind.context(ContextQuery { text: message.clone(), budget: None }).await?;
                Ok(instead(context.text.contains(text.as_str()) == *holds, || context.text.clone().into()))
            }
            Expectation::Count(counted, bound) => self.count(*counted, *bound).await,
            Expectation::Fact { subject, value } => {
                let known = self.known(subject).await?;
                Ok(instead(known.contains(value), || listed(&known)))
            }
            Expectation::NoFact(subject) => {
                let known = self.known(subject).await?;
                Ok(instead(known.is_empty(), || listed(&known)))
            }
            Expectation::LedgerWhole => {
                let verdict = self.mind.verify_ledger(None).await?;
                Ok(instead(matches!(verdict, Verdict::Whole { .. }), || format!("{verdict:?}").into()))
            }
            Expectation::Refused(deed) => match Box::pin(self.act(deed, 0, story)).await {
                Ok(()) => Ok(Some(phrase!("engine.check.not_refused"))),
                Err(EngineError::Store(error)) => Err(error.into()),
                Err(_) => Ok(None),
            },
            Expectation::AsAwake => Ok(None),
        }
    }

    async fn in_tier(&self, which: &Which, tier: Tier, because: &[PromotionReason]) -> Result<Instead, EngineError> {
        let found = self.meant(which).await?;
        let here: Vec<&Memory> = found.iter().filter(|memory| is_alive(memory) && memory.tier == tier).collect();
        if here.is_empty() {
            return Ok(Some(places(&found)));
        }
        if because.is_empty() {
            return Ok(None);
        }
        let mut told = Vec::new();
        for memory in here {
            let reasons = self.reasons(memory.id).await?;
            if reasons == because {
                return Ok(None);
            }
            told.push(words(&reasons));
        }
        Ok(Some(listed(&told)))
    }

    /// Returns the sorted promotion reasons of an essence; empty if it was not promoted.
    async fn reasons(&self, essence: MemoryId) -> Result<Vec<PromotionReason>, EngineError> {
        let history = self.mind.show(essence).await?.history;
        let first = history.iter().find(|entry| entry.operation == Op::Promote);
        let mut reasons = first.and_then(|entry| promotion_of(entry.note.as_deref()?)).map(|(_, reasons)| reasons).unwrap_or_default();
        reasons.sort();
        Ok(reasons)
    }

    async fn on_cliff(&self, which: &Which, reason: Option<saegim_core::CliffReason>) -> Result<Instead, EngineError> {
        let found = self.meant(which).await?;
        let fallen = self.mind.cliff().await?;
        let waits = fallen.iter().filter(|fallen| found.iter().any(|memory| memory.id == fallen.memory.id));
        let reasons: Vec<_> = waits.map(|fallen| fallen.entry.reason).collect();
        let holds = reasons.iter().any(|found| reason.is_none_or(|reason| reason == *found));
        Ok(instead(holds, || match reasons.first() {
            Some(reason) => phrase!("engine.check.other_reason", reason),
            None => places(&found),
        }))
    }

    /// Returns all memories an essence is based on, directly or indirectly.
    async fn stands_on(&self, essence: MemoryId) -> Result<HashSet<MemoryId>, EngineError> {
        let (mut all, mut next) = (HashSet::new(), vec![essence]);
        while let Some(memory) = next.pop() {
            for link in self.mind.show(memory).await?.links {
                if link.from == memory && link.kind == LinkKind::DistilledFrom && all.insert(link.to) {
                    next.push(link.to);
                }
            }
        }
        Ok(all)
    }

    async fn essence(
        &mut self,
        of: &[Which],
        (tier, because): (Tier, &[PromotionReason]),
        name: Option<&str>,
    ) -> Result<Instead, EngineError> {
        let mut originals = HashSet::new();
        for which in of {
            let meant = self.originals(which).await?;
            if meant.is_empty() {
                let named = shown(which);
                return Ok(Some(phrase!("engine.check.memory_not_found", named)));
            }
            originals.extend(meant);
        }
        let candidates: Vec<Memory> = self.alive().await?.into_iter().filter(|memory| memory.tier == tier).collect();
        let mut told = Vec::new();
        for candidate in candidates {
            let stands_on = self.stands_on(candidate.id).await?;
            let (here, all) = (originals.intersection(&stands_on).count(), originals.len());
            if here < all {
                told.push(format!("\"{}\" ({here}/{all})", candidate.content));
                continue;
            }
            let reasons = self.reasons(candidate.id).await?;
            if !because.is_empty() && reasons != because {
                told.push(format!("\"{}\": {}", candidate.content, words(&reasons)));
                continue;
            }
            name.iter().for_each(|name| self.name(name, [candidate.id]));
            return Ok(None);
        }
        Ok(Some(listed(&told)))
    }

    /// Returns the memories a reference matches, without essences.
    async fn originals(&self, which: &Which) -> Result<Vec<MemoryId>, EngineError> {
        if let Which::Named(name) = which {
            return Ok(self.called(name)?.to_vec());
        }
        let meant = self.meant(which).await?;
        Ok(meant.iter().filter(|memory| memory.source != saegim_core::Source::Distillation).map(|memory| memory.id).collect())
    }

    async fn no_essence(&self, of: &[Which]) -> Result<Instead, EngineError> {
        let mut originals = Vec::new();
        for which in of {
            originals.extend(self.originals(which).await?);
        }
        for memory in self.alive().await? {
            let stands_on = self.stands_on(memory.id).await?;
            if originals.iter().any(|original| stands_on.contains(original)) {
                let (tier, content) = (memory.tier, memory.content);
                return Ok(Some(phrase!("engine.check.place", tier, content)));
            }
        }
        Ok(None)
    }

    async fn finds(&self, question: &str, which: Option<&Which>, holds: bool) -> Result<Instead, EngineError> {
        let found: Vec<Memory> = self.mind.recall(Query::text(question)).await?.results.into_iter().map(|found| found.memory).collect();
        let meant = match which {
            Some(which) => self.meant(which).await?,
            None => Vec::new(),
        };
        let hit = found.iter().any(|memory| meant.iter().any(|meant| meant.id == memory.id));
        let fine = if which.is_none() { found.is_empty() } else { hit == holds };
        Ok(instead(fine, || listed(&found.iter().map(|memory| format!("\"{}\"", memory.content)).collect::<Vec<_>>())))
    }

    async fn count(&self, counted: Counted, bound: Bound) -> Result<Instead, EngineError> {
        let counts = self.mind.counts().await?;
        let number = match counted {
            Counted::Tier(tier) => counts.tiers[tier as usize],
            Counted::Zone(zone) => counts.zones[zone as usize],
            Counted::Alive => counts.tiers.iter().sum(),
            Counted::Cliff => counts.on_cliff,
            Counted::Links => counts.links,
        };
        Ok(instead(bound.holds(number), || number.to_string().into()))
    }

    /// Returns the current values of a subject.
    async fn known(&self, subject: &str) -> Result<Vec<String>, EngineError> {
        let facts = self.mind.facts().await?;
        Ok(facts.current().filter(|fact| fact.subject == subject).map(|fact| fact.value.clone()).collect())
    }

    /// Returns the state of the living memories that must not depend on downtime. The cliff and its dates are not part of it.
    pub(crate) async fn state(&self) -> Result<Vec<StableState>, EngineError> {
        let state = |memory: Memory| (memory.content, memory.tier, memory.expires_at, memory.recalls);
        let mut state: Vec<_> = self.alive().await?.into_iter().map(state).collect();
        state.sort();
        Ok(state)
    }
}

fn instead(holds: bool, found: impl FnOnce() -> Phrase) -> Instead {
    (!holds).then(found)
}

fn is_alive(memory: &Memory) -> bool {
    memory.standing == MemoryState::Alive
}

/// Describes where memories are.
fn places(found: &[Memory]) -> Phrase {
    let place = |memory: &Memory| match memory.standing {
        MemoryState::Alive => format!("{}/{} \"{}\"", memory.tier, memory.zone, memory.content).into(),
        MemoryState::OnCliff => phrase!("engine.check.on_cliff", content = memory.content),
    };
    if found.is_empty() {
        return listed::<String>(&[]);
    }
    Phrase::joined(found.iter().map(place), ", ")
}

fn listed<T: AsRef<str>>(items: &[T]) -> Phrase {
    if items.is_empty() {
        return phrase!("engine.check.nothing");
    }
    items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ").into()
}

fn words(reasons: &[PromotionReason]) -> String {
    reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(", ")
}
