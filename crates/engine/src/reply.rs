//! An answer without a model: brief, in character, from what is known, or saying that it is not.

use saegim_core::{Deed, Language, Role, SessionId, Turn, TurnId, phrase};
use saegim_provider::ReplyTo;

use crate::context::with_names;
use crate::recall::Query;
use crate::{EngineError, MindHandle};

/// How many remembered lines an answer may draw on.
const LINES: usize = 5;

impl MindHandle {
    /// What the thinker answers to a message. Nothing is kept by asking; the caller observes the exchange.
    pub async fn reply(&self, text: &str) -> Result<String, EngineError> {
        self.may(Deed::Read).await?;
        let text = Turn::said(text)?;
        let Some(thinker) = &self.inner.config.thinker else {
            return Err(EngineError::NotFound(phrase!(
                "there is nothing that could answer; configure a thinker",
                "대답할 것이 없습니다. thinker를 설정하세요"
            )));
        };
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
        let reading = self.read(&present, &turn).await?;
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
            context: "",
            before: &[],
        };
        Ok(thinker.reply(&asked).await?)
    }
}
