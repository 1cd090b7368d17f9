//! The activity that a text is about, for comparing mentions of a habit.

use std::sync::Arc;

use saegim_core::{Facts, cut};
use saegim_language::Activity;

use crate::intake::Intake;

/// Fact subjects whose value is a name.
const SUBJECTS_WITH_NAMES: [&str; 6] = ["name", "family", "child", "pet", "best_friend", "partner"];

/// The activity of a text, with the names that do not describe it.
pub(crate) struct MentionedActivity {
    activity: Arc<Activity>,
    /// Names of the people involved.
    names: Vec<String>,
}

impl Intake<'_> {
    /// Returns the names of the people in the conversation and in the facts.
    pub(crate) fn names_in(&self, facts: &Facts) -> Vec<String> {
        let known = facts.current().filter(|fact| SUBJECTS_WITH_NAMES.contains(&fact.subject.as_str())).map(|fact| fact.value.as_str());
        known.chain([self.mind.key().user(), self.mind.key().character()]).flat_map(|name| cut(name).words).collect()
    }
}

impl MentionedActivity {
    /// Parses a text, with the names of the people involved.
    pub(crate) fn of(text: &str, names: Vec<String>) -> Self {
        Self { activity: Activity::of(text, &names), names }
    }

    /// Returns an activity without words, for texts that are neither habits nor topics.
    pub(crate) fn none() -> Self {
        Self { activity: Arc::default(), names: Vec::new() }
    }

    /// Checks whether exactly one of the two texts says that it was not done.
    pub(crate) fn is_denied_by(&self, other: &str) -> bool {
        self.activity.is_denied_by(&Activity::of(other, &self.names))
    }

    /// Checks whether another text can be about the same activity. The time of day and the outcome may differ; a denial, or
    /// similarity only in tone, does not match.
    pub(crate) fn matches(&self, other: &str) -> bool {
        self.activity.is_same_as(&Activity::of(other, &self.names))
    }
}
