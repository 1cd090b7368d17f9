//! Chat in the terminal, with the effects on memory shown.

use std::io::{BufRead, IsTerminal, Write};

use saegim_core::{Role, SessionId};
use saegim_engine::{ContextQuery, Exchange, NewMessage, ReplyRequest};
use serde_json::json;

use super::observe::{observed_json, observed_lines};
use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::print;

impl App {
    pub(crate) async fn chat(&self, session: Option<String>) -> Result<(), AppError> {
        let mind = self.mind().await?;
        let mut session = session.map(SessionId::new).transpose()?;
        let people = std::io::stdin().is_terminal();
        if people {
            self.tell(&say!(self.language, "command.chat.welcome", character = self.key.character()));
        }
        for line in self.lines(people) {
            let text = line?;
            if text.trim().is_empty() {
                if people {
                    break;
                }
                continue;
            }
            let context = mind.context(ContextQuery { text: text.clone(), budget: None }).await?;
            let answer =
                mind.speak(&ReplyRequest { text: &text, context: &context.text, before: &[], sampling: None }, &mut |_| ()).await?.text;
            let injected = context.sections.iter().flat_map(|section| section.memories.iter().copied()).collect();
            let said = vec![
                NewMessage { at: self.global.now, ..NewMessage::user(&text) },
                NewMessage { role: Role::Assistant, injected, at: self.global.now, ..NewMessage::assistant(&answer) },
            ];
            let observed = mind.observe(Exchange { session: session.clone(), said, ..Exchange::default() }).await?;
            session = observed.turns.first().map(|turn| turn.session.clone());
            if self.global.json {
                let mut value = observed_json(&observed);
                value["answer"] = json!(answer);
                value["recalled"] = context
                    .sections
                    .iter()
                    .filter(|section| !section.memories.is_empty())
                    .map(|section| json!({ "name": section.name, "memory_ids": section.memories }))
                    .collect();
                print(value)?;
                continue;
            }
            print(format!("{}: {answer}", self.key.character()))?;
            for section in context.sections.iter().filter(|section| section.name == "memories") {
                for recalled in section.text.lines() {
                    self.tell(&format!("  ~ {}", recalled.trim_start_matches("- ")));
                }
            }
            self.tell_of_forgetting(&text);
            for line in observed_lines(&observed, self.language) {
                self.tell(&format!("  {line}"));
            }
            // Run the model jobs now that would otherwise run between two turns.
            mind.run_jobs().await?;
        }
        Ok(())
    }

    /// Returns the lines of standard input.
    fn lines(&self, people: bool) -> impl Iterator<Item = Result<String, AppError>> {
        let user = self.key.user().to_owned();
        let mut input = std::io::stdin().lock();
        std::iter::from_fn(move || {
            if people {
                eprint!("{}: ", crate::text::for_terminal(&user));
                std::io::stderr().flush().ok();
            }
            let mut line = String::new();
            match input.read_line(&mut line) {
                Ok(0) => None,
                Ok(_) => Some(Ok(line.trim_end().to_owned())),
                Err(error) => Some(Err(AppError::File { path: "standard input".into(), error })),
            }
        })
    }
}
