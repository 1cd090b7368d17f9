//! What the mock server does with a request.

/// Behaviour of the mock server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// Answers correctly.
    Well,
    /// Accepts the request and never responds.
    Silent,
    /// Responds 429, with an optional `Retry-After` in seconds.
    Limiting(Option<u64>),
    /// Responds 503 with a `Retry-After` date and an optional `Date`.
    LimitingUntil(&'static str, Option<&'static str>),
    /// Responds 500.
    Failing,
    /// Responds with invalid JSON.
    Garbling,
    /// Responds with JSON of the wrong schema.
    Misshaping,
    /// Never ends its response.
    Endless,
    /// Refuses to answer (safety refusal).
    Refusing,
    /// Responds with an empty answer.
    Empty,
    /// Responds with bytes that are not UTF-8.
    Binary,
    /// Closes the connection in the middle of the response.
    CuttingOff,
    /// Answers in the right schema, with injected commands.
    Commanding,
    /// Answers in the right schema, with about a million characters in every text.
    Bloating,
    /// Answers in the right schema, with lists of ten thousand entries.
    Crowding,
    /// Answers in the right schema, with invisible and direction-changing characters.
    Hiding,
    /// Answers in the right schema, with invalid UTF-8 in its texts.
    Mangling,
    /// Answers an analysis with this text, and settles conflicts as `replaced`.
    Analysing(&'static str),
    /// Answers the request whose schema has the first property with the second string, and all others correctly.
    Answering(&'static str, &'static str),
    /// Does not support structured answers.
    Plain,
    /// Requires `max_completion_tokens`, like newer OpenAI models.
    Newer,
    /// Does not report usage of a stream and rejects `stream_options`.
    Uncounting,
    /// Ignores the requested dimensions and accepts at most sixteen texts per request.
    Stubborn,
    /// Writes reasoning before its answer.
    Musing,
    /// Streams valid events without end.
    Rambling,
    /// Echoes the key in its error.
    Leaking,
    /// Has a small context and reports it.
    Cramped,
    /// Rejects sampling parameters.
    Headstrong,
    /// Responds without streaming although it was requested.
    Unstreaming,
    /// Responds with exactly these strings: the first as a complete response, the others as the events of a stream.
    Verbatim(&'static str, &'static [&'static str]),
    /// Reports an implausible number of tokens.
    Boasting,
    /// Rejects texts to embed that contain this word.
    Choosing(&'static str),
}

impl Behaviour {
    /// Ten failure modes.
    pub const FAILURES: [Self; 10] = [
        Self::Silent,
        Self::Limiting(None),
        Self::Failing,
        Self::Garbling,
        Self::Misshaping,
        Self::Endless,
        Self::Refusing,
        Self::Empty,
        Self::Binary,
        Self::CuttingOff,
    ];
}
