//! Literal prefilter: a cheap check that avoids compiling and running most regular expressions.
//!
//! For every alternative of a pattern, one literal that every match must contain is extracted. A text that contains none of
//! them cannot match. Most messages match few patterns, so most patterns are never compiled.

use std::cell::RefCell;

/// Returns literals of which every match contains at least one; `None` if there are none.
pub(crate) fn needles(pattern: &str) -> Option<Vec<String>> {
    let letters: Vec<char> = pattern.chars().collect();
    let found = Parser { letters: &letters, at: 0 }.alternatives()?;
    let mut found: Vec<String> = found.into_iter().map(|needle| needle.to_lowercase()).collect();
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Checks whether a text contains one of the literals.
pub(crate) fn holds_one(text: &str, needles: &[String]) -> bool {
    SHAPE.with_borrow_mut(|shape| {
        if shape.text != text {
            *shape = Shape::of(text);
        }
        needles.iter().any(|needle| needle.chars().all(|letter| shape.has(letter)) && shape.lower.contains(needle.as_str()))
    })
}

thread_local! {
    /// The text looked at last: a clause is held against hundreds of patterns in a row.
    static SHAPE: RefCell<Shape> = RefCell::new(Shape::of(""));
}

struct Shape {
    text: String,
    lower: String,
    /// One bit for each letter of the text, by its code modulo the number of bits.
    letters: [u64; 64],
}

impl Shape {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        let mut letters = [0u64; 64];
        for letter in lower.chars() {
            let bit = letter as usize % 4096;
            letters[bit / 64] |= 1 << (bit % 64);
        }
        Self { text: text.to_owned(), lower, letters }
    }

    fn has(&self, letter: char) -> bool {
        let bit = letter as usize % 4096;
        self.letters[bit / 64] & (1 << (bit % 64)) != 0
    }
}

/// How telling a stretch is: a Korean syllable is worth two Latin letters.
fn weight(stretch: &str) -> usize {
    stretch.chars().map(|letter| if letter.is_ascii() { usize::from(letter.is_ascii_alphanumeric()) } else { 2 }).sum()
}

/// The least telling stretch of a set decides how telling the set is.
fn least(set: &[String]) -> usize {
    set.iter().map(|stretch| weight(stretch)).min().unwrap_or(0)
}

struct Parser<'a> {
    letters: &'a [char],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    /// The stretches of all alternatives up to a closing parenthesis; `None` when one has none.
    fn alternatives(&mut self) -> Option<Vec<String>> {
        let mut all = Some(Vec::new());
        loop {
            let one = self.sequence();
            match (&mut all, one) {
                (Some(set), Some(one)) => set.extend(one),
                _ => all = None,
            }
            if self.peek() != Some('|') {
                return all;
            }
            self.at += 1;
        }
    }

    /// The most telling stretch of one alternative.
    fn sequence(&mut self) -> Option<Vec<String>> {
        let (mut best, mut run): (Vec<String>, String) = (Vec::new(), String::new());
        while let Some(letter) = self.peek().filter(|letter| !matches!(letter, '|' | ')')) {
            self.at += 1;
            let single = match letter {
                '(' => {
                    self.header();
                    let inner = self.alternatives();
                    self.at += 1;
                    keep(&mut best, &mut run);
                    if let Some(inner) = inner.filter(|inner| !self.optional() && least(inner) > least(&best)) {
                        best = inner;
                    }
                    self.skip_count();
                    continue;
                }
                '[' => {
                    self.class();
                    None
                }
                '\\' => {
                    let escaped = self.peek();
                    self.at += 1;
                    escaped.filter(|escaped| !escaped.is_ascii_alphanumeric())
                }
                '.' | '^' | '$' => None,
                plain => Some(plain),
            };
            match single {
                Some(single) if !self.optional() => {
                    run.push(single);
                    if self.counted() {
                        keep(&mut best, &mut run);
                    }
                }
                _ => keep(&mut best, &mut run),
            }
            self.skip_count();
        }
        keep(&mut best, &mut run);
        (least(&best) >= 2).then_some(best)
    }

    /// Past `?:`, `?P<name>` and `?-i:`, or past a whole `?i` or `?-u` group's opening.
    fn header(&mut self) {
        if self.peek() != Some('?') {
            return;
        }
        while let Some(letter) = self.peek() {
            if letter == ')' {
                return;
            }
            self.at += 1;
            if matches!(letter, ':' | '>') {
                return;
            }
        }
    }

    fn class(&mut self) {
        while let Some(letter) = self.peek() {
            self.at += 1;
            match letter {
                '\\' => self.at += 1,
                ']' => return,
                _ => {}
            }
        }
    }

    /// Whether what was just read may be left out.
    fn optional(&self) -> bool {
        matches!(self.peek(), Some('?' | '*')) || self.peek() == Some('{') && self.letters.get(self.at + 1) == Some(&'0')
    }

    fn counted(&self) -> bool {
        matches!(self.peek(), Some('+' | '{'))
    }

    fn skip_count(&mut self) {
        match self.peek() {
            Some('?' | '*' | '+') => self.at += 1,
            Some('{') => {
                while let Some(letter) = self.peek() {
                    self.at += 1;
                    if letter == '}' {
                        break;
                    }
                }
            }
            _ => return,
        }
        if self.peek() == Some('?') {
            self.at += 1;
        }
    }
}

/// Ends a stretch, and keeps it when it tells more than the best so far.
fn keep(best: &mut Vec<String>, run: &mut String) {
    let run = std::mem::take(run);
    if weight(&run) > least(best) {
        *best = vec![run];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expected: Option<&[&str]>) {
        let found = needles(pattern);
        assert_eq!(found.as_ref().map(|found| found.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(), expected, "{pattern}");
    }

    #[test]
    fn every_alternative_gives_what_it_cannot_do_without() {
        check("행복해|기뻐", Some(&["기뻐", "행복해"]));
        check(r"\b(?:happy|glad)\b", Some(&["glad", "happy"]));
        check("커피(?:를)? ?마셔", Some(&["커피"]));
        check("담배?", Some(&["담"]));
        check(r"(?P<v>\S+) ?(?:살아|산다)", Some(&["산다", "살아"]));
        check(r"(?:a|b)?[가-힣]+", None);
        check("", None);
        check(r"I Moved to \d{0,3}", Some(&["i moved to "]));
    }

    #[test]
    fn a_text_without_any_needle_is_passed_over() {
        let wanted = vec!["happy".to_owned(), "행복".to_owned()];
        assert!(holds_one("I'm HAPPY", &wanted) && holds_one("행복해", &wanted));
        assert!(!holds_one("복행", &wanted) && !holds_one("", &wanted));
    }
}
