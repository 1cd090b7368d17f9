//! An embedder over HTTP, in the OpenAI format (used by most servers) or Gemini's. Vectors are cut to one size, requested in
//! batches and cached, because the same query is often embedded twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Cause, Embedding, Hash};
use serde_json::{Value, json};

use crate::embedding::too_slow;
use crate::llm::circuit_breaker::Patience;
use crate::llm::dialect::Dialect;
use crate::llm::model::Endpoint;
use crate::llm::post::{Post, Wire, unreadable};
use crate::{Embedder, ProviderError, Purpose, shown_address};

/// Maximum number of texts per request.
const BATCH: usize = 64;

/// Maximum size of an answer in bytes: a full batch of the largest known vectors in plain decimal notation.
const LARGEST: usize = BATCH * 8_192 * 26;

/// Maximum number of cached vectors.
const KEPT: usize = 2_000;

/// A text that every server embeds; used to distinguish a rejected text from a server that rejects everything.
const PLAIN: &str = "hello";

/// Default number of dimensions: large enough for one person's memories, small enough for a full scan.
pub const USUAL_DIMS: usize = 256;

/// Calibration used until one is measured: that of the built-in embedder, which is close to the scale of most such models.
const UNMEASURED: [(f32, f32); 5] = [(0.15, 0.0), (0.30, 0.20), (0.45, 0.60), (0.692, 0.85), (1.0, 1.0)];

/// Configuration of a remote embedder.
#[derive(Clone, Debug)]
pub struct EmbeddingEndpoint {
    /// Server and model.
    pub endpoint: Endpoint,
    /// Number of components of a vector.
    pub dims: usize,
    /// Measured calibration, if there is one.
    pub calibration: Option<Calibration>,
}

/// Cache of vectors with first-in, first-out eviction.
#[derive(Default)]
struct Kept {
    vectors: HashMap<(bool, String), Embedding>,
    order: VecDeque<(bool, String)>,
}

/// An embedder over HTTP.
pub struct RemoteEmbedder {
    id: String,
    /// Address that is safe to display.
    shown: String,
    from: EmbeddingEndpoint,
    calibration: Calibration,
    wire: Wire,
    patience: Patience,
    kept: Mutex<Kept>,
    /// Hashes of rejected texts.
    refused: Mutex<HashSet<[u8; 32]>>,
}

