//! Reads an utterance sentence by sentence and clause by clause.

use saegim_core::{CandidateType, Face, Role, Timestamp};

/// Claims of a clause.
mod clause;

use super::remember::{self, Wanted};
use crate::compare::value;
use crate::emotion::feeling::feeling;
use crate::emotion::{emotion_cause, sarcasm, toward};
use crate::extract::correct::{Correction, correction};
use crate::extract::draft::Draft;
use crate::extract::fact_subject::fact_subject;
use crate::extract::kind;
use crate::guard::instruction;
use crate::parse::stance;
use crate::parse::who::{self, Speaker};
use crate::patterns::table::Pattern;
use crate::tokenize::clauses::clauses;
use crate::tokenize::reorder::last_words;
use crate::tokenize::split::{self, Sentence, Unquoted};
use crate::tokenize::trim::without_asides;
use crate::{About, Finding, Reading, SkipReason, Utterance};

/// Weight of an assistant's statement about itself.
pub(crate) const SELF_STATEMENT: f32 = 0.35;

static OF_OTHERS: Pattern =
    Pattern::new(r"(?:무서워하|싫어하|좋아하|힘들어하|셔|시거든|시는데|으시|대|더라|대요|더라고요)(?:거든요?|지|는데|고|니까|더라)?$");

static AFTERTHOUGHT: Pattern = Pattern::new(r"^[\w]+(?: [\w]+)?(?:으로|로|에서|에)$");
static SAID_ONCE: Pattern = Pattern::new(r"(?:다|라)고 ?(?:했|말했|그랬|얘기했)(?:는데|지만|었는데|잖아)");
static NO_LONGER: Pattern = Pattern::new(r"^(?:이제|이젠|이제는|지금은|더는|근데 이제)? ?아니(?:야|고|니까|에요|예요|거든|지|$)");
static ORDERS: Pattern =
    Pattern::new(r"(?:으라|라|자|으래|래)(?:고|구)? ?(?:해서|하셔서|그래서|하니까|시켜서|하길래|해가지고)$|(?:으래서|라서 ?어쩔)$");
static NOT_KEPT: Pattern = Pattern::new(
    r"키우는 ?(?:건|게|거) ?아니|안 ?키워|안 ?키우|\b(?:not mine|not ours|isn't mine|don't (?:actually )?have (?:a|any) (?:pets?|dog|cat))\b",
);
static REACTION: Pattern = Pattern::new(
    r"^(?:제가 |내가 )?(?:알레르기|알러지)(?:거든|라|예|야|이에|때문|가 ?있)|두드러기|목이 ?(?:부|붓)|숨이 ?(?:막|안)|온몸이|발진|응급실|실려|가려워|\b(?:hives|throat (?:closes|closed|swells|swelled|itches)|swell(?:s|ed)? up|epi-?pen|anaphyla\w*|break out|broke out|rash|er visit|stop breathing|can't breathe)\b",
);
static AVOIDS: Pattern = Pattern::new(r"못 ?먹|먹지 ?못|안 ?먹|\b(?:can't|cannot|can not|don't) (?:eat|have|do|touch)\b");

/// Reads one utterance.
pub(crate) fn read(utterance: &Utterance<'_>) -> Reading {
    let normal = split::normalise(utterance.text);
    let felt = feeling(&normal);
    let face = Face::of(felt.emotions);
    let speaker = match utterance.role {
        Role::User => Speaker::User,
        Role::Assistant | Role::Persona => Speaker::Character,
        Role::System | Role::Event => return Reading { feeling: felt, face, timeless: true, ..Reading::default() },
    };
    let mut reader = Reader {
        unquoted: Unquoted::new(&normal),
        speaker,
        before: utterance.before.map(split::normalise),
        carried: None,
        person: None,
        at: utterance.at,
        dated: false,
        heard: String::new(),
        loose: None,
        named: None,
        clauses: 0,
        laughed_off: false,
        correcting: false,
        character: utterance.character.to_owned(),
        findings: Vec::new(),
        left_alone: Vec::new(),
    };
    let mut toward = Vec::new();
    let command = instruction::command(&normal);
    if command.is_some_and(|kind| {
        instruction::taints(kind) || split::sentences(&normal).iter().all(|sentence| instruction::command(&sentence.text).is_none())
    }) {
        reader.left_alone.push((normal.clone(), SkipReason::Instruction));
    } else {
        if speaker == Speaker::User && command.is_none() {
            toward = toward::toward(&normal, &reader.unquoted.text, utterance.character);
        }
        reader.run();
    }
    Reading {
        findings: reader.findings,
        statements: Vec::new(),
        groups: Vec::new(),
        left_alone: reader.left_alone,
        feeling: felt,
        face,
        toward,
        timeless: !reader.dated,
    }
}

