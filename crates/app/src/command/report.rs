//! Reports on a period, and the archive.

use saegim_core::{Invalid, Language, SessionId, Span, Timestamp, phrase};
use saegim_engine::{EngineError, Report, Risen};
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
            let problem = phrase!("that has not begun yet; name a time that has", "아직 오지 않은 때입니다. 지난 때를 지정해 주세요");
            return Err(AppError::Engine(EngineError::Invalid(Invalid::new("period", problem))));
        }
        Ok((since, until.min(now)))
    }

    fn report_json(&self, report: &Report) -> serde_json::Value {
        let now = self.now();
        let memory = |memory: &saegim_core::Memory| view::memory(memory, memory.strength.value);
        let risen = |risen: &Risen| json!({ "essence": risen.essence.as_ref().map(memory), "at": risen.at, "reasons": risen.reasons, "times": risen.times });
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
            "put_away": report.put_away,
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
            "{}, {} came, {}",
            "오간 말 {}, 생긴 기억 {}, 떠올림 {}",
            names::count(report.exchanges, ("exchange", "exchanges", "번"), language),
            names::count(report.born, ("memory", "memories", "개"), language),
            names::count(report.recalls, ("recall", "recalls", "번"), language)
        ))?;
        self.heading(&say!(language, "Kept longer", "더 오래 남은 것"), report.risen.len())?;
        let there: Vec<_> = report.risen.iter().filter_map(|risen| Some((risen, risen.essence.as_ref()?))).collect();
        for (risen, essence) in there.iter().take(SHOWN) {
            let why = risen.reasons.iter().map(|reason| names::promotion(*reason, language)).collect::<Vec<_>>().join(", ");
            print(format!("  {}", gist(&essence.content, 200)))?;
            print(view::dim(&format!("    {} · {} · {why} · {}", day(risen.at), essence.tier, view::short(essence.id))))?;
        }
        let gone = report.risen.len() - there.len();
        if gone > 0 {
            print(view::dim(&say!(language, "  gone since: {gone} of them", "  그중 {gone}개는 그 뒤로 사라졌습니다")))?;
        }
        self.more(there.len())?;
        self.heading(&say!(language, "Most recalled", "자주 떠올린 것"), report.most_recalled.len())?;
        for (memory, count) in &report.most_recalled {
            print(format!("  {count:>3}x  {}  {}", gist(&memory.content, 200), view::dim(&view::short(memory.id))))?;
        }
        self.heading(&say!(language, "Forgotten, and still to be restored", "잊었지만 아직 되살릴 수 있는 것"), report.fallen.len())?;
        for fallen in report.fallen.iter().take(SHOWN) {
            let left = view::left(&fallen.entry, self.now(), language);
            print(format!("  {}", gist(&fallen.memory.content, 200)))?;
            let mut line = say!(
                language,
                "    {} · {} · {left} · saegim restore {}",
                "    {} · {} · {left} · saegim restore {}",
                day(fallen.entry.entered_at),
                view::reason(&fallen.entry, language),
                view::short(fallen.memory.id)
            );
            if report.distilled.contains(&fallen.memory.id) {
                line.push_str(&say!(language, " · its essence is kept longer", " · 본질은 더 오래 남습니다"));
            }
            print(view::dim(&line))?;
        }
        self.more(report.fallen.len())?;
        let losses = losses(report, language);
        if !losses.is_empty() {
            print("")?;
            print(losses.join(", "))?;
        }
        if report.put_away > 0 {
            print(say!(
                language,
                "{} were put away with their sessions; `saegim archive` lists them",
                "{}개를 지난 세션과 함께 보관했습니다. `saegim archive`로 볼 수 있습니다",
                report.put_away
            ))?;
        }
        self.tell_known(report)
    }

    /// Prints learned facts and changes of the relationship.
    fn tell_known(&self, report: &Report) -> Result<(), AppError> {
        let language = self.language;
        let name = |fact: &saegim_core::Fact| view::subject_name(&fact.subject, language);
        self.heading(&say!(language, "Learned", "알게 된 것"), report.learned.len() + report.over.len())?;
        for fact in report.learned.iter().take(SHOWN) {
            print(format!("  ◆ {}: {}", name(fact), fact.value))?;
        }
        self.more(report.learned.len())?;
        for fact in report.over.iter().take(SHOWN) {
            print(say!(language, "  ◇ {}: {} is over", "  ◇ {}: {} 끝남", name(fact), fact.value))?;
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
        print(view::dim(&say!(
            self.language,
            "  … and {more} more; --json tells all",
            "  … 그 밖에 {more}개. --json 으로 모두 볼 수 있습니다"
        )))
    }

    pub(super) async fn archive(&self, command: Option<ArchiveCommand>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (count, english, korean) = match command {
            None => return self.list_archives().await,
            Some(ArchiveCommand::Put { session }) => (mind.archive(&SessionId::new(session)?).await?, "put away", "보관"),
            Some(ArchiveCommand::Restore { session }) => (mind.unarchive(&SessionId::new(session)?).await?, "brought out", "꺼냄"),
        };
        if self.global.json {
            return print(json!({ "memories": count }));
        }
        self.tell(&say!(self.language, "{count} {english}", "{count}개 {korean}"));
        Ok(())
    }

    async fn list_archives(&self) -> Result<(), AppError> {
        let archives = self.known_mind().await?.archives().await?;
        if self.global.json {
            return print(json!({ "archives": archives }));
        }
        if archives.is_empty() {
            self.tell(&say!(
                self.language,
                "nothing was put away; `saegim archive put SESSION` does, and retention.limits in the configuration by itself",
                "보관한 것이 없습니다. `saegim archive put 세션`으로, 또는 설정의 retention.limits로 저절로 보관합니다"
            ));
        }
        let zone = self.settings.time_zone()?;
        for archive in archives {
            let (name, last) = (archive.session.as_str(), view::when(archive.last_at, &zone));
            let (count, bytes) = (archive.memories, archive.lines.len());
            print(say!(
                self.language,
                "{name}  {count} memories, {bytes} bytes, last {last}",
                "{name}  기억 {count}개, {bytes}바이트, 마지막 {last}"
            ))?;
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
            joined => say!(language, " ({joined} joined with others)", " (그중 {joined}개는 합쳐짐)"),
        };
        parts.push(say!(language, "{} fell in all{joined}", "모두 {}개 떨어짐{joined}", report.fell));
    }
    if report.restored > 0 {
        parts.push(say!(language, "{} restored", "{}개 되살림", report.restored));
    }
    if report.gone > 0 {
        let why = report.gone_for.iter().map(|(loss, count)| {
            let loss = names::loss(*loss, language);
            say!(language, "{count} {loss}", "{loss} {count}개")
        });
        let why = why.collect::<Vec<_>>().join(", ");
        let why = if why.is_empty() { why } else { format!(" ({why})") };
        parts.push(say!(language, "{} gone for good{why}", "{}개 영영 사라짐{why}", report.gone));
    }
    if report.erased > 0 {
        parts.push(say!(language, "{} erased", "{}개 지움", report.erased));
    }
    parts
}

/// Maximum number of items shown per section; `--json` returns all.
const SHOWN: usize = 10;
