//! Statements and people.

use saegim_core::StatementStanding;
use saegim_engine::KnownStatement;
use serde_json::{Value, json};

use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::text;
use crate::view::{self, print};

impl App {
    /// Prints statements: the current ones, those that wait for confirmation, and with the history those that are over.
    pub(super) fn show_statements(&self, statements: &[KnownStatement]) -> Result<(), AppError> {
        if self.global.json {
            return print(json!({ "statements": view::statements(statements) }));
        }
        for known in statements {
            let said = self.language.ago(known.statement.at, self.now());
            let about = known.statement.holder.as_ref().map(|holder| format!("{holder}: ")).unwrap_or_default();
            let mark = match known.standing {
                StatementStanding::Current => String::new(),
                StatementStanding::Unconfirmed => say!(self.language, "command.known.unconfirmed"),
                StatementStanding::Over => say!(self.language, "command.known.over"),
            };
            let id = known.statement.id.to_string();
            let id = view::dim(&format!("#{}", &id[id.len() - 4..]));
            print(format!("“ {about}{} ({said}{mark}) {id}", text::shown(&known.statement.text)))?;
        }
        Ok(())
    }

    pub(crate) async fn people(&self, name: Option<&str>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let people = match name {
            Some(name) => vec![mind.person(name).await?],
            None => mind.people().await?,
        };
        if self.global.json {
            let people: Vec<Value> = people.iter().map(view::person).collect();
            return print(json!({ "people": people }));
        }
        if people.is_empty() {
            self.tell(&say!(self.language, "command.known.no_people"));
        }
        for person in &people {
            let called: Vec<&str> = [&person.name, &person.relation].into_iter().flatten().map(String::as_str).collect();
            print(called.join(" · "))?;
            if !person.facts.is_empty() {
                self.show_facts(&person.facts)?;
            }
            self.show_statements(&person.statements)?;
        }
        Ok(())
    }
}
