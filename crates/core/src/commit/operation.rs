//! Operations that the ledger records.

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// Recorded operation.
    Op "operation" {
        /// A mind was created.
        Begin = "begin",
        /// A memory was stored.
        Remember = "remember",
        /// Memories were recalled and used.
        Recall = "recall",
        /// A memory was edited.
        Edit = "edit",
        /// A memory was rated.
        Rate = "rate",
        /// A memory was pinned or unpinned.
        Pin = "pin",
        /// Memories were linked or unlinked.
        Link = "link",
        /// A principal moved a memory to the cliff.
        Forget = "forget",
        /// A memory expired and entered the cliff.
        Expire = "expire",
        /// A memory was restored from the cliff.
        Restore = "restore",
        /// A memory's time on the cliff ended and it was deleted permanently.
        Purge = "purge",
        /// Data was erased immediately for privacy.
        Erase = "erase",
        /// Memories moved between zones.
        Rebalance = "rebalance",
        /// The worker recomputed importance.
        Weigh = "weigh",
        /// Memories were imported.
        Import = "import",
        /// Embeddings were computed.
        Embed = "embed",
        /// A message was ingested and judged.
        Observe = "observe",
        /// A message was retracted, together with everything learned only from it.
        Withdraw = "withdraw",
        /// A retracted message was restored.
        Reinstate = "reinstate",
        /// A message was edited.
        Reword = "reword",
        /// A memory was promoted and distilled into its essence.
        Promote = "promote",
        /// Memories about the same event were merged.
        Consolidate = "consolidate",
        /// Faded memories were pruned.
        Prune = "prune",
        /// Memories of a session were archived or restored from the archive.
        Archive = "archive",
        /// A yearly report was written.
        Report = "report",
        /// The owner set a fact or the speech style directly.
        State = "state",
        /// A request was denied for lack of permission.
        Refuse = "refuse",
        /// The operator read or acted under the owner's grant.
        Access = "access",
        /// The owner gave the operator a grant.
        Grant = "grant",
        /// The owner revoked a grant.
        Revoke = "revoke",
        /// A change was proposed to the owner.
        Propose = "propose",
        /// The owner approved a proposal.
        Approve = "approve",
        /// The owner rejected a proposal.
        Reject = "reject",
        /// A proposal expired unanswered, or its subject no longer exists.
        Lapse = "lapse",
        /// The owner undid an approval.
        Undo = "undo",
        /// An island was created, renamed or removed, or its strength changed.
        Island = "island",
        /// All founding memories of an island are gone.
        Shake = "shake",
        /// An island collapsed.
        Collapse = "collapse",
        /// New core memories on an island's theme were created.
        Rebuild = "rebuild",
        /// An island is active again.
        Stand = "stand",
        /// The owner returned to an earlier version of the self.
        Return = "return",
        /// SOUL.md was written.
        Soul = "soul",
        /// An imagination was generated.
        Imagine = "imagine",
        /// An imagination received feedback or was ignored.
        Feedback = "feedback",
        /// A run of personas was started, or a persona answered.
        Orchestrate = "orchestrate",
        /// Answers were evaluated, and the plan was adjusted.
        Evaluate = "evaluate",
        /// A conversation was analysed, or a model call failed.
        Think = "think",
    }
}
