//! A small instruct model in this process, from a GGUF file: Llama or Qwen2, with byte-level pairs and marks for who speaks.
//!
//! It is slow and it is small; it is there so that everything can be tried with a true language model and no network.

/// Packed numbers.
mod blocks;
/// The file.
mod gguf;
/// The network.
mod network;
/// The vocabulary.
mod words;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Cause, Spent};

use self::gguf::Gguf;
use self::network::{Memory, Network};
use self::words::Words;
use crate::remote::note;
use crate::{Ask, LanguageModel, ProviderError, Saying, Speaker, Told, Used};

/// The most pieces it writes: a small model that has not come to an end by then never does.
const LONGEST: usize = 400;

/// A language model in this process.
pub struct InstructModel {
    id: String,
    inside: Arc<Inside>,
}

struct Inside {
    words: Words,
    network: Network,
    /// The marks that begin and end what someone says.
    begins: u32,
    ends: u32,
}

impl InstructModel {
    /// Reads a model's file. That takes a second or two and as much memory as the file has weights.
    pub fn open(path: &Path) -> Result<Self, ProviderError> {
        let file = Gguf::open(path)?;
        let words = Words::of(&file)?;
        let marks = words.mark("<|im_start|>").zip(words.mark("<|im_end|>"));
        let (begins, ends) =
            marks.ok_or_else(|| ProviderError::Invalid("only models that mark who speaks by <|im_start|> can be run here".into()))?;
        let name = file.text("general.name").unwrap_or("model").to_lowercase().replace(' ', "-");
        let inside = Inside { network: Network::of(&file)?, words, begins, ends };
        Ok(Self { id: format!("local/{name}"), inside: Arc::new(inside) })
    }

    async fn answered(&self, ask: &Ask<'_>) -> Result<Told, ProviderError> {
        let mut said: Vec<(&str, String)> = vec![("system", ask.system.to_owned())];
        said.extend(ask.messages.iter().map(|(speaker, text)| {
            let role = match speaker {
                Speaker::User => "user",
                Speaker::Model => "assistant",
            };
            (role, text.clone())
        }));
        // Where an object is wanted its beginning is put into the model's mouth.
        let opening = if ask.schema.is_some() { "{" } else { "" };
        let (inside, most) = (Arc::clone(&self.inside), LONGEST.min(ask.most_tokens as usize));
        let done = tokio::task::spawn_blocking(move || inside.answer(&said, opening, most)).await;
        let told = done.map_err(|error| ProviderError::Broken(error.to_string()))??;
        note(Used { thought: ask.thought, model: self.id.clone(), spent: Spent { requests: 1, ..told.spent.clone() } });
        Ok(told)
    }
}

impl Inside {
    fn answer(&self, said: &[(&str, String)], opening: &str, most: usize) -> Result<Told, ProviderError> {
        let mut ids = Vec::new();
        for (role, text) in said {
            ids.push(self.begins);
            ids.extend(self.words.read(&format!("{role}\n{text}")));
            ids.push(self.ends);
            ids.extend(self.words.read("\n"));
        }
        ids.push(self.begins);
        ids.extend(self.words.read(&format!("assistant\n{opening}")));
        if ids.len() + most > self.network.longest {
            return Err(ProviderError::unanswered(Cause::Endless, "the question is longer than the model can read".into()));
        }
        let (mut memory, mut bytes, read) = (Memory::default(), opening.as_bytes().to_vec(), ids.len());
        let mut likely = self.network.read(&ids, &mut memory);
        for written in 0..most {
            let next = likely.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map_or(self.ends, |(id, _)| id as u32);
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let whole = !opening.is_empty() && written > 0 && serde_json::from_str::<serde_json::Value>(&text).is_ok();
            if next == self.ends || whole {
                let spent = Spent { requests: 0, read: read as u64, written: written as u64 };
                return Ok(Told { text, spent });
            }
            bytes.extend(self.words.written(next));
            likely = self.network.read(&[next], &mut memory);
        }
        Err(ProviderError::unanswered(Cause::Endless, format!("more than {most} pieces")))
    }
}

#[async_trait]
impl LanguageModel for InstructModel {
    fn id(&self) -> &str {
        &self.id
    }

    async fn ask(&self, ask: &Ask<'_>) -> Result<Told, ProviderError> {
        self.answered(ask).await
    }

    async fn speak(&self, ask: &Ask<'_>, said: Saying<'_>) -> Result<Told, ProviderError> {
        let told = self.answered(ask).await?;
        said(&told.text);
        Ok(told)
    }
}
