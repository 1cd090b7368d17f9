//! Facts, relationship and timeline.

use saegim_core::{Axis, Fact, SpeechStyle, phrase};
use saegim_engine::{StatementHistory, TimelineEntry, TimelineQuery};
use serde_json::{Value, json};

use crate::cli::FactsArgs;
use crate::command::App;
use crate::error::AppError;
use crate::say::say;
use crate::view::{self, print};

impl App {
    pub(crate) async fn facts(&self, args: FactsArgs) -> Result<(), AppError> {
        if args.subjects {
            return self.subjects();
        }
        let subject = match &args.subject {
            Some(named) => {
                Some(view::subject_key(named).ok_or_else(|| AppError::Content(phrase!("command.known.unknown_subject", named)))?)
            }
            None => None,
        };
        if let (Some(subject), Some(value)) = (&subject, &args.set) {
            let fact = self.mind().await?.state(subject, value).await?;
            return self.show_facts(&[fact]);
        }
        let mind = self.known_mind().await?;
        if let (Some(subject), true) = (&subject, args.end) {
            let ended = mind.end(subject, None).await?;
            return self.show_facts(&ended);
        }
        if let Some(id) = &args.confirm {
            let confirmed = mind.confirm_statement(mind.resolve_statement(id).await?).await?;
            return self.show_statements(&[confirmed]);
        }
        if let Some(id) = &args.remove {
            let removed = mind.remove_statement(mind.resolve_statement(id).await?).await?;
            if self.global.json {
                return print(json!({ "removed": removed.statement.id }));
            }
            return print(say!(self.language, "command.known.statement_removed", text = removed.statement.text));
        }
        let facts = mind.facts().await?;
        let wanted: Vec<Fact> = facts
            .all()
            .iter()
            .filter(|fact| (args.history || fact.is_current()) && subject.as_ref().is_none_or(|subject| fact.subject == *subject))
            .cloned()
            .collect();
        if subject.is_some() {
            return self.show_facts(&wanted);
        }
        let history = if args.history { StatementHistory::Included } else { StatementHistory::Open };
        let statements = mind.statements(history).await?;
        if self.global.json {
            let facts: Vec<Value> = wanted.iter().map(view::fact).collect();
            return print(json!({ "facts": facts, "statements": view::statements(&statements) }));
        }
        if !wanted.is_empty() || statements.is_empty() {
            self.show_facts(&wanted)?;
        }
        self.show_statements(&statements)
    }

    pub(super) fn show_facts(&self, facts: &[Fact]) -> Result<(), AppError> {
        if self.global.json {
            let facts: Vec<Value> = facts.iter().map(view::fact).collect();
            return print(json!({ "facts": facts }));
        }
        if facts.is_empty() {
            self.tell(&say!(self.language, "command.known.no_facts"));
        }
        for fact in facts {
            let name = view::subject_name(&fact.subject, self.language);
            let since = self.language.ago(fact.valid_from, self.now());
            let over = fact.valid_to.map(|end| {
                let until = self.language.ago(end, self.now());
                say!(self.language, "command.known.ended_at", until)
            });
            let mentions =
                if fact.mentions > 1 { say!(self.language, "command.known.mentions", mentions = fact.mentions) } else { String::new() };
            let mark = if fact.category == saegim_core::FactCategory::Identity { "●" } else { "○" };
            print(format!("{mark} {name}: {} ({since}{}{mentions})", fact.value, over.unwrap_or_default()))?;
        }
        Ok(())
    }

    fn subjects(&self) -> Result<(), AppError> {
        if self.global.json {
            let all: Vec<Value> = saegim_language::fact_subjects()
                .iter()
                .map(|subject| {
                    json!({ "subject": subject.key, "category": subject.category, "single": subject.single, "korean": subject.korean, "english": subject.english })
                })
                .collect();
            return print(json!({ "subjects": all }));
        }
        for subject in saegim_language::fact_subjects() {
            let one = if subject.single {
                say!(self.language, "command.known.one_value")
            } else {
                say!(self.language, "command.known.many_values")
            };
            print(format!(
                "{:<22} {:<11} {one:<9} {} / {}",
                subject.key,
                subject.category,
                subject.korean.join(", "),
                subject.english.join(", ")
            ))?;
        }
        Ok(())
    }

