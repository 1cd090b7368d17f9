//! Checks of the store, the embedder and the models, backup and repair.

use std::path::Path;

use saegim_core::{Deed, Language, Phrase, phrase};
use saegim_provider::{Purpose, Trial};
use saegim_store::Health;

use crate::Engine;
use crate::EngineError;

impl Engine {
    /// Copies the whole store to a new file while it is in use.
    pub async fn backup(&self, to: &Path) -> Result<(), EngineError> {
        self.may(Deed::Operate)?;
        Ok(self.inner.store.backup(to).await?)
    }

    /// Checks the whole store.
    pub async fn check(&self) -> Result<Health, EngineError> {
        let mut health = self.inner.store.check().await?;
        if let Some(why) = &self.inner.no_extension {
            let korean = why.in_language(Language::Korean);
            health.problems.push(Phrase::new(
                format!("{why}; a large mind is searched by keyword only until it is loaded into memory. Install a complete build"),
                format!("{korean}. 큰 마음은 메모리에 올라올 때까지 키워드로만 검색해요. 벡터 확장이 포함된 빌드를 설치해 주세요"),
            ));
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
            return Ok(phrase!("no embedder is configured; search uses keywords only", "임베더가 설정되어 있지 않아 키워드로만 검색해요"));
        };
        let (id, dims) = (embedder.id(), embedder.dims());
        match embedder.embed(&["기억 memory".to_owned()], Purpose::Query).await {
            Ok(_) => Ok(phrase!("embedder {id} works, {dims} dimensions", "임베더 {id} 정상, {dims}차원")),
            Err(error) => {
                let at = embedder.address().map(|address| format!(" at {address}")).unwrap_or_default();
                let there = embedder.address().map(|address| format!(" ({address})")).unwrap_or_default();
                Err(phrase!(
                    "embedder {id} does not respond{at} ({error}); search uses keywords only",
                    "임베더 {id}이(가){there} 응답하지 않아 키워드로만 검색해요 ({error})"
                ))
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
            let at = trial.address.as_ref().map(|address| format!(" at {address}")).unwrap_or_default();
            let there = trial.address.map(|address| format!(" ({address})")).unwrap_or_default();
            match trial.went {
                Ok(()) => Ok(phrase!("model {model} works{at}; tasks: {thoughts}", "모델 {model} 정상{there}. 맡은 작업: {thoughts}")),
                Err(error) => {
                    let korean = EngineError::from(error);
                    let (why, korean) = (korean.phrase(), korean.phrase().in_language(Language::Korean).to_owned());
                    Err(Phrase::new(
                        format!("model {model} does not respond{at} ({why}); rules replace it for: {thoughts}"),
                        format!("모델 {model}이(가){there} 응답하지 않아 규칙이 대신해요 ({korean}). 맡은 작업: {thoughts}"),
                    ))
                }
            }
        };
        let mut tried: Vec<Result<Phrase, Phrase>> = thinker.try_out().await.into_iter().map(told).collect();
        if !tried.is_empty() && !self.inner.may_spend().await.unwrap_or(true) {
            let most = self.policy().thinking.daily_tokens;
            tried.push(Ok(phrase!(
                "the daily budget of {most} tokens is used up; rules replace all models until tomorrow",
                "하루 토큰 {most}개를 모두 썼어요. 내일까지 규칙이 모델을 대신해요"
            )));
        }
        tried
    }
}
