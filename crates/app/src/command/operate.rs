//! Operation: statistics, minds, health, configuration.

use saegim_core::{Language, Phrase, Tier, Zone, phrase};
use serde_json::json;

use super::models::refused_words;
use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::settings::{environment, key_sources, keys_not_there, keys_without_model};
use crate::view::print;

impl App {
    pub(super) async fn stats(&self) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let counts = mind.counts().await?;
        let archived_count = mind.archived_count().await?;
        let by = |names: &[&str], numbers: &[u64]| -> serde_json::Map<String, serde_json::Value> {
            names.iter().zip(numbers).map(|(name, number)| ((*name).to_owned(), json!(number))).collect()
        };
        let zone_names: Vec<&str> = Zone::ALL.iter().map(|zone| zone.as_str()).collect();
        let tier_names: Vec<&str> = Tier::ALL.iter().map(|tier| tier.as_str()).collect();
        let (zones, tiers) = (by(&zone_names, &counts.zones), by(&tier_names, &counts.tiers));
        let memories: u64 = counts.zones.iter().sum();
        let bytes = std::fs::metadata(&self.database).map_or(0, |file| file.len());
        if self.global.json {
            return print(json!({
                "mind": self.key.to_string(), "memories": memories, "zones": zones, "tiers": tiers, "on_cliff": counts.on_cliff, "put_away": archived_count,
                "links": counts.links, "vectors": counts.vectors, "ledger_entries": counts.entries, "database": self.database, "bytes": bytes,
            }));
        }
        let row = |names: &[&str], numbers: &[u64]| -> String {
            names.iter().zip(numbers).map(|(name, number)| format!("{name} {number}")).collect::<Vec<_>>().join("  ")
        };
        let zone_names: Vec<String> = Zone::ALL.iter().map(|zone| crate::names::zone(*zone, self.language)).collect();
        let zone_names: Vec<&str> = zone_names.iter().map(String::as_str).collect();
        let (zone_row, tier_row) = (row(&zone_names, &counts.zones), row(&tier_names, &counts.tiers));
        print(say!(self.language, "command.operate.memories", memories))?;
        print(say!(self.language, "command.operate.zones", zones = zone_row))?;
        print(say!(self.language, "command.operate.tiers", tiers = tier_row))?;
        print(say!(self.language, "command.operate.cliff", on_cliff = counts.on_cliff))?;
        if archived_count > 0 {
            print(say!(self.language, "command.operate.archived", archived_count))?;
        }
        print(say!(self.language, "command.operate.links", links = counts.links))?;
        print(say!(self.language, "command.operate.vectors", vectors = counts.vectors))?;
        print(say!(self.language, "command.operate.ledger", entries = counts.entries))?;
        print(say!(self.language, "command.operate.file", database = self.database.display(), kilobytes = bytes / 1000))
    }

    pub(super) async fn minds(&self) -> Result<(), AppError> {
        let minds = self.engine.minds().await?;
        if self.global.json {
            let mind = |mind: &saegim_core::Mind| json!({ "id": mind.id, "key": mind.key.to_string(), "made_at": mind.made_at, "turns": mind.turns });
            return print(json!({ "minds": minds.iter().map(mind).collect::<Vec<_>>() }));
        }
        minds.iter().try_for_each(|mind| print(&mind.key))
    }

    pub(super) async fn doctor(&self, repair: bool) -> Result<(), AppError> {
        if repair {
            self.engine.repair().await?;
            for mind in self.engine.minds().await? {
                self.engine.mind(mind.key).await?.tick().await?;
            }
        }
        let mut health = self.engine.check().await?;
        match self.engine.try_embedder().await {
            Ok(note) => health.notes.push(note),
            Err(problem) => health.problems.push(problem),
        }
        for tried in self.engine.try_thinker().await {
            match tried {
                Ok(note) => health.notes.push(note),
                Err(problem) => health.problems.push(problem),
            }
        }
        let closed =
            |problem: &Phrase| ["HTTP 401", "HTTP 403"].iter().any(|status| problem.in_language(Language::English).contains(status));
        for (model, from) in key_sources(&self.settings.models(&self.global)?, &environment) {
            if health.problems.iter().any(|problem| closed(problem) && problem.in_language(Language::English).contains(&model)) {
                health.notes.push(phrase!("command.operate.api_key_source", model, from));
            }
        }
        let (models, embeds) = (self.settings.models(&self.global)?, !self.settings.shown_embedder(&self.global).is_empty());
        for variable in keys_without_model(&models, &environment).into_iter().filter(|_| !embeds) {
            health.notes.push(phrase!("command.operate.no_model_selected", variable));
        }
        for (variable, model) in keys_not_there(&models, &environment) {
            health.notes.push(phrase!("command.operate.api_key_missing", variable, model));
        }
        for mind in self.engine.minds().await? {
            // Texts the embedder refuses are recorded only when it is asked.
            self.engine.mind(mind.key).await?.why_lacking().await?;
        }
        health.notes.extend(refused_words(&self.refused().await?));
        let lacking = self.lacking().await?;
        if lacking > 0 {
            health.notes.push(phrase!("command.operate.vectors_missing", lacking));
        }
        let well = health.problems.is_empty();
        if self.global.json {
            print(json!({ "well": well, "problems": health.problems, "notes": health.notes, "database": self.database }))?;
        } else {
            print(self.database.display())?;
            let (ok, wrong) = (say!(self.language, "command.operate.ok"), say!(self.language, "command.operate.error"));
            health.notes.iter().try_for_each(|note| print(format!("  {ok} {}", note.in_language(self.language))))?;
            health.problems.iter().try_for_each(|problem| print(format!("  {wrong} {}", problem.in_language(self.language))))?;
            if well {
                print(say!(self.language, "command.operate.no_problems"))?;
            }
        }
        if well { Ok(()) } else { Err(AppError::Said) }
    }

    pub(super) fn config(&self) -> Result<(), AppError> {
        let policy = json!(self.engine.policy());
        let models = self.settings.models(&self.global)?;
        let (shown, embedder) = (models.shown(&environment), self.settings.shown_embedder(&self.global));
        if self.global.json {
            return print(json!({
                "database": self.database, "mind": self.key.to_string(), "time_zone": self.settings.time_zone,
                "vectors": self.settings.vectors.unwrap_or(true), "embedder": self.settings.choice(&self.global).as_str(), "thinker": models.thinker,
                "remote_embedder": (!embedder.is_empty()).then(|| embedder.iter().map(|(key, value)| (*key, value)).collect::<std::collections::BTreeMap<_, _>>()),
                "models": shown.iter().map(|(name, lines)| (name.clone(), json!(lines.iter().map(|(key, value)| (*key, value)).collect::<std::collections::BTreeMap<_, _>>()))).collect::<serde_json::Map<_, _>>(),
                "policy": policy,
            }));
        }
        print(format!("database = {:?}", self.database.display().to_string()))?;
        print(format!("user = {:?}\ncharacter = {:?}\nwork = {:?}", self.key.user(), self.key.character(), self.key.work()))?;
        print(format!("vectors = {}", self.settings.vectors.unwrap_or(true)))?;
        print(format!("\n[embedder]\nchoice = {:?}", self.settings.choice(&self.global).as_str()))?;
        embedder.iter().try_for_each(|(key, value)| print(format!("{key} = {value:?}")))?;
        if !models.thinker.is_empty() {
            print("\n[thinker]")?;
            models.thinker.iter().try_for_each(|(thought, model)| print(format!("{thought} = {model:?}")))?;
        }
        for (name, lines) in &shown {
            print(format!("\n[model.{name:?}]"))?;
            lines.iter().try_for_each(|(key, value)| print(format!("{key} = {value:?}")))?;
        }
        let tables = toml::to_string(self.engine.policy()).expect("a policy is plain data");
        print(format!("\n{}", tables.trim_end()))
    }
}
