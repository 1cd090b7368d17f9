//! Retraction limits: how freely messages may be retracted or edited.
//!
//! The program that runs the character edits and regenerates the current conversation, and memory follows. The same call on last
//! month's messages would be a way to forget without the owner, so outside the current session it counts as forgetting.

use crate::{AgentPolicy, Principal, Role, SessionId, Span, Timestamp, Turn};

/// How freely a principal may retract or edit a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// Without limit.
    Free,
    /// The memories lost count towards the daily limit of forgotten memories.
    Counted,
}

/// State of the current conversation.
#[derive(Clone, Copy, Debug)]
pub struct CurrentSession<'a> {
    /// Session of the latest message.
    pub session: Option<&'a SessionId>,
    /// Current time.
    pub now: Timestamp,
}

/// Returns how freely `principal` may retract or edit `turn`. An agent may freely change its own messages, and user messages only
/// while they are recent and in the current session.
pub fn freedom(principal: Principal, turn: &Turn, current: CurrentSession<'_>, policy: &AgentPolicy) -> Freedom {
    let fresh = current.now.since(turn.at) <= Span::seconds(i64::from(policy.reroll_minutes) * 60);
    let being_said = fresh && current.session == Some(&turn.session);
    match principal {
        Principal::Agent if turn.role == Role::User && !being_said => Freedom::Counted,
        _ => Freedom::Free,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TurnId;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn check(principal: Principal, (role, session, minutes): (Role, &str, i64), expected: Freedom) {
        let at = NOW.minus(Span::seconds(minutes * 60));
        let turn = Turn {
            id: TurnId::new(at, [1; 10]),
            session: SessionId::new(session).unwrap(),
            sequence: 1,
            role,
            speaker: None,
            content: "나는 부산에 살아".into(),
            at,
            face: None,
            injected: Vec::new(),
            withdrawn_at: None,
        };
        let session = SessionId::new("오늘").unwrap();
        let current = CurrentSession { session: Some(&session), now: NOW };
        assert_eq!(
            freedom(principal, &turn, current, &AgentPolicy::default()),
            expected,
            "{principal}: {role} {minutes} minutes ago in {}",
            turn.session.as_str()
        );
    }

    #[test]
    fn an_agent_rewrites_freely_only_what_is_being_said() {
        use Freedom::{Counted, Free};
        for (role, session, minutes, expected) in [
            (Role::User, "오늘", 0, Free),
            (Role::User, "오늘", 179, Free),
            (Role::User, "오늘", 181, Counted),
            (Role::User, "어제", 5, Counted),
            (Role::Assistant, "오늘", 5, Free),
            (Role::Assistant, "어제", 100_000, Free),
            (Role::System, "어제", 100_000, Free),
        ] {
            check(Principal::Agent, (role, session, minutes), expected);
            check(Principal::Owner, (role, session, minutes), Free);
        }
    }
}
