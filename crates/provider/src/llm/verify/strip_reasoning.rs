//! Strips reasoning from model output: some models write it into the text, between `<think>` and `</think>`.

const OPENS: &str = "<think>";
const CLOSES: &str = "</think>";

/// Filters a streamed answer, removing the reasoning.
#[derive(Default)]
pub(crate) struct Aloud {
    thinking: bool,
    held: String,
    begun: bool,
}

impl Aloud {
    /// Returns the text to emit after one more piece. A possible start of a tag is held back.
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

    /// Returns the held-back text that turned out not to be a tag.
    pub(crate) fn rest(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.thinking { String::new() } else { self.begun(held) }
    }

    /// Trims the blank lines between the reasoning and the start of the answer.
    fn begun(&mut self, said: String) -> String {
        if self.begun {
            return said;
        }
        let said = said.trim_start().to_owned();
        self.begun = !said.is_empty();
        said
    }
}

/// Removes the reasoning from a complete answer.
pub(crate) fn aloud(text: &str) -> String {
    let mut aloud = Aloud::default();
    let said = aloud.hear(text) + &aloud.rest();
    // Some servers omit the opening tag.
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
