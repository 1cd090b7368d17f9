//! Reports on a period, and the archive.

use saegim_core::{Invalid, Language, SessionId, Span, Timestamp, phrase};
use saegim_engine::{EngineError, PromotedEssence, Report};
use serde_json::json;

use super::App;
use crate::cli::{ArchiveCommand, Period};
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::gist;
use crate::view::{self, print};

impl App {
    pub(super) async fn report(&self, period: Period) -> Result<(), AppError> {
        let (since, until) = self.stretch(period)?;
        let report = self.known_mind().await?.report(since, until).await?;
        if self.global.json {
            return print(self.report_json(&report));
        }
        self.tell_report(&report)
    }

    /// Returns the start and end of a period. The end is at most now.
    fn stretch(&self, period: Period) -> Result<(Timestamp, Timestamp), AppError> {
        let zone = self.settings.time_zone()?;
        let now = self.now().plus(Span::millis(1));
        let start = |year: i16, month: i8| {
            let date = jiff::civil::Date::new(year, month, 1).ok().and_then(|date| date.to_zoned(zone.clone()).ok());
            date.map_or(now, |zoned| Timestamp::from_millis(zoned.timestamp().as_millisecond()))
        };
        let (since, until) = match period {
            Period::Days(days) => (now.minus(Span::days(i64::from(days))), now),
            Period::Year(year) => (start(year, 1), start(year.saturating_add(1), 1)),
            Period::Month(year, 12) => (start(year, 12), start(year.saturating_add(1), 1)),
            Period::Month(year, month) => (start(year, month), start(year, month + 1)),
        };
        if since > now {
            let problem = phrase!("command.report.future_period");
            return Err(AppError::Engine(EngineError::Invalid(Invalid::new("period", problem))));
        }
        Ok((since, until.min(now)))
    }

    fn report_json(&self, report: &Report) -> serde_json::Value {
        let now = self.now();
        let memory = |memory: &saegim_core::Memory| view::memory(memory, memory.strength.value);
        let risen = |risen: &PromotedEssence| json!({ "essence": risen.essence.as_ref().map(memory), "at": risen.at, "reasons": risen.reasons, "times": risen.times });
        json!({
            "since": report.since,
            "until": report.until,
            "exchanges": report.exchanges,
            "born": report.born,
            "recalls": report.recalls,
            "most_recalled": report.most_recalled.iter().map(|(recalled, count)| json!({ "memory": memory(recalled), "recalls": count })).collect::<Vec<_>>(),
            "kept_longer": report.risen.iter().map(risen).collect::<Vec<_>>(),
            "joined": report.joined,
            "fell": report.fell,
            "forgotten": report.fallen.iter().map(|fallen| view::fallen(fallen, now)).collect::<Vec<_>>(),
            "restored": report.restored,
            "gone": report.gone,
            "gone_for": report.gone_for.iter().map(|(loss, count)| json!({ "why": loss, "count": count })).collect::<Vec<_>>(),
            "erased": report.erased,
            "put_away": report.archived,
            "facts_learned": report.learned.iter().map(view::fact).collect::<Vec<_>>(),
            "facts_over": report.over.iter().map(view::fact).collect::<Vec<_>>(),
            "relationship": report.moved.iter().map(|(axis, by)| (axis.to_string(), json!(by))).collect::<serde_json::Map<_, _>>(),
            "tiers": saegim_core::Tier::ALL.iter().map(|tier| (tier.to_string(), json!(report.counts.tiers[*tier as usize]))).collect::<serde_json::Map<_, _>>(),
            "zones": saegim_core::Zone::ALL.iter().map(|zone| (zone.to_string(), json!(report.counts.zones[*zone as usize]))).collect::<serde_json::Map<_, _>>(),
        })
    }

    fn tell_report(&self, report: &Report) -> Result<(), AppError> {
        let language = self.language;
        let zone = self.settings.time_zone()?;
        let day = |at: Timestamp| at.civil(&zone).strftime("%Y-%m-%d").to_string();
        print(format!("{} – {}", day(report.since), day(report.until.minus(Span::millis(1)))))?;
        print(say!(
            language,
            "command.report.summary",
            exchanges = names::count(report.exchanges, "exchange", language),
            born = names::count(report.born, "memory", language),
            recalls = names::count(report.recalls, "recall", language)
        ))?;
        self.heading(&say!(language, "command.report.kept_longer"), report.risen.len())?;
        let there: Vec<_> = report.risen.iter().filter_map(|risen| Some((risen, risen.essence.as_ref()?))).collect();
        for (risen, essence) in there.iter().take(SHOWN) {
            let why = risen.reasons.iter().map(|reason| names::promotion(*reason, language)).collect::<Vec<_>>().join(", ");
            print(format!("  {}", gist(&essence.content, 200)))?;
            print(view::dim(&format!("    {} · {} · {why} · {}", day(risen.at), essence.tier, view::short(essence.id))))?;
        }
        let gone = report.risen.len() - there.len();
        if gone > 0 {
            print(view::dim(&say!(language, "command.report.deleted_since", gone)))?;
        }
        self.more(there.len())?;
        self.heading(&say!(language, "command.report.most_recalled"), report.most_recalled.len())?;
        for (memory, count) in &report.most_recalled {
            print(format!("  {count:>3}x  {}  {}", gist(&memory.content, 200), view::dim(&view::short(memory.id))))?;
        }
        self.heading(&say!(language, "command.report.forgotten"), report.fallen.len())?;
        for fallen in report.fallen.iter().take(SHOWN) {
            let left = view::left(&fallen.entry, self.now(), language);
            print(format!("  {}", gist(&fallen.memory.content, 200)))?;
            let mut line = say!(
                language,
                "command.report.restore",
                day = day(fallen.entry.entered_at),
                reason = view::reason(&fallen.entry, language),
                left,
                id = view::short(fallen.memory.id)
            );
            if report.distilled.contains(&fallen.memory.id) {
                line.push_str(&say!(language, "command.report.essence_kept"));
            }
            print(view::dim(&line))?;
        }
        self.more(report.fallen.len())?;
        let losses = losses(report, language);
        if !losses.is_empty() {
            print("")?;
            print(losses.join(", "))?;
        }
        if report.archived > 0 {
            print(say!(language, "command.report.archived", archived = report.archived))?;
        }
        self.tell_known(report)
    }

