//! Parser of the demo script: when each session takes place, its messages and the user's manual actions.

use saegim_core::ProposalKind;

/// Time of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// At a minute of the day, a number of days ago.
    Evening { days_ago: i64, minute: i64 },
    /// A few minutes ago.
    JustNow { minutes_ago: i64 },
}

/// A manual action of the user. A memory is identified by a part of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Recall(String),
    Use(String, u32),
    Rate(String, u8),
    Pin(String),
    Forget(String),
    /// Proposes the memory as a core memory and leaves the proposal in the inbox.
    Wish(String),
    /// Proposes the memory as a core memory and approves the proposal.
    Core(String),
    /// Creates an island founded on these memories.
    Island {
        emoji: String,
        name: String,
        founding: Vec<String>,
    },
    Approve(ProposalKind),
    Imagine(Option<String>),
    Like,
}

/// One session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) when: When,
    /// User messages and their answers.
    pub(crate) said: Vec<(String, String)>,
    pub(crate) deeds: Vec<Deed>,
}

/// Parses a script. Scripts are compiled in, so an invalid line is a bug and panics; a test parses both languages.
pub(crate) fn read(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (sign, rest) = line.split_at(1);
        let rest = rest.trim();
        match (sign, steps.last_mut()) {
            ("@", _) => steps.push(Step { when: when(rest), said: Vec::new(), deeds: Vec::new() }),
            (">", Some(step)) => step.said.push((rest.to_owned(), String::new())),
            ("<", Some(step)) => step.said.last_mut().expect("an answer follows a message").1 = rest.to_owned(),
            ("!", Some(step)) => step.deeds.push(deed(rest)),
            _ => panic!("the year holds a line nobody can read: {line}"),
        }
    }
    steps
}

fn when(text: &str) -> When {
    let (days, time) = text.split_once(' ').expect("days and a time");
    if let Some(minutes) = time.strip_prefix('-') {
        return When::JustNow { minutes_ago: minutes.parse().expect("minutes") };
    }
    let (hour, minute) = time.split_once(':').expect("an hour and a minute");
    let minute = hour.parse::<i64>().expect("an hour") * 60 + minute.parse::<i64>().expect("a minute");
    When::Evening { days_ago: days.parse().expect("days"), minute }
}

fn deed(text: &str) -> Deed {
    let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
    let piece = rest.to_owned();
    let counted = || {
        let (piece, count) = rest.rsplit_once(' ').expect("a piece and a number");
        (piece.to_owned(), count.parse::<u8>().expect("a number"))
    };
    match verb {
        "recall" => Deed::Recall(piece),
        "use" => {
            let (piece, times) = counted();
            Deed::Use(piece, times.into())
        }
        "rate" => {
            let (piece, stars) = counted();
            Deed::Rate(piece, stars)
        }
        "pin" => Deed::Pin(piece),
        "forget" => Deed::Forget(piece),
        "core-wish" => Deed::Wish(piece),
        "core" => Deed::Core(piece),
        "island" => {
            let mut parts = rest.split('|').map(|part| part.trim().to_owned());
            let (emoji, name) = (parts.next().expect("a sign"), parts.next().expect("a name"));
            Deed::Island { emoji, name, founding: parts.collect() }
        }
        "approve" => Deed::Approve(ProposalKind::parse(rest).expect("a kind of proposal")),
        "imagine" => Deed::Imagine((!rest.is_empty()).then_some(piece)),
        "like" => Deed::Like,
        other => panic!("nobody can {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_years_can_be_read_and_tell_the_same_life() {
        let (korean, english) = (read(include_str!("korean.txt")), read(include_str!("english.txt")));
        let days = |steps: &[Step]| steps.iter().map(|step| step.when).collect::<Vec<_>>();
        assert_eq!(days(&korean), days(&english));
        assert!(korean.iter().chain(&english).flat_map(|step| &step.said).all(|(said, answer)| !said.is_empty() && !answer.is_empty()));
    }
}
