//! The server, MCP and API keys.

use saegim_core::{AccessKey, Language, MindPattern, phrase};
use saegim_engine::{Clock, SystemClock};
use serde_json::json;

use super::App;
use crate::cli::{Global, KeysCommand, McpArgs, ServeArgs};
use crate::demo::Demo;
use crate::error::AppError;
use crate::http::{Failure, Serving, serve};
use crate::mcp::{Door, Offer, installed, over_stdio};
use crate::say::say;
use crate::settings::{Settings, Thinking};
use crate::view::{self, print, tell};

/// Generates the demo and redirects all settings to it.
pub(super) async fn demo(global: &mut Global, language: Language) -> Result<Demo, AppError> {
    if !global.json {
        tell(say!(language, "command.serve.simulating_sample"));
    }
    let began = SystemClock.now();
    let demo = crate::demo::live(&Settings::read(global)?, language).await?;
    let seconds = SystemClock.now().since(began).as_millis() as f64 / 1000.0;
    (global.db, global.mind) = (Some(demo.database()), Some(demo.key.to_string()));
    (global.user, global.character, global.work) = (None, None, None);
    if !global.json {
        tell(say!(language, "command.serve.sample_simulated", seconds = format_args!("{seconds:.1}")));
    }
    Ok(demo)
}

impl App {
    pub(super) async fn serve(&self, args: ServeArgs) -> Result<(), AppError> {
        let (language, json, wanted) = (self.language, self.global.json, args.addr);
        let soul = self.settings.soul.clone().map(|path| (self.key.clone(), path));
        let thinking = Thinking::new(&self.settings, &self.global)?;
        // A demo is temporary, and so is a thinker chosen in it.
        let thinking = if args.demo { thinking.passing() } else { thinking };
        if let Some(format) = args.log {
            crate::log::start(format);
        }
        let (hosts, origins, rate) = (args.hosts, args.origins, args.rate);
        let serving = Serving { address: args.addr, hosts, origins, rate, soul, thinking };
        let served = serve(self.engine.clone(), serving, move |listening| {
            let address = listening.address;
            if json {
                tell(json!({ "listening": address.to_string(), "key": listening.key }));
                return;
            }
            tell(say!(language, "command.serve.listening", address));
            if let Some(key) = &listening.key {
                tell(say!(language, "command.serve.first_key", key));
            }
        });
        let following = self.mirror().map(|mirror| tokio::spawn(mirror.follow(self.engine.clone())));
        let served = served.await;
        if let Some(following) = following {
            following.abort();
        }
        served.map_err(|failure| match failure {
            Failure::Engine(error) => error.into(),
            Failure::Address(error) => {
                let why = saegim_core::Phrase::of_system(&error);
                AppError::Content(saegim_core::phrase!("command.serve.cannot_listen", wanted, why))
            }
        })
    }

    pub(super) async fn mcp(&self, args: McpArgs) -> Result<(), AppError> {
        let Some(client) = args.install else {
            let door = Door { engine: self.engine.clone(), key: self.key.clone(), offer: args.tools };
            return over_stdio(door).await.map_err(|problem| AppError::Content(problem.into()));
        };
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE")).unwrap_or_default();
        let program = std::env::current_exe().map_err(|error| AppError::File { path: "saegim".into(), error })?;
        // The client starts the program in its own working directory, so the path must be absolute.
        let database = std::path::absolute(&self.database).map_err(|error| AppError::file(&self.database, error))?;
        let mut arguments = vec!["--db".to_owned(), database.display().to_string(), "--mind".into(), self.key.to_string(), "mcp".into()];
        if args.tools == Offer::All {
            arguments.extend(["--tools".to_owned(), "all".to_owned()]);
        }
        let installed = installed(client, home.as_ref(), (&program.display().to_string(), &arguments))
            .map_err(|problem| AppError::Content(problem.into()))?;
        if !args.write {
            self.tell(&say!(self.language, "command.serve.add_to_file", file = installed.file.display()));
            return print(installed.text.trim_end());
        }
        if let Some(folder) = installed.file.parent() {
            std::fs::create_dir_all(folder).map_err(|error| AppError::file(folder, error))?;
        }
        if installed.loses {
            let kept = installed.file.with_extension("json.before");
            std::fs::copy(&installed.file, &kept).map_err(|error| AppError::file(&kept, error))?;
            self.tell(&say!(self.language, "command.serve.previous_file", kept = kept.display()));
        }
        std::fs::write(&installed.file, installed.text).map_err(|error| AppError::file(&installed.file, error))?;
        self.tell(&say!(self.language, "command.serve.client_configured", file = installed.file.display()));
        Ok(())
    }

    pub(super) async fn keys(&self, command: Option<KeysCommand>) -> Result<(), AppError> {
        match command {
            None => self.list_keys().await,
            Some(KeysCommand::New { principal, minds }) => {
                let minds = minds.iter().map(|pattern| MindPattern::parse(pattern)).collect::<Result<Vec<_>, _>>()?;
                let (key, written) = self.engine.make_key(principal, minds).await?;
                if self.global.json {
                    let mut value = json!(key);
                    value["key"] = json!(written);
                    return print(value);
                }
                self.tell(&say!(self.language, "command.serve.key_shown_once"));
                print(written)
            }
            Some(KeysCommand::Revoke { id }) => {
                let key = self.engine.revoke_key(&id).await?;
                if self.global.json {
                    return print(json!(key));
                }
                self.tell(&say!(self.language, "command.serve.key_revoked", id = key.id));
                Ok(())
            }
        }
    }

    async fn list_keys(&self) -> Result<(), AppError> {
        let keys = self.engine.keys().await?;
        if self.global.json {
            return print(json!({ "keys": keys }));
        }
        if keys.is_empty() {
            let none = phrase!("command.serve.no_keys");
            self.tell(&none.in_language(self.language));
        }
        let zone = self.settings.time_zone()?;
        keys.iter().try_for_each(|key| print(self.key_line(key, &zone)))
    }

    fn key_line(&self, key: &AccessKey, zone: &jiff::tz::TimeZone) -> String {
        let minds = key.minds.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let ended = match key.revoked_at {
            Some(at) => say!(self.language, "command.serve.revoked_at", at = view::when(at, zone)),
            None => String::new(),
        };
        format!("{}  {:<6} {minds}  {}{ended}", key.id, key.principal, view::when(key.made_at, zone))
    }
}
