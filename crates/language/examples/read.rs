//! Reads messages as the program does and writes what it finds, one JSON line each, for `reader/score.py`.

use std::io::{BufRead, BufWriter, Write};

use saegim_core::{Role, Timestamp};
use saegim_language::{About, Finding, MessageReader, Reading, StatedClause, Utterance};
use serde_json::{Value, json};

/// Reads lines `{"text": …, "before": …}` from standard input; `before` may be missing.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line?)?;
        let utterance = Utterance {
            role: Role::User,
            text: line["text"].as_str().unwrap_or_default(),
            at: Timestamp::parse("2026-03-02T12:00:00Z")?,
            user: "user",
            character: "luna",
            before: line["before"].as_str().filter(|before| !before.is_empty()),
        };
        writeln!(out, "{}", shown(&MessageReader.read(&utterance)))?;
    }
    Ok(out.flush()?)
}

fn shown(reading: &Reading) -> Value {
    json!({
        "findings": reading.findings.iter().map(shown_finding).collect::<Vec<_>>(),
        "statements": reading.statements.iter().map(shown_statement).collect::<Vec<_>>(),
        "face": reading.face.as_str(),
        "emotions": reading.feeling.emotions.iter().map(|emotion| emotion.as_str()).collect::<Vec<_>>(),
        "intensity": reading.feeling.intensity.get(),
    })
}

fn shown_finding(finding: &Finding) -> Value {
    let claim = finding
        .claim
        .as_ref()
        .map(|claim| json!({ "subject": claim.subject, "value": claim.value, "canonical": claim.canonical, "ends": claim.ends }));
    json!({
        "content": finding.content,
        "type": finding.candidate_type.as_str(),
        "about": person(&finding.about),
        "claim": claim,
        "confidence": finding.confidence.get(),
        "read_by": format!("{:?}", finding.read_by).to_lowercase(),
    })
}

fn shown_statement(said: &StatedClause) -> Value {
    json!({
        "text": said.text,
        "group": said.group.as_str(),
        "about": person(&said.about),
        "status": said.status.as_str(),
        "probability": said.probability.get(),
        "sure": said.sure,
        "factors": said.factors.iter().map(|factor| (factor.name.to_owned(), json!(factor.probability))).collect::<serde_json::Map<_, _>>(),
    })
}

fn person(about: &About) -> &str {
    match about {
        About::User => "user",
        About::Character => "character",
        About::Both => "both",
        About::Other(name) => name,
    }
}
