//! Permissions: one table, checked before any access to the store.

use crate::primitives::word_enum::word_enum;
use crate::{Phrase, Principal, phrase};

word_enum! {
    /// An action on a mind.
    Deed "deed" {
        /// Read memories, facts, messages or emotions.
        Read = "read",
        /// Read the ledger.
        ReadLedger = "read_ledger",
        /// Add a memory.
        Remember = "remember",
        /// Edit a memory.
        Edit = "edit",
        /// Rate a memory.
        Rate = "rate",
        /// Link or unlink memories.
        Link = "link",
        /// Pin or unpin a memory.
        Pin = "pin",
        /// Make a memory core.
        MakeCore = "make_core",
        /// Change a core or pinned memory.
        TouchCore = "touch_core",
        /// Forget a memory.
        Forget = "forget",
        /// Restore a memory from the cliff.
        Restore = "restore",
        /// Erase immediately and permanently.
        Erase = "erase",
        /// Import memories.
        Import = "import",
        /// Export a mind.
        Export = "export",
        /// Archive memories or restore them from an archive.
        Archive = "archive",
        /// Ingest messages of a conversation.
        Observe = "observe",
        /// Retract or edit a message.
        Withdraw = "withdraw",
        /// Select another branch of the conversation.
        Branch = "branch",
        /// Set or end facts directly.
        StateFacts = "state_facts",
        /// Set the speech style.
        SetStyle = "set_style",
        /// Propose a change to the owner.
        Propose = "propose",
        /// Approve, reject or undo a proposal.
        Decide = "decide",
        /// Change the self: return to a version, write SOUL.md.
        WriteSelf = "write_self",
        /// Create, rename or remove islands.
        MakeIslands = "make_islands",
        /// Generate an imagination.
        Imagine = "imagine",
        /// Give feedback on an imagination.
        Feedback = "feedback",
        /// Run personas, or record an evaluation.
        Orchestrate = "orchestrate",
        /// Give or revoke a grant.
        Grant = "grant",
        /// Create a mind.
        Begin = "begin",
        /// Copy the whole store, or rebuild derived data.
        Operate = "operate",
        /// List the minds.
        ListMinds = "list_minds",
    }
}

/// Extent of a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// Always allowed.
    Yes,
    /// Allowed up to a daily limit, beyond which it becomes a proposal; or only for the principal's own actions.
    Limited,
    /// Allowed only under an active grant of the owner; each use is recorded.
    Granted(GrantScope),
    /// Never allowed.
    No,
}

word_enum! {
    /// Scope of a grant by the owner to the operator.
    GrantScope "scope" {
        /// Read memories.
        Read = "read",
        /// Restore memories from the cliff.
        Restore = "restore",
        /// Export the mind.
        Export = "export",
        /// Erase data where the law requires it.
        Erase = "erase",
    }
}

/// Returns the permission of `principal` for `deed`.
pub const fn right(principal: Principal, deed: Deed) -> Right {
    use Deed::*;
    match principal {
        Principal::Owner => Right::Yes,
        Principal::Agent => match deed {
            Read | ReadLedger | Remember | Edit | Rate | Link | Observe | Withdraw | Branch | Propose | Imagine | Feedback
            | Orchestrate | Begin => Right::Yes,
            Forget | Restore => Right::Limited,
            _ => Right::No,
        },
        Principal::Admin => match deed {
            ReadLedger | Operate | ListMinds => Right::Yes,
            Read => Right::Granted(GrantScope::Read),
            Restore => Right::Granted(GrantScope::Restore),
            Export => Right::Granted(GrantScope::Export),
            Erase => Right::Granted(GrantScope::Erase),
            _ => Right::No,
        },
        Principal::Worker => match deed {
            Read | ReadLedger | Remember | Edit | Link | Forget | Observe | Propose | Imagine => Right::Yes,
            _ => Right::No,
        },
    }
}

/// Whether `maker` may create a key for `made`. Only an owner may create a key that can read memories; otherwise an operator
/// could grant themselves that access. The worker needs no key.
pub const fn may_make_key(maker: Principal, made: Principal) -> bool {
    match maker {
        Principal::Owner => !matches!(made, Principal::Worker),
        Principal::Admin => matches!(made, Principal::Admin),
        Principal::Agent | Principal::Worker => false,
    }
}

