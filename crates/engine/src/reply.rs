//! The character's answer: a model's, given all that is remembered for it, or the rules', brief and from what is known.

use std::sync::{Mutex, PoisonError};

use saegim_core::{Cause, Deed, Invalid, Language, Role, SessionId, Thought, Turn, TurnId, phrase};
use saegim_provider::{ProviderError, Reading, Relayed, ReplyTo, RuleThinker, Sampling, Saying, Thinker, Utterance};
use serde_json::Value;

use crate::context::{ContextQuery, with_names};
use crate::recall::Query;
use crate::{EngineError, MindHandle};

/// How many remembered lines an answer may draw on.
const LINES: usize = 5;

/// A message to be answered, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub struct Spoken<'a> {
    /// The user's message.
    pub text: &'a str,
    /// What is remembered for it, as [`MindHandle::context`] puts it.
    pub context: &'a str,
    /// What was said before that the mind may not know of, and the caller's own instructions.
    pub before: &'a [(Role, String)],
    /// How the caller wants the answer drawn, where they say so.
    pub sampling: Option<&'a Sampling>,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// What it says.
    pub text: String,
    /// Why it broke off before its end, if it did.
    pub broke_off: Option<Cause>,
}

impl MindHandle {
    /// Whether a request in OpenAI's own shape can be passed on to the model that answers.
    pub fn relays(&self) -> bool {
        self.speaks() && self.thinker.as_deref().is_some_and(Thinker::relays)
    }

    /// Passes such a request on and hands over its stream, event by event, or tells why the model cannot be had. Nothing is
    /// kept by it; the caller observes the exchange.
    pub async fn relay(&self, request: &Value, saying: Saying<'_>) -> Result<Result<Relayed, Cause>, EngineError> {
        self.may(Deed::Read).await?;
        let saying = &Mutex::new(saying);
        let relayed = self
            .consult(Thought::Reply, &|thinker: &dyn Thinker| {
                Box::pin(async move {
                    let mut hear = |event: &str| saying.lock().unwrap_or_else(PoisonError::into_inner)(event);
                    thinker.relay(request, &mut hear).await
                })
            })
            .await?;
        self.note_thoughts().await?;
        Ok(relayed)
    }

    /// What of a caller's wishes whoever answers cannot do, as OpenAI calls it.
    pub fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        self.thinker.as_deref().and_then(|thinker| thinker.cannot(sampling))
    }

    /// Whether a model answers, word by word.
    pub fn speaks(&self) -> bool {
        self.asks(Thought::Reply)
    }

    /// What the thinker answers to a message. Nothing is kept by asking; the caller observes the exchange.
    pub async fn reply(&self, text: &str) -> Result<String, EngineError> {
        let context =
            if self.speaks() { self.context(ContextQuery { text: text.to_owned(), budget: None }).await?.text } else { String::new() };
        Ok(self.speak(&Spoken { text, context: &context, before: &[], sampling: None }, &mut |_| ()).await?.text)
    }

    /// The same, handed over as it comes, where the caller has the context already and knows what else was said.
    pub async fn speak(&self, spoken: &Spoken<'_>, saying: Saying<'_>) -> Result<Answered, EngineError> {
        self.answer(spoken, saying, None).await
    }

    /// What the rules answer in the place of a model that could not be had.
    pub async fn stand_in(&self, spoken: &Spoken<'_>, cause: Cause) -> Result<Answered, EngineError> {
        self.answer(spoken, &mut |_| (), Some(cause)).await
    }

    async fn answer(&self, spoken: &Spoken<'_>, saying: Saying<'_>, absent: Option<Cause>) -> Result<Answered, EngineError> {
        self.may(Deed::Read).await?;
        let text = Turn::said(spoken.text)?;
        if self.thinker.is_none() {
            return Err(EngineError::NotFound(phrase!(
                "no thinker is configured; configure one to get replies",
                "답변에 쓸 thinker가 설정되어 있지 않아요. thinker를 설정해 주세요"
            )));
        }
        let present = self.glance().await?;
        let turn = Turn {
            id: TurnId::new(self.now(), self.inner.config.dice.chance()),
            session: present.window.last().map_or_else(|| SessionId::new("now"), |last| Ok(last.session.clone()))?,
            sequence: 0,
            role: Role::User,
            speaker: None,
            content: text.clone(),
            at: self.now(),
            face: None,
            injected: Vec::new(),
            withdrawn_at: None,
        };
        // The message is read by a model when it is kept; to answer it, what the rules hear is enough.
        let reading = if self.asks(Thought::Extract) { self.heard(&turn) } else { self.read(&present, &turn).await? };
        let (vector, _) = self.question_vector(&text).await;
        let query = Query { limit: LINES, ..Query::text(with_names(&text, &present.facts)) };
        let recalled = self.search_with(&query, vector.clone()).await?;
        let mut memories: Vec<String> = recalled.results.into_iter().map(|found| found.memory.content).collect();
        let least = self.policy().recall.fits_from;
        let said = self.said_about(&query, vector, &[]).await?;
        let own = said.into_iter().filter(|found| found.turn.role == Role::User && found.relevance >= least);
        memories.extend(own.map(|found| found.turn.content));
        memories.dedup();
        let facts: Vec<(String, String)> = present.facts.current().map(|fact| (fact.subject.clone(), fact.value.clone())).collect();
        let name = present.facts.current().find(|fact| fact.subject == "name").map(|fact| fact.value.clone());
        let asked = ReplyTo {
            text: &text,
            character: self.key().character(),
            user: name.as_deref().unwrap_or_else(|| self.key().user()),
            language: Language::of(&text),
            style: present.style.unwrap_or_else(|| present.relationship.level().speech_style()),
            facts: &facts,
            memories: &memories,
            feeling: &reading.feeling,
            reading: &reading,
            context: spoken.context,
            before: spoken.before,
            sampling: spoken.sampling,
        };
        if let Some(cause) = absent {
            self.took_down(Thought::Reply, (RuleThinker.id(), cause));
            self.note_thoughts().await?;
            return Ok(Answered { text: RuleThinker.reply(&asked), broke_off: None });
        }
        let (asked, saying) = (&asked, &Mutex::new(saying));
        let answered = self
            .think_aloud(Thought::Reply, |thinker| {
                Box::pin(async move {
                    let mut hear = |word: &str| saying.lock().unwrap_or_else(PoisonError::into_inner)(word);
                    thinker.speak(asked, &mut hear).await
                })
            })
            .await;
        self.note_thoughts().await?;
        match answered {
            Ok((text, broke_off)) => Ok(Answered { text, broke_off }),
            Err(EngineError::Model(ProviderError::Invalid(why))) => Err(EngineError::Invalid(Invalid::new(
                "model",
                phrase!("the model cannot reply in the requested way ({why})", "모델이 요청한 방식으로 답할 수 없어요 ({why})"),
            ))),
            Err(error) => Err(error),
        }
    }

    fn heard(&self, turn: &Turn) -> Reading {
        let (user, character) = (self.key().user(), self.key().character());
        RuleThinker.read(&Utterance { role: turn.role, text: &turn.content, at: turn.at, user, character, before: None })
    }
}
