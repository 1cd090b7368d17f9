//! Writing an answer: what the form demands is written for the model, and it is asked only for what is its own to say.
//!
//! So an answer always has its shape, however small the model; and what needs no asking is read at once instead of
//! piece by piece.

use saegim_core::Cause;

use super::Inside;
use super::form::{Form, begins_number, is_number};
use super::network::Memory;
use crate::ProviderError;

/// The most pieces of one text.
const LONGEST_TEXT: usize = 120;
/// So many more pieces a form may take when its room is used up, to be brought to its end.
const TO_THE_END: usize = 300;
/// The most parts of one list.
const LONGEST_LIST: usize = 8;
/// Marks that join what stands before them to what comes after.
const MARKS: [char; 8] = [' ', ':', '"', '[', ']', '{', '}', ','];
/// The most letters of a number.
const LONGEST_NUMBER: usize = 5;

/// An answer being written.
pub(super) struct Pen<'a> {
    inside: &'a Inside,
    memory: &'a mut Memory,
    /// Pieces the model has not read yet.
    unread: Vec<u32>,
    /// Letters it has not read yet either: they come after those pieces.
    forced: String,
    /// How likely each piece is to come next, once everything was read.
    likely: Vec<f32>,
    /// All that was written.
    text: String,
    /// How many pieces the model was asked for, and how many it may be.
    pub(super) asked: usize,
    most: usize,
    /// How many of those a form has to itself before it is brought to its end.
    room: usize,
}

impl<'a> Pen<'a> {
    /// A pen at the end of a question whose last pieces have not been read.
    pub(super) fn new(inside: &'a Inside, memory: &'a mut Memory, unread: &[u32], most: usize) -> Self {
        Self {
            inside,
            memory,
            unread: unread.to_vec(),
            forced: String::new(),
            likely: Vec::new(),
            text: String::new(),
            asked: 0,
            most,
            room: most,
        }
    }

    /// An answer of a form. Where the room is used up no text goes on and no list begins, so that it comes to its end.
    pub(super) fn fill(mut self, form: &Form) -> Result<(String, usize), ProviderError> {
        self.room = self.most;
        self.most += TO_THE_END;
        self.part(form)?;
        Ok((self.text, self.asked))
    }

    /// An answer in the model's own words.
    pub(super) fn speak(mut self) -> Result<(String, usize), ProviderError> {
        let mut bytes = Vec::new();
        loop {
            let next = self.best()?;
            if next == self.inside.ends {
                return Ok((String::from_utf8_lossy(&bytes).into_owned(), self.asked));
            }
            bytes.extend(self.inside.words.written(next));
            self.unread.push(next);
        }
    }

    /// Writes for the model.
    fn force(&mut self, letters: &str) {
        self.text.push_str(letters);
        self.forced.push_str(letters);
    }

    /// How likely each piece is to come next, after all that was written.
    fn likely(&mut self) -> Result<&[f32], ProviderError> {
        if self.asked >= self.most {
            return Err(ProviderError::unanswered(Cause::Endless, format!("more than {} tokens", self.most)));
        }
        self.asked += 1;
        self.unread.extend(self.inside.words.read(&self.forced));
        self.forced.clear();
        if !self.unread.is_empty() {
            self.likely = self.inside.network.read(&self.unread, self.memory);
            self.unread.clear();
        }
        Ok(&self.likely)
    }

