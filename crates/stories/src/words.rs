//! Tokenizer for a line of a story: keywords, quoted texts and numbers.

use saegim_core::{Invalid, Phrase, phrase};

/// Syntax error of a line, without line number and usage.
pub(crate) type Wrong = Phrase;

/// A word or a quoted text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
}

/// The remaining tokens of a line.
#[derive(Clone, Debug)]
pub(crate) struct LineTokens {
    tokens: std::collections::VecDeque<Token>,
}

impl LineTokens {
    /// Splits a line into tokens. Texts are quoted; `=`, `<` and `>` are separate words; `#` starts a comment.
    pub(crate) fn of(line: &str) -> Result<Self, Wrong> {
        let mut tokens = std::collections::VecDeque::new();
        let mut letters = line.chars().peekable();
        while let Some(&letter) = letters.peek() {
            match letter {
                '#' => break,
                '"' | '“' | '”' => {
                    letters.next();
                    tokens.push_back(Token::Text(quoted(&mut letters)?));
                }
                '=' | '<' | '>' => {
                    let mut sign = String::new();
                    while let Some(part) = letters.next_if(|next| matches!(next, '=' | '<' | '>')) {
                        sign.push(part);
                    }
                    tokens.push_back(Token::Word(sign));
                }
                blank if blank.is_whitespace() => {
                    letters.next();
                }
                _ => {
                    let mut word = String::new();
                    while let Some(part) = letters.next_if(|next| !next.is_whitespace() && !"\"“”=<>#".contains(*next)) {
                        word.push(part);
                    }
                    tokens.push_back(Token::Word(word));
                }
            }
        }
        Ok(Self { tokens })
    }

    /// Checks whether all tokens were consumed.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Checks whether the next token is a quoted text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.tokens.front(), Some(Token::Text(_)))
    }

    /// Returns the next token if it is a word.
    pub(crate) fn peek(&self) -> Option<&str> {
        match self.tokens.front() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// Consumes these words if they come next. Returns whether they did.
    pub(crate) fn take(&mut self, words: &str) -> bool {
        let wanted: Vec<&str> = words.split(' ').collect();
        let comes = |(place, word): (usize, &&str)| matches!(self.tokens.get(place), Some(Token::Word(next)) if next == word);
        let all = wanted.iter().enumerate().all(comes);
        if all {
            self.tokens.drain(..wanted.len());
        }
        all
    }

    /// Consumes these words; an error if they do not come next.
    pub(crate) fn must(&mut self, words: &str) -> Result<(), Wrong> {
        if self.take(words) {
            return Ok(());
        }
        let next = self.next_shown();
        Err(phrase!("engine.words.expected_words", words, next))
    }

    /// Consumes a word.
    pub(crate) fn word(&mut self, what: &Phrase) -> Result<String, Wrong> {
        match self.tokens.front() {
            Some(Token::Word(_)) => match self.tokens.pop_front() {
                Some(Token::Word(word)) => Ok(word),
                _ => Err(self.lacks(what)),
            },
            _ => Err(self.lacks(what)),
        }
    }

    /// Consumes a quoted text.
    pub(crate) fn text(&mut self) -> Result<String, Wrong> {
        match self.tokens.front() {
            Some(Token::Text(_)) => match self.tokens.pop_front() {
                Some(Token::Text(text)) => Ok(text),
                _ => Err(self.lacks(&text_in_quotes())),
            },
            _ => Err(self.lacks(&text_in_quotes())),
        }
    }

    /// Consumes a word and parses it with `read`.
    pub(crate) fn read<T>(&mut self, what: &Phrase, read: impl Fn(&str) -> Result<T, Invalid>) -> Result<T, Wrong> {
        let word = self.word(what)?;
        read(&word).map_err(|invalid| invalid.problem)
    }

    /// Consumes a number.
    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Result<T, Wrong> {
        let what = phrase!("engine.words.number");
        let word = self.word(&what)?;
        word.parse().map_err(|_| phrase!("engine.words.not_a_number", word))
    }

    /// Consumes a comma-separated list, with or without spaces.
    pub(crate) fn list(&mut self, what: &Phrase) -> Result<Vec<String>, Wrong> {
        let mut items = Vec::new();
        loop {
            let word = self.word(what)?;
            items.extend(word.split(',').filter(|part| !part.is_empty()).map(str::to_owned));
            if !word.ends_with(',') {
                return Ok(items);
            }
        }
    }

    /// Returns an error if there are tokens left.
    pub(crate) fn end(&self) -> Result<(), Wrong> {
        if self.is_empty() {
            return Ok(());
        }
        let next = self.next_shown();
        Err(phrase!("engine.words.unexpected", next))
    }

    fn lacks(&self, what: &Phrase) -> Wrong {
        let next = self.next_shown();
        phrase!("engine.words.expected", what, next)
    }

    fn next_shown(&self) -> Phrase {
        match self.tokens.front() {
            Some(Token::Word(word)) => format!("`{word}`").into(),
            Some(Token::Text(text)) => format!("\"{text}\"").into(),
            None => phrase!("engine.words.end_of_line"),
        }
    }
}

fn text_in_quotes() -> Phrase {
    phrase!("engine.words.text_in_quotes")
}

/// Reads a text up to its closing quote.
fn quoted(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<String, Wrong> {
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '"' | '“' | '”' => return Ok(text),
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None => break,
            },
            letter => text.push(letter),
        }
    }
    Err(phrase!("engine.words.quote_missing", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saegim_core::Language;

    #[test]
    fn a_line_is_cut_into_words_texts_and_signs() {
        let mut words = LineTokens::of("expect count M30>= 3 “그래 \\\"응\\\"” joy, sadness,fear # a remark").unwrap();
        assert!(words.take("expect count") && !words.take("M90"));
        assert_eq!(words.read(&"tier".into(), saegim_core::Tier::parse).unwrap(), saegim_core::Tier::M30);
        assert!(words.take(">="));
        assert_eq!(words.number::<u32>().unwrap(), 3);
        assert_eq!(words.text().unwrap(), "그래 \"응\"");
        assert_eq!(words.list(&"emotion".into()).unwrap(), ["joy", "sadness", "fear"]);
        assert!(words.end().is_ok());
    }

    #[test]
    fn what_is_wrong_is_said_in_both_languages() {
        let open = LineTokens::of("user \"안녕").unwrap_err();
        assert!(open.to_string().contains("closing quote") && open.in_language(Language::Korean).contains("따옴표"));
        let mut words = LineTokens::of("recall").unwrap();
        words.must("recall").unwrap();
        assert!(words.text().unwrap_err().to_string().contains("the end of the line"));
        assert!(LineTokens::of("more").unwrap().end().is_err());
    }
}
