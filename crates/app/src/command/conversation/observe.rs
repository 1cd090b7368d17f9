//! Ingesting conversation messages, and the context for a model.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

use saegim_core::{CandidateVerdict, MindKey, Phrase, Role, SessionId, Timestamp, phrase};
use saegim_engine::{ContextQuery, Exchange, MindHandle, NewMessage, Observed};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::ObserveArgs;
use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

/// One line of a message file.
#[derive(Deserialize)]
struct Line {
    session: Option<String>,
    role: String,
    content: String,
    at: Option<Timestamp>,
    speaker: Option<String>,
}

impl App {
    pub(crate) async fn observe(&self, args: ObserveArgs) -> Result<(), AppError> {
        if let Some(path) = &args.file {
            return self.observe_file(path, &args).await;
        }
        let mut said = Vec::new();
        let spoken = |role: Role, content: &Option<String>| {
            content.clone().map(|content| NewMessage { role, content, at: self.global.now, speaker: None, injected: Vec::new() })
        };
        said.extend(spoken(Role::Event, &args.event));
        said.extend(spoken(Role::User, &args.said));
        said.extend(spoken(Role::Assistant, &args.assistant));
        for message in &said {
            saegim_core::Turn::said(&message.content)?;
        }
        let mind = self.mind().await?;
        for id in &args.injected {
            let id = mind.resolve(id).await?;
            said.last_mut().expect("something was said").injected.push(id);
        }
        let exchange = Exchange {
            session: args.session.clone().map(SessionId::new).transpose()?,
            said,
            place: args.place.clone(),
            story_time: args.story_time.clone(),
            people: args.present.clone(),
            idempotency: args.idempotency_key.clone(),
            asked: None,
        };
        let observed = mind.observe(exchange.clone()).await?;
        self.show_observed(&observed)?;
        self.heard_by(&args.present, &exchange).await
    }

    /// Stores the same exchange in the minds of the other characters present. The assistant's messages become messages
    /// of a named persona there.
    async fn heard_by(&self, present: &[String], exchange: &Exchange) -> Result<(), AppError> {
        for character in present {
            let key = MindKey::in_work(self.key.user(), character, self.key.work())?;
            if key == self.key {
                continue;
            }
            let mut heard = exchange.clone();
            for said in &mut heard.said {
                said.injected.clear();
                if said.role == Role::Assistant {
                    said.role = Role::Persona;
                    said.speaker.get_or_insert_with(|| self.key.character().to_owned());
                }
            }
            heard.people = present.iter().filter(|name| *name != character).cloned().chain([self.key.character().to_owned()]).collect();
            let mind = self.engine.mind(key).await?;
            mind.observe(heard).await?;
            self.tell(&say!(self.language, "command.observe.also_heard", character));
        }
        Ok(())
    }

