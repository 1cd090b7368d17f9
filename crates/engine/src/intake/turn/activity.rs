//! The activity that a text is about, for comparing mentions of a habit.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::{Doing, Facts, Lately, cut, is_denial};
use saegim_provider::rules::is_felt;

use crate::intake::Intake;

/// Capacity of each of the two cache generations. New messages are compared with the same few hundred texts again and again.
const CACHED: usize = 2048;

/// Fact subjects whose value is a name.
const SUBJECTS_WITH_NAMES: [&str; 6] = ["name", "family", "child", "pet", "best_friend", "partner"];

/// The activity of a text.
pub(crate) struct Activity {
    parsed: Arc<ParsedActivity>,
    /// Names of the people involved. They do not describe the activity.
    names: Vec<String>,
}

/// The parsed activity of a text.
#[derive(Default)]
struct ParsedActivity {
    doing: Doing,
    /// Whether it says that something was not done.
    denial: bool,
}

static CACHE: LazyLock<Mutex<Lately<String, Arc<ParsedActivity>>>> = LazyLock::new(|| Mutex::new(Lately::with_room(CACHED)));

impl ParsedActivity {
    /// Parses a text, with the names of the people involved. Cached.
    fn of(text: &str, names: &[String]) -> Arc<Self> {
        let key = names.iter().map(String::as_str).chain([text]).collect::<Vec<_>>().join("\n");
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(parsed) = cache().get(&key) {
            return parsed;
        }
        let parsed = Arc::new(Self { doing: Doing::of(text, names, is_felt), denial: is_denial(&without_time_of_day(text)) });
        cache().put(key, Arc::clone(&parsed));
        parsed
    }
}

impl Intake<'_> {
    /// Returns the names of the people in the conversation and in the facts.
    pub(crate) fn names_in(&self, facts: &Facts) -> Vec<String> {
        let known = facts.current().filter(|fact| SUBJECTS_WITH_NAMES.contains(&fact.subject.as_str())).map(|fact| fact.value.as_str());
        known.chain([self.mind.key().user(), self.mind.key().character()]).flat_map(|name| cut(name).words).collect()
    }
}

impl Activity {
    /// Parses a text, with the names of the people involved.
    pub(crate) fn of(text: &str, names: Vec<String>) -> Self {
        Self { parsed: ParsedActivity::of(text, &names), names }
    }

    /// Returns an activity without words, for texts that are neither habits nor topics.
    pub(crate) fn none() -> Self {
        Self { parsed: Arc::default(), names: Vec::new() }
    }

    /// Checks whether exactly one of the two texts says that it was not done.
    pub(crate) fn is_denied_by(&self, other: &str) -> bool {
        self.parsed.denial != ParsedActivity::of(other, &self.names).denial
    }

    /// Checks whether another text can be about the same activity. The time of day and the outcome may differ; a denial, or
    /// similarity only in tone, does not match.
    pub(crate) fn matches(&self, other: &str) -> bool {
        let other = ParsedActivity::of(other, &self.names);
        self.parsed.denial == other.denial && self.parsed.doing.is_also(&other.doing)
    }
}

/// Removes digits (the time of day) and rewrites "stopped by", which is not a denial.
fn without_time_of_day(text: &str) -> String {
    let text = text.to_lowercase().replace("stopped by", "came by").replace("stopped at", "came by").replace("stopped in", "came by");
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}
