//! What an essence counts, as data. Its text is worded from them and never read back, so that an edited or translated text keeps them.

use serde::{Deserialize, Serialize};

use crate::{Language, Memory};

/// Subject and count of an essence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Essence {
    /// Subject that nearly all originals share; `None` if none could be named.
    pub subject: Option<String>,
    /// Number of mentions its text was worded with. The current number is [`Memory::told`].
    pub times: u32,
}

impl Essence {
    /// Words the count, followed by an example. The example may be empty if there is a subject.
    pub fn text(&self, example: &str, language: Language) -> String {
        let lead = self.lead(language);
        if example.is_empty() { lead } else { format!("{lead} {example}") }
    }

    /// Words the count alone.
    fn lead(&self, language: Language) -> String {
        let times = self.times;
        match (&self.subject, language) {
            (Some(subject), Language::Korean) => format!("{subject} 이야기가 {times}번 나왔다."),
            (Some(subject), Language::English) => format!("{} came up {times} times.", capitalised(subject)),
            (None, Language::Korean) => format!("비슷한 이야기가 {times}번 나왔다. 예를 들어"),
            (None, Language::English) => format!("Similar things came up {times} times. For example:"),
        }
    }

    /// Returns the language and the example of a text that states this count. `None` for a text that somebody reworded.
    fn stated<'a>(&self, text: &'a str) -> Option<(Language, &'a str)> {
        Language::ALL.iter().find_map(|language| {
            let rest = text.strip_prefix(self.lead(*language).as_str())?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| (*language, rest.trim_start()))
        })
    }

    /// Reads the essence out of a text, for files from before the subject and the count were stored: migrations and bundles.
    pub fn of_stored_text(text: &str) -> Option<Self> {
        const COUNTS: [(&str, &str); 2] = [(" came up ", " times"), (" 이야기가 ", "번 나왔다")];
        const NO_SUBJECT: [&str; 3] = ["Similar things", "비슷한", ""];
        let count = text.split_once(". ").map(|(count, _)| count).or_else(|| text.strip_suffix('.'))?;
        let (subject, times) = COUNTS.iter().find_map(|(before, after)| {
            let (subject, number) = count.strip_suffix(after)?.rsplit_once(before)?;
            let digits = number.chars().all(|digit| digit.is_ascii_digit());
            digits.then(|| number.parse().ok()).flatten().map(|times: u32| (subject, times))
        })?;
        Some(Self { subject: Some(subject.to_owned()).filter(|subject| !NO_SUBJECT.contains(&subject.as_str())), times })
    }
}

/// Returns a text with its first letter in upper case.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Memory {
    /// Returns the subject of an essence, if it has one.
    pub fn subject(&self) -> Option<&str> {
        self.essence.as_ref()?.subject.as_deref()
    }

    /// Returns the text without the count that an essence states: its example, or its subject if there is no example.
    pub fn said(&self) -> &str {
        match self.essence.as_ref().and_then(|essence| essence.stated(&self.content)) {
            Some((_, "")) => self.subject().unwrap_or_default(),
            Some((_, example)) => example,
            None => &self.content,
        }
    }

    /// Checks whether the text states the count of an essence.
    pub fn states_count(&self) -> bool {
        self.essence.as_ref().is_some_and(|essence| essence.stated(&self.content).is_some())
    }

    /// Returns the essence with its current count. The text changes only if it states the count; the words of an owner or a model
    /// stay.
    pub fn recounted(mut self) -> Self {
        let times = self.told();
        let Some(essence) = self.essence.take() else { return self };
        let grown = Essence { times, ..essence.clone() };
        if self.edited_at.is_none()
            && let Some((language, example)) = essence.stated(&self.content)
        {
            self.content = grown.text(example, language);
        }
        Self { essence: Some(grown), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::memories::memory::tests::plain;

    fn essence(subject: Option<&str>, times: u32, content: &str) -> Memory {
        let essence = Some(Essence { subject: subject.map(str::to_owned), times });
        Memory { essence, content: content.into(), mentions: times - 1, ..plain(Timestamp::from_millis(0)) }
    }

    #[test]
    fn a_count_is_worded_and_worded_again() {
        for (subject, language, example, text, again) in [
            (
                Some("카페"),
                Language::Korean,
                "라떼 마셨어",
                "카페 이야기가 3번 나왔다. 라떼 마셨어",
                "카페 이야기가 25번 나왔다. 라떼 마셨어",
            ),
            (Some("yoga"), Language::English, "", "Yoga came up 3 times.", "Yoga came up 25 times."),
            (
                None,
                Language::Korean,
                "기뻤어",
                "비슷한 이야기가 3번 나왔다. 예를 들어 기뻤어",
                "비슷한 이야기가 25번 나왔다. 예를 들어 기뻤어",
            ),
            (
                None,
                Language::English,
                "Won 3 games",
                "Similar things came up 3 times. For example: Won 3 games",
                "Similar things came up 25 times. For example: Won 3 games",
            ),
        ] {
            let memory = essence(subject, 3, text);
            assert_eq!(memory.essence.as_ref().unwrap().text(example, language), text);
            assert_eq!(memory.said(), if example.is_empty() { subject.unwrap() } else { example });
            let grown = Memory { mentions: 24, ..memory }.recounted();
            assert_eq!((grown.content.as_str(), grown.essence.unwrap().times), (again, 25));
        }
    }

    #[test]
    fn an_edit_or_a_translation_changes_neither_subject_nor_count() {
        let memory = essence(Some("카페"), 3, "카페 이야기가 3번 나왔다. 라떼 마셨어");
        for text in ["카페를 좋아한다", "The café came up 9 times. Had a latte", "낚시 이야기가 8번 나왔다. 낚시를 갔어"]
        {
            let edited = Memory { content: text.into(), edited_at: Some(Timestamp::from_millis(5)), ..memory.clone() };
            assert_eq!((edited.subject(), edited.told(), edited.said(), edited.states_count()), (Some("카페"), 3, text, false));
            let grown = Memory { mentions: 6, ..edited }.recounted();
            assert_eq!((grown.subject(), grown.told(), grown.content.as_str()), (Some("카페"), 7, text));
        }
    }

    #[test]
    fn a_text_that_only_looks_like_a_count_is_no_essence() {
        let memory = Memory { content: "Coffee came up 3 times. Yes".into(), ..plain(Timestamp::from_millis(0)) };
        assert_eq!((memory.subject(), memory.said(), memory.states_count()), (None, "Coffee came up 3 times. Yes", false));
    }

    #[test]
    fn texts_of_older_files_are_read_once() {
        for (text, read) in [
            ("강아지 보리 이야기가 3번 나왔다. 보리랑 산책했어", Some((Some("강아지 보리"), 3))),
            ("Mochi came up 40 times. Walked Mochi", Some((Some("Mochi"), 40))),
            ("Yoga came up 3 times.", Some((Some("Yoga"), 3))),
            ("비슷한 이야기가 3번 나왔다. 예를 들어 기뻤어", Some((None, 3))),
            ("Similar things came up 5 times. For example: Won a game", Some((None, 5))),
            ("3번 출구에서 만났어. 좋았어", None),
            ("보리랑 산책했어", None),
        ] {
            let found = Essence::of_stored_text(text);
            assert_eq!(found.as_ref().map(|essence| (essence.subject.as_deref(), essence.times)), read, "{text}");
            if let Some(essence) = found {
                assert!(essence.stated(text).is_some(), "{text}");
            }
        }
    }
}
