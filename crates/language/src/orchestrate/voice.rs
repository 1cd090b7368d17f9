//! Answers of personas without a model: one voice restates the question with its evidence, one opposes it with counted evidence,
//! one joins both. Nothing is invented: every statement is a count, a quotation or a memory.

use std::collections::HashMap;
use std::sync::LazyLock;

use saegim_core::{Balance, Language, PlanAction, Stance, asks_for, with_particles};

use crate::PastExample;
use crate::orchestrate::cues::{AnswerInContext, answer_signs, has, is_against, is_claim, statements};
use crate::patterns::table::rows;

/// Characters of a quoted text.
const LONGEST_QUOTE: usize = 120;

/// Templates by key and language.
static WORDS: LazyLock<HashMap<(&'static str, &'static str), &'static str>> = LazyLock::new(|| {
    rows(include_str!("../../data/orchestrate/voice.tsv"))
        .filter_map(|row| match row[..] {
            [key, language, words, ..] => Some(((key, language), words)),
            _ => None,
        })
        .collect()
});

/// Returns the words for a key; empty for an unknown key, which a test prevents.
pub(super) fn words_of(key: &str, language: Language) -> &'static str {
    let language = if language == Language::Korean { "ko" } else { "en" };
    WORDS.get(&(key, language)).copied().unwrap_or_default()
}

/// A remembered text that may serve as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RememberedEvidence<'a> {
    /// The text.
    pub text: &'a str,
    /// Date of the memory, for the source: `2026-03-01`.
    pub date: &'a str,
}

/// What a voice answers, and from what.
#[derive(Clone, Copy, Debug)]
pub struct VoiceFrom<'a> {
    /// What the voice does.
    pub stance: Stance,
    /// The question.
    pub prompt: &'a str,
    /// Language of the answer.
    pub language: Language,
    /// Past answers of the voice to related questions.
    pub examples: &'a [PastExample<'a>],
    /// Related memories, best first.
    pub evidence: &'a [RememberedEvidence<'a>],
    /// Earlier answers of the run: name of the persona and text.
    pub earlier: &'a [(&'a str, &'a str)],
    /// Actions of the plan.
    pub plan: &'a [PlanAction],
    /// Balancing instruction.
    pub balance: Option<Balance>,
}

/// An answer by rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceAnswer {
    /// The text.
    pub text: String,
    /// Positions of the memories it quotes, in `evidence`.
    pub used: Vec<usize>,
    /// Whether it takes up the first past example.
    pub took_up: usize,
}

/// Answers as a persona, by rules.
pub fn voice_answer(from: &VoiceFrom<'_>) -> VoiceAnswer {
    let mut draft = Draft { from, lines: Vec::new(), used: Vec::new(), took_up: 0 };
    draft.say("question", &[("prompt", &quote(from.prompt))]);
    draft.take_up_examples();
    let (against, in_favour): (Vec<usize>, Vec<usize>) = (0..from.evidence.len()).partition(|place| is_against(from.evidence[*place].text));
    match from.stance {
        Stance::Assert => draft.assert(&in_favour, &against),
        Stance::Oppose => draft.oppose(&against),
        Stance::Join => draft.join(&in_favour, &against),
    }
    if let Some(balance) = from.balance {
        draft.say(balance.as_str(), &[]);
    }
    VoiceAnswer { text: draft.lines.join("\n"), used: draft.used, took_up: draft.took_up }
}

struct Draft<'a> {
    from: &'a VoiceFrom<'a>,
    lines: Vec<String>,
    used: Vec<usize>,
    took_up: usize,
}

