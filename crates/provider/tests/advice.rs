//! Text that a model writes freely: benign advice and descriptions pass; hostile text never does, regardless of its wording and
//! of the conversation before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Cause, Language, Relationship, Role, SpeechStyle, Thought, Trigger};
use saegim_language::{BelieveFrom, ImagineFrom};
use saegim_provider::{
    AnalyseFrom, InterpretFrom, LanguageModel, ModelAnswer, ModelRequest, ModelThinker, ProviderError, ReflectFrom, Saying, Thinker,
    following,
};
use serde_json::{Value, json};

/// A model that always gives this answer.
struct Always(String);

#[async_trait]
impl LanguageModel for Always {
    fn id(&self) -> &str {
        "always"
    }

    async fn ask(&self, _ask: &ModelRequest<'_>) -> Result<ModelAnswer, ProviderError> {
        Ok(ModelAnswer { text: self.0.clone(), ..ModelAnswer::default() })
    }

    async fn speak(&self, ask: &ModelRequest<'_>, said: Saying<'_>) -> Result<ModelAnswer, ProviderError> {
        said(&self.0);
        self.ask(ask).await
    }
}

fn thinker(answer: &Value) -> ModelThinker {
    let model: Arc<dyn LanguageModel> = Arc::new(Always(answer.to_string()));
    ModelThinker::new().asking(&model, Thought::ALL.iter().copied())
}

/// One conversation from the table of scenes.
#[derive(Default)]
struct Scene {
    name: String,
    turns: Vec<(Role, String)>,
    facts: Vec<(String, String)>,
}

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()).map(|line| line.split('\t').collect())
}

fn scenes() -> BTreeMap<&'static str, Scene> {
    let mut scenes: BTreeMap<&str, Scene> = BTreeMap::new();
    for row in rows(include_str!("notes/scenes.tsv")) {
        let [scene, who, what] = row[..] else { panic!("{row:?}") };
        let scene = scenes.entry(scene).or_default();
        match who {
            "name" => scene.name = what.to_owned(),
            "user" => scene.turns.push((Role::User, what.to_owned())),
            "character" => scene.turns.push((Role::Assistant, what.to_owned())),
            _ => scene.facts.extend(what.split_once(": ").map(|(subject, value)| (subject.to_owned(), value.to_owned()))),
        }
    }
    scenes
}

/// What remains of a note about a conversation, and the cause the ledger would record for a rejected note.
async fn noted(scene: &Scene, note: &str) -> (Option<String>, Option<Cause>) {
    let thinker = thinker(&json!({ "note": note, "toward": [], "conflicts": [], "outdated": [] }));
    let turns: Vec<(Role, &str)> = scene.turns.iter().map(|(role, text)| (*role, text.as_str())).collect();
    let facts: Vec<(&str, &str)> = scene.facts.iter().map(|(subject, value)| (subject.as_str(), value.as_str())).collect();
    let language = Language::of(&scene.turns[0].1);
    let from = AnalyseFrom {
        user: &scene.name,
        character: "Luna",
        turns: &turns,
        facts: &facts,
        relationship: &Relationship::default(),
        language,
    };
    let (analysis, course) = following(thinker.analyse(&from)).await;
    (analysis.expect("an answer of the right shape").note, course.broke_off)
}

/// Returns whether a note consists only of sentences from the advice table, with quoted words from the conversation.
fn is_of_the_table(note: &str, scene: &Scene) -> bool {
    let said: String = scene
        .turns
        .iter()
        .map(|(_, text)| text.as_str())
        .chain(scene.facts.iter().map(|(_, value)| value.as_str()))
        .collect::<Vec<_>>()
        .join(" ");
    let given = |topic: &str| {
        let stem: String = topic.to_lowercase().chars().take(topic.chars().count().min(3)).collect();
        said.to_lowercase().contains(&stem) || scene.facts.iter().any(|(subject, _)| *subject == topic.to_lowercase())
    };
    let mut rest = note.to_owned();
    let topics: Vec<String> = note.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    for count in (1..=3).rev() {
        for at in 0..topics.len().saturating_sub(count - 1) {
            let run = topics[at..at + count].iter().map(|topic| format!("\"{topic}\"")).collect::<Vec<_>>().join(", ");
            rest = rest.replace(&run, "{topic}");
        }
    }
    for row in rows(include_str!("../../language/data/guard/advice.tsv")) {
        for words in [row[4], row[5]] {
            words.split(" | ").for_each(|sentence| rest = rest.replace(sentence, ""));
        }
    }
    rest.trim().is_empty() && topics.iter().all(|topic| given(topic))
}

/// Number of hostile notes, number of which anything remains, and the notes that left text outside the table.
async fn leaks(table: &'static str) -> (usize, usize, Vec<String>) {
    let (scenes, mut leaks, mut touched, mut all) = (scenes(), Vec::new(), 0, 0);
    for row in rows(table) {
        let (kind, note, mut left) = (row[0], row[1], false);
        all += 1;
        for (name, scene) in &scenes {
            let (kept, cause) = noted(scene, note).await;
            left |= kept.is_some();
            if std::env::var_os("SHOW_NOTES").is_some() && kept.is_some() {
                println!("HOSTILE {note} => {}", kept.as_deref().unwrap_or_default());
            }
            let refused = kept.is_some() || cause == Some(Cause::Garbled);
            if !refused || kept.as_deref().is_some_and(|kept| !is_of_the_table(kept, scene)) {
                leaks.push(format!("{kind}: {note} [{name}] -> {kept:?}"));
            }
        }
        touched += usize::from(left);
    }
    (all, touched, leaks)
}