    pub(crate) async fn relationship(&self, limit: usize, speech: Option<&str>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        if let Some(word) = speech {
            let style = if word == "auto" { None } else { Some(SpeechStyle::parse(word)?) };
            mind.set_speech_style(style).await?;
        }
        let standing = mind.standing(limit).await?;
        let relationship = &standing.relationship;
        if self.global.json {
            let mut value = view::relationship(relationship, standing.speech_style);
            value["speech_style_set"] = json!(standing.style_is_set);
            value["changes"] = json!(standing.changes);
            value["shared_experiences"] = standing
                .shared
                .iter()
                .map(|memory| json!({ "id": memory.id, "content": memory.content, "at": memory.created_at }))
                .collect();
            value["emotional_history"] = standing.feelings.iter().map(|(at, face)| json!({ "at": at, "face": face.as_str() })).collect();
            return print(value);
        }
        print(say!(
            self.language,
            "command.known.relationship",
            level = view::level(relationship.level(), self.language),
            intimacy = format_args!("{:.0}", relationship.intimacy()),
            style = view::style(standing.speech_style, self.language)
        ))?;
        for &axis in Axis::ALL {
            let points = relationship.axis(axis);
            print(format!("{} {points:>5.1} {}", view::padded(&view::axis(axis, self.language), 11), "█".repeat((points / 5.0) as usize)))?;
        }
        for change in &standing.changes {
            let ago = self.language.ago(change.at, self.now());
            print(format!("{ago}  {} {:+.1}  {}", view::axis(change.axis, self.language), change.delta, change.reason))?;
        }
        Ok(())
    }

    pub(crate) async fn timeline(&self, query: TimelineQuery) -> Result<(), AppError> {
        let moments = self.known_mind().await?.timeline(query).await?;
        if self.global.json {
            let moments: Vec<Value> = moments.iter().map(moment_json).collect();
            return print(json!({ "moments": moments }));
        }
        let mut day = None;
        for moment in &moments {
            let civil = moment.at().civil(&self.settings.time_zone()?);
            if day != Some(civil.date()) {
                print(format!("── {}", civil.date()))?;
                day = Some(civil.date());
            }
            print(format!("{}  {}", civil.strftime("%H:%M"), self.moment_line(moment)))?;
        }
        Ok(())
    }

    fn moment_line(&self, moment: &TimelineEntry) -> String {
        let name = |fact: &Fact| view::subject_name(&fact.subject, self.language);
        match moment {
            TimelineEntry::Said(turn) => {
                let speaker = turn.speaker.clone().unwrap_or_else(|| turn.role.to_string());
                format!("  {speaker}: {}", turn.content)
            }
            TimelineEntry::Remembered(memory) => format!("+ {}", memory.content),
            TimelineEntry::Learned(fact) => format!("◆ {}: {}", name(fact), fact.value),
            TimelineEntry::Over(fact) => say!(self.language, "command.known.fact_ended", subject = name(fact), value = fact.value),
            TimelineEntry::Began(scene) => {
                let place = scene.place.clone().or_else(|| scene.topic.clone()).unwrap_or_else(|| scene.session.as_str().to_owned());
                say!(self.language, "command.known.scene", place)
            }
        }
    }
}

/// A moment of the timeline as JSON.
pub(crate) fn moment_json(moment: &TimelineEntry) -> Value {
    let mut value = match moment {
        TimelineEntry::Said(turn) => json!({ "type": "turn", "turn": view::turn(turn) }),
        TimelineEntry::Remembered(memory) => json!({ "type": "memory", "memory": view::memory(memory, memory.strength.value) }),
        TimelineEntry::Learned(fact) => json!({ "type": "fact", "fact": view::fact(fact) }),
        TimelineEntry::Over(fact) => json!({ "type": "fact_over", "fact": view::fact(fact) }),
        TimelineEntry::Began(scene) => json!({ "type": "scene", "scene": scene }),
    };
    value["at"] = json!(moment.at());
    value
}
