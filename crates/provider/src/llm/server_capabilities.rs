//! In what shape a server takes its requests. Servers of one dialect differ: one knows no schema, one calls the limit
//! something else, one does not count a stream's tokens. What a server will not have is left out, for this request at
//! once, and from then on where that was really the reason.

use std::sync::{Mutex, PoisonError};

/// The shape of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether the schema is left to the prompt.
    pub(crate) plain: bool,
    /// Whether the limit is called `max_completion_tokens`, as newer models of OpenAI's have it.
    pub(crate) renamed: bool,
    /// Whether the limit leaves no room for thinking, for servers whose whole context is small.
    pub(crate) tight: bool,
    /// Whether a stream is not asked what it used.
    pub(crate) uncounted: bool,
}

/// What a request would lose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carries {
    pub(crate) schema: bool,
    pub(crate) streams: bool,
}

impl Shape {
    /// The next shape to try after a refusal with these words, and whether they named what has to go.
    pub(crate) fn after(self, refusal: &str, carries: Carries) -> Option<(Self, bool)> {
        let names = |words: &[&str]| words.iter().any(|word| refusal.contains(word));
        if !self.renamed && names(&["max_completion_tokens"]) {
            return Some((Self { renamed: true, ..self }, true));
        }
        if !self.uncounted && carries.streams && names(&["stream_options", "include_usage"]) {
            return Some((Self { uncounted: true, ..self }, true));
        }
        if !self.plain && carries.schema && names(&["response_format", "json_schema", "responseJsonSchema", "tool_choice", "schema"]) {
            return Some((Self { plain: true, ..self }, true));
        }
        if !self.tight && names(&["max_tokens", "maxOutputTokens", "context length", "context_length", "context window"]) {
            return Some((Self { tight: true, ..self }, true));
        }
        if !self.plain && carries.schema {
            return Some((Self { plain: true, ..self }, false));
        }
        (!self.uncounted && carries.streams).then_some((Self { uncounted: true, ..self }, false))
    }
}

/// The shape a server is known to take.
#[derive(Default)]
pub(crate) struct Learned(Mutex<State>);

#[derive(Default)]
struct State {
    shape: Shape,
    /// What helped the last time though nobody had said it would: once may be chance.
    suspected: Option<Shape>,
}

impl Learned {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn shape(&self) -> Shape {
        self.state().shape
    }

    /// Takes down that a request went through in this shape, and whether the refusals before had named the reason.
    pub(crate) fn took(&self, shape: Shape, named: bool) {
        let mut state = self.state();
        if shape == state.shape {
            return;
        }
        if named || state.suspected == Some(shape) {
            *state = State { shape, suspected: None };
        } else {
            state.suspected = Some(shape);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRUCTURED: Carries = Carries { schema: true, streams: false };
    const STREAM: Carries = Carries { schema: false, streams: true };

    #[test]
    fn what_a_refusal_names_is_what_goes() {
        let check = |refusal: &str, carries: Carries, next: Shape, named: bool| {
            assert_eq!(Shape::default().after(refusal, carries), Some((next, named)), "{refusal}");
        };
        let azure = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        check(azure, STRUCTURED, Shape { renamed: true, ..Shape::default() }, true);
        check("Extra inputs are not permitted: stream_options", STREAM, Shape { uncounted: true, ..Shape::default() }, true);
        check("response_format is not supported", STRUCTURED, Shape { plain: true, ..Shape::default() }, true);
        let small = "This model's maximum context length is 4096 tokens";
        check(small, STRUCTURED, Shape { tight: true, ..Shape::default() }, true);
        check("bad request", STRUCTURED, Shape { plain: true, ..Shape::default() }, false);
        let bare = Shape { plain: true, uncounted: true, renamed: true, tight: true };
        assert_eq!(bare.after(azure, STRUCTURED), None);
    }

    #[test]
    fn one_stray_refusal_changes_nothing_for_later() {
        let (learned, plain) = (Learned::default(), Shape { plain: true, ..Shape::default() });
        learned.took(plain, false);
        assert_eq!(learned.shape(), Shape::default());
        learned.took(plain, false);
        assert_eq!(learned.shape(), plain);
        let named = Learned::default();
        named.took(plain, true);
        assert_eq!(named.shape(), plain);
    }
}
