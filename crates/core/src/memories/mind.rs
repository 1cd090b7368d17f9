//! A mind: one character's memory of one user in one work.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Invalid, MindId, Mood, Tier, Timestamp, phrase};

/// Key of a mind: user, character and work. Each name has 1 to 200 characters and no control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MindKey {
    user: String,
    character: String,
    work: String,
}

impl MindKey {
    /// Work used if none is specified.
    pub const DEFAULT_WORK: &'static str = "default";

    /// Creates the key for `character` and `user` in the default work.
    pub fn new(user: &str, character: &str) -> Result<Self, Invalid> {
        Self::in_work(user, character, Self::DEFAULT_WORK)
    }

    /// Creates the key for `character` and `user` in `work`.
    pub fn in_work(user: &str, character: &str, work: &str) -> Result<Self, Invalid> {
        let name = |field: &'static str, name: &str| {
            let name = name.trim();
            if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
                return Err(Invalid::new(field, phrase!("core.mind.name_length")));
            }
            Ok(name.to_owned())
        };
        Ok(Self { user: name("user", user)?, character: name("character", character)?, work: name("work", work)? })
    }

    /// Parses `user/character` or `user/character/work`, with slashes inside a part percent-encoded.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let parts = text.split('/').map(decode).collect::<Option<Vec<_>>>();
        match parts.as_deref() {
            Some([user, character]) => Self::new(user, character),
            Some([user, character, work]) => Self::in_work(user, character, work),
            _ => {
                let problem = phrase!("core.mind.not_a_mind", text);
                Err(Invalid::new("mind", problem))
            }
        }
    }

    /// Returns the user.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the character.
    pub fn character(&self) -> &str {
        &self.character
    }

    /// Returns the work.
    pub fn work(&self) -> &str {
        &self.work
    }
}

impl fmt::Display for MindKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", encode(&self.user), encode(&self.character))?;
        if self.work == Self::DEFAULT_WORK { Ok(()) } else { write!(f, "/{}", encode(&self.work)) }
    }
}

/// Encodes a name for a key. Asterisks are encoded because patterns use them as wildcards.
pub(crate) fn encode(name: &str) -> String {
    name.replace('%', "%25").replace('/', "%2F").replace('*', "%2A")
}

fn decode(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

/// State of a mind as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Mind {
    /// Id of the mind.
    pub id: MindId,
    /// Key of the mind.
    pub key: MindKey,
    /// Time it was created.
    pub made_at: Timestamp,
    /// Turn counter.
    pub turns: u64,
    /// Current mood of the character.
    pub mood: Mood,
    /// Time of the last worker run; `None` for a new mind.
    pub ticked_at: Option<Timestamp>,
    /// Time until which, as of the last write, the worker's periodic runs are known to have nothing to do.
    pub quiet_until: Option<Timestamp>,
    /// Turn counter at the last consolidation.
    pub consolidated_turn: u64,
    /// Memories created up to this time have been checked for duplicates; `None` for a new mind.
    pub compared_to: Option<Timestamp>,
    /// Last calendar steps at which memories were promoted.
    pub raised: Raised,
    /// Turn counter at the last pruning.
    pub pruned_turn: u64,
    /// Time by which the worker must run again; `None` while nothing can change without input.
    pub care_due_at: Option<Timestamp>,
    /// Secret of this mind that salts hashes in the ledger. Erased with the mind.
    pub salt: [u8; 32],
}

/// Last completed promotion step per tier. If the worker crashes later in the same run, it must not repeat a completed step,
/// because its own changes since then may alter the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Raised {
    /// Last step that promoted from M30.
    pub m30: Option<Timestamp>,
    /// Last step that promoted from M90.
    pub m90: Option<Timestamp>,
}

impl Raised {
    /// Whether the step at `at` is completed. Steps recorded by a clock that was ahead of `now` do not count.
    pub fn is_done(&self, tier: Tier, at: Timestamp, now: Timestamp) -> bool {
        let last = if tier == Tier::M30 { self.m30 } else { self.m90 };
        last.is_some_and(|last| at <= last && last <= now)
    }
}

impl Mind {
    /// Returns the time up to which the worker's periodic runs are completed or had nothing to do. If a clock was ahead and came
    /// back, the current time is the limit.
    pub fn walked_until(&self, now: Timestamp) -> Timestamp {
        let looked = self.ticked_at.unwrap_or(self.made_at).min(now);
        self.quiet_until.filter(|quiet| *quiet <= now).map_or(looked, |quiet| quiet.max(looked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_up_to_the_last_one_that_raised_unless_that_lies_ahead() {
        let at = Timestamp::from_millis;
        let raised = Raised { m30: Some(at(70)), m90: None };
        for (tier, step, now, done) in [
            (Tier::M30, 63, 75, true),
            (Tier::M30, 70, 75, true),
            (Tier::M30, 77, 80, false),
            (Tier::M30, 7, 10, false),
            (Tier::M90, 63, 75, false),
        ] {
            assert_eq!(raised.is_done(tier, at(step), at(now)), done, "{tier} {step} {now}");
        }
    }

    #[test]
    fn a_key_reads_back_as_it_was_written() {
        for (user, character, work, shown) in [
            ("minsu", "luna", "default", "minsu/luna"),
            ("민수", "루나", "겨울 이야기", "민수/루나/겨울 이야기"),
            ("a/b", "50%", "default", "a%2Fb/50%25"),
        ] {
            let key = MindKey::in_work(user, character, work).unwrap();
            assert_eq!(key.to_string(), shown);
            assert_eq!(MindKey::parse(shown).unwrap(), key);
        }
    }

    #[test]
    fn a_key_that_names_nobody_is_refused() {
        for text in ["", "minsu", "minsu/", "/luna", "a/b/c/d", "a/%zz", "a/\u{1}"] {
            assert!(MindKey::parse(text).is_err(), "{text:?}");
        }
    }
}
