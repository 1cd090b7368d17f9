//! Detects emotions: reads lines from standard input and writes one JSON object per line. A line is plain text or `{"id",
//! "text"}`; `label` and `score` are for scoring polarity. With the labels `pos,neg` there is no neutral label.
//!
//! ```text
//! emotion.py export kote_test | cargo run --release -p saegim-language --example feel -- pos,neg
//! emotion.py export go_en_test | cargo run --release -p saegim-language --example feel -- positive,negative,neutral
//! ```

use std::error::Error;
use std::io::{BufWriter, Write, read_to_string, stdin, stdout};

use saegim_core::{Emotion, Emotions, Face};
use saegim_language::RuleThinker;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let labels = std::env::args().nth(1).unwrap_or_else(|| "positive,negative,neutral".to_owned());
    let labels: Vec<&str> = labels.split(',').collect();
    let [positive, negative, rest @ ..] = &labels[..] else { return Err("name at least two labels".into()) };
    let input = read_to_string(stdin())?;
    let mut output = BufWriter::new(stdout().lock());
    for (number, line) in input.lines().enumerate() {
        let row = serde_json::from_str::<Value>(line).ok().filter(Value::is_object);
        let text = row.as_ref().and_then(|row| row["text"].as_str()).unwrap_or(line);
        let id = row.as_ref().map_or_else(|| json!(number.to_string()), |row| row["id"].clone());
        let felt = RuleThinker.feel(text);
        let score = felt.sentiment.get();
        let calm = felt.emotions == Emotions::mix([Emotion::Neutral]);
        let label = match rest.first() {
            Some(neutral) if calm => neutral,
            _ if score > 0.0 => positive,
            _ => negative,
        };
        let shown = json!({
            "id": id, "label": label, "score": score, "face": Face::of(felt.emotions).as_str(), "emotions": felt.emotions,
            "intensity": felt.intensity, "confidence": felt.confidence, "keywords": felt.keywords,
        });
        writeln!(output, "{shown}")?;
    }
    Ok(())
}
