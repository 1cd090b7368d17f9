//! Words for the model's outputs, in their order. The model file holds the same words, so that a file with others is refused.

use saegim_core::{Face, StatementGroup, StatementStatus};
use saegim_encoder::{Damaged, Sections};

use crate::reader::analysis::{AXES, Act, EMOTIONS, Holder, SUBJECTS};

/// The word for a clause that says nothing about a life: the last group.
const NO_GROUP: &str = "none";

pub(super) const ACTS: [(&str, Act); 13] = [
    ("fact", Act::Fact),
    ("pref", Act::Preference),
    ("plan", Act::Plan),
    ("promise", Act::Promise),
    ("limit", Act::Boundary),
    ("feel", Act::Feeling),
    ("event", Act::Event),
    ("talk", Act::Talk),
    ("ask", Act::Question),
    ("answer", Act::Answer),
    ("remember", Act::Remember),
    ("fix", Act::Correction),
    ("command", Act::Command),
];

pub(super) const HOLDERS: [(&str, Holder); 4] =
    [("user", Holder::User), ("other", Holder::Other), ("unreal", Holder::Unreal), ("none", Holder::World)];

const KEEPS: [&str; 2] = ["keep", "drop"];

/// Number of groups, with the one for no group.
pub(super) const GROUPS: usize = StatementGroup::ALL.len() + 1;

/// Number of outputs per piece: outside of values, then begin and inside of every subject.
pub(super) const TAGS: usize = 1 + 2 * SUBJECTS.len();

/// Fails if the file names other labels.
pub(super) fn check(sections: &Sections) -> Result<(), Damaged> {
    let same = |head: &str, words: &[&str]| {
        let name = format!("{head}.labels");
        let fits = sections.get(&name)? == words.join("\0").as_bytes();
        if fits { Ok(()) } else { Err(Damaged::new(format_args!("section {name} holds other words"))) }
    };
    let groups: Vec<&str> = StatementGroup::ALL.iter().map(|group| group.as_str()).chain([NO_GROUP]).collect();
    same("tags", &SUBJECTS)?;
    same("emotions", &EMOTIONS)?;
    same("effects", &AXES)?;
    same("face", &Face::ALL.map(Face::as_str))?;
    same("group", &groups)?;
    same("act", &ACTS.map(|(word, _)| word))?;
    same("holder", &HOLDERS.map(|(word, _)| word))?;
    same("status", &StatementStatus::ALL.iter().map(|status| status.as_str()).collect::<Vec<_>>())?;
    same("keep", &KEEPS)
}
