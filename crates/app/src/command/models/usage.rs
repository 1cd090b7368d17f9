//! Models: embedder calibration, token usage and jobs.

use std::path::Path;

use saegim_core::{Span, phrase};
use saegim_provider::{PAIRS, measure};
use serde_json::json;

use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

impl App {
    /// Measures the calibration of the selected embedder and prints the configuration for it.
    pub(crate) async fn calibrate(&self, pairs: Option<&Path>) -> Result<(), AppError> {
        let Some(embedder) = self.settings.embedder(&self.global)? else {
            return Err(AppError::Content(phrase!("command.thinking.no_embedder")));
        };
        let text = match pairs {
            Some(path) => std::fs::read_to_string(path).map_err(|error| AppError::file(path, error))?,
            None => PAIRS.to_owned(),
        };
        let measured = measure(&*embedder, &text).await.map_err(|error| AppError::Engine(error.into()))?;
        let knots: Vec<[f64; 2]> =
            measured.calibration.knots().iter().map(|(cosine, similarity)| [round(*cosine), round(*similarity)]).collect();
        let (same, related) = (measured.share("same", 0.85..1.1), measured.share("related", 0.60..0.85));
        let (lost, unrelated) = (measured.share("related", 0.85..1.1), measured.share("unrelated", 0.0..0.30));
        if self.global.json {
            return print(json!({
                "embedder": embedder.id(), "calibration": knots, "same_from_0.85": same, "related_from_0.60": related,
                "related_from_0.85": lost, "unrelated_below_0.30": unrelated,
            }));
        }
        let percent = |share: f32| format!("{:.0} %", share * 100.0);
        self.tell(&say!(
            self.language,
            "command.thinking.calibration",
            id = embedder.id(),
            same = percent(same),
            related = percent(related),
            lost = percent(lost),
            unrelated = percent(unrelated)
        ));
        print(format!("[embedder]\ncalibration = {}", json!(knots)))
    }

    /// Prints token usage by day.
    pub(crate) async fn usage(&self, days: u32) -> Result<(), AppError> {
        let zone = self.settings.time_zone()?;
        let since = self.now().minus(Span::days(i64::from(days))).civil(&zone).date().to_string();
        let expenses = self.engine.expenses(&since).await?;
        if self.global.json {
            return print(json!({ "daily_tokens": self.engine.policy().thinking.daily_tokens, "expenses": expenses }));
        }
        if expenses.is_empty() {
            self.tell(&say!(self.language, "command.thinking.no_model_used"));
        }
        expenses.iter().try_for_each(|one| {
            let (requests, read, written) = (one.spent.requests, one.spent.read, one.spent.written);
            print(format!("{}  {:<9} {requests:>6}  {read:>9} + {written:>8}  {}", one.day, one.thought, one.model))
        })
    }

    /// Prints pending model jobs and the notes models have written.
    pub(crate) async fn jobs(&self) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (jobs, notes) = (mind.jobs().await?, mind.notes().await?);
        if self.global.json {
            return print(json!({ "jobs": jobs, "notes": notes }));
        }
        let zone = self.settings.time_zone()?;
        for job in &jobs {
            let due = match job.due_at {
                Some(at) => say!(self.language, "command.thinking.due", at = view::when(at, &zone)),
                None => say!(self.language, "command.thinking.abandoned"),
            };
            let cause = job.cause.map(|cause| format!("  {cause} ×{}", job.attempts)).unwrap_or_default();
            print(format!("{:<8} {due}{cause}", job.kind))?;
        }
        notes
            .iter()
            .filter(|note| !note.text.is_empty())
            .try_for_each(|note| print(format!("{:<8} {} ({})", note.kind, note.text, note.by)))
    }
}

/// Rounds to three decimals.
fn round(number: f32) -> f64 {
    (f64::from(number) * 1000.0).round() / 1000.0
}