impl Deed {
    /// Returns the error message for a principal without permission.
    pub fn refusal(self, principal: Principal) -> Phrase {
        let what = Phrase::name("deed", self.as_str());
        match (principal, right(principal, self)) {
            (Principal::Agent, _) if self == Self::TouchCore => phrase!("core.rights.agent_changes_core"),
            (Principal::Agent, _) if self == Self::MakeCore => phrase!("core.rights.agent_creates_core"),
            (_, Right::Granted(scope)) => phrase!("core.rights.operator_needs_permission", what, scope),
            (Principal::Admin, Right::No) => phrase!("core.rights.operator_may_not", what),
            _ => phrase!("core.rights.owner_only", what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    /// Permission table with the columns owner, agent, admin, worker; `Y` yes, `L` limited, `G` granted, `-` never.
    const TABLE: &str = "
        read            Y Y G Y
        read_ledger     Y Y Y Y
        remember        Y Y - Y
        edit            Y Y - Y
        rate            Y Y - -
        link            Y Y - Y
        pin             Y - - -
        make_core       Y - - -
        touch_core      Y - - -
        forget          Y L - Y
        restore         Y L G -
        erase           Y - G -
        import          Y - - -
        export          Y - G -
        archive         Y - - -
        observe         Y Y - Y
        withdraw        Y Y - -
        branch          Y Y - -
        state_facts     Y - - -
        set_style       Y - - -
        propose         Y Y - Y
        decide          Y - - -
        write_self      Y - - -
        make_islands    Y - - -
        imagine         Y Y - Y
        feedback        Y Y - -
        orchestrate     Y Y - -
        grant           Y - - -
        begin           Y Y - -
        operate         Y - Y -
        list_minds      Y - Y -
    ";

    #[test]
    fn every_cell_of_the_table_is_as_it_is_written() {
        let rows: Vec<Vec<&str>> =
            TABLE.lines().map(|line| line.split_whitespace().collect()).filter(|row: &Vec<&str>| !row.is_empty()).collect();
        assert_eq!(rows.len(), Deed::ALL.len());
        for row in rows {
            let deed = Deed::parse(row[0]).unwrap();
            for (principal, cell) in [Principal::Owner, Principal::Agent, Principal::Admin, Principal::Worker].into_iter().zip(&row[1..]) {
                let mark = match right(principal, deed) {
                    Right::Yes => "Y",
                    Right::Limited => "L",
                    Right::Granted(_) => "G",
                    Right::No => "-",
                };
                assert_eq!(mark, *cell, "{deed} by the {principal}");
            }
        }
    }

    #[test]
    fn an_agent_never_decides_and_never_writes_the_self() {
        for deed in
            [Deed::Decide, Deed::WriteSelf, Deed::MakeIslands, Deed::MakeCore, Deed::TouchCore, Deed::Erase, Deed::Grant, Deed::Import]
        {
            assert_eq!(right(Principal::Agent, deed), Right::No);
            assert_eq!(right(Principal::Worker, deed), Right::No, "nor does the caretaker: {deed}");
        }
    }

    #[test]
    fn nobody_makes_a_key_that_sees_more_than_they_do() {
        use Principal::{Admin, Agent, Owner, Worker};
        for (maker, made) in [(Owner, vec![Owner, Agent, Admin]), (Agent, vec![]), (Admin, vec![Admin]), (Worker, vec![])] {
            let may: Vec<Principal> = [Owner, Agent, Admin, Worker].into_iter().filter(|made| may_make_key(maker, *made)).collect();
            assert_eq!(may, made, "by the {maker}");
        }
    }

    #[test]
    fn a_refusal_is_explained_in_both_languages() {
        for &deed in Deed::ALL {
            for principal in [Principal::Agent, Principal::Admin] {
                let said = deed.refusal(principal);
                assert!(
                    said.to_string().contains("may") && said.in_language(Language::Korean).ends_with(|letter: char| letter.is_alphabetic())
                );
            }
        }
    }
}
