//! A thinker that uses models: one prompt per thought, one retry to repair an answer, and limits on the result. Thoughts
//! without a configured model use the rules.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{Appraisal, Cause, Emotions, Feeling, Language, Role, Thought};
use saegim_language::{
    BelieveFrom, DerivedBelief, ImagineFrom, ImaginedScenario, IslandLabel, Reading, ReplyTo, RuleThinker, SourceVocabulary, Utterance,
    assigns_identity, essence_problem, is_harmful, is_instruction, profile_problem, restate_advice,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::llm::language_model::{LanguageModel, ModelRequest, Relayed, Saying, Speaker};
use crate::llm::prompt;
use crate::llm::reply_prompt::{language_word, reply_messages, style_words};
use crate::llm::sampling::Sampling;
use crate::llm::usage::left_out;
use crate::llm::verify::answer::{self, LONGEST};
use crate::llm::verify::extract;
use crate::llm::verify::lenient::{read, short};
use crate::llm::verify::strip_reasoning::aloud;
use crate::thinker::read_message;
use crate::{AnalyseFrom, Analysis, Conflict, InterpretFrom, ProviderError, ReflectFrom, Settlement, Thinker, Trial};

/// Maximum length of a reply in characters; the rest is cut off.
const LONGEST_REPLY: usize = 8_000;

/// Maximum number of questioned facts per analysis, for each of two reasons.
const MOST_DOUBTS: usize = 4;

/// Maximum number of advice points that are considered.
const MOST_POINTS: usize = 12;

/// Thinker that uses language models.
#[derive(Default)]
pub struct ModelThinker {
    id: String,
    models: HashMap<Thought, Arc<dyn LanguageModel>>,
}

impl ModelThinker {
    /// Creates a thinker without models, which uses the rules for everything.
    pub fn new() -> Self {
        Self { id: "rules@1".into(), models: HashMap::new() }
    }

    /// Assigns `model` to these thoughts.
    pub fn asking(mut self, model: &Arc<dyn LanguageModel>, thoughts: impl IntoIterator<Item = Thought>) -> Self {
        for thought in thoughts {
            self.models.insert(thought, Arc::clone(model));
        }
        let mut ids: Vec<&str> = self.models.values().map(|model| model.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        self.id = ids.join("+");
        self
    }

    /// Returns each model once, with the thoughts it is assigned to.
    pub fn models(&self) -> Vec<(Arc<dyn LanguageModel>, Vec<Thought>)> {
        let mut models: Vec<(Arc<dyn LanguageModel>, Vec<Thought>)> = Vec::new();
        for thought in Thought::ALL {
            let Some(model) = self.models.get(thought) else { continue };
            match models.iter_mut().find(|(other, _)| Arc::ptr_eq(other, model)) {
                Some((_, thoughts)) => thoughts.push(*thought),
                None => models.push((Arc::clone(model), vec![*thought])),
            }
        }
        models
    }

    /// Requests a structured answer, with one retry if it cannot be parsed. Returns `None` if no model is assigned.
    async fn structured<T: DeserializeOwned>(&self, thought: Thought, language: Language, data: Value) -> Option<Result<T, ProviderError>> {
        let model = self.models.get(&thought)?;
        Some(structured(&**model, Question { thought, language, data }).await)
    }
}

/// A structured request to a model.
struct Question {
    thought: Thought,
    language: Language,
    data: Value,
}

async fn structured<T: DeserializeOwned>(model: &dyn LanguageModel, question: Question) -> Result<T, ProviderError> {
    let Question { thought, language, data } = question;
    let system = prompt::system(thought, language);
    let schema = prompt::schema(thought).map(|schema| (thought.as_str(), schema));
    let most_tokens = if thought == Thought::Extract { 3_000 } else { 1_500 };
    let mut ask =
        ModelRequest { thought, system: &system, messages: vec![(Speaker::User, data.to_string())], schema, most_tokens, sampling: None };
    let mut why = String::new();
    for _ in 0..2 {
        let told = match model.ask(&ask).await {
            // Retry once if the response is not valid at all.
            Err(error) if why.is_empty() && error.cause() == Cause::Garbled => {
                why = error.to_string();
                continue;
            }
            told => told?,
        };
        match read(&told.text) {
            Ok(read) => return Ok(read),
            Err(problem) => why = problem,
        }
        ask.messages.truncate(1);
        ask.messages.push((Speaker::Model, short(&told.text, 2_000)));
        ask.messages.push((Speaker::User, prompt::repair(language, &why)));
    }
    // The parse error may repeat the request, so it is not reported.
    Err(ProviderError::unanswered(Cause::Garbled, "the answer did not match the requested format, twice".into()))
}

/// Returns the dominant language of the texts.
fn language_of(texts: &[&str]) -> Language {
    Language::of(&texts.join(" "))
}

/// Validates free text of a model: it must be in the expected language and contain no command. Truncates it to one line.
fn written(text: &str, language: Language) -> Result<String, ProviderError> {
    let text = short(text, LONGEST);
    let refused = |why: &str| Err(ProviderError::unanswered(Cause::Garbled, why.into()));
    if text.is_empty() {
        return Err(ProviderError::unanswered(Cause::Empty, "the answer is empty".into()));
    }
    if is_instruction(&text) || assigns_identity(&text) {
        return refused("it tries to command the memory or the character");
    }
    if Language::of(&text) != language {
        return refused("it is in another language");
    }
    Ok(text)
}

/// Validates a description: like [`written`], and every sentence must be descriptive and use only known words. One invalid
/// sentence rejects the whole text.
fn described(text: &str, language: Language, ground: &SourceVocabulary) -> Result<String, ProviderError> {
    let text = written(text, language)?;
    let stands = !is_harmful(&text) && saegim_language::checked_description(&text, ground).is_some_and(|kept| kept.len() == text.len());
    unless((!stands).then_some("it says more than a description of what was given"), text)
}

/// Returns the text, or an error if there is a problem.
fn unless(problem: Option<&str>, written: String) -> Result<String, ProviderError> {
    match problem {
        Some(why) => Err(ProviderError::unanswered(Cause::Garbled, why.into())),
        None => Ok(written),
    }
}

#[async_trait]
impl Thinker for ModelThinker {
    fn id(&self) -> &str {
        &self.id
    }

    fn asks(&self, thought: Thought) -> Option<&str> {
        self.models.get(&thought).map(|model| model.id())
    }

    fn model(&self, thought: Thought) -> Option<Arc<dyn LanguageModel>> {
        self.models.get(&thought).map(Arc::clone)
    }

    async fn try_out(&self) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (model, thoughts) in self.models() {
            let question =
                Question { thought: Thought::Appraise, language: Language::English, data: json!({ "text": "My birthday is May 3rd." }) };
            let mut went = structured::<answer::Appraised>(&*model, question).await.map(drop);
            // Test streaming too, because it fails in its own ways.
            if went.is_ok() && thoughts.contains(&Thought::Reply) {
                let messages = vec![(Speaker::User, "Hello!".to_owned())];
                let system = "Answer in one word.";
                let hello = ModelRequest { thought: Thought::Reply, system, messages, schema: None, most_tokens: 2_000, sampling: None };
                went = model.speak(&hello, &mut |_| ()).await.map(drop);
            }
            let address = model.address().map(str::to_owned);
            trials.push(Trial { model: model.id().to_owned(), address, thoughts, went });
        }
        trials
    }

    async fn extract(&self, utterance: &Utterance<'_>) -> Result<Reading, ProviderError> {
        let data = json!({
            "said_by": utterance.role, "user": utterance.user, "character": utterance.character, "at": utterance.at,
            "before": utterance.before, "text": utterance.text,
        });
        match self.structured(Thought::Extract, Language::of(utterance.text), data).await {
            Some(extracted) => {
                let reading = extract::reading(&extracted?, utterance)?;
                let own = read_message(utterance).await;
                Ok(Reading { statements: own.statements, groups: own.groups, ..reading })
            }
            None => Ok(read_message(utterance).await),
        }
    }

    async fn appraise(&self, text: &str) -> Result<Appraisal, ProviderError> {
        match self.structured::<answer::Appraised>(Thought::Appraise, Language::of(text), json!({ "text": text })).await {
            Some(appraised) => Ok(appraised?.appraisal()),
            None => Ok(RuleThinker.appraise(text)),
        }
    }

    async fn feel(&self, text: &str) -> Result<Feeling, ProviderError> {
        match self.structured::<answer::Felt>(Thought::Feel, Language::of(text), json!({ "text": text })).await {
            Some(felt) => Ok(felt?.feeling(text)),
            None => Ok(RuleThinker.feel(text)),
        }
    }

    async fn reply(&self, asked: &ReplyTo<'_>, sampling: Option<&Sampling>) -> Result<String, ProviderError> {
        self.speak(asked, sampling, &mut |_| ()).await
    }

    async fn speak(&self, asked: &ReplyTo<'_>, sampling: Option<&Sampling>, said: Saying<'_>) -> Result<String, ProviderError> {
        let Some(model) = self.models.get(&Thought::Reply) else { return Thinker::speak(&RuleThinker, asked, sampling, said).await };
        let (system, messages) = reply_messages(asked);
        let ask = ModelRequest { thought: Thought::Reply, system: &system, messages, schema: None, most_tokens: 2_000, sampling };
        let told = model.speak(&ask, said).await?;
        Ok(aloud(&told.text).trim().chars().take(LONGEST_REPLY).collect())
    }

    fn cannot(&self, sampling: &Sampling) -> Option<&'static str> {
        self.models.get(&Thought::Reply).and_then(|model| model.cannot(sampling))
    }

    fn relays(&self) -> bool {
        self.models.get(&Thought::Reply).is_some_and(|model| model.relays())
    }

    async fn relay(&self, request: &Value, event: Saying<'_>) -> Result<Relayed, ProviderError> {
        match self.models.get(&Thought::Reply) {
            Some(model) => model.relay(request, event).await,
            None => Thinker::relay(&RuleThinker, request, event).await,
        }
    }

    async fn distil(&self, texts: &[&str]) -> Result<String, ProviderError> {
        let language = language_of(texts);
        match self.structured::<answer::Distilled>(Thought::Distil, language, json!({ "memories": texts })).await {
            Some(distilled) => {
                let essence = described(&distilled?.essence, language, &SourceVocabulary::new(texts.iter().copied(), "", ""))?;
                unless(essence_problem(&essence, texts), essence)
            }
            None => Ok(RuleThinker.distil(texts)),
        }
    }

    async fn believe(&self, from: &BelieveFrom<'_>) -> Result<Vec<DerivedBelief>, ProviderError> {
        let language = language_of(from.memories);
        let data = json!({ "memories": from.memories, "user": from.user, "character": from.character });
        let Some(believed) = self.structured::<answer::Believed>(Thought::Believe, language, data).await else {
            return Ok(RuleThinker.believe(from));
        };
        let (mut convictions, believed): (Vec<DerivedBelief>, _) = (Vec::new(), believed?.beliefs);
        let (offered, ground) = (!believed.is_empty(), SourceVocabulary::new(from.memories.iter().copied(), from.user, ""));
        for belief in believed.into_iter().take(5) {
            let mut supporting: Vec<usize> = belief.supporting.into_iter().filter(|place| *place < from.memories.len()).collect();
            supporting.sort_unstable();
            supporting.dedup();
            match described(&belief.statement, language, &ground) {
                Ok(statement) if !supporting.is_empty() => convictions.push(DerivedBelief { statement, supporting }),
                _ => {}
            }
        }
        if offered && convictions.is_empty() {
            return Err(ProviderError::unanswered(Cause::Garbled, "none of the beliefs is valid".into()));
        }
        Ok(convictions)
    }

    async fn name_island(&self, texts: &[&str]) -> Result<IslandLabel, ProviderError> {
        let language = language_of(texts);
        let Some(named) = self.structured::<answer::Named>(Thought::Name, language, json!({ "memories": texts })).await else {
            return Ok(RuleThinker.name_island(texts));
        };
        let (named, ground) = (named?, SourceVocabulary::new(texts.iter().copied(), "", ""));
        let emoji = Some(short(&named.emoji, 8)).filter(|emoji| !emoji.is_empty() && !emoji.chars().any(char::is_alphanumeric));
        Ok(IslandLabel {
            name: described(&named.name, language, &ground)?.chars().take(40).collect(),
            emoji: emoji.unwrap_or_else(|| "🏝️".into()),
            description: described(&named.description, language, &ground)?,
        })
    }

    async fn imagine(&self, from: &ImagineFrom<'_>) -> Result<ImaginedScenario, ProviderError> {
        let data = json!({
            "trigger": from.trigger, "time_of_day": from.time_of_day, "context": from.context, "theme": from.theme, "memories": from.memories,
            "user": from.user, "language": language_word(from.language), "style": style_words(from.style, from.language),
        });
        let Some(imagined) = self.structured::<answer::Imagined>(Thought::Imagine, from.language, data).await else {
            return Ok(RuleThinker.imagine(from));
        };
        let imagined = imagined?;
        let ground = SourceVocabulary::new(from.memories.iter().copied().chain(from.context).chain([from.theme]), from.user, "");
        Ok(ImaginedScenario {
            scenario: described(&imagined.scenario, from.language, &ground)?,
            action: imagined.action.and_then(|action| described(&action, from.language, &ground).ok()),
            emotions: Emotions::mix(imagined.emotions),
        })
    }

    async fn interpret(&self, from: &InterpretFrom<'_>) -> Result<Vec<(usize, String)>, ProviderError> {
        let data = json!({ "character": from.character, "user": from.user, "memories": from.memories });
        let Some(read) = self.structured::<answer::Interpreted>(Thought::Interpret, language_of(from.memories), data).await else {
            return RuleThinker.interpret(from).await;
        };
        let ground = SourceVocabulary::new(from.memories.iter().copied(), from.user, "");
        let seen: Vec<_> =
            read?.interpretations.into_iter().filter(|view| view.place < from.memories.len()).take(from.memories.len()).collect();
        let view = |view: &answer::View| Some((view.place, described(&view.text, Language::of(from.memories[view.place]), &ground).ok()?));
        let views: Vec<(usize, String)> = seen.iter().filter_map(view).collect();
        if views.is_empty() && !seen.is_empty() {
            left_out(Cause::Garbled);
        }
        Ok(views)
    }

    async fn settle(&self, conflict: &Conflict<'_>) -> Result<Settlement, ProviderError> {
        let data = json!({ "subject": conflict.subject, "older": conflict.older, "newer": conflict.newer });
        match self.structured::<answer::SettledAs>(Thought::Settle, language_of(&[conflict.older, conflict.newer]), data).await {
            Some(settled) => Ok(settled?.standing),
            None => RuleThinker.settle(conflict).await,
        }
    }

    async fn reflect(&self, from: &ReflectFrom<'_>) -> Result<Option<String>, ProviderError> {
        let data = json!({
            "user": from.user, "facts": from.facts, "memories": from.memories, "language": language_word(from.language),
        });
        match self.structured::<answer::Reflected>(Thought::Reflect, from.language, data).await {
            Some(reflected) => {
                let profile = written(&reflected?.profile, from.language)?;
                let texts = from.memories.iter().copied().chain(from.facts.iter().flat_map(|(subject, value)| [*subject, *value]));
                let ground = SourceVocabulary::new(texts, from.user, "");
                let problem = "nothing of it describes what is known";
                let profile = saegim_language::checked_description(&profile, &ground)
                    .ok_or_else(|| ProviderError::unanswered(Cause::Garbled, problem.into()))?;
                let sources = format!("{}\n{}", from.user, from.memories.join("\n"));
                unless(profile_problem(&profile, from.facts, &sources), profile).map(Some)
            }
            None => RuleThinker.reflect(from).await,
        }
    }

    async fn analyse(&self, from: &AnalyseFrom<'_>) -> Result<Analysis, ProviderError> {
        let turns: Vec<Value> = from.turns.iter().map(|(role, text)| json!({ "said_by": role, "text": text })).collect();
        let data = json!({
            "user": from.user, "character": from.character, "turns": turns, "facts": from.facts, "relationship": from.relationship,
            "language": language_word(from.language),
        });
        let Some(analysed) = self.structured::<answer::Analysed>(Thought::Analyse, from.language, data).await else {
            return RuleThinker.analyse(from).await;
        };
        let analysed = analysed?;
        let theirs = |place: usize| from.turns.get(place).filter(|(role, _)| *role == Role::User).map(|(_, text)| *text);
        let moved =
            analysed.toward.iter().take(8).filter_map(|moved| Some((moved.place, extract::toward_beyond(moved, theirs(moved.place)?)?)));
        let two = |pair: &(usize, usize)| pair.0 != pair.1 && pair.0.max(pair.1) < from.facts.len();
        let conflicts = analysed.conflicts.iter().map(|pair| (pair.one, pair.other)).filter(two).take(MOST_DOUBTS);
        let said = |outdated: &&answer::Outdated| {
            let cue = short(&outdated.cue, LONGEST);
            outdated.fact < from.facts.len() && !cue.is_empty() && theirs(outdated.place).is_some_and(|text| text.contains(&cue))
        };
        let outdated = analysed.outdated.iter().filter(said).map(|outdated| (outdated.fact, outdated.place)).take(MOST_DOUBTS);
        let texts = from.turns.iter().map(|(_, text)| *text).chain(from.facts.iter().flat_map(|(subject, value)| [*subject, *value]));
        let ground = SourceVocabulary::new(texts, from.user, from.character);
        let wrote = written(&analysed.note, from.language).ok().filter(|note| !is_harmful(note)).unwrap_or_default();
        let chosen: Vec<(&str, &str)> =
            analysed.advice.iter().take(MOST_POINTS).map(|one| (one.point.as_str(), one.about.as_str())).collect();
        let note = restate_advice(&wrote, &chosen, from.language, &ground);
        if note.is_none() && !(analysed.note.trim().is_empty() && chosen.is_empty()) {
            left_out(Cause::Garbled);
        }
        Ok(Analysis { note, toward: moved.collect(), conflicts: conflicts.collect(), outdated: outdated.collect() })
    }
}
