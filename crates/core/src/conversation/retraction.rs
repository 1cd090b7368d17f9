//! How freely what was said may be taken back or put differently.
//!
//! The character's program edits and re-rolls the conversation it is having, and memory follows. The same call on what
//! was said last month would be a way to forget without the owner, so beyond the sitting at hand it counts as forgetting.

use crate::{AgentPolicy, Principal, Role, SessionId, Span, Timestamp, Turn};

/// How freely someone may take back or reword a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// As they like.
    Free,
    /// What falls with it counts as what they let go that day.
    Counted,
}

/// The conversation as it is going on.
#[derive(Clone, Copy, Debug)]
pub struct AtHand<'a> {
    /// The session something was said in last.
    pub session: Option<&'a SessionId>,
    /// The moment it is.
    pub now: Timestamp,
}

/// How freely `principal` may take back or reword `turn`: an agent its own words, and the user's while the sitting they
/// were said in goes on.
pub fn freedom(principal: Principal, turn: &Turn, at_hand: AtHand<'_>, policy: &AgentPolicy) -> Freedom {
    let fresh = at_hand.now.since(turn.at) <= Span::seconds(i64::from(policy.reroll_minutes) * 60);
    let being_said = fresh && at_hand.session == Some(&turn.session);
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
        let at_hand = AtHand { session: Some(&session), now: NOW };
        assert_eq!(
            freedom(principal, &turn, at_hand, &AgentPolicy::default()),
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