    /// Prints learned facts and changes of the relationship.
    fn tell_known(&self, report: &Report) -> Result<(), AppError> {
        let language = self.language;
        let name = |fact: &saegim_core::Fact| view::subject_name(&fact.subject, language);
        self.heading(&say!(language, "command.report.learned"), report.learned.len() + report.over.len())?;
        for fact in report.learned.iter().take(SHOWN) {
            print(format!("  ◆ {}: {}", name(fact), fact.value))?;
        }
        self.more(report.learned.len())?;
        for fact in report.over.iter().take(SHOWN) {
            print(say!(language, "command.report.fact_ended", subject = name(fact), value = fact.value))?;
        }
        self.more(report.over.len())?;
        if !report.moved.is_empty() {
            let moved = report.moved.iter().map(|(axis, by)| format!("{} {by:+.1}", view::axis(*axis, language)));
            print("")?;
            print(moved.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }

    /// Prints a heading, unless the section is empty.
    fn heading(&self, words: &str, count: usize) -> Result<(), AppError> {
        if count == 0 {
            return Ok(());
        }
        print("")?;
        print(format!("{words} ({count})"))
    }

    /// Prints how many items of a shortened list are not shown.
    fn more(&self, all: usize) -> Result<(), AppError> {
        if all <= SHOWN {
            return Ok(());
        }
        let more = all - SHOWN;
        print(view::dim(&say!(self.language, "command.report.more", more)))
    }

    pub(super) async fn archive(&self, command: Option<ArchiveCommand>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (count, archived) = match command {
            None => return self.list_archives().await,
            Some(ArchiveCommand::Put { session }) => (mind.archive(&SessionId::new(session)?).await?, true),
            Some(ArchiveCommand::Restore { session }) => (mind.unarchive(&SessionId::new(session)?).await?, false),
        };
        if self.global.json {
            return print(json!({ "memories": count }));
        }
        self.tell(&match archived {
            true => say!(self.language, "command.report.session_archived", count),
            false => say!(self.language, "command.report.session_restored", count),
        });
        Ok(())
    }

    async fn list_archives(&self) -> Result<(), AppError> {
        let archives = self.known_mind().await?.archives().await?;
        if self.global.json {
            return print(json!({ "archives": archives }));
        }
        if archives.is_empty() {
            self.tell(&say!(self.language, "command.report.no_archives"));
        }
        let zone = self.settings.time_zone()?;
        for archive in archives {
            let (name, last) = (archive.session.as_str(), view::when(archive.last_at, &zone));
            let (count, bytes) = (archive.memories, archive.lines.len());
            print(say!(self.language, "command.report.archive", name, count, bytes, last))?;
        }
        Ok(())
    }
}

/// Describes how many memories were forgotten, restored and purged, and why. Omits zero counts.
fn losses(report: &Report, language: Language) -> Vec<String> {
    let mut parts = Vec::new();
    if report.fell > 0 {
        let joined = match report.joined {
            0 => String::new(),
            joined => say!(language, "command.report.merged", joined),
        };
        parts.push(say!(language, "command.report.moved_to_cliff", fell = report.fell, joined));
    }
    if report.restored > 0 {
        parts.push(say!(language, "command.report.restored", restored = report.restored));
    }
    if report.gone > 0 {
        let why = report.gone_for.iter().map(|(loss, count)| {
            let loss = names::loss(*loss, language);
            say!(language, "command.report.loss", count, loss)
        });
        let why = why.collect::<Vec<_>>().join(", ");
        let why = if why.is_empty() { why } else { format!(" ({why})") };
        parts.push(say!(language, "command.report.purged", gone = report.gone, why));
    }
    if report.erased > 0 {
        parts.push(say!(language, "command.report.erased", erased = report.erased));
    }
    parts
}

/// Maximum number of items shown per section; `--json` returns all.
const SHOWN: usize = 10;