    async fn observe_file(&self, path: &Path, args: &ObserveArgs) -> Result<(), AppError> {
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(std::io::stdin())
        } else {
            Box::new(std::fs::File::open(path).map_err(|error| AppError::file(path, error))?)
        };
        let exchanges = self.exchanges(BufReader::new(input), path, args)?;
        if exchanges.is_empty() {
            return Ok(());
        }
        let mind = self.mind().await?;
        let bar = (std::io::stderr().is_terminal() && exchanges.len() > 20 && !self.global.json)
            .then(|| indicatif::ProgressBar::new(exchanges.len() as u64));
        let (mut kept, mut facts) = (0, 0);
        for exchange in exchanges {
            let observed = mind.observe(exchange).await?;
            kept += observed.candidates.iter().filter(|candidate| candidate.verdict == CandidateVerdict::Stored).count();
            facts += observed.facts.len();
            if self.global.json {
                print(observed_json(&observed))?;
            }
            if let Some(bar) = &bar {
                bar.inc(1);
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        self.tell(&say!(self.language, "command.observe.stored_and_learned", kept, facts));
        Ok(())
    }

    /// Groups the lines of a file into exchanges: a user message and everything up to the next one.
    fn exchanges(&self, input: impl BufRead, path: &Path, args: &ObserveArgs) -> Result<Vec<Exchange>, AppError> {
        let mut exchanges: Vec<Exchange> = Vec::new();
        for (number, line) in input.lines().enumerate() {
            let line = line.map_err(|error| AppError::file(path, error))?;
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |why: Phrase| {
                let (path, number) = (path.display(), number + 1);
                AppError::Content(phrase!("command.observe.file_line", path, number, why))
            };
            let line: Line = serde_json::from_str(&line).map_err(|error| wrong(error.to_string().into()))?;
            let role = Role::parse(&line.role).map_err(|invalid| wrong(invalid.phrase()))?;
            let session = line.session.or_else(|| args.session.clone()).map(SessionId::new).transpose()?;
            saegim_core::Turn::said(&line.content).map_err(|invalid| wrong(invalid.phrase()))?;
            let said =
                NewMessage { role, content: line.content, at: line.at.or(self.global.now), speaker: line.speaker, injected: Vec::new() };
            match exchanges.last_mut() {
                Some(last) if role != Role::User && last.session == session && !last.said.is_empty() => last.said.push(said),
                _ => exchanges.push(Exchange { session, said: vec![said], place: args.place.clone(), ..Exchange::default() }),
            }
        }
        Ok(exchanges)
    }

    fn show_observed(&self, observed: &Observed) -> Result<(), AppError> {
        if self.global.json {
            return print(observed_json(observed));
        }
        for line in observed_lines(observed, self.language) {
            print(line)?;
        }
        Ok(())
    }

    pub(crate) async fn context(&self, query: &str, budget: Option<usize>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let context = mind.context(ContextQuery { text: query.to_owned(), budget }).await?;
        if self.global.json {
            let sections: Vec<Value> = context
                .sections
                .iter()
                .map(|section| json!({ "name": section.name, "text": section.text, "memory_ids": section.memories, "ids": section.ids }))
                .collect();
            return print(json!({ "text": context.text, "sections": sections, "tokens": context.tokens, "degraded": context.degraded }));
        }
        print(&context.text)?;
        if let Some(why) = &context.degraded {
            self.tell(&why.in_language(self.language));
        }
        self.tell(&say!(self.language, "command.observe.context_tokens", tokens = context.tokens));
        Ok(())
    }

    /// Returns the turn with this id if no memory has it.
    pub(crate) async fn turn_instead(&self, mind: &MindHandle, text: &str) -> Result<Option<saegim_core::TurnId>, AppError> {
        match mind.resolve(text).await {
            Ok(id) if mind.get(id).await.is_ok() => Ok(None),
            Ok(_) | Err(saegim_engine::EngineError::NotFound(_)) => self.turn_id(mind, text).await,
            Err(_) => Ok(None),
        }
    }

    /// Finds a turn by its id or some digits of it.
    pub(crate) async fn turn_id(&self, mind: &MindHandle, text: &str) -> Result<Option<saegim_core::TurnId>, AppError> {
        Ok(mind.resolve_turn(text).await?)
    }
}

/// The result of an exchange as JSON.
pub(crate) fn observed_json(observed: &Observed) -> Value {
    let candidates: Vec<Value> = observed.candidates.iter().map(view::candidate).collect();
    let facts: Vec<Value> = observed
        .facts
        .iter()
        .map(|news| json!({ "subject": news.subject, "value": news.value, "change": news.change, "before": news.before }))
        .collect();
    json!({
        "turns": observed.turns.iter().map(view::turn).collect::<Vec<_>>(),
        "candidates": candidates,
        "facts": facts,
        "relationship": view::relationship(&observed.relationship, observed.speech_style),
        "changes": observed.moved,
        "mood": view::mood(&observed.mood),
        "face": observed.face,
        "context_used": observed.used,
        "degraded": observed.degraded,
        "repeated": observed.repeated,
    })
}

/// The result of an exchange as lines for people.
pub(crate) fn observed_lines(observed: &Observed, language: saegim_core::Language) -> Vec<String> {
    let mut lines = Vec::new();
    for news in &observed.facts {
        let before = if news.before.is_empty() { String::new() } else { format!(" ← {}", news.before.join(", ")) };
        let change = match news.change {
            "new" => say!(language, "command.observe.learned"),
            "mentioned" => say!(language, "command.observe.confirmed"),
            "superseded" => say!(language, "command.observe.changed"),
            "ended" => say!(language, "command.observe.ended"),
            _ => say!(language, "command.observe.past"),
        };
        lines.push(format!("◆ {}: {}{before} ({change})", view::subject_name(&news.subject, language), news.value));
    }
    for candidate in &observed.candidates {
        let sign = match candidate.verdict {
            CandidateVerdict::Stored => "+",
            CandidateVerdict::Reinforced | CandidateVerdict::Merged => "↑",
            CandidateVerdict::Skipped => "·",
            CandidateVerdict::Held => "!",
            CandidateVerdict::Rejected => "×",
        };
        let id = candidate.memory.map(|id| format!("  [{}]", view::short(id))).unwrap_or_default();
        let score = format!("{:.2}", candidate.score.get());
        let why = &candidate.reason;
        let why = if why.contains(&score) { why.clone() } else { format!("{score}, {why}") };
        lines.push(format!("{sign} {} ({why}){id}", candidate.content));
    }
    let moved: Vec<String> =
        observed.moved.iter().map(|change| format!("{} {:+.1}", view::axis(change.axis, language), change.delta)).collect();
    let face = say!(language, "command.observe.face", face = observed.face.as_str());
    lines.push(format!("{face}  {}", moved.join("  ")));
    lines
}
