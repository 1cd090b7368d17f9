//! A small instruct model in this process, from a GGUF file: Llama or Qwen2, with byte-level pairs and marks for who speaks.
//!
//! It is slow and it is small; it is there so that everything can be tried with a true language model and no network.

/// Packed numbers.
mod blocks;
/// The form an answer has to have.
mod form;
/// The file.
mod gguf;
/// The network.
mod network;
/// Writing an answer.
mod pen;
/// The vocabulary.
mod words;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use saegim_core::{Cause, Spent};

use self::form::Form;
use self::gguf::Gguf;
use self::network::{Memory, Network};
use self::pen::Pen;
use self::words::Words;
use crate::remote::note;
use crate::{Ask, LanguageModel, ProviderError, Saying, Speaker, Told, Used};

/// The most pieces it writes: a small model that has not come to an end by then never does.
const LONGEST: usize = 400;

/// So many of the last questions stay read: what is asked of a thought begins alike each time, and is read once.
const STAY_READ: usize = 3;

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
    /// What was read lately, the latest last.
    read: Mutex<Vec<(Vec<u32>, Memory)>>,
}

impl InstructModel {
    /// Reads a model's file. That takes a second or two and as much memory as the file has weights.
    pub fn open(path: &Path) -> Result<Self, ProviderError> {
        let file = Gguf::open(path)?;
        let words = Words::of(&file)?;
        let marks = words.mark("<|im_start|>").zip(words.mark("<|im_end|>"));
        let (begins, ends) =
            marks.ok_or_else(|| ProviderError::Invalid("only models with the <|im_start|> chat format are supported".into()))?;
        let name = file.text("general.name").unwrap_or("model").to_lowercase().replace(' ', "-");
        let inside = Inside { network: Network::of(&file)?, words, begins, ends, read: Mutex::default() };
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
        let form = ask.schema.and_then(|(_, schema)| Form::of(schema));
        let (inside, most) = (Arc::clone(&self.inside), LONGEST.min(ask.most_tokens as usize));
        let done = tokio::task::spawn_blocking(move || inside.answer(&said, form.as_ref(), most)).await;
        let told = done.map_err(|error| ProviderError::Broken(error.to_string()))??;
        note(Used { thought: ask.thought, model: self.id.clone(), spent: Spent { requests: 1, ..told.spent.clone() } });
        Ok(told)
    }
}

impl Inside {
    fn answer(&self, said: &[(&str, String)], form: Option<&Form>, most: usize) -> Result<Told, ProviderError> {
        let mut ids = Vec::new();
        for (role, text) in said {
            ids.push(self.begins);
            ids.extend(self.words.read(&format!("{role}\n{text}")));
            ids.push(self.ends);
            ids.extend(self.words.read("\n"));
        }
        ids.push(self.begins);
        ids.extend(self.words.read("assistant\n"));
        if ids.len() + most > self.network.longest {
            return Err(ProviderError::unanswered(Cause::Endless, "the prompt is longer than the context of the model".into()));
        }
        let (known, memory) = self.read_before(&ids);
        let mut reading = Reading { inside: self, ids, memory, known };
        reading.answer(form, most)
    }

    fn lately(&self) -> std::sync::MutexGuard<'_, Vec<(Vec<u32>, Memory)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much of a question was read lately, and what is known of that; at least its last piece is read anew.
    fn read_before(&self, ids: &[u32]) -> (usize, Memory) {
        let mut lately = self.lately();
        let same = |read: &[u32]| read.iter().zip(&ids[..ids.len() - 1]).take_while(|(one, other)| one == other).count();
        let Some(place) = (0..lately.len()).max_by_key(|place| same(&lately[*place].0)) else { return (0, Memory::default()) };
        let known = same(&lately[place].0);
        // Little in common is not worth taking it from the thought that it belongs to.
        if known * 2 < ids.len() {
            return (0, Memory::default());
        }
        let (_, mut memory) = lately.remove(place);
        memory.keep(known);
        (known, memory)
    }
}

/// A question being read and answered. What was read stays read for the next one, however it ends.
struct Reading<'a> {
    inside: &'a Inside,
    ids: Vec<u32>,
    memory: Memory,
    /// How much of it was read before.
    known: usize,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut lately = self.inside.lately();
        self.memory.keep(self.ids.len());
        lately.push((std::mem::take(&mut self.ids), std::mem::take(&mut self.memory)));
        let over = lately.len().saturating_sub(STAY_READ);
        lately.drain(..over);
    }
}

impl Reading<'_> {
    fn answer(&mut self, form: Option<&Form>, most: usize) -> Result<Told, ProviderError> {
        let Self { inside, ids, memory, known } = self;
        let pen = Pen::new(inside, memory, &ids[*known..], most);
        let (text, written) = match form {
            Some(form) => pen.fill(form)?,
            None => pen.speak()?,
        };
        Ok(Told { text, spent: Spent { requests: 0, read: ids.len() as u64, written: written as u64 } })
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
