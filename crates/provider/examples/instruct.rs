//! Reads messages with a model in this process and by rules, side by side: `instruct MODEL.gguf < messages`.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use saegim_core::{Role, Thought, Timestamp};
use saegim_provider::{Ask, InstructModel, LanguageModel, ModelThinker, RuleThinker, Speaker, Thinker, Utterance};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a model's file")?;
    let model: Arc<dyn LanguageModel> = Arc::new(InstructModel::open(Path::new(&path))?);
    let thinker = ModelThinker::new().asking(&model, Thought::ALL.iter().copied());
    for line in std::io::stdin().lock().lines() {
        let text = line?;
        let utterance =
            Utterance { role: Role::User, text: &text, at: Timestamp::from_millis(0), user: "user", character: "character", before: None };
        let ask = Ask {
            thought: Thought::Reply,
            system: "You are a helpful assistant.",
            messages: vec![(Speaker::User, text.clone())],
            schema: None,
            most_tokens: 60,
        };
        println!("  says   {:?}", model.ask(&ask).await.map(|told| told.text));
        let rules = RuleThinker.read(&utterance);
        println!("{text}\n  rules  {:?}", rules.findings.iter().map(|finding| &finding.content).collect::<Vec<_>>());
        match thinker.extract(&utterance).await {
            Ok(read) => println!("  model  {:?}", read.findings.iter().map(|finding| &finding.content).collect::<Vec<_>>()),
            Err(error) => println!("  model  {error}"),
        }
        match thinker.feel(&text).await {
            Ok(felt) => println!("  feel   {:?} / rules {:?}", felt.emotions, RuleThinker.feel(&text).await?.emotions),
            Err(error) => println!("  feel   {error}"),
        }
    }
    Ok(())
}
