//! The trained reader itself: a small encoder, compiled in, that labels the clauses and values of a message.

/// Compares a message with an earlier statement.
mod comparison;
/// From outputs to labels.
mod decode;
/// The model file.
mod file;
/// The encoder's forward pass.
mod forward;
/// Output layers.
mod heads;
/// Words for the outputs.
mod labels;
#[cfg(test)]
mod tests;
/// Pieces of a text with their places.
mod tokens;
/// Marked values from tags.
mod values;
/// Parts of a long message.
mod windows;

use std::sync::LazyLock;

use saegim_encoder::{Damaged, Instructions};

use super::analysis::{MessageAnalysis, Relation};
use comparison::Comparison;
use decode::{Part, joined};
use file::Model;
use forward::Input;
use windows::Window;

static BUILT_IN: &[u8] = include_bytes!("../../../model/reader.bin");
static COMPARISON: &[u8] = include_bytes!("../../../model/relation.bin");

/// Maximum number of pieces that are encoded together, so that their values fit into the processor cache.
const TOGETHER: usize = 128;

/// A message to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    /// The line that was said just before, or nothing.
    pub(crate) before: &'a str,
    pub(crate) text: &'a str,
}

/// The trained reader.
pub(crate) struct Reader {
    model: Model,
    comparison: Comparison,
}

impl Reader {
    /// Returns the built-in reader. It is loaded on the first call, in tens of milliseconds.
    pub(crate) fn built_in() -> &'static Self {
        static LOADED: LazyLock<Reader> =
            LazyLock::new(|| Reader::of(Model::built_in(BUILT_IN), Instructions::detected()).expect("a test loads the built-in model"));
        &LOADED
    }

    fn of(model: Result<Model, Damaged>, instructions: Instructions) -> Result<Self, Damaged> {
        let model = model?;
        let comparison = Comparison::load(COMPARISON, instructions, &model)?;
        Ok(Self { model, comparison })
    }

    /// Returns one analysis per message, in order. A message is read in windows of the model's length; what follows the last of
    /// [`windows::MOST`] windows has no clauses. The analysis of a message does not depend on the other messages.
    pub(crate) fn analyse(&self, messages: &[Message]) -> Vec<MessageAnalysis> {
        let windows: Vec<Vec<Window>> = messages.iter().map(|message| self.model.windows(*message)).collect();
        let inputs: Vec<Input> = windows.iter().flatten().map(Window::input).collect();
        let mut rows = self.rows(&inputs).into_iter();
        let read = |(message, windows): (&Message, &Vec<Window>)| {
            let parts = windows.iter().zip(rows.by_ref()).map(|(window, rows)| Part::read(&self.model.heads, message.text, window, &rows));
            joined(parts.collect())
        };
        messages.iter().zip(&windows).map(read).collect()
    }

    /// Returns what a message means for each of these earlier statements, in order.
    pub(crate) fn compare(&self, text: &str, known: &[&str]) -> Vec<Relation> {
        self.comparison.relations(&self.model, text, known)
    }

    /// Returns the rows of each input, from the first piece of the message to the mark at its end.
    fn rows(&self, inputs: &[Input]) -> Vec<Vec<f32>> {
        let encoder = &self.model.encoder;
        let own = |(input, rows): (&Input, Vec<f32>)| rows[input.first * encoder.width..].to_vec();
        inputs.iter().zip(groups(inputs).flat_map(|group| encoder.rows(group, &encoder.layers))).map(own).collect()
    }
}

/// Groups inputs that are encoded together: several short ones up to [`TOGETHER`] pieces, or one long one.
fn groups<'a, 'b>(mut inputs: &'a [Input<'b>]) -> impl Iterator<Item = &'a [Input<'b>]> {
    std::iter::from_fn(move || {
        let mut pieces = 0;
        let fits = |input: &&Input| {
            pieces += input.pieces.len();
            pieces <= TOGETHER
        };
        let (group, rest) = inputs.split_at(inputs.iter().take_while(fits).count().max(1).min(inputs.len()));
        inputs = rest;
        Some(group).filter(|group| !group.is_empty())
    })
}