impl RemoteEmbedder {
    /// Creates an embedder for an endpoint. Connects on the first request.
    pub fn at(mut from: EmbeddingEndpoint) -> Self {
        from.endpoint = from.endpoint.tidied();
        let id = format!("{}/{}@{}", from.endpoint.provider, from.endpoint.model, from.dims);
        let unmeasured = || Calibration::new(UNMEASURED.to_vec()).expect("the knots rise");
        let calibration = from.calibration.clone().unwrap_or_else(unmeasured);
        let shown = shown_address(&from.endpoint.base);
        Self {
            id,
            shown,
            from,
            calibration,
            wire: Wire::new(),
            patience: Patience::default(),
            kept: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refused(&self) -> std::sync::MutexGuard<'_, HashSet<[u8; 32]>> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, key: (bool, String), vector: &Embedding) {
        let mut kept = self.kept();
        if kept.vectors.insert(key.clone(), vector.clone()).is_none() {
            kept.order.push_back(key);
        }
        while kept.order.len() > KEPT {
            if let Some(oldest) = kept.order.pop_front() {
                kept.vectors.remove(&oldest);
            }
        }
    }

    fn request(&self, texts: &[&String], purpose: Purpose) -> (String, Value) {
        let Endpoint { dialect, base, model, .. } = &self.from.endpoint;
        match dialect {
            Dialect::Gemini => {
                let task = match purpose {
                    Purpose::Query => "RETRIEVAL_QUERY",
                    Purpose::Passage => "RETRIEVAL_DOCUMENT",
                };
                let one = |text: &&String| {
                    json!({ "model": format!("models/{model}"), "content": { "parts": [{ "text": text }] }, "taskType": task,
                        "outputDimensionality": self.from.dims })
                };
                let url = format!("{base}/v1beta/models/{model}:batchEmbedContents");
                (url, json!({ "requests": texts.iter().map(one).collect::<Vec<_>>() }))
            }
            Dialect::OpenAi | Dialect::Anthropic => {
                (format!("{base}/embeddings"), json!({ "model": model, "input": texts, "dimensions": self.from.dims }))
            }
        }
    }

    fn post<'a>(&'a self, url: &str, body: &'a Value) -> Post<'a> {
        let endpoint = &self.from.endpoint;
        let headers = endpoint.dialect.headers(endpoint.key.as_ref());
        Post { url: url.to_owned(), headers, body, within: endpoint.within, silence: endpoint.within, largest: LARGEST }
    }

    async fn ask(&self, texts: &[&String], purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        self.patience.rested()?;
        let (url, body) = self.request(texts, purpose);
        let endpoint = &self.from.endpoint;
        let mut went = self.wire.send(&self.post(&url, &body)).await;
        // If the server does not support `dimensions`, request full vectors and truncate them here.
        if went.as_ref().is_ok_and(|answer| matches!(answer.status, 400 | 422)) && !body["dimensions"].is_null() {
            let mut uncut = body.clone();
            uncut.as_object_mut().and_then(|body| body.remove("dimensions"));
            went = self.wire.send(&self.post(&url, &uncut)).await;
        }
        if went.as_ref().is_err_and(|error| error.cause() == Cause::TimedOut) {
            self.patience.gave_up();
        }
        let answer = self.patience.learned(went)?;
        if matches!(answer.status, 400 | 413 | 422) {
            // The server may have rejected one of the texts.
            return Err(ProviderError::Invalid(self.patience.failed(&answer, endpoint.key.as_ref()).to_string()));
        }
        if answer.status != 200 {
            return self.patience.learned(Err(self.patience.failed(&answer, endpoint.key.as_ref())));
        }
        let answer: Value = serde_json::from_slice(&answer.body).map_err(|_| unreadable())?;
        self.vectors(&answer, texts.len())
    }

    fn vectors(&self, answer: &Value, wanted: usize) -> Result<Vec<Embedding>, ProviderError> {
        let garbled = |why: String| ProviderError::unanswered(Cause::Garbled, why);
        let (list, field) = match self.from.endpoint.dialect {
            Dialect::Gemini => (&answer["embeddings"], "values"),
            Dialect::OpenAi | Dialect::Anthropic => (&answer["data"], "embedding"),
        };
        let mut rows: Vec<&Value> = list.as_array().map_or_else(Vec::new, |rows| rows.iter().collect());
        rows.sort_by_key(|row| row["index"].as_u64().unwrap_or(0));
        if rows.len() != wanted {
            return Err(garbled(format!("{} vectors for {wanted} texts", rows.len())));
        }
        let vector = |row: &&Value| {
            let numbers = row[field].as_array().map_or(&[][..], Vec::as_slice);
            if numbers.len() < self.from.dims {
                return Err(garbled(format!("vectors of {} dimensions instead of {}", numbers.len(), self.from.dims)));
            }
            let components = numbers.iter().take(self.from.dims).map(|number| number.as_f64().unwrap_or(f64::NAN) as f32).collect();
            Embedding::new(components).map_err(|invalid| garbled(invalid.to_string()))
        };
        rows.iter().map(vector).collect()
    }
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dims(&self) -> usize {
        self.from.dims
    }

    fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Accepts text with any letter or digit: the supported scripts of a remote model are unknown.
    fn knows(&self, text: &str) -> bool {
        text.chars().any(char::is_alphanumeric)
    }

    fn address(&self) -> Option<&str> {
        Some(&self.shown)
    }

    fn refuses(&self, text: &str) -> bool {
        self.refused().contains(Hash::of(text.as_bytes()).bytes())
    }

    /// A rejected text does not prevent the others from being embedded: their vectors are cached for a retry without it.
    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let key = |text: &String| (purpose == Purpose::Query, text.clone());
        let mut known: HashMap<&String, Embedding> = HashMap::new();
        let mut wanted: Vec<&String> = Vec::new();
        for text in texts {
            match self.kept().vectors.get(&key(text)) {
                Some(vector) => drop(known.insert(text, vector.clone())),
                None if !wanted.contains(&text) => wanted.push(text),
                None => {}
            }
        }
        let mut refused = None;
        wanted.retain(|text| {
            let known = self.refuses(text);
            refused = refused.take().or_else(|| known.then(|| ProviderError::Invalid("this text was rejected before".into())));
            !known
        });
        let mut batches: VecDeque<&[&String]> = wanted.chunks(BATCH).collect();
        while let Some(batch) = batches.pop_front() {
            let vectors = match self.ask(batch, purpose).await {
                // Split the batch: the server may accept fewer texts per request, or the answer exceeded the size limit.
                Err(error)
                    if batch.len() > 1 && matches!(error.cause(), Cause::Endless | Cause::Unaccepted) && self.patience.rested().is_ok() =>
                {
                    let (front, back) = batch.split_at(batch.len() / 2);
                    batches.push_front(back);
                    batches.push_front(front);
                    continue;
                }
                Err(error @ ProviderError::Invalid(_)) if batch.len() == 1 => {
                    if known.is_empty() && self.ask(&[&PLAIN.to_owned()], purpose).await.is_err() {
                        return Err(error);
                    }
                    self.refused().insert(*Hash::of(batch[0].as_bytes()).bytes());
                    refused = Some(error);
                    continue;
                }
                asked => asked?,
            };
            for (text, vector) in batch.iter().zip(vectors) {
                self.keep(key(text), &vector);
                known.insert(text, vector);
            }
        }
        if let Some(error) = refused {
            return Err(error);
        }
        let lost = || ProviderError::unanswered(Cause::Garbled, "a text has no vector".into());
        texts.iter().map(|text| known.get(text).cloned().ok_or_else(lost)).collect()
    }

    /// After a timeout, opens the circuit breaker so that the next caller does not wait too.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        let embedded = tokio::time::timeout(limit, self.embed(texts, purpose)).await;
        embedded.unwrap_or_else(|_| {
            self.patience.gave_up();
            Err(too_slow(limit))
        })
    }
}
