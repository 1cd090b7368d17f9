//! A companion in the terminal that remembers between runs: `cargo run -p saegim-engine --example companion`.
//!
//! Reads one message per line until the input ends. The rule-based thinker answers, so it works offline.

use std::io::BufRead;

use saegim_engine::{Config, ContextQuery, Engine, Exchange, MindKey, NewMessage};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "luna.db".into());
    let engine = Engine::open(Config::local(file)).await?;
    let luna = engine.mind(MindKey::new("me", "luna")?).await?;
    for line in std::io::stdin().lock().lines() {
        let message = line?;
        if message.trim().is_empty() {
            continue;
        }
        // What a model would receive next to the message.
        let context = luna.context(ContextQuery { text: message.clone(), budget: Some(800) }).await?;
        let answer = luna.reply(&message).await?;
        println!("luna: {answer}");
        let said = vec![NewMessage::user(&message), NewMessage::assistant(&answer)];
        let observed = luna.observe(Exchange { said, ..Exchange::default() }).await?;
        let learned = observed.facts.iter().map(|fact| format!("{} = {}", fact.subject, fact.value)).collect::<Vec<_>>();
        println!("      [{} tokens of context, learned: {}]", context.tokens, learned.join(", "));
    }
    Ok(())
}
