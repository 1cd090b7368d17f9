//! Checks of the store, the embedder and the models, backup and repair.

use std::path::Path;

use saegim_core::{Deed, Phrase, phrase};
use saegim_provider::{Purpose, Trial};
use saegim_store::Health;

use crate::Engine;
use crate::EngineError;

/// Returns the address of a model as it follows its name; empty if there is none.
fn located(address: Option<impl std::fmt::Display>) -> Phrase {
    address.map(|address| phrase!("engine.models.at_address", address)).unwrap_or_default()
}

impl Engine {
    /// Copies the whole store to a new file while it is in use.
    pub async fn backup(&self, to: &Path) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.backup(to).await?)
    }

    /// Fails if the database file was deleted, replaced or cut off while it was open. Takes a few microseconds.
    pub fn check_file(&self) -> Result<(), EngineError> {
        Ok(self.inner.store.check_file()?)
    }

    /// Checks the whole store.
    pub async fn check(&self) -> Result<Health, EngineError> {
        let mut health = self.inner.store.check().await?;
        if let Some(why) = &self.inner.no_extension {
            health.problems.push(phrase!("engine.models.large_minds_by_keyword", why));
        }
        Ok(health)
    }

    /// Rebuilds derived data from the memories.
    pub async fn repair(&self) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.repair().await?)
    }

    /// Tests the embedder and describes it or its problem.
    pub async fn try_embedder(&self) -> Result<Phrase, Phrase> {
        let Some(embedder) = &self.inner.config.embedder else {
            return Ok(phrase!("engine.models.no_embedder_keywords_only"));
        };
        let (id, dims) = (embedder.id(), embedder.dims());
        match embedder.embed(&["기억 memory".to_owned()], Purpose::Query).await {
            Ok(_) => Ok(phrase!("engine.models.embedder_works", id, dims)),
            Err(error) => {
                let at = located(embedder.address());
                Err(phrase!("engine.models.embedder_down", id, at, error))
            }
        }
    }

    /// Tests every configured model and describes the result. Rules replace a model that does not answer.
    pub async fn try_thinker(&self) -> Vec<Result<Phrase, Phrase>> {
        let Some(thinker) = self.inner.thinker() else { return Vec::new() };
        let told = |trial: Trial| {
            let thoughts = trial.thoughts.iter().map(|thought| thought.as_str()).collect::<Vec<_>>().join(", ");
            let model = trial.model;
            // Two servers may offer a model of the same name.
            let at = located(trial.address);
            match trial.went {
                Ok(()) => Ok(phrase!("engine.models.model_works", model, at, thoughts)),
                Err(error) => {
                    let why = EngineError::from(error).phrase();
                    Err(phrase!("engine.models.model_down", model, at, why, thoughts))
                }
            }
        };
        let mut tried: Vec<Result<Phrase, Phrase>> = thinker.try_out().await.into_iter().map(told).collect();
        if !tried.is_empty() && !self.inner.may_spend().await.unwrap_or(true) {
            let most = self.policy().thinking.daily_tokens;
            tried.push(Ok(phrase!("engine.models.budget_used_up", most)));
        }
        tried
    }
}