impl Draft<'_> {
    fn words(&self, key: &str, values: &[(&str, &str)]) -> String {
        let filled = values
            .iter()
            .fold(words_of(key, self.from.language).to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value));
        if self.from.language == Language::Korean { with_particles(&filled) } else { filled }
    }

    fn say(&mut self, key: &str, values: &[(&str, &str)]) {
        let line = self.words(key, values);
        self.lines.push(line);
    }

    fn wants(&self, action: PlanAction) -> bool {
        self.from.plan.contains(&action)
    }

    /// Ends a sentence, with its source if the plan asks for facts.
    fn sourced(&self, text: &str, source: &str) -> String {
        let bare = text.trim().trim_end_matches(['.', '!', '。']);
        if self.wants(PlanAction::FactChecking) { format!("{bare} {source}.") } else { format!("{bare}.") }
    }

    /// Returns a memory as a sentence.
    fn remembered(&mut self, place: usize) -> String {
        let evidence = self.from.evidence[place];
        if !self.used.contains(&place) {
            self.used.push(place);
        }
        let source = self.words("source", &[("date", evidence.date)]);
        self.sourced(&quote(evidence.text), &source)
    }

    /// Quotes what the voice answered to a related question.
    fn take_up_examples(&mut self) {
        for example in self.from.examples {
            if let Some(point) = point_of(example.answer) {
                self.say("earlier", &[("answer", &quote(&point))]);
                self.took_up += 1;
            }
        }
    }

    fn list(&mut self, heading: &str, places: &[usize]) {
        if places.is_empty() {
            return;
        }
        self.say(heading, &[("count", &places.len().to_string())]);
        for (number, place) in places.iter().enumerate() {
            let text = self.remembered(*place);
            self.say("line", &[("place", &(number + 1).to_string()), ("text", &text)]);
        }
    }

    /// Gives examples if the plan asks for them.
    fn illustrate(&mut self, places: &[usize]) {
        if !self.wants(PlanAction::MoreExamples) {
            return;
        }
        for place in places.iter().take(2) {
            let text = self.remembered(*place);
            self.say("example", &[("text", &text)]);
        }
    }

    fn assert(&mut self, in_favour: &[usize], against: &[usize]) {
        self.list("evidence for", in_favour);
        self.illustrate(if in_favour.is_empty() { against } else { in_favour });
        match in_favour.first() {
            Some(best) => self.say("assert", &[("text", &quote(self.from.evidence[*best].text))]),
            None => self.say("assert without", &[]),
        }
    }

    fn oppose(&mut self, against: &[usize]) {
        let opposed = self.from.earlier.last().copied();
        match opposed {
            Some((name, answer)) => {
                let signs = answer_signs(&AnswerInContext { answer, earlier: &[], examples: &[] });
                let values = [("name", name), ("claims", &signs.claims.to_string()), ("sources", &signs.sources.to_string())];
                let counted = self.words("oppose counts", &values);
                let source = self.words("source voice", &[("name", name)]);
                let line = self.sourced(&counted, &source);
                self.lines.push(line);
                let open = statements(answer).into_iter().find(|sentence| is_claim(sentence) && !has("source", sentence));
                if let Some(claim) = open {
                    self.say("oppose claim", &[("text", &quote(&claim))]);
                }
            }
            None => self.say("oppose first", &[]),
        }
        if against.is_empty() {
            self.say("oppose without", &[]);
        }
        self.list("evidence against", against);
        self.illustrate(against);
        let first = against.first().map(|place| self.from.evidence[*place].text.to_owned());
        let check = first.or_else(|| opposed.and_then(|(_, answer)| point_of(answer))).unwrap_or_else(|| self.from.prompt.to_owned());
        self.say("oppose", &[("text", &quote(&check))]);
    }

    fn join(&mut self, in_favour: &[usize], against: &[usize]) {
        let (for_count, against_count) = (in_favour.len().to_string(), against.len().to_string());
        let counted = self.words("join counts", &[("for", &for_count), ("against", &against_count)]);
        let names: Vec<&str> = self.from.earlier.iter().map(|(name, _)| *name).collect();
        let source = match names.last() {
            Some(_) => self.words("source voice", &[("name", &names.join(", "))]),
            None => String::new(),
        };
        let line = if source.is_empty() { format!("{counted}.") } else { self.sourced(&counted, &source) };
        self.lines.push(line);
        for (key, places) in [("join keep", in_favour), ("join heed", against)] {
            if let Some(best) = places.first() {
                let text = self.remembered(*best);
                self.say(key, &[("text", &text)]);
            }
        }
        let before = self.from.examples.first().map(|example| counted_evidence(example.answer));
        let now = in_favour.len() + against.len();
        if let Some(before) = before.filter(|before| *before != now) {
            let more = self.words("join more", &[("before", &before.to_string()), ("now", &now.to_string())]);
            let source = self.words("source voice", &[("name", &names.join(", "))]);
            let line = self.sourced(&more, &source);
            self.lines.push(line);
        }
        self.illustrate(if in_favour.is_empty() { against } else { in_favour });
        let text = |places: &[usize]| places.first().map(|place| quote(self.from.evidence[*place].text)).unwrap_or_default();
        let (best, worst) = (text(in_favour), text(against));
        let key = match (in_favour.is_empty(), against.is_empty()) {
            (false, false) => "join both",
            (false, true) => "join for",
            (true, false) => "join against",
            (true, true) => "join without",
        };
        self.say(key, &[("for", &best), ("against", &worst)]);
    }
}

