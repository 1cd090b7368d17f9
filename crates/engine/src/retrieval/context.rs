//! Builds the context for the model: sections within a token budget, each line with its age and the id of its source.
//!
//! Stable content comes first and recalled content last, directly before the turn, where models use it best. Remembered text is
//! fenced as data. The same mind, question and time produce the same bytes.

use saegim_core::{
    Category, Deed, Fact, FactCategory, Facts, Language, Memory, MemoryId, Note, NoteKind, Phrase, Role, Source, Statement, Timestamp,
    Turn, TurnId, restated, tokens,
};
use saegim_language::{fact_subject, without_circumstances};
use saegim_store::{Filter, Page, TurnPage};

use crate::EngineError;
use crate::intake::turn::turn_context::TurnContext;
use crate::retrieval::Retrieval;
use crate::retrieval::recall::{Depth, Found, Query};
use crate::retrieval::turn_search::FoundTurn;

mod selfhood;
mod statements;
mod words;
mod writer;

use words::ContextPhrases;
use writer::{Dates, Writer, data};

/// Number of related turns placed before the facts. The others follow after them.
const FIRST: usize = 3;

/// A turn with this share of its words in common with a turn already shown is left out.
const ALIKE: f32 = 0.8;

/// Input of a context request.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextQuery {
    /// The message that is about to be answered.
    pub text: String,
    /// Token budget. Defaults to the budget of the policy.
    pub budget: Option<usize>,
}

/// One section of a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Name of the section.
    pub name: &'static str,
    /// Lines of the section, without the title.
    pub text: String,
    /// Ids of the memories, facts or turns that the lines describe.
    pub ids: Vec<String>,
    /// Ids of the memories among them. The answer may be based on these.
    pub memories: Vec<MemoryId>,
}

/// Context for the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The whole text.
    pub text: String,
    /// Sections in order.
    pub sections: Vec<Section>,
    /// Estimated number of tokens of the text.
    pub tokens: usize,
    /// Reason why only words were searched, if so.
    pub degraded: Option<Phrase>,
}

/// One line with the id of its source.
struct Line {
    text: String,
    id: String,
    memory: Option<MemoryId>,
}

/// A section that is being filled.
struct Draft {
    name: &'static str,
    title: String,
    lines: Vec<Line>,
}

/// Remaining token budget.
struct Room {
    left: usize,
}

impl Room {
    /// Reserves tokens if enough are left, and returns whether it did.
    fn take(&mut self, cost: usize) -> bool {
        if cost > self.left {
            return false;
        }
        self.left -= cost;
        true
    }

    /// Reserves tokens even if too few are left.
    fn force(&mut self, cost: usize) {
        self.left = self.left.saturating_sub(cost);
    }
}

impl Draft {
    fn new(name: &'static str, title: &str) -> Self {
        Self { name, title: title.to_owned(), lines: Vec::new() }
    }

    /// Adds the lines that fit the budget. A line that is too long is skipped; shorter ones after it may still fit.
    fn fill(&mut self, lines: impl IntoIterator<Item = Line>, room: &mut Room) {
        for line in lines {
            let title = if self.lines.is_empty() { tokens(&self.title) + 2 } else { 0 };
            if room.take(tokens(&line.text) + 1 + title) {
                self.lines.push(line);
            }
        }
    }

    fn section(self) -> Option<Section> {
        if self.lines.is_empty() {
            return None;
        }
        Some(Section {
            name: self.name,
            text: self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n"),
            ids: self.lines.iter().map(|line| line.id.clone()).collect(),
            memories: self.lines.iter().filter_map(|line| line.memory).collect(),
        })
    }
}

/// Search results for a question, before they are fitted into the budget.
struct Gathered {
    found: Vec<Found>,
    past: Vec<FoundTurn>,
    recent: Vec<Turn>,
    shared: Vec<Memory>,
    cautions: Vec<Memory>,
    /// Current statements: the newest, and those of the found memories and turns.
    statements: Vec<Statement>,
}

