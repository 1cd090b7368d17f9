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
            Read | ReadLedger | Remember | Edit | Rate | Link | Observe | Withdraw | Branch | Propose | Imagine | Feedback | Begin => {
                Right::Yes
            }
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
        let (what, korean) = self.words();
        match (principal, right(principal, self)) {
            (Principal::Agent, _) if self == Self::TouchCore => phrase!(
                "an agent may not change core or pinned memories; it can submit a proposal to the owner",
                "에이전트는 핵심 기억이나 고정한 기억을 바꿀 수 없어요. 소유자에게 제안해 주세요"
            ),
            (Principal::Agent, _) if self == Self::MakeCore => phrase!(
                "an agent may not create core or pinned memories; it can submit a proposal to the owner",
                "에이전트는 핵심 기억이나 고정한 기억을 만들 수 없어요. 소유자에게 제안해 주세요"
            ),
            (_, Right::Granted(scope)) => phrase!(
                "an operator may not {what} without the owner's permission; the owner can give it with: saegim grant {scope}",
                "운영자는 소유자의 허용 없이 {korean} 수 없어요. 소유자가 이렇게 허용할 수 있어요: saegim grant {scope}"
            ),
            (Principal::Admin, Right::No) => phrase!("an operator may not {what}", "운영자는 {korean} 수 없어요"),
            _ => phrase!("only the owner may {what}", "소유자만 {korean} 수 있어요"),
        }
    }

    /// Returns the action as it follows "may" in English and precedes "수 있습니다" in Korean.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("read memories", "기억을 볼"),
            Self::ReadLedger => ("read the ledger", "변경 기록을 볼"),
            Self::Remember => ("add a memory", "기억을 추가할"),
            Self::Edit => ("edit a memory", "기억을 수정할"),
            Self::Rate => ("rate a memory", "별점을 줄"),
            Self::Link => ("link or unlink memories", "기억을 연결하거나 연결을 삭제할"),
            Self::Pin => ("pin a memory", "기억을 고정할"),
            Self::MakeCore => ("create a core memory", "핵심 기억으로 만들"),
            Self::TouchCore => ("change a core memory", "핵심 기억을 바꿀"),
            Self::Forget => ("forget a memory", "기억을 잊을"),
            Self::Restore => ("restore a memory", "기억을 복원할"),
            Self::Erase => ("erase data", "데이터를 영구 삭제할"),
            Self::Import => ("import memories", "기억을 가져올"),
            Self::Export => ("export a mind", "마음을 내보낼"),
            Self::Archive => ("archive memories or restore archives", "기억을 보관하거나 보관함을 복원할"),
            Self::Observe => ("ingest messages", "대화 메시지를 보낼"),
            Self::Withdraw => ("edit or retract messages", "메시지를 수정하거나 취소할"),
            Self::Branch => ("branch a conversation", "대화를 분기할"),
            Self::StateFacts => ("set or end facts", "사실을 직접 입력하거나 끝낼"),
            Self::SetStyle => ("set the speech style", "말투를 정할"),
            Self::Propose => ("propose a change", "변경을 제안할"),
            Self::Decide => ("approve or reject a proposal", "제안을 승인하거나 거절할"),
            Self::WriteSelf => ("change the self", "자아를 바꿀"),
            Self::MakeIslands => ("create, rename or remove islands", "섬을 만들거나 수정하거나 삭제할"),
            Self::Imagine => ("generate imaginations", "상상을 만들"),
            Self::Feedback => ("rate imaginations", "상상을 평가할"),
            Self::Grant => ("grant permissions", "권한을 줄"),
            Self::Begin => ("create a mind", "마음을 만들"),
            Self::Operate => ("operate the database", "데이터베이스를 운영할"),
            Self::ListMinds => ("list minds", "마음 목록을 볼"),
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
