//! Builds the turns of an exchange.

use saegim_core::{CLOCK_SLACK, Change, Idempotency, Session, SessionId, Span, Timestamp, Turn, TurnId};

use crate::EngineError;
use crate::intake::Intake;
use crate::intake::idempotency::request_of;
use crate::intake::observe::Exchange;
use crate::intake::turn::turn_context::TurnContext;
use crate::intake::turn::turn_draft::TurnDraft;

/// An exchange and the time at which it arrived. The time stays the same over retries.
#[derive(Clone, Copy)]
pub(crate) struct Arrival<'a> {
    pub(crate) exchange: &'a Exchange,
    pub(crate) now: Timestamp,
}

/// The turns of an exchange and their session.
pub(crate) struct NewTurns {
    pub(crate) at: Timestamp,
    session: Session,
    pub(crate) turns: Vec<Turn>,
}

impl Intake<'_> {
    /// Builds the turns of an exchange in the current session or in a new one.
    pub(crate) async fn new_turns(&self, context: &TurnContext, arrival: Arrival<'_>) -> Result<NewTurns, EngineError> {
        let at = self.said_at(context, arrival).await?;
        let session = self.session_for(context, arrival.exchange, at).await?;
        let turns = self.turns_of(arrival.exchange, &session, at)?;
        Ok(NewTurns { at, session, turns })
    }

    /// Adds the session of new turns to the commit, with its idempotency key and its scene.
    pub(crate) fn begin_turns(&self, draft: &mut TurnDraft, new: &NewTurns, exchange: &Exchange) {
        let NewTurns { session, turns, .. } = new;
        draft.commit.session = Some(session.name.clone());
        draft.commit.idempotency = exchange.idempotency.clone().map(|key| Idempotency { key, request: request_of(exchange) });
        let last_sequence = turns.last().map_or(session.last_sequence, |turn| turn.sequence);
        let last_at = turns.iter().map(|turn| turn.at).max().unwrap_or(session.last_at);
        draft.commit.changes.push(Change::SessionSet(Session { last_sequence, last_at, ..session.clone() }));
        self.set_scene(draft, exchange, turns);
    }

    /// Returns the time of an exchange: the time given by the host, or now. If the clock has gone back behind the last turn,
    /// returns the time right after that turn to keep the order. A last turn that the host dated ahead of every known clock
    /// reading is ignored.
    async fn said_at(&self, context: &TurnContext, Arrival { exchange, now }: Arrival<'_>) -> Result<Timestamp, EngineError> {
        if let Some(named) = exchange.said[0].at {
            return Ok(named);
        }
        let Some(last) = context.last_said().filter(|last| *last > now) else { return Ok(now) };
        let believed = self.mind.store().course(self.mind.id).await?.latest;
        Ok(if believed.is_some_and(|latest| last <= latest.plus(CLOCK_SLACK)) { last.plus(Span::millis(1)) } else { now })
    }

    /// Returns the session of an exchange: the named one, the current one, or a new one.
    async fn session_for(&self, context: &TurnContext, exchange: &Exchange, at: Timestamp) -> Result<Session, EngineError> {
        let name = match (&exchange.session, context.window.last()) {
            (Some(name), _) => name.clone(),
            (None, Some(last)) if at.since(last.at) < self.mind.lifecycle().silence() => last.session.clone(),
            _ => SessionId::new(at.civil(&self.mind.inner.config.time_zone).strftime("%Y-%m-%d %H:%M:%S").to_string())?,
        };
        let known = self.mind.store().session(self.mind.id, &name).await?;
        Ok(known.unwrap_or(Session { name, began_at: at, last_at: at, last_sequence: 0, branched_from: None }))
    }

    /// Builds the turns of an exchange. With an idempotency key, the random part of their ids is derived from the key, so that a
    /// repeated request finds the turns of the first one.
    fn turns_of(&self, exchange: &Exchange, session: &Session, mut at: Timestamp) -> Result<Vec<Turn>, EngineError> {
        let mut turns = Vec::with_capacity(exchange.said.len());
        for (place, said) in exchange.said.iter().enumerate() {
            at = said.at.unwrap_or(at);
            let chance = exchange.idempotency.as_ref().map(|key| self.chance_under(key, place));
            let id = TurnId::new(at, chance.unwrap_or_else(|| self.mind.inner.config.dice.chance()));
            turns.push(Turn {
                id,
                session: session.name.clone(),
                sequence: session.last_sequence + place as u32 + 1,
                role: said.role,
                speaker: said.speaker.clone().filter(|name| !name.trim().is_empty()),
                content: Turn::said(&said.content)?,
                at,
                face: None,
                injected: said.injected.clone(),
                withdrawn_at: None,
            });
        }
        Ok(turns)
    }
}
