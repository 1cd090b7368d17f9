//! The built-in embedder: compiled in, works offline, for Korean and English.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};
use saegim_encoder::{Charsmap, Pieces, Sections, Unknown, spaced};

use super::encoder::{DIMS, Encoder};
use super::queue::Queue;
use super::script::is_hangul_or_latin;
use crate::error::broken;
use crate::{Embedder, ProviderError, Purpose};

static BUILT_IN: &[u8] = include_bytes!("../../../model/use-m3-koen-q4.bin");

/// Little-endian `f32` values. The model's NOTICE describes how they were measured.
static MEAN: &[u8] = include_bytes!("../../../model/use-m3-koen-q4.mean");

const MAGIC: &[u8] = b"saegim-m";
const ID: &str = "use-m3-koen-q4@2";
const UNKNOWN: u32 = 0;
const BEGIN: u32 = 1;
const END: u32 = 2;
/// Maximum number of pieces read from one text, including begin and end. A Korean piece is about two syllables.
const MOST_PIECES: usize = 512;
/// Maximum number of characters read from one text. A text of [`MOST_PIECES`] pieces rarely has half as many.
const MOST_CHARACTERS: usize = 4096;
/// Number of texts whose last layers are computed together.
const BATCH: usize = 32;
/// Number of pieces that are encoded together, so that their values fit into the processor cache.
const TOGETHER: usize = 48;

/// The built-in embedding model: Universal Sentence Encoder (multilingual, v3), cut to Korean and English.
///
/// Only the first 512 pieces of a long text are read: about 1,000 syllables or 400 English words. Cheap to clone.
#[derive(Clone)]
pub struct LocalEmbedder {
    model: Arc<Model>,
}

struct Model {
    queue: Queue,
    charsmap: Charsmap,
    pieces: Pieces,
    encoder: Encoder,
    calibration: Calibration,
}

impl LocalEmbedder {
    /// Returns the built-in model. It is loaded on the first call and then shared.
    pub fn built_in() -> Result<Self, ProviderError> {
        static LOADED: OnceLock<LocalEmbedder> = OnceLock::new();
        if let Some(loaded) = LOADED.get() {
            return Ok(loaded.clone());
        }
        // Two concurrent callers may both load it and one result is kept: rare, cheap and harmless.
        let loaded = Self::load(BUILT_IN, Cow::Borrowed)?;
        Ok(LOADED.get_or_init(|| loaded).clone())
    }

    /// Loads a model of the same architecture from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ProviderError> {
        Self::load(bytes, |part| Cow::Owned(part.to_vec()))
    }

    /// Loads a model of the same architecture from a file.
    pub fn from_path(path: &Path) -> Result<Self, ProviderError> {
        let bytes = std::fs::read(path).map_err(|error| ProviderError::Down(format!("{} cannot be read: {error}", path.display())))?;
        Self::from_bytes(&bytes)
    }

    fn load<'a>(bytes: &'a [u8], keep: impl Fn(&'a [u8]) -> Cow<'static, [u8]>) -> Result<Self, ProviderError> {
        let sections = Sections::read(bytes, MAGIC)?;
        let texts: Vec<&[u8]> = sections.get("pieces")?.split(|&byte| byte == 0).collect();
        let scores = sections.vector("scores", texts.len())?;
        let unknown = Unknown { piece: UNKNOWN, score: sections.number("unknown.score")? };
        if texts.len() <= END as usize {
            return Err(broken("section pieces holds too few pieces"));
        }
        let pieces = Pieces::new(texts.into_iter(), scores, &[UNKNOWN, BEGIN, END], unknown)?;
        let encoder = Encoder::read(&sections, pieces.count(), keep)?;
        let charsmap = Charsmap::read(sections.get("charsmap")?)?;
        Ok(Self { model: Arc::new(Model { queue: Queue::default(), charsmap, pieces, encoder, calibration: calibration() }) })
    }

    /// Returns one vector per text, in order, computed on the current thread in a few milliseconds each. Rejects blank text.
    pub fn embed_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        self.plain_now(texts)?.iter().map(|vector| vector.apart_from(mean()).map_err(broken)).collect()
    }

    /// Returns the raw vectors, before the mean is subtracted. Used to compare with a reference implementation and to measure
    /// the mean.
    pub fn plain_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let pieces: Vec<Vec<u32>> = batch.iter().map(|text| self.model.numbers(text)).collect::<Result<_, _>>()?;
            let mut sentences = Vec::with_capacity(batch.len());
            for together in together(&pieces) {
                sentences.extend(self.model.encoder.sentences(together));
            }
            for vector in self.model.encoder.vectors(&sentences).chunks_exact(DIMS) {
                embeddings.push(Embedding::new(vector.to_vec()).map_err(broken)?);
            }
        }
        Ok(embeddings)
    }

    /// Returns the piece ids of `text`, including begin and end.
    pub fn pieces(&self, text: &str) -> Result<Vec<u32>, ProviderError> {
        self.model.numbers(text)
    }
}