/// Returns the sum of the two counts in an earlier answer of the joining voice: its numbered evidence.
fn counted_evidence(answer: &str) -> usize {
    let counts = |line: &str| {
        let numbers: Vec<usize> = line.split(|letter: char| !letter.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        numbers.iter().take(2).sum()
    };
    let mark = |language| words_of("join counts", language).split('{').next().unwrap_or_default().trim().to_owned();
    let (korean, english) = (mark(Language::Korean), mark(Language::English));
    answer.lines().find(|line| line.starts_with(&korean) || line.starts_with(&english)).map_or(0, counts)
}

/// Returns the point of an answer: its last proposal, or else its last claim.
fn point_of(answer: &str) -> Option<String> {
    let sentences = statements(answer);
    let last = |fits: &dyn Fn(&str) -> bool| sentences.iter().rev().find(|sentence| fits(sentence)).cloned();
    last(&|sentence| has("proposal", sentence)).or_else(|| last(&is_claim)).or_else(|| sentences.last().cloned())
}

/// Returns a text as one line that can stand in quotation marks.
fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['“', '”'], "'");
    let line = line.trim_end_matches(['.', '。']);
    if line.chars().count() <= LONGEST_QUOTE {
        return line.to_owned();
    }
    let cut: String = line.chars().take(LONGEST_QUOTE - 1).collect();
    format!("{}…", cut.trim_end())
}