/// State while reading one message.
pub(crate) struct Reader {
    pub(crate) unquoted: Unquoted,
    pub(crate) speaker: Speaker,
    pub(crate) before: Option<String>,
    /// Whom the sentence before was about, when what follows likely goes on about them.
    carried: Option<(About, bool)>,
    /// Person last mentioned in this message.
    pub(crate) person: Option<String>,
    at: Timestamp,
    /// Whether a day had to be counted from that moment.
    dated: bool,
    /// The sentences heard so far, one a line.
    heard: String,
    /// Who acted in the sentence before, for what can only be said of somebody.
    loose: Option<About>,
    /// Who was named in this sentence by "이름은 ...".
    named: Option<About>,
    /// How many clauses of the sentence have been read, this one included.
    clauses: usize,
    /// Whether the sentence is marked as a joke by laughter.
    pub(crate) laughed_off: bool,
    /// Whether the previous sentence only said that something was wrong.
    pub(crate) correcting: bool,
    /// What the one spoken to is called.
    character: String,
    pub(crate) findings: Vec<Finding>,
    left_alone: Vec<(String, SkipReason)>,
}

impl Reader {
    fn run(&mut self) {
        for quote in &self.unquoted.quotes {
            self.left_alone.push((quote.clone(), SkipReason::Quote));
        }
        let sentences = split::sentences(&self.unquoted.text);
        if sentences.is_empty() {
            self.left_alone.push((self.unquoted.text.clone(), SkipReason::SmallTalk));
        }
        // Only the user can ask to remember; "don't forget to eat" said by the character is care.
        let wanted = match self.speaker {
            Speaker::User => remember::wanted(&sentences),
            Speaker::Character => vec![Wanted::No; sentences.len()],
        };
        let mut origins = Vec::new();
        for (number, (sentence, wanted)) in sentences.iter().zip(wanted).enumerate() {
            self.laughed_off = sarcasm::is_laughed_off(&sentences, number);
            self.sentence(sentence, wanted);
            origins.resize(self.findings.len(), number);
        }
        if self.speaker == Speaker::User {
            emotion_cause::felt(&mut self.findings, &origins, &sentences, &mut self.left_alone);
        }
        // Who tells of a new job and of leaving the old one has the new one, in whichever order it is told.
        self.findings.sort_by_key(|finding| finding.claim.as_ref().is_none_or(|claim| !(claim.ends && claim.value.is_empty())));
    }

    fn leave(&mut self, text: &str, why: SkipReason) {
        self.left_alone.push((self.unquoted.restore(text), why));
    }

    fn sentence(&mut self, sentence: &Sentence, wanted: Wanted) {
        let text = sentence.text.as_str();
        if instruction::command(text).is_some() {
            return self.leave(text, SkipReason::Instruction);
        }
        let said = match &wanted {
            Wanted::Points => return,
            Wanted::Part(rest) => who::not_called(rest, &self.character),
            Wanted::No | Wanted::Whole => text,
        };
        if stance::is_only_joke(text) {
            for finding in std::mem::take(&mut self.findings) {
                self.left_alone.push((finding.content, SkipReason::Joke));
            }
            return self.leave(text, SkipReason::Joke);
        }
        let why = stance::of_sentence(sentence);
        if self.speaker == Speaker::User {
            self.confirm(text);
        }
        if let Some(why) = why.filter(|why| {
            wanted == Wanted::No
                && (!matches!(why, SkipReason::Hypothetical | SkipReason::Joke) || kind::of(text) != Some(CandidateType::Boundary))
        }) {
            return self.leave(text, why);
        }
        if wanted == Wanted::No {
            return self.statement(said, sentence.asks);
        }
        self.asked_for(said);
    }

    /// What was asked to be remembered is kept, whatever the tables make of it.
    fn asked_for(&mut self, said: &str) {
        let (first, left) = (self.findings.len(), self.left_alone.len());
        self.statement(said, false);
        // A part the rules would have left alone belongs to the thing as well.
        if self.findings.len() == first || self.left_alone.len() > left {
            self.left_alone.truncate(left);
            let kind = kind::of(said).unwrap_or(CandidateType::Fact);
            self.push(Draft { content: said, kind, about: self.speaker.first(), claim: None, confidence: 0.8 });
        }
        self.findings[first..].iter_mut().for_each(|finding| finding.remember_this = true);
    }

