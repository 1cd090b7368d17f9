//! The self of a mind in a bundle: islands, versions, proposals, rejections and imaginations.

use saegim_core::{
    Change, Deed, Hash, Imagination, Island, IslandId, Op, Proposal, Proposed, Rejection, SelfVersion, Thing, Weight, phrase,
};
use saegim_store::ProposalPage;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::SkippedItem;
use super::bundle::line;
use crate::EngineError;
use crate::exchange::Transfer;

/// Upper bound above the size of any mind.
const ALL: usize = u32::MAX as usize;

/// Self data of a bundle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selfhood {
    islands: Vec<Island>,
    versions: Vec<SelfVersion>,
    rejections: Vec<Rejection>,
    proposals: Vec<Proposal>,
    imaginations: Vec<Imagination>,
    weights: Vec<Weight>,
}

impl Selfhood {
    /// Reads a line of a bundle. Returns false for a type that is not part of a self.
    pub(super) fn take(&mut self, kind: &str, fields: &Map<String, Value>) -> Result<bool, serde_json::Error> {
        fn read<T: DeserializeOwned>(fields: &Map<String, Value>, more: Value) -> Result<T, serde_json::Error> {
            let mut fields = fields.clone();
            if let Value::Object(more) = more {
                fields.extend(more);
            }
            serde_json::from_value(Value::Object(fields))
        }
        match kind {
            "island" => self.islands.push(read(fields, json!({ "revision": 0 }))?),
            "self_version" => self.versions.push(read(fields, Value::Null)?),
            "belief_rejection" => self.rejections.push(read(fields, Value::Null)?),
            "proposal" => self.proposals.push(read(fields, json!({ "revision": 0, "digest": Hash::NONE }))?),
            "imagination" => self.imaginations.push(read(fields, Value::Null)?),
            "imagination_weight" => self.weights.push(read(fields, Value::Null)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the lines of a bundle, in a fixed order. Revisions and salted digests are left out and recalculated on import.
    fn lines(&self) -> Vec<String> {
        fn each<T: Serialize>(kind: &str, things: &[T]) -> Vec<String> {
            let plain = |thing: &T| match json!(thing) {
                Value::Object(mut fields) => {
                    fields.remove("revision");
                    fields.remove("digest");
                    fields
                }
                _ => unreachable!("everything in a bundle is an object"),
            };
            things.iter().map(|thing| line(kind, &plain(thing))).collect()
        }
        let mut lines = each("island", &self.islands);
        lines.extend(each("self_version", &self.versions));
        lines.extend(each("belief_rejection", &self.rejections));
        lines.extend(each("proposal", &self.proposals));
        lines.extend(each("imagination", &self.imaginations));
        lines.extend(each("imagination_weight", &self.weights));
        lines
    }

    fn changes(self, salt: &[u8; 32]) -> Vec<Change> {
        let sealed = |proposal: Proposal| Proposal { digest: proposal.change.digest(salt), ..proposal };
        let mut changes: Vec<Change> = self.islands.into_iter().map(|island| Change::IslandSet(Box::new(island))).collect();
        changes.extend(self.versions.into_iter().map(|version| Change::SelfVersioned(Box::new(version))));
        changes.extend(self.rejections.into_iter().map(|rejection| Change::BeliefRejected(Box::new(rejection))));
        changes.extend(self.proposals.into_iter().map(|proposal| Change::ProposalSet(Box::new(sealed(proposal)))));
        changes.extend(self.imaginations.into_iter().map(|imagination| Change::ImaginationSet(Box::new(imagination))));
        changes.extend(self.weights.into_iter().map(Change::WeightSet));
        changes
    }
}

impl Transfer<'_> {
    /// Returns the bundle lines of the self.
    pub(super) async fn selfhood_lines(&self) -> Result<Vec<String>, EngineError> {
        Ok(self.self_history().await?.lines())
    }

    async fn self_history(&self) -> Result<Selfhood, EngineError> {
        let store = self.mind.store();
        let mut selfhood = Selfhood {
            islands: store.islands(self.mind.id).await?,
            versions: store.self_versions(self.mind.id).await?,
            rejections: store.rejections(self.mind.id).await?,
            proposals: store.proposals(self.mind.id, ProposalPage { limit: ALL, status: None }).await?,
            imaginations: store.imaginations(self.mind.id, ALL).await?,
            weights: store.weights(self.mind.id).await?,
        };
        // The content of these proposals was erased, so there is nothing to export.
        selfhood.proposals.retain(|proposal| proposal.change != Proposed::Gone);
        selfhood.proposals.reverse();
        selfhood.imaginations.reverse();
        Ok(selfhood)
    }

    pub(crate) async fn import_self(&self, selfhood: Selfhood) -> Result<Option<SkippedItem>, EngineError> {
        self.mind.may(Deed::Import).await?;
        let own = self.self_history().await?;
        if selfhood == Selfhood::default() {
            return Ok(None);
        }
        if own != Selfhood::default() {
            let islands = |of: &Selfhood| of.islands.iter().map(|island| island.id).collect::<Vec<IslandId>>();
            let known = islands(&own) == islands(&selfhood) && own.versions == selfhood.versions;
            let why = phrase!("engine.selfhood.already_present");
            return Ok((!known).then_some(SkippedItem { what: "self".into(), why }));
        }
        let mut commit = self.mind.commit(Op::Import, &[]).because("a self");
        commit.things.extend(selfhood.islands.iter().map(|island| Thing::Island(island.id)));
        commit.changes = selfhood.changes(self.mind.salt());
        self.mind.write(commit).await?;
        Ok(None)
    }
}