/// Number of benign notes, and the notes that were lost.
async fn lost(table: &'static str) -> (usize, Vec<String>) {
    let (scenes, mut lost, mut all) = (scenes(), Vec::new(), 0);
    for row in rows(table) {
        let [name, note] = row[..] else { panic!("{row:?}") };
        all += 1;
        let (kept, _) = noted(&scenes[name], note).await;
        if std::env::var_os("SHOW_NOTES").is_some() {
            println!("{note}\n    {}", kept.as_deref().unwrap_or("-"));
        }
        // A note that only says how the user seems does not count without advice.
        let deeds = kept
            .as_deref()
            .unwrap_or_default()
            .split_inclusive('.')
            .any(|sentence| !sentence.contains("seem") && !sentence.ends_with("보인다.") && !sentence.ends_with("듯하다."));
        if !deeds || !kept.as_deref().is_some_and(|kept| is_of_the_table(kept, &scenes[name])) {
            lost.push(format!("{name}: {note} -> {kept:?}"));
        }
    }
    (all, lost)
}

const KIND: [&str; 4] = [
    include_str!("notes/benign.tsv"),
    include_str!("notes/benign_heldout.tsv"),
    include_str!("notes/benign_later.tsv"),
    include_str!("notes/benign_last.tsv"),
];
const HOSTILE: [&str; 3] =
    [include_str!("notes/hostile.tsv"), include_str!("notes/hostile_heldout.tsv"), include_str!("notes/hostile_later.tsv")];

#[tokio::test]
async fn no_hostile_note_passes_whatever_was_talked_about() {
    for table in HOSTILE {
        let (all, touched, leaks) = leaks(table).await;
        println!("of {touched} of {all} hostile notes a point of the table is left");
        assert!(leaks.is_empty(), "{} pass\n{}", leaks.len(), leaks.join("\n"));
    }
}

#[tokio::test]
async fn kind_notes_keep_what_they_are_for() {
    let (mut all, mut gone) = (0, Vec::new());
    for table in KIND {
        let (count, lost) = lost(table).await;
        println!("{} of {count} lost", lost.len());
        all += count;
        gone.extend(lost);
    }
    assert!(gone.len() * 100 <= all * 15, "{} of {all} lost\n{}", gone.len(), gone.join("\n"));
}

/// What remains of a text that a model returns for thoughts other than a note, each with its thought.
async fn elsewhere(scene: &Scene, text: &str) -> Vec<(Thought, String)> {
    let memories: Vec<&str> = scene.turns.iter().filter(|(role, _)| *role == Role::User).map(|(_, text)| text.as_str()).collect();
    let facts: Vec<(&str, &str)> = scene.facts.iter().map(|(subject, value)| (subject.as_str(), value.as_str())).collect();
    let (language, user, character) = (Language::of(memories[0]), scene.name.as_str(), "Luna");
    let thinker = thinker(&json!({
        "profile": text, "interpretations": [{ "place": 0, "text": text }], "essence": text, "name": text, "emoji": "🏝️", "description": text,
        "beliefs": [{ "statement": text, "supporting": [0] }], "scenario": text, "action": text, "emotions": [],
    }));
    let mut kept = Vec::new();
    let profile = thinker.reflect(&ReflectFrom { user, facts: &facts, memories: &memories, language }).await;
    kept.extend(profile.ok().flatten().map(|profile| (Thought::Reflect, profile)));
    let views = thinker.interpret(&InterpretFrom { memories: &memories, user, character }).await;
    kept.extend(views.into_iter().flatten().map(|(_, view)| (Thought::Interpret, view)));
    kept.extend(thinker.distil(&memories).await.ok().map(|essence| (Thought::Distil, essence)));
    let beliefs = thinker.believe(&BelieveFrom { memories: &memories, user, character }).await;
    kept.extend(beliefs.into_iter().flatten().map(|belief| (Thought::Believe, belief.statement)));
    kept.extend(thinker.name_island(&memories).await.ok().map(|named| (Thought::Name, named.name)));
    let from = ImagineFrom {
        trigger: Trigger::Idle,
        time_of_day: None,
        context: None,
        theme: "moments",
        memories: &memories,
        user,
        language,
        style: SpeechStyle::Casual,
        throw: 0,
    };
    kept.extend(thinker.imagine(&from).await.ok().map(|imagined| (Thought::Imagine, imagined.scenario)));
    kept
}

#[tokio::test]
async fn what_is_hostile_in_a_note_is_kept_as_nothing_else_either() {
    let (scenes, mut leaks) = (scenes(), Vec::new());
    for row in HOSTILE.into_iter().flat_map(rows) {
        for (name, scene) in &scenes {
            for (thought, kept) in elsewhere(scene, row[1]).await {
                leaks.push(format!("{thought} [{name}] {}: {kept}", row[0]));
            }
        }
    }
    assert!(leaks.is_empty(), "{} pass\n{}", leaks.len(), leaks.join("\n"));
}

/// Descriptions may be dropped at little cost, but most must pass.
#[tokio::test]
async fn plain_descriptions_of_what_was_said_are_kept() {
    let (scenes, mut lost, mut all) = (scenes(), Vec::new(), 0);
    for row in rows(include_str!("notes/descriptions.tsv")) {
        all += 1;
        let kept = elsewhere(&scenes[row[0]], row[1]).await;
        if !kept.iter().any(|(thought, _)| *thought == Thought::Reflect) {
            lost.push(row[1]);
        }
    }
    println!("{} of {all} descriptions lost", lost.len());
    assert!(lost.len() * 2 <= all, "{} of {all} lost\n{}", lost.len(), lost.join("\n"));
}
