//! Reads a dialogue from standard input (JSON lines with `role`, `content`, `at`, `speaker`) with rules only, folds the claims
//! about the user into a table of current facts, and prints it with the face of every user line.

use std::io::Read;

use saegim_core::{Role, Timestamp, Values};
use saegim_language::{About, Claim, RuleThinker, Utterance, ValueComparison};
use serde_json::{Value, json};

struct Known {
    claim: Claim,
    mentions: u32,
    current: bool,
}

/// Applies one claim: an equal value counts as a mention, an end retires the facts it ends, and a new value of a single-valued
/// subject supersedes the old one.
fn fold(facts: &mut Vec<Known>, claim: Claim) {
    if claim.ends {
        let over = (claim.subject.as_str(), claim.value.as_str());
        facts
            .iter_mut()
            .filter(|known| ValueComparison.ends(over, (&known.claim.subject, &known.claim.value)))
            .for_each(|known| known.current = false);
        return;
    }
    let same = |known: &&mut Known| {
        known.current && known.claim.subject == claim.subject && ValueComparison.same(&claim.subject, &known.claim.value, &claim.value)
    };
    if let Some(known) = facts.iter_mut().find(same) {
        known.mentions += 1;
        if claim.value.len() > known.claim.value.len() && !claim.single {
            known.claim.value = claim.value;
        }
        return;
    }
    if claim.single {
        facts.iter_mut().filter(|known| known.claim.subject == claim.subject).for_each(|known| known.current = false);
    }
    facts.push(Known { claim, mentions: 1, current: true });
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let (mut facts, mut faces, mut before) = (Vec::new(), Vec::new(), None::<String>);
    for (at, line) in input.lines().enumerate() {
        let turn: Value = serde_json::from_str(line)?;
        let text = |key: &str| turn[key].as_str().unwrap_or_default();
        let role = Role::parse(text("role"))?;
        let reading = RuleThinker.read(&Utterance {
            role,
            text: text("content"),
            at: Timestamp::parse(text("at"))?,
            user: "user",
            character: "character",
            before: before.as_deref(),
        });
        before = Some(text("content").to_owned());
        if verbose {
            println!("{} {role}: {}", at + 1, text("content"));
            for finding in &reading.findings {
                let claim = finding
                    .claim
                    .as_ref()
                    .map(|claim| format!("{}{}={} ({})", if claim.ends { "-" } else { "" }, claim.subject, claim.value, claim.canonical));
                println!("    {} {:?} {} [{}]", finding.candidate_type, finding.about, claim.unwrap_or_default(), finding.content);
            }
            for (part, why) in &reading.left_alone {
                println!("    left alone {why:?}: {part}");
            }
        }
        if role == Role::User {
            faces.push(json!({"line": at + 1, "face": reading.face.as_str()}));
            for finding in reading.findings.into_iter().filter(|finding| finding.about == About::User) {
                finding.claim.into_iter().for_each(|claim| fold(&mut facts, claim));
            }
        }
    }
    let facts: Vec<Value> = facts
        .iter()
        .map(|known| json!({"subject": known.claim.subject, "value": known.claim.value, "category": known.claim.category.as_str(), "current": known.current, "mentions": known.mentions}))
        .collect();
    println!("{}", json!({"facts": facts, "faces": faces}));
    Ok(())
}