    fn statement(&mut self, text: &str, asks: bool) {
        let said = self.with_afterthought(text);
        let text = said.as_str();
        let first = self.findings.len();
        let asks = asks && !stance::tells(text);
        let corrected = correction(text, self.has_claims());
        if corrected.as_ref().is_some_and(|correction| correction.text.is_empty()) {
            self.correcting = true;
            return;
        }
        let corrected = if std::mem::take(&mut self.correcting) {
            corrected.or_else(|| Some(Correction { text: text.to_owned(), old: None }))
        } else {
            corrected
        };
        let said = corrected.as_ref().map_or(text, |correction| correction.text.as_str());
        let said = without_asides(said).replace(" 씨는", "씨는").replace(" 씨가", "씨가").replace(" 씨도", "씨도").replace(" 씨랑", "씨랑");
        let clauses = clauses(&said);
        // A person who was the topic stays it; one who only acted stays it for reports about others ("무서워하거든").
        let before = self.carried.take();
        // Where they live, what they do: said right after naming somebody, without "나", it is still theirs.
        self.loose = before.as_ref().map(|(about, _)| about.clone());
        let carried = before.filter(|(_, topic)| *topic || OF_OTHERS.fits(text)).map(|(about, _)| about);
        let (mut about, mut sticky, mut quiet) = (carried, None, true);
        for (at, clause) in clauses.iter().enumerate() {
            self.clauses = at + 1;
            let default = about.clone();
            if let Some((opened, topic)) = who::opening(clause, self.speaker) {
                sticky = matches!(opened, About::Other(_)).then(|| (opened.clone(), topic));
                if let About::Other(name) = &opened {
                    self.person = Some(name.clone());
                }
                about = Some(opened);
            }
            let last = at + 1 == clauses.len();
            match stance::of_clause(clause, last, asks) {
                Some(SkipReason::Question) if kind::is_relationship(clause) && asks => {}
                Some(why) => {
                    self.leave(clause, why);
                    // "엄마가 돌아가셨는데 뭘 해야 할지 모르겠어" tells, whatever is not known.
                    quiet &= matches!(why, SkipReason::Ignorance | SkipReason::Hypothetical) && sarcasm::is_grave(text, self.laughed_off);
                    if why == SkipReason::Question {
                        self.before = Some(format!("{clause}?"));
                    }
                    continue;
                }
                None => {
                    let from = self.findings.len();
                    self.clause(clause, default.as_ref());
                    // "순천 산다고 했는데 이젠 아니야" takes back what was said once.
                    if SAID_ONCE.fits(clause) && clauses.get(at + 1).is_some_and(|next| NO_LONGER.fits(next)) {
                        self.findings[from..].iter_mut().filter_map(|finding| finding.claim.as_mut()).for_each(|claim| claim.ends = true);
                    }
                }
            }
            // Who told the speaker to do something does not do it.
            if ORDERS.fits(clause) {
                (about, sticky) = (None, None);
            }
        }
        if NOT_KEPT.fits(text) {
            self.findings.retain(|finding| finding.claim.as_ref().is_none_or(|claim| claim.subject != "pet" || claim.ends));
        }
        self.carried = sticky;
        if let Some(correction) = &corrected {
            self.settle(correction, first);
        }
        if self.findings.len() == first && quiet {
            self.answer(&said);
        }
        if self.findings.len() == first && (quiet || kind::is_relationship(text)) {
            self.told(text, about.as_ref());
        } else if self.findings.len() > first {
            self.also_told(&clauses, text, first);
        }
        self.join_content(text, first);
        self.reacts(text);
    }

    /// "이사했어. 성북구로." is one sentence, said in two.
    fn with_afterthought(&mut self, text: &str) -> String {
        let joined =
            if AFTERTHOUGHT.fits(text) { self.heard.rsplit('\n').next().map(|last| format!("{text} {}", last_words(last))) } else { None };
        let said = joined.filter(|joined| joined.chars().count() > text.chars().count() + 2).unwrap_or_else(|| text.to_owned());
        self.heard.push('\n');
        self.heard.push_str(text);
        said
    }

    /// "못 먹어. 두드러기가 나서." is an allergy, not a taste.
    fn reacts(&mut self, text: &str) {
        if !REACTION.fits(text) {
            return;
        }
        let avoided = |finding: &&mut Finding| {
            finding.about == self.speaker.first()
                && AVOIDS.fits(&finding.content)
                && finding.claim.as_ref().is_some_and(|claim| claim.subject == "dislikes")
        };
        let allergy = fact_subject("allergy").expect("the table has it");
        if let Some(claim) = self.findings.iter_mut().rev().find(avoided).and_then(|finding| finding.claim.as_mut()) {
            claim.subject = allergy.key.to_owned();
            claim.category = allergy.category;
            claim.single = allergy.single;
            claim.canonical = value::canonical_value(allergy, &claim.value).unwrap_or_default();
        }
    }
}