impl Retrieval<'_> {
    pub(crate) async fn context(&self, query: ContextQuery) -> Result<Context, EngineError> {
        self.mind.may(Deed::Read).await?;
        let present = self.mind.removal().without_orphaned_facts(self.mind.intake().current_context().await?).await?;
        let policy = &self.mind.policy().context;
        let now = self.mind.now();
        let budget = query.budget.unwrap_or(policy.budget);
        let words = ContextPhrases::of(language(&query.text, &present));
        let (gathered, degraded) = self.gather(&query, &present, now).await?;
        let frame = tokens(&words.opening(self.mind.key())) + tokens(words.closing()) + 4;
        let mut room = Room { left: budget.saturating_sub(frame) };
        let writer = Writer { words: &words, now, user: self.mind.key().user(), character: self.mind.key().character() };

        let mut identity = Draft::new("identity facts", words.identity);
        let mut known: Vec<&Fact> = present.facts.current().filter(|fact| fact.category == FactCategory::Identity).collect();
        known.sort_by(|a, b| b.importance.get().total_cmp(&a.importance.get()).then_with(|| a.order().cmp(&b.order())));
        for line in writer.facts(&known) {
            room.force(tokens(&line.text) + 1 + if identity.lines.is_empty() { tokens(words.identity) + 2 } else { 0 });
            identity.lines.push(line);
        }
        let mut own = Draft::new("self", words.own);
        own.fill(selfhood::lines(present.version.as_ref(), &present.islands), &mut room);
        let notes = self.mind.store().notes(self.mind.id).await?;
        let mut profile = Draft::new("profile", words.profile);
        profile.fill(note_line(&notes, NoteKind::Profile), &mut room);
        let mut note = Draft::new("director's note", words.note);
        note.fill(note_line(&notes, NoteKind::Director), &mut room);
        let mut relationship = Draft::new("relationship", words.relationship);
        relationship.fill([writer.relationship(&present.relationship, present.style)], &mut room);

        // Recent turns have a reserved share of the budget, and get what is left at the end.
        let reserve = (budget as f32 * policy.recent_share) as usize;
        let mut recent_room = Room { left: reserve.min(room.left) };
        room.left -= recent_room.left;
        let newest = gathered.recent.iter().rev();
        let certain = newest.clone().take_while(|turn| recent_room.take(tokens(&writer.turn(turn, Dates::Hidden).text) + 1)).count();

        let mut cautions = Draft::new("cautions", words.cautions);
        // Skip memories that repeat an identity fact.
        let said_above = |memory: &Memory| {
            let same_turn = |fact: &Fact| fact.category == FactCategory::Identity && shares(&memory.turns, &fact.turns);
            present.facts.current().any(same_turn)
        };
        cautions.fill(gathered.cautions.iter().filter(|memory| !said_above(memory)).map(|memory| writer.memory(memory)), &mut room);
        let shown = &gathered.recent[gathered.recent.len() - certain..];
        let fresh = |text: &str| !shown.iter().any(|turn| turn.content == text);
        let mut memories = Draft::new("memories", words.memories);
        let relevant: Vec<&Found> = gathered
            .found
            .iter()
            .filter(|found| fresh(&found.memory.content) && !gathered.cautions.iter().any(|caution| says_same(caution, &found.memory)))
            .collect();
        memories.fill(relevant.iter().take(policy.memories).map(|found| writer.memory(&found.memory)), &mut room);
        let mut past = Draft::new("past turns", words.past);
        let told = |turn: &Turn| memories.lines.iter().any(|line| line.text.contains(turn.content.trim()));
        let mut related: Vec<&Turn> = Vec::new();
        for turn in gathered.past.iter().map(|found| &found.turn) {
            // Skip turns that nearly repeat another line.
            let again = |other: &&Turn| restated(&turn.content, &other.content) >= ALIKE;
            let known = shown.iter().any(|other| other.id == turn.id) || told(turn) || related.iter().any(again);
            if !known && related.len() < policy.past_turns {
                related.push(turn);
            }
        }
        past.fill(related.iter().take(FIRST).map(|turn| writer.turn(turn, Dates::Shown)), &mut room);
        let mut facts = Draft::new("facts", words.facts);
        facts.fill(writer.facts(&self.facts_for(&query.text, &present, &gathered)), &mut room);
        facts.fill(past_values(&query.text, &present).into_iter().map(|fact| writer.past_fact(fact)), &mut room);
        let mut statements = Draft::new("statements", words.statements);
        let told = |text: &str| memories.lines.iter().any(|line| line.text.contains(text));
        let wanted = statements::Wanted { question: &query.text, facts: &present.facts, found: &gathered.found, past: &gathered.past };
        let chosen = wanted.choose(&gathered.statements, policy.statements, |statement| told(&data(&statement.text)));
        statements.fill(chosen.iter().map(|statement| writer.statement(statement)), &mut room);
        statements::sort_lines(&mut statements.lines, &chosen);
        past.fill(related.iter().skip(FIRST).map(|turn| writer.turn(turn, Dates::Shown)), &mut room);
        let mut shared = Draft::new("shared experiences", words.shared);
        let told = |memory: &&Memory| {
            let shown = |found: &&Found| memories.lines.iter().any(|line| line.memory == Some(found.memory.id));
            gathered.found.iter().filter(shown).any(|found| says_same(&found.memory, memory))
        };
        let others = gathered.shared.iter().filter(|memory| !told(memory));
        shared.fill(others.take(policy.shared).map(|memory| writer.memory(memory)), &mut Room { left: room.left / 3 });
        room.left -= cost(&shared);
        let mut scene = Draft::new("scene", words.scene);
        scene.fill(present.scene.iter().filter_map(|scene| writer.scene(scene)), &mut room);

        recent_room.left += room.left;
        let more = newest.skip(certain).take_while(|turn| recent_room.take(tokens(&writer.turn(turn, Dates::Hidden).text) + 1)).count();
        let mut recent = Draft::new("recent turns", words.recent);
        let first = gathered.recent.len() - certain - more;
        recent.lines = gathered.recent[first..].iter().map(|turn| writer.turn(turn, Dates::Hidden)).collect();

        let drafts = [identity, profile, own, relationship, note, scene, shared, recent, past, cautions, facts, statements, memories];
        Ok(self.assemble(drafts, &words, degraded))
    }

    fn assemble(&self, drafts: [Draft; 13], words: &ContextPhrases, degraded: Option<Phrase>) -> Context {
        let mut text = words.opening(self.mind.key());
        let mut sections = Vec::new();
        for draft in drafts {
            let title = draft.title.clone();
            if let Some(section) = draft.section() {
                text.push_str(&format!("\n## {title}\n{}", section.text));
                sections.push(section);
            }
        }
        text.push('\n');
        text.push_str(words.closing());
        let tokens = tokens(&text);
        Context { text, sections, tokens, degraded }
    }

    /// Collects everything that relates to the question.
    async fn gather(&self, query: &ContextQuery, present: &TurnContext, now: Timestamp) -> Result<(Gathered, Option<Phrase>), EngineError> {
        let policy = &self.mind.policy().context;
        let recent = TurnPage { limit: policy.recent_turns, until: Some(now), ..TurnPage::default() };
        let recent: Vec<Turn> =
            self.mind.store().turns(self.mind.id, recent).await?.into_iter().filter(|turn| !matches!(turn.role, Role::System)).collect();
        let (vector, degraded) = self.question_vector(&query.text).await;
        let text = with_names(&query.text, &present.facts);
        let wanted = Query { limit: policy.memories * 2, ..Query::text(&text) };
        let found = self.search_with(&wanted, vector.clone()).await?;
        let apart: Vec<TurnId> = Vec::new();
        let said = Query {
            limit: policy.past_turns + policy.recent_turns,
            filter: Filter { until: Some(now), ..Filter::default() },
            ..Query::text(&query.text)
        };
        let past = self.search_turns(&Query { depth: Depth::Everything, ..said }, vector, &apart).await?;
        let of = |category: Category| Filter { category: Some(category), ..Filter::default() };
        let page = |limit: usize| Page { limit, before: None };
        let shared = self.mind.store().list(self.mind.id, &of(Category::SharedEvents), page(policy.shared)).await?;
        let cautions = self.mind.store().list(self.mind.id, &of(Category::Caution), page(10)).await?;
        let (shared, cautions) = (
            self.mind.lifecycle().remove_duplicate_sources(shared).await?,
            self.mind.lifecycle().remove_duplicate_sources(cautions).await?,
        );
        let statements = self.statements_for(&found.results, &past).await?;
        Ok((Gathered { found: found.results, past, recent, shared, cautions, statements }, degraded.or(found.degraded)))
    }

    /// Returns facts other than identity facts: first those related to the question, then the newest.
    fn facts_for<'a>(&self, question: &str, present: &'a TurnContext, gathered: &Gathered) -> Vec<&'a Fact> {
        let relevance = |fact: &Fact| {
            let named = asks_for(question, fact) as u8 as f32 + restated(&fact.value, question);
            let found = gathered.found.iter().filter(|found| shares(&found.memory.turns, &fact.turns)).map(|found| found.relevance.get());
            let said = gathered.past.iter().filter(|found| fact.turns.contains(&found.turn.id)).map(|found| found.relevance);
            named + found.chain(said).fold(0.0, f32::max) + 0.1 * fact.importance.get()
        };
        let mut facts: Vec<(&Fact, f32)> =
            present.facts.current().filter(|fact| fact.category != FactCategory::Identity).map(|fact| (fact, relevance(fact))).collect();
        facts.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.valid_from.cmp(&a.0.valid_from)).then_with(|| a.0.order().cmp(&b.0.order())));
        facts.into_iter().map(|(fact, _)| fact).take(self.mind.policy().context.facts).collect()
    }
}

