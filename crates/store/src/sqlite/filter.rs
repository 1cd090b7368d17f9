//! Converts filters to SQL with bound parameters only.

use rusqlite::ToSql;
use saegim_core::Timestamp;

use crate::Filter;

/// Which memories a search returns, and how many at most.
#[derive(Clone, Copy)]
pub(super) struct Selection<'a> {
    pub(super) filter: &'a Filter,
    pub(super) limit: usize,
}

/// A WHERE clause over the table `memory`, with its parameters in order.
pub(super) struct Where {
    clauses: Vec<&'static str>,
    params: Vec<Box<dyn ToSql>>,
}

impl Where {
    /// Starts with the alive memories of one mind.
    pub(super) fn alive(mind: i64) -> Self {
        let mut passes = Self { clauses: Vec::new(), params: Vec::new() };
        passes.and("memory.mind = ?", mind);
        passes.clauses.push("memory.standing = 'alive'");
        passes
    }

    /// Adds a clause with one parameter.
    pub(super) fn and(&mut self, clause: &'static str, value: impl ToSql + 'static) {
        self.clauses.push(clause);
        self.params.push(Box::new(value));
    }

    /// Adds the conditions of `filter`.
    pub(super) fn filter(&mut self, filter: &Filter) {
        let text = |value: &Option<String>| value.clone();
        let mut maybe = |clause: &'static str, value: Option<Box<dyn ToSql>>| {
            if let Some(value) = value {
                self.clauses.push(clause);
                self.params.push(value);
            }
        };
        fn boxed<T: ToSql + 'static>(value: Option<T>) -> Option<Box<dyn ToSql>> {
            value.map(|value| Box::new(value) as Box<dyn ToSql>)
        }
        maybe("memory.created_at >= ?", boxed(filter.since.map(Timestamp::millis)));
        maybe("memory.created_at < ?", boxed(filter.until.map(Timestamp::millis)));
        maybe("memory.session = ?", boxed(filter.session.as_ref().map(|session| session.as_str().to_owned())));
        maybe("memory.persona_id = ?", boxed(text(&filter.persona)));
        maybe("memory.project = ?", boxed(text(&filter.project)));
        maybe("memory.domain = ?", boxed(text(&filter.domain)));
        maybe("memory.kind = ?", boxed(filter.kind.map(|kind| kind.as_str())));
        maybe("memory.category = ?", boxed(filter.category.map(|category| category.as_str())));
        maybe("memory.tier = ?", boxed(filter.tier.map(|tier| tier.as_str())));
        maybe("memory.zone = ?", boxed(filter.zone.map(|zone| zone.as_str())));
        maybe("memory.emotions & ? <> 0", boxed(filter.emotion.map(|emotion| 1u16 << emotion as u16)));
        maybe("memory.importance >= ?", boxed(filter.least_importance.map(|least| least.get())));
        maybe("memory.rhythm_phase = ?", boxed(filter.rhythm_phase.map(|phase| phase.as_str())));
        if !filter.emotion_keywords.is_empty() {
            let wanted = serde_json::to_string(&filter.emotion_keywords).expect("words are plain data");
            let clause = "EXISTS (SELECT 1 FROM json_each(memory.emotion_keywords) AS kept
                          WHERE kept.value IN (SELECT value FROM json_each(?)))";
            self.and(clause, wanted);
        }
        for tag in &filter.tags {
            self.and("EXISTS (SELECT 1 FROM memory_tag WHERE memory_tag.memory = memory.key AND memory_tag.tag = ?)", tag.clone());
        }
    }

    /// Replaces the value of the last clause, to run the same statement again.
    pub(super) fn set_last(&mut self, value: impl ToSql + 'static) {
        self.params.pop();
        self.params.push(Box::new(value));
    }

    pub(super) fn sql(&self) -> String {
        self.clauses.join(" AND ")
    }

    /// Returns the parameters in the order of the clauses.
    pub(super) fn params(&self) -> impl Iterator<Item = &dyn ToSql> {
        self.params.iter().map(|value| &**value)
    }
}
