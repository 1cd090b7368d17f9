//! The person a passage is about.

use crate::About;
use crate::parse::korean::{bare_name, has_hangul};
use crate::reader::analysis::{Holder, MarkedValue};
use crate::reader::passage::Passage;

/// Names the holders of passages, in the order of the text: a person named once stays the topic until another one is named.
#[derive(Debug)]
pub(crate) struct People<'a> {
    text: &'a str,
    last: Option<String>,
}

impl<'a> People<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, last: None }
    }

    /// Returns whom the passage is about; `None` if it is somebody whom the message does not name.
    pub(crate) fn holder(&mut self, passage: &Passage<'_>) -> Option<About> {
        let named = self.named(&passage.values);
        if let Some(name) = &named {
            self.last = Some(name.clone());
        }
        match passage.holder {
            Holder::User => Some(About::User),
            Holder::Other => named.or_else(|| self.last.clone()).map(About::Other),
            Holder::Unreal | Holder::World => None,
        }
    }

    /// The name of the person or pet mentioned in a passage, or the word for them.
    fn named(&self, values: &[&MarkedValue]) -> Option<String> {
        let value = |subject: &str| values.iter().find(|value| value.subject == subject).map(|value| &self.text[value.range.clone()]);
        let name = value("pname").or_else(|| value("petname")).map(bare_name);
        name.or_else(|| value("rel").or_else(|| value("pet")).map(without_owner).map(without_topic))
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
    }
}

/// The word for a person without a particle that no such word ends in: "누나는".
fn without_topic(word: &str) -> &str {
    let rest = ["는", "은", "를", "을", "도", "한테", "에게"].iter().find_map(|particle| word.strip_suffix(particle));
    rest.filter(|rest| rest.chars().count() > 1).unwrap_or(word)
}

/// The word for a person without "my" or "우리".
pub(crate) fn without_owner(word: &str) -> &str {
    let rest = ["my ", "My ", "our ", "Our ", "우리 ", "울 ", "내 ", "제 ", "저희 "].iter().find_map(|owner| word.strip_prefix(owner));
    rest.unwrap_or(word).trim()
}

/// The word for somebody whom a message does not name.
pub(crate) fn somebody(text: &str) -> About {
    About::Other(if has_hangul(text) { "누군가" } else { "somebody" }.to_owned())
}
