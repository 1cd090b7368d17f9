//! The network itself: attention and gates over pieces, as Llama and Qwen2 have them.

use super::gguf::Gguf;
use crate::ProviderError;
use crate::local::{Dense, Rows, Shape};

/// So many numbers share a scale once they are unpacked.
const BLOCK: usize = 32;

struct Layer {
    attention_norm: Vec<f32>,
    query: Dense,
    key: Dense,
    value: Dense,
    output: Dense,
    gate_norm: Vec<f32>,
    gate: Dense,
    up: Dense,
    down: Dense,
}

/// A model's weights, eight bits wide.
pub(super) struct Network {
    pieces: Dense,
    layers: Vec<Layer>,
    norm: Vec<f32>,
    output: Option<Dense>,
    width: usize,
    heads: usize,
    shared: usize,
    head: usize,
    base: f32,
    epsilon: f32,
    /// Whether a head's two halves turn together (Qwen2), or its neighbours (Llama).
    halves: bool,
    /// Rows of the table of pieces, for reading.
    table: Vec<f32>,
    /// How many pieces it can read.
    pub(super) longest: usize,
}

/// What was read so far: keys and values of every layer.
#[derive(Default)]
pub(super) struct Memory {
    keys: Vec<Vec<f32>>,
    values: Vec<Vec<f32>>,
    read: usize,
}

impl Memory {
    /// Forgets everything read after the first `pieces`.
    pub(super) fn keep(&mut self, pieces: usize) {
        let read = self.read.max(1);
        self.read = self.read.min(pieces);
        for numbers in self.keys.iter_mut().chain(&mut self.values) {
            numbers.truncate(numbers.len() / read * self.read);
        }
    }
}

/// A matrix of the file, brought to eight bits.
fn dense(file: &Gguf, name: &str) -> Result<Dense, ProviderError> {
    let lacks = || ProviderError::Broken(format!("the model file has no usable {name}"));
    let matrix = file.matrix(&format!("{name}.weight")).ok_or_else(lacks)?;
    let (inputs, outputs) = (matrix.columns, matrix.rows);
    if !inputs.is_multiple_of(BLOCK) {
        return Err(lacks());
    }
    let bias = file.vector(&format!("{name}.bias")).unwrap_or_default();
    let (mut weights, mut scales, mut row) = (vec![0i8; inputs * outputs], Vec::with_capacity(inputs / BLOCK * outputs), vec![0.0; inputs]);
    for (place, weights) in weights.chunks_exact_mut(inputs).enumerate() {
        matrix.blocks.unpack(file.row(matrix, place), &mut row);
        for (numbers, weights) in row.chunks_exact(BLOCK).zip(weights.chunks_exact_mut(BLOCK)) {
            let largest = numbers.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
            let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
            weights.iter_mut().zip(numbers).for_each(|(weight, number)| *weight = (number / scale).round() as i8);
            scales.push(scale);
        }
    }
    let blocks = inputs / BLOCK;
    let shape = Shape { inputs, outputs, block: BLOCK };
    Ok(Dense::new(shape, bias, |block, output| scales[output * blocks + block], |input, output| weights[output * inputs + input]))
}

impl Network {
    pub(super) fn of(file: &Gguf) -> Result<Self, ProviderError> {
        let kind = file.text("general.architecture").unwrap_or_default().to_owned();
        if !matches!(kind.as_str(), "llama" | "qwen2") {
            return Err(ProviderError::Invalid(format!("model architecture \"{kind}\" is not supported; use llama or qwen2")));
        }
        let number = |name: &str| file.number(&format!("{kind}.{name}"));
        let needed = |name: &str| number(name).ok_or_else(|| ProviderError::Broken(format!("the model file lacks {name}")));
        let (width, heads) = (needed("embedding_length")? as usize, needed("attention.head_count")? as usize);
        let vector = |name: &str| file.vector(name).ok_or_else(|| ProviderError::Broken(format!("the model file has no {name}")));
        let mut layers = Vec::new();
        for place in 0..needed("block_count")? as usize {
            let part = |name: &str| dense(file, &format!("blk.{place}.{name}"));
            layers.push(Layer {
                attention_norm: vector(&format!("blk.{place}.attn_norm.weight"))?,
                query: part("attn_q")?,
                key: part("attn_k")?,
                value: part("attn_v")?,
                output: part("attn_output")?,
                gate_norm: vector(&format!("blk.{place}.ffn_norm.weight"))?,
                gate: part("ffn_gate")?,
                up: part("ffn_up")?,
                down: part("ffn_down")?,
            });
        }
        let words =
            file.matrix("token_embd.weight").ok_or_else(|| ProviderError::Broken("the model file has no token embeddings".into()))?;
        if words.columns != width || heads == 0 || !width.is_multiple_of(heads) {
            return Err(ProviderError::Broken("the tensor sizes of the model do not match".into()));
        }
        let mut table = vec![0.0; words.columns * words.rows];
        for (row, out) in table.chunks_exact_mut(width).enumerate() {
            words.blocks.unpack(file.row(words, row), out);
        }
        Ok(Self {
            pieces: dense(file, "token_embd")?,
            layers,
            norm: vector("output_norm.weight")?,
            output: dense(file, "output").ok(),
            width,
            heads,
            shared: heads / (number("attention.head_count_kv").unwrap_or(heads as f64) as usize).max(1),
            head: width / heads,
            base: number("rope.freq_base").unwrap_or(10_000.0) as f32,
            epsilon: number("attention.layer_norm_rms_epsilon").unwrap_or(1e-5) as f32,
            halves: kind == "qwen2",
            table,
            longest: number("context_length").unwrap_or(2048.0) as usize,
        })
    }