/// Returns the note of this kind as a line, fenced like all remembered text.
fn note_line(notes: &[Note], kind: NoteKind) -> Option<Line> {
    let note = notes.iter().find(|note| note.kind == kind && !note.text.is_empty())?;
    Some(Line { text: format!("- {}", data(&note.text)), id: kind.as_str().to_owned(), memory: None })
}

/// Checks whether two memories are the same, or one is the other's essence with the same wording. One line is enough for both.
fn says_same(one: &Memory, other: &Memory) -> bool {
    let distilled = one.source == Source::Distillation || other.source == Source::Distillation;
    one.id == other.id || (distilled && without_circumstances(one.said()) == without_circumstances(other.said()))
}

fn cost(draft: &Draft) -> usize {
    draft.lines.iter().map(|line| tokens(&line.text) + 1).sum()
}

fn shares(some: &[TurnId], others: &[TurnId]) -> bool {
    some.iter().any(|turn| others.contains(turn))
}

/// Checks whether a question names the subject of a fact, in either language.
fn asks_for(question: &str, fact: &Fact) -> bool {
    let question = question.to_lowercase();
    let squeezed: String = question.chars().filter(|letter| !letter.is_whitespace()).collect();
    fact_subject(&fact.subject).is_some_and(|subject| {
        let names = subject.korean.iter().chain(subject.english.iter());
        names.map(|name| name.to_lowercase()).any(|name| {
            if name.is_ascii() {
                question.split(|letter: char| !letter.is_alphanumeric()).collect::<Vec<_>>().join(" ").contains(&name)
            } else {
                squeezed.contains(&name.replace(' ', "")) && name.chars().count() > 1
            }
        })
    })
}