    /// The likeliest piece of all.
    fn best(&mut self) -> Result<u32, ProviderError> {
        let likely = self.likely()?.iter().enumerate();
        Ok(likely.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(id, _)| id as u32))
    }

    /// The likeliest piece of some.
    fn best_of(&mut self, pieces: impl Iterator<Item = u32>) -> Result<u32, ProviderError> {
        let likely = self.likely()?;
        let best = pieces.filter_map(|id| Some((likely.get(id as usize)?, id))).max_by(|a, b| a.0.total_cmp(b.0));
        best.map(|(_, id)| id).ok_or_else(|| ProviderError::Broken("the model's vocabulary cannot encode the answer".into()))
    }

    /// Whether nothing new may be begun.
    fn is_full(&self) -> bool {
        self.asked >= self.room
    }

    fn part(&mut self, form: &Form) -> Result<(), ProviderError> {
        let nothing = match form {
            Form::List(_) => Some("[]"),
            Form::Perhaps => Some("null"),
            _ => None,
        };
        if let Some(nothing) = nothing.filter(|_| self.is_full()) {
            self.force(nothing);
            return Ok(());
        }
        let beginnings = form.beginnings();
        let chosen = self.choose(&beginnings)?;
        self.rest(form, &beginnings[chosen])
    }

    /// What comes after the beginning of a part.
    fn rest(&mut self, form: &Form, beginning: &str) -> Result<(), ProviderError> {
        match form {
            Form::Object(parts) => {
                for (place, (name, part)) in parts.iter().enumerate() {
                    if place > 0 {
                        self.force(&format!(", \"{name}\":"));
                    }
                    self.force(" ");
                    self.part(part)?;
                }
                self.force("}");
                Ok(())
            }
            Form::List(_) if beginning == "[]" => Ok(()),
            Form::List(item) => self.list(item, &beginning[1..]),
            Form::Text => self.quoted(),
            Form::Number { whole } => self.digits(beginning, *whole),
            Form::Choice(_) => Ok(()),
            Form::Perhaps if beginning == "null" => Ok(()),
            Form::Perhaps => self.quoted(),
        }
    }

    /// The rest of a list whose first part was begun.
    fn list(&mut self, item: &Form, beginning: &str) -> Result<(), ProviderError> {
        let beginnings = item.beginnings();
        let (mut begun, mut written) = (beginning.to_owned(), Vec::<String>::new());
        loop {
            let start = self.text.len() - begun.len();
            self.rest(item, &begun)?;
            // Whoever says a thing twice would go on saying it; a choice that was made is not offered again.
            let said = self.text[start..].to_owned();
            if written.contains(&said) || written.len() + 1 >= LONGEST_LIST || self.is_full() {
                self.force("]");
                return Ok(());
            }
            written.push(said);
            let left: Vec<&String> = beginnings.iter().filter(|next| !written.contains(*next)).collect();
            let more: Vec<String> = std::iter::once("]".into()).chain(left.iter().map(|next| format!(", {next}"))).collect();
            match self.choose(&more)? {
                0 => return Ok(()),
                next => begun.clone_from(left[next - 1]),
            }
        }
    }

    /// Lets the model choose how to go on, and writes it. The marks written last are part of the choice: a model's pieces join
    /// them to what follows, and it could not say what it likes to after half a piece.
    fn choose(&mut self, choices: &[String]) -> Result<usize, ProviderError> {
        let words = &self.inside.words;
        let tail = self.forced.split_off(self.forced.trim_end_matches(MARKS).len());
        let whole: Vec<String> = choices.iter().map(|choice| format!("{tail}{choice}")).collect();
        let (mut done, mut left) = (0, (0..choices.len()).collect::<Vec<usize>>());
        while left.len() > 1 {
            let next = self.best_of(left.iter().flat_map(|place| words.beginnings(&whole[*place][done..])))?;
            let piece = words.written(next);
            left.retain(|place| whole[*place].as_bytes()[done..].starts_with(&piece));
            done += piece.len();
            self.unread.push(next);
            // What is all written is chosen, also where another would go on from it.
            if let Some(place) = left.iter().copied().find(|place| whole[*place].len() == done) {
                left = vec![place];
            }
        }
        let chosen = left[0];
        self.forced.push_str(&whole[chosen][done..]);
        self.text.push_str(&choices[chosen]);
        Ok(chosen)
    }

    /// A text up to its closing mark, which is written.
    fn quoted(&mut self) -> Result<(), ProviderError> {
        let mut bytes: Vec<u8> = Vec::new();
        for _ in 0..LONGEST_TEXT {
            if self.is_full() {
                break;
            }
            let next = self.best()?;
            let before = bytes.len();
            bytes.extend(self.inside.words.written(next));
            if let Some(end) = closed(&bytes, before) {
                bytes.truncate(end);
                break;
            }
            if next == self.inside.ends {
                break;
            }
            self.unread.push(next);
        }
        let said = String::from_utf8_lossy(&bytes).trim_end_matches('\u{fffd}').to_owned();
        let quoted = format!("\"{said}\"");
        // What was written wrongly escaped is taken as it stands.
        let whole = serde_json::from_str::<String>(&quoted).is_ok();
        let kept = if whole { said } else { serde_json::Value::from(said).to_string().trim_matches('"').to_owned() };
        self.text.push_str(&kept);
        self.force("\"");
        Ok(())
    }

    /// The rest of a number whose first letter was written.
    fn digits(&mut self, first: &str, whole: bool) -> Result<(), ProviderError> {
        let (words, mut number) = (&self.inside.words, first.to_owned());
        while number.len() < LONGEST_NUMBER {
            let goes_on = words.digits.iter().filter(|(_, letters)| begins_number(&format!("{number}{letters}"), whole));
            let stops: &[u32] = if is_number(&number) { &words.after_numbers } else { &[] };
            let next = self.best_of(goes_on.map(|(id, _)| *id).chain(stops.iter().copied()))?;
            if stops.contains(&next) {
                break;
            }
            number.push_str(&String::from_utf8_lossy(&words.written(next)));
            self.unread.push(next);
        }
        if !is_number(&number) {
            number.push('0');
            self.forced.push('0');
        }
        self.text.push_str(&number[first.len()..]);
        Ok(())
    }
}

/// Where a text is closed: at the first mark from `from` on that is not escaped, or at a letter that may not stand in a text.
fn closed(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find(|at| match bytes[*at] {
        b'"' => bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count().is_multiple_of(2),
        byte => byte < 0x20,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_at_its_mark_and_not_at_an_escaped_one() {
        for (bytes, from, end) in [
            ("ab\"c", 0, Some(2)),
            ("a\\\"b", 0, None),
            ("a\\\\\"b", 0, Some(3)),
            ("\"a", 1, None),
            ("a\nb", 0, Some(1)),
            ("가나", 0, None),
        ] {
            assert_eq!(closed(bytes.as_bytes(), from), end, "{bytes}");
        }
    }
}
