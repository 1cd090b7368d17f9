//! What of a model's answer is said aloud: some models think in the text itself, between `<think>` and `</think>`.

const OPENS: &str = "<think>";
const CLOSES: &str = "</think>";

/// Hears an answer piece by piece and passes on what is no thought.
#[derive(Default)]
pub(crate) struct Aloud {
    thinking: bool,
    held: String,
    begun: bool,
}

impl Aloud {
    /// What can be said after one piece more; what may yet turn out to be a mark is held back.
    pub(crate) fn hear(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut said = String::new();
        loop {
            let mark = if self.thinking { CLOSES } else { OPENS };
            if let Some(at) = self.held.find(mark) {
                if !self.thinking {
                    said.push_str(&self.held[..at]);
                }
                self.held.drain(..at + mark.len());
                self.thinking = !self.thinking;
                continue;
            }
            let keep = (1..mark.len()).rev().find(|&length| self.held.ends_with(&mark[..length])).unwrap_or(0);
            let ready: String = self.held.drain(..self.held.len() - keep).collect();
            if !self.thinking {
                said.push_str(&ready);
            }
            return self.begun(said);
        }
    }

    /// What was held back and is no mark after all.
    pub(crate) fn rest(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.thinking { String::new() } else { self.begun(held) }
    }

    /// An answer does not begin with the blank lines that stood after a thought.
    fn begun(&mut self, said: String) -> String {
        if self.begun {
            return said;
        }
        let said = said.trim_start().to_owned();
        self.begun = !said.is_empty();
        said
    }
}

/// A whole answer without its thoughts.
pub(crate) fn aloud(text: &str) -> String {
    let mut aloud = Aloud::default();
    let said = aloud.hear(text) + &aloud.rest();
    // Some servers open the thought themselves and leave only its end.
    said.rsplit(CLOSES).next().unwrap_or_default().trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_not_said_however_they_are_cut() {
        let whole = "<think>SECRET user is odd</think>\n\n그래, <b>좋아</b>! 3 < 4";
        for size in 1..12 {
            let letters: Vec<char> = whole.chars().collect();
            let mut aloud = Aloud::default();
            let mut said: String = letters.chunks(size).map(|piece| aloud.hear(&piece.iter().collect::<String>())).collect();
            said.push_str(&aloud.rest());
            assert_eq!(said, "그래, <b>좋아</b>! 3 < 4", "in pieces of {size}");
        }
        assert_eq!(aloud("thinking...</think>\nYes"), "Yes");
        assert_eq!(aloud("<think>never ends"), "");
        assert_eq!(aloud("a <thin"), "a <thin");
    }
}