/// Returns the question with known names added: "my sister" adds "Emma", and "Emma" adds "sister".
pub(crate) fn with_names(question: &str, facts: &Facts) -> String {
    let people = |fact: &&Fact| fact_subject(&fact.subject).is_some_and(|subject| matches!(subject.form, "person" | "pet" | "love"));
    let lower = question.to_lowercase();
    let asked = |word: &str| {
        let word = word.to_lowercase();
        // The last two syllables of a Korean kinship term identify the person: 여동생, 남동생, 동생.
        let tail: String = word.chars().skip(word.chars().count().saturating_sub(2)).collect();
        let hangul = word.chars().all(|letter| ('가'..='힣').contains(&letter));
        if hangul {
            word.chars().count() > 1 && lower.contains(&tail)
        } else {
            lower.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == word)
        }
    };
    let mut names: Vec<&str> = Vec::new();
    for fact in facts.current().filter(people) {
        let words: Vec<&str> = fact.value.split_whitespace().collect();
        if words.len() > 1 && words.iter().any(|word| asked(word)) {
            names.extend(words.into_iter().filter(|word| !lower.contains(&word.to_lowercase())));
        }
    }
    if names.is_empty() { question.to_owned() } else { format!("{question} {}", names.join(" ")) }
}

/// Returns the three newest former values of the subjects that a question names.
fn past_values<'a>(question: &str, present: &'a TurnContext) -> Vec<&'a Fact> {
    let mut past: Vec<&Fact> = present.facts.all().iter().filter(|fact| !fact.is_current() && asks_for(question, fact)).collect();
    past.sort_by(|a, b| b.valid_to.cmp(&a.valid_to).then_with(|| a.order().cmp(&b.order())));
    past.truncate(3);
    past
}

fn language(question: &str, present: &TurnContext) -> Language {
    if question.chars().any(char::is_alphabetic) {
        return Language::of(question);
    }
    present.window.last().map_or(Language::of(question), |turn| Language::of(&turn.content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_never_overdrawn_by_what_can_be_left_out() {
        let mut room = Room { left: 10 };
        assert!(room.take(6) && !room.take(5) && room.take(4) && !room.take(1));
    }
}