impl Model {
    fn numbers(&self, text: &str) -> Result<Vec<u32>, ProviderError> {
        let text = text.trim_start();
        let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(end, _)| end);
        let found = self.pieces.split(&spaced(&self.charsmap.apply(&text[..end])));
        if found.is_empty() {
            return Err(ProviderError::Invalid("a blank text cannot be embedded".into()));
        }
        let mut numbers = Vec::with_capacity(found.len() + 2);
        numbers.push(BEGIN);
        numbers.extend(found.into_iter().take(MOST_PIECES - 2));
        numbers.push(END);
        Ok(numbers)
    }
}

/// Groups sentences that are encoded together: several short ones up to [`TOGETHER`] pieces, or one long one.
fn together(mut sentences: &[Vec<u32>]) -> impl Iterator<Item = &[Vec<u32>]> {
    std::iter::from_fn(move || {
        let mut pieces = 0;
        let fits = |sentence: &&Vec<u32>| {
            pieces += sentence.len();
            pieces <= TOGETHER
        };
        let (group, rest) = sentences.split_at(sentences.iter().take_while(fits).count().max(1).min(sentences.len()));
        sentences = rest;
        Some(group).filter(|group| !group.is_empty())
    })
}

/// Returns the mean vector of everyday sentences.
fn mean() -> &'static [f32] {
    static READ: OnceLock<Vec<f32>> = OnceLock::new();
    READ.get_or_init(|| MEAN.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Measured on labelled pairs in both languages: see `docs/embedders.md`; `tests/local.rs` asserts it.
fn calibration() -> Calibration {
    Calibration::new(vec![(0.15, 0.0), (0.30, 0.20), (0.45, 0.60), (0.692, 0.85), (1.0, 1.0)]).expect("the knots rise")
}

#[async_trait]
impl Embedder for LocalEmbedder {
    fn id(&self) -> &str {
        ID
    }

    fn dims(&self) -> usize {
        DIMS
    }

    fn calibration(&self) -> &Calibration {
        &self.model.calibration
    }

    fn knows(&self, text: &str) -> bool {
        is_hangul_or_latin(text)
    }

    /// Ignores the purpose: the model was trained with one encoder for queries and passages.
    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let (answered, shift) = self.model.queue.put(texts.to_vec());
        if let Some(shift) = shift {
            let embedder = self.clone();
            tokio::task::spawn_blocking(move || shift.work(|texts| embedder.embed_now(texts)));
        }
        answered.await.unwrap_or_else(|_| Err(ProviderError::Down("embedding was interrupted".into())))
    }

    /// Ignores the limit: a model in this process would be no faster on the next attempt.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, _limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.embed(texts, purpose).await
    }
}

#[cfg(test)]
mod tests {
    use saegim_encoder::checksum;

    use super::*;

    /// Appends the checksum to `body`.
    fn seal(body: Vec<u8>) -> Vec<u8> {
        let sum = checksum(&body).to_le_bytes();
        [&body[..], &sum].concat()
    }

    #[test]
    fn a_wrong_file_under_a_right_checksum_breaks_with_a_word_and_never_panics() {
        let body = &BUILT_IN[..BUILT_IN.len() - 8];
        let embedder = LocalEmbedder::built_in().unwrap();
        // Offsets in every part of the file: the section headers, and samples of the section bodies.
        let mut places = vec![];
        let mut at = 8;
        while at < body.len() {
            let length = u64::from_le_bytes(body[at + 24..at + 32].try_into().unwrap()) as usize;
            places.extend([at, at + 24, at + 27, at + 31, at + 32, at + 36, at + 32 + length / 2, at + 31 + length]);
            at += 32 + length;
        }
        let mut loaded = 0;
        for place in places {
            let mut damaged = body.to_vec();
            damaged[place] ^= 0x7F;
            match LocalEmbedder::from_bytes(&seal(damaged)) {
                Ok(changed) => {
                    loaded += 1;
                    let result = changed.embed_now(&["나는 coffee를 ２잔 마셨어 😂"]);
                    assert!(matches!(result, Ok(_) | Err(ProviderError::Broken(_))), "byte {place}");
                }
                Err(error) => assert!(matches!(error, ProviderError::Broken(_)), "byte {place}: {error}"),
            }
        }
        // A change to a weight alone cannot be detected: the file must still load and produce vectors.
        assert!(loaded > 0);
        assert_eq!(embedder.embed_now(&["아직 멀쩡해"]).unwrap().len(), 1);
    }
}
