//! An in-process language model on a generated file: a network of a few hundred random weights. Its output is noise, which shows
//! that an answer has the required form regardless of the model.

use std::path::PathBuf;

use saegim_core::Thought;
use saegim_provider::{Ask, InstructModel, LanguageModel, ProviderError, Speaker, schema_of};
use serde_json::Value;

const WIDTH: usize = 32;
const INNER: usize = 64;
const VOCABULARY: usize = 258;

/// Deterministic pseudo-random weights.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    }
}

/// A GGUF file under construction.
#[derive(Default)]
struct File {
    settings: Vec<u8>,
    count: u64,
    tensors: Vec<(String, Vec<usize>, Vec<f32>)>,
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

impl File {
    fn set(&mut self, name: &str, kind: u32, value: impl FnOnce(&mut Vec<u8>)) {
        text(&mut self.settings, name);
        self.settings.extend(kind.to_le_bytes());
        value(&mut self.settings);
        self.count += 1;
    }

    fn number(&mut self, name: &str, number: u32) {
        self.set(name, 4, |bytes| bytes.extend(number.to_le_bytes()));
    }

    fn word(&mut self, name: &str, word: &str) {
        self.set(name, 8, |bytes| text(bytes, word));
    }

    fn words(&mut self, name: &str, words: &[String]) {
        self.set(name, 9, |bytes| {
            bytes.extend(8u32.to_le_bytes());
            bytes.extend((words.len() as u64).to_le_bytes());
            words.iter().for_each(|word| text(bytes, word));
        });
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend((self.tensors.len() as u64).to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(&self.settings);
        let mut start = 0u64;
        for (name, sides, numbers) in &self.tensors {
            text(&mut bytes, name);
            bytes.extend((sides.len() as u32).to_le_bytes());
            sides.iter().for_each(|side| bytes.extend((*side as u64).to_le_bytes()));
            bytes.extend(0u32.to_le_bytes());
            bytes.extend(start.to_le_bytes());
            start += numbers.len() as u64 * 4;
        }
        bytes.resize(bytes.len().div_ceil(32) * 32, 0);
        self.tensors.iter().flat_map(|(.., numbers)| numbers).for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }
}

/// Characters that a byte-level vocabulary uses for bytes.
fn letters() -> Vec<String> {
    let mut next = 256;
    let mut letter = |byte: u32| {
        if (33..=126).contains(&byte) || (161..=172).contains(&byte) || (174..=255).contains(&byte) {
            byte
        } else {
            next += 1;
            next - 1
        }
    };
    (0..256).map(|byte| char::from_u32(letter(byte)).expect("below the surrogates").to_string()).collect()
}

/// A one-layer model with random weights from a seed.
fn model(seed: u64) -> (PathBuf, tempfile::TempDir) {
    let mut file = File::default();
    file.word("general.architecture", "qwen2");
    file.word("general.name", "Noise");
    for (name, number) in [("embedding_length", WIDTH as u32), ("block_count", 1), ("attention.head_count", 2), ("context_length", 65_536)]
    {
        file.number(&format!("qwen2.{name}"), number);
    }
    file.word("tokenizer.ggml.model", "gpt2");
    let words: Vec<String> = letters().into_iter().chain(["<|im_start|>".into(), "<|im_end|>".into()]).collect();
    file.words("tokenizer.ggml.tokens", &words);
    file.words("tokenizer.ggml.merges", &[]);
    let mut noise = Noise(seed);
    let mut tensor = |name: &str, sides: &[usize]| {
        let numbers = (0..sides.iter().product()).map(|_| noise.next()).collect();
        file.tensors.push((name.into(), sides.to_vec(), numbers));
    };
    tensor("token_embd.weight", &[WIDTH, VOCABULARY]);
    tensor("output_norm.weight", &[WIDTH]);
    for (name, sides) in [
        ("attn_norm", vec![WIDTH]),
        ("attn_q", vec![WIDTH, WIDTH]),
        ("attn_k", vec![WIDTH, WIDTH]),
        ("attn_v", vec![WIDTH, WIDTH]),
        ("attn_output", vec![WIDTH, WIDTH]),
        ("ffn_norm", vec![WIDTH]),
        ("ffn_gate", vec![WIDTH, INNER]),
        ("ffn_up", vec![WIDTH, INNER]),
        ("ffn_down", vec![INNER, WIDTH]),
    ] {
        tensor(&format!("blk.0.{name}.weight"), &sides);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("noise.gguf");
    std::fs::write(&path, file.bytes()).expect("room for a small file");
    (path, folder)
}

/// Independent check that an answer matches its schema.
fn fits(value: &Value, schema: &Value) -> bool {
    if let Some(choices) = schema["enum"].as_array() {
        return choices.contains(value);
    }
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    kinds.iter().any(|kind| match kind.as_str() {
        Some("object") => value.as_object().is_some_and(|object| {
            let properties = schema["properties"].as_object().expect("an object's schema has them");
            object.len() == properties.len()
                && properties.iter().all(|(name, schema)| object.get(name).is_some_and(|part| fits(part, schema)))
        }),
        Some("array") => value.as_array().is_some_and(|items| items.iter().all(|item| fits(item, &schema["items"]))),
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    })
}

async fn asked(model: &InstructModel, thought: Thought, text: &str) -> Result<String, ProviderError> {
    let schema = schema_of(thought).map(|schema| (thought.as_str(), schema));
    let ask = Ask { thought, system: "Say it.", messages: vec![(Speaker::User, text.into())], schema, most_tokens: 3_000, sampling: None };
    model.ask(&ask).await.map(|told| told.text)
}

#[tokio::test]
async fn whatever_a_model_says_its_answer_has_the_form_it_was_asked_for() {
    let mut answered = 0;
    for seed in 0..6 {
        let (path, _folder) = model(seed);
        let model = InstructModel::open(&path).unwrap();
        assert_eq!(model.id(), "local/noise");
        for thought in Thought::ALL.iter().copied().filter(|thought| schema_of(*thought).is_some()) {
            // Noise would never stop on its own; the decoder ends the answer.
            let said =
                asked(&model, thought, "나는 부산에 살아 \"quoted\"").await.unwrap_or_else(|error| panic!("{thought} {seed}: {error}"));
            let value: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{thought} {seed}: {error}: {said}"));
            assert!(fits(&value, schema_of(thought).unwrap()), "{thought} {seed}: {said}");
            answered += 1;
        }
    }
    assert_eq!(answered, 6 * 11);
}

#[tokio::test]
async fn what_was_read_before_changes_no_answer() {
    let (path, _folder) = model(3);
    let (fresh, again) = (InstructModel::open(&path).unwrap(), InstructModel::open(&path).unwrap());
    let _ = asked(&again, Thought::Settle, "The beginning is the same, the end is another").await;
    for text in ["The beginning is the same, the end is not", "서울과 부산"] {
        assert_eq!(asked(&again, Thought::Settle, text).await.unwrap(), asked(&fresh, Thought::Settle, text).await.unwrap());
    }
}

#[test]
fn a_file_that_is_no_such_model_is_refused_with_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no.gguf");
    std::fs::write(&path, b"GGUF but not really").unwrap();
    for path in [path, folder.path().join("none.gguf")] {
        let error = InstructModel::open(&path).err().map(|error| error.to_string()).unwrap();
        assert!(!error.is_empty());
    }
}
