//! An assistant that uses a language model where one answers, and rules where none does:
//! `cargo run -p saegim-engine --example assistant -- http://127.0.0.1:11434/v1 qwen3`.

use std::sync::Arc;

use saegim_core::Thought;
use saegim_engine::{Config, ContextQuery, Engine, Exchange, MindKey, NewMessage};
use saegim_provider::{Dialect, Endpoint, LanguageModel, ModelThinker, RemoteModel};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (base, model) = (arguments.next(), arguments.next());
    let folder = tempfile::tempdir()?;
    let mut config = Config::local(folder.path().join("assistant.db"));
    if let (Some(base), Some(model)) = (base, model) {
        let model: Arc<dyn LanguageModel> = Arc::new(RemoteModel::at(Endpoint::new(Dialect::OpenAi, base, model)));
        config.thinker = Some(Arc::new(ModelThinker::new().asking(&model, Thought::ALL.iter().copied())));
    }
    let engine = Engine::open(config).await?;
    let mind = engine.mind(MindKey::new("dana", "assistant")?).await?;
    for message in ["I'm allergic to peanuts, please keep that in mind.", "My flight to Lisbon is on Friday.", "Any ideas for dinner?"] {
        let answer = mind.reply(message).await?;
        println!("dana:      {message}\nassistant: {answer}");
        mind.observe(Exchange { said: vec![NewMessage::user(message), NewMessage::assistant(&answer)], ..Exchange::default() }).await?;
    }
    let context = mind.context(ContextQuery { text: "dinner".into(), budget: Some(400) }).await?;
    println!("\nWhat the next answer would be based on:\n{}", context.text);
    Ok(())
}
