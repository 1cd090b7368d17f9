//! The prompt of a persona, in the form of the coordinate memory design.

use std::fmt::Write as _;

use saegim_core::{Balance, Language, PlanAction};

use crate::orchestrate::voice::words_of;

/// Maximum length of a prompt digest, in characters.
const LONGEST_DIGEST: usize = 500;

/// Characters of the system prompt in a digest; the question must fit beside it.
const SYSTEM_IN_DIGEST: usize = 200;

/// Characters of a past answer in a prompt.
const LONGEST_EXAMPLE: usize = 200;

/// A past answer of the persona, as an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastExample<'a> {
    /// Digest of the prompt that was answered.
    pub prompt_digest: &'a str,
    /// Summary of the answer, if there is one.
    pub summary: Option<&'a str>,
    /// The answer.
    pub answer: &'a str,
}

impl<'a> PastExample<'a> {
    /// Returns the answer as it stands in a prompt: the summary, or the first 200 characters.
    pub fn shown(&self) -> String {
        self.summary.map_or_else(|| self.answer.chars().take(LONGEST_EXAMPLE).collect(), str::to_owned)
    }
}

/// Everything a persona is told.
#[derive(Clone, Copy, Debug)]
pub struct PersonaPrompt<'a> {
    /// System prompt.
    pub system: &'a str,
    /// Name of the persona.
    pub name: &'a str,
    /// Role of the persona.
    pub role: &'a str,
    /// Past examples, at most two.
    pub examples: &'a [PastExample<'a>],
    /// Depth of the cycle.
    pub depth: u32,
    /// Position in the cycle, from 1.
    pub step: usize,
    /// Answers so far: persona and text.
    pub history: &'a [(&'a str, &'a str)],
    /// Instructions of the plan.
    pub plan: &'a [PlanAction],
    /// Balancing instruction.
    pub balance: Option<Balance>,
    /// The question.
    pub seed: &'a str,
    /// Language of the instructions.
    pub language: Language,
}

/// Writes the prompt. Labels are in English, as in the design; the texts keep their language.
pub fn persona_prompt(asked: &PersonaPrompt<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !asked.system.trim().is_empty() {
        parts.push(format!("System instruction: {}", asked.system.trim()));
    }
    if !asked.examples.is_empty() {
        parts.push("\nRelevant past examples:".into());
        for example in asked.examples {
            parts.push(format!("- Previous input: {}", example.prompt_digest));
            parts.push(format!("  Your response: {}", example.shown()));
        }
    }
    parts.push(format!("Current recursion depth: {}", asked.depth));
    parts.push("Conversation history:".into());
    parts.extend(asked.history.iter().map(|(persona, text)| format!("- {persona}: {text}")));
    parts.push(String::new());
    parts.extend(asked.plan.iter().filter_map(|action| Some(format!("Plan adjustment: {}", plan_words(*action, asked.language)?))));
    parts.extend(asked.balance.map(|balance| format!("Phase balance: {}", words_of(&format!("ask {balance}"), asked.language))));
    parts.push(format!("Seed focus: {}", asked.seed));
    parts.push(format!("Respond as persona '{}' ({}). This is cycle step {}.", asked.name, asked.role, asked.step));
    parts.join("\n")
}

/// Returns the instruction of an adjustment; `None` for a new order, which needs no words.
fn plan_words(action: PlanAction, language: Language) -> Option<&'static str> {
    (action != PlanAction::ReorderPersonaCycle).then(|| words_of(&format!("ask {action}"), language))
}

/// Returns the digest of a prompt: its system instruction and the question, at most 500 characters. Past answers are left out, so
/// that no copy of them stays when they are deleted.
pub fn prompt_digest(asked: &PersonaPrompt<'_>) -> String {
    let mut digest = String::new();
    if !asked.system.trim().is_empty() {
        let _ = write!(digest, "System instruction: {} ", shortened(asked.system, SYSTEM_IN_DIGEST));
    }
    let _ = write!(digest, "Seed focus: {}", asked.seed);
    shortened(&digest, LONGEST_DIGEST)
}

/// Joins the words of a text by single spaces and cuts it at a word, with `…` where something is left out.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most - 1).collect();
    let whole = cut.rfind(' ').filter(|end| *end > cut.len() / 2).map_or(cut.as_str(), |end| &cut[..end]);
    format!("{}…", whole.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(examples: &'a [PastExample<'a>], history: &'a [(&'a str, &'a str)]) -> PersonaPrompt<'a> {
        PersonaPrompt {
            system: "You reconcile both sides.",
            name: "Fractal Synthesiser",
            role: "Integrator",
            examples,
            depth: 1,
            step: 3,
            history,
            plan: &[],
            balance: None,
            seed: "How should memory work?",
            language: Language::English,
        }
    }

    #[test]
    fn a_prompt_has_the_form_of_the_design() {
        let examples = [PastExample { prompt_digest: "Seed focus: What is memory?", summary: None, answer: &"word ".repeat(100) }];
        let shown = "word ".repeat(40);
        let expected = format!(
            "System instruction: You reconcile both sides.\n\nRelevant past examples:\n- Previous input: Seed focus: What is memory?\n  \
             Your response: {shown}\nCurrent recursion depth: 1\nConversation history:\n- thesis: Keep all.\n- antithesis: Keep little.\n\n\
             Seed focus: How should memory work?\nRespond as persona 'Fractal Synthesiser' (Integrator). This is cycle step 3."
        );
        assert_eq!(persona_prompt(&asked(&examples, &[("thesis", "Keep all."), ("antithesis", "Keep little.")])), expected);
    }

    #[test]
    fn adjustments_and_balance_are_said_in_the_language_of_the_question() {
        let plan = [PlanAction::FactChecking, PlanAction::ReorderPersonaCycle];
        let english = persona_prompt(&PersonaPrompt { plan: &plan, balance: Some(Balance::Calm), ..asked(&[], &[]) });
        assert!(english.contains("\nPlan adjustment: Check the facts") && english.contains("\nPhase balance: The voices are too far"));
        assert_eq!(english.matches("Plan adjustment").count(), 1, "a new order needs no words");
        let korean = PersonaPrompt { plan: &plan, balance: Some(Balance::Contrast), language: Language::Korean, ..asked(&[], &[]) };
        let korean = persona_prompt(&korean);
        assert!(korean.contains("주장마다 출처를") && korean.contains("목소리들이 너무 비슷합니다"), "{korean}");
    }

    #[test]
    fn a_digest_holds_the_question_and_no_past_answer() {
        let examples = [PastExample { prompt_digest: "old", summary: None, answer: "secret answer" }];
        let digest = prompt_digest(&asked(&examples, &[("thesis", "secret history")]));
        assert_eq!(digest, "System instruction: You reconcile both sides. Seed focus: How should memory work?");
        let long = "아주 긴 질문 ".repeat(200);
        let digest = prompt_digest(&PersonaPrompt { system: &"규칙 ".repeat(300), seed: &long, ..asked(&[], &[]) });
        assert!(digest.chars().count() <= 500 && digest.contains("Seed focus: 아주 긴") && digest.ends_with('…'));
    }
}