/// Returns the actions of a plan that a voice must follow.
pub fn voice_actions(plan: &[saegim_core::PlanAdjustment]) -> Vec<PlanAction> {
    PlanAction::ALL.iter().copied().filter(|action| asks_for(plan, *action)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KOREAN: [RememberedEvidence<'static>; 2] = [
        RememberedEvidence { text: "베란다는 오후에 햇빛이 네 시간 든다", date: "2026-03-01" },
        RememberedEvidence { text: "작년에 심은 상추는 더위에 실패했다", date: "2026-03-02" },
    ];
    const ENGLISH: [RememberedEvidence<'static>; 2] = [
        RememberedEvidence { text: "The balcony gets four hours of sun", date: "2026-03-01" },
        RememberedEvidence { text: "Last year's lettuce failed in the heat", date: "2026-03-02" },
    ];

    fn from<'a>(stance: Stance, language: Language) -> VoiceFrom<'a> {
        let korean = language == Language::Korean;
        VoiceFrom {
            stance,
            prompt: if korean { "베란다에 무엇을 심을까?" } else { "What should I grow on the balcony?" },
            language,
            examples: &[],
            evidence: if korean { &KOREAN } else { &ENGLISH },
            earlier: &[],
            plan: &[],
            balance: None,
        }
    }

    fn signs(answer: &str) -> (usize, usize) {
        let signs = answer_signs(&AnswerInContext { answer, earlier: &[], examples: &[] });
        (signs.claims, signs.sources)
    }

    #[test]
    fn every_template_exists_in_both_languages() {
        for (key, _) in WORDS.keys() {
            for language in [Language::Korean, Language::English] {
                assert!(!words_of(key, language).is_empty(), "{key}");
            }
        }
    }

    #[test]
    fn each_voice_does_what_its_stance_says() {
        for language in [Language::Korean, Language::English] {
            let evidence = if language == Language::Korean { KOREAN } else { ENGLISH };
            let thesis = voice_answer(&from(Stance::Assert, language));
            assert!(
                thesis.text.contains(from(Stance::Assert, language).prompt) && thesis.text.contains(evidence[0].text),
                "{}",
                thesis.text
            );
            assert_eq!(thesis.used, [0], "what speaks against it is left to the other voice");
            let earlier = [("Thesis", thesis.text.as_str())];
            let antithesis = voice_answer(&VoiceFrom { earlier: &earlier, ..from(Stance::Oppose, language) });
            assert!(antithesis.text.contains(evidence[1].text) && !antithesis.text.contains("{"), "{}", antithesis.text);
            assert!(antithesis.text.contains("1") && antithesis.text.contains("0"), "it counts: {}", antithesis.text);
            let earlier = [("Thesis", thesis.text.as_str()), ("Antithesis", antithesis.text.as_str())];
            let synthesis = voice_answer(&VoiceFrom { earlier: &earlier, ..from(Stance::Join, language) });
            assert_eq!(synthesis.used, [0, 1], "{}", synthesis.text);
            for answer in [&thesis, &antithesis, &synthesis] {
                assert_eq!(Language::of(&answer.text), language);
                assert_eq!(signs(&answer.text).1, 0, "sources are named when they are asked for");
            }
        }
    }

    #[test]
    fn fact_checking_names_a_source_for_every_claim() {
        for language in [Language::Korean, Language::English] {
            let plan = [PlanAction::FactChecking, PlanAction::MoreExamples];
            let thesis = voice_answer(&VoiceFrom { plan: &plan, ..from(Stance::Assert, language) }).text;
            let earlier = [("Thesis", thesis.as_str())];
            for stance in [Stance::Assert, Stance::Oppose, Stance::Join] {
                let answer = voice_answer(&VoiceFrom { plan: &plan, earlier: &earlier, ..from(stance, language) }).text;
                let (claims, sources) = signs(&answer);
                assert!(claims > 0 && sources == claims, "{stance}: {claims} {sources}\n{answer}");
            }
        }
    }

    #[test]
    fn a_related_answer_is_taken_up_and_progress_is_counted() {
        for language in [Language::Korean, Language::English] {
            let first = voice_answer(&VoiceFrom { evidence: &[], earlier: &[("Thesis", "x")], ..from(Stance::Join, language) }).text;
            let examples = [PastExample { prompt_digest: "old", summary: None, answer: &first }];
            let second = voice_answer(&VoiceFrom { examples: &examples, earlier: &[("Thesis", "x")], ..from(Stance::Join, language) });
            assert_eq!(second.took_up, 1);
            let progress = if language == Language::Korean {
                "0가지였고 이번에는 2가지"
            } else {
                "0 pieces of evidence, this time there are 2"
            };
            assert!(second.text.contains(progress), "{}", second.text);
        }
    }

    #[test]
    fn without_memories_nothing_is_claimed() {
        for language in [Language::Korean, Language::English] {
            let answer = voice_answer(&VoiceFrom { evidence: &[], ..from(Stance::Assert, language) }).text;
            assert_eq!(signs(&answer), (0, 0), "{answer}");
        }
    }
}