    /// Reads pieces after what was read before, and gives how likely each piece is to come next.
    pub(super) fn read(&self, ids: &[u32], memory: &mut Memory) -> Vec<f32> {
        memory.keys.resize(self.layers.len(), Vec::new());
        memory.values.resize(self.layers.len(), Vec::new());
        let width = self.width;
        let mut state: Vec<f32> = ids.iter().flat_map(|id| self.row(*id).iter().copied()).collect();
        for (place, layer) in self.layers.iter().enumerate() {
            let normed = self.normed(&state, &layer.attention_norm);
            let rows = Rows { numbers: &normed, stride: width, count: ids.len() };
            let (mut query, mut key, value) = (layer.query.product(rows), layer.key.product(rows), layer.value.product(rows));
            self.turn(&mut query, ids.len(), memory.read);
            self.turn(&mut key, ids.len(), memory.read);
            memory.keys[place].extend(key);
            memory.values[place].extend(value);
            let seen = self.attended(&query, ids.len(), (&memory.keys[place], &memory.values[place], memory.read));
            add(&mut state, &layer.output.product(Rows { numbers: &seen, stride: width, count: ids.len() }));
            let normed = self.normed(&state, &layer.gate_norm);
            let rows = Rows { numbers: &normed, stride: width, count: ids.len() };
            let (mut gate, up) = (layer.gate.product(rows), layer.up.product(rows));
            gate.iter_mut().zip(&up).for_each(|(gate, up)| *gate = *gate / (1.0 + (-*gate).exp()) * up);
            let inner = gate.len() / ids.len();
            add(&mut state, &layer.down.product(Rows { numbers: &gate, stride: inner, count: ids.len() }));
        }
        memory.read += ids.len();
        let last = self.normed(&state[(ids.len() - 1) * width..], &self.norm);
        self.output.as_ref().unwrap_or(&self.pieces).product(Rows { numbers: &last, stride: width, count: 1 })
    }

    fn row(&self, id: u32) -> &[f32] {
        let start = (id as usize * self.width).min(self.table.len() - self.width);
        &self.table[start..start + self.width]
    }

    fn normed(&self, state: &[f32], weights: &[f32]) -> Vec<f32> {
        let mut out = Vec::with_capacity(state.len());
        for row in state.chunks_exact(self.width) {
            let mean = row.iter().map(|number| number * number).sum::<f32>() / self.width as f32;
            let scale = 1.0 / (mean + self.epsilon).sqrt();
            out.extend(row.iter().zip(weights).map(|(number, weight)| number * scale * weight));
        }
        out
    }

    /// Turns each pair of numbers of each head by its place in the text.
    fn turn(&self, rows: &mut [f32], count: usize, before: usize) {
        let width = rows.len() / count;
        for (place, row) in rows.chunks_exact_mut(width).enumerate() {
            for head in row.chunks_exact_mut(self.head) {
                for pair in 0..self.head / 2 {
                    let speed = self.base.powf(-2.0 * pair as f32 / self.head as f32);
                    let (sine, cosine) = ((before + place) as f32 * speed).sin_cos();
                    let (one, other) = if self.halves { (pair, pair + self.head / 2) } else { (2 * pair, 2 * pair + 1) };
                    let (a, b) = (head[one], head[other]);
                    (head[one], head[other]) = (a * cosine - b * sine, a * sine + b * cosine);
                }
            }
        }
    }

    fn attended(&self, query: &[f32], count: usize, (keys, values, before): (&[f32], &[f32], usize)) -> Vec<f32> {
        let mut out = vec![0.0; query.len()];
        let (own, scale) = (self.head * self.heads / self.shared, 1.0 / (self.head as f32).sqrt());
        let mut weights = Vec::new();
        for place in 0..count {
            for head in 0..self.heads {
                let start = place * self.width + head * self.head;
                let asked = &query[start..start + self.head];
                let at = head / self.shared * self.head;
                weights.clear();
                weights.extend((0..=before + place).map(|other| {
                    let key = &keys[other * own + at..other * own + at + self.head];
                    product(asked, key) * scale
                }));
                let most = weights.iter().copied().fold(f32::MIN, f32::max);
                weights.iter_mut().for_each(|weight| *weight = (*weight - most).exp());
                let sum: f32 = weights.iter().sum();
                let out = &mut out[start..start + self.head];
                for (other, weight) in weights.iter().enumerate() {
                    let (value, share) = (&values[other * own + at..other * own + at + self.head], weight / sum);
                    out.iter_mut().zip(value).for_each(|(out, value)| *out += share * value);
                }
            }
        }
        out
    }
}

/// The sum of products, in sixteen sums side by side.
fn product(one: &[f32], other: &[f32]) -> f32 {
    let ((one, one_rest), (other, other_rest)) = (one.as_chunks::<16>(), other.as_chunks::<16>());
    let mut sums = [0.0; 16];
    for (one, other) in one.iter().zip(other) {
        sums.iter_mut().zip(one.iter().zip(other)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f32>() + one_rest.iter().zip(other_rest).map(|(a, b)| a * b).sum::<f32>()
}

fn add(state: &mut [f32], more: &[f32]) {
    state.iter_mut().zip(more).for_each(|(state, more)| *state += more);
}
