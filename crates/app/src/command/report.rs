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
            let problem =
                phrase!("this period is in the future; choose a past one", "아직 오지 않은 기간이에요. 지난 기간을 지정해 주세요");
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
            "{}, {} created, {}",
            "대화 {}, 새 기억 {}, 회상 {}",
            names::count(report.exchanges, ("exchange", "exchanges", "번"), language),
            names::count(report.born, ("memory", "memories", "개"), language),
            names::count(report.recalls, ("recall", "recalls", "번"), language)
        ))?;
        self.heading(&say!(language, "Kept longer", "더 오래 보관하게 된 기억"), report.risen.len())?;
        let there: Vec<_> = report.risen.iter().filter_map(|risen| Some((risen, risen.essence.as_ref()?))).collect();
        for (risen, essence) in there.iter().take(SHOWN) {
            let why = risen.reasons.iter().map(|reason| names::promotion(*reason, language)).collect::<Vec<_>>().join(", ");
            print(format!("  {}", gist(&essence.content, 200)))?;
            print(view::dim(&format!("    {} · {} · {why} · {}", day(risen.at), essence.tier, view::short(essence.id))))?;
        }
        let gone = report.risen.len() - there.len();
        if gone > 0 {
            print(view::dim(&say!(language, "  deleted since: {gone} of them", "  그중 {gone}개는 이후 삭제됐어요")))?;
        }
        self.more(there.len())?;
        self.heading(&say!(language, "Most recalled", "자주 회상한 기억"), report.most_recalled.len())?;
        for (memory, count) in &report.most_recalled {
            print(format!("  {count:>3}x  {}  {}", gist(&memory.content, 200), view::dim(&view::short(memory.id))))?;
        }
        self.heading(&say!(language, "Forgotten, still restorable", "잊었지만 복원할 수 있는 기억"), report.fallen.len())?;
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
                line.push_str(&say!(language, " · its essence is kept longer", " · 본질은 더 오래 보관돼요"));
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
            print(say!(
                language,
                "{} were archived with their sessions; list them with `saegim archive`",
                "{}개를 세션과 함께 보관했어요. `saegim archive`로 확인해 주세요",
                report.archived
            ))?;
        }
        self.tell_known(report)
    }

    /// Prints learned facts and changes of the relationship.
    fn tell_known(&self, report: &Report) -> Result<(), AppError> {
        let language = self.language;
        let name = |fact: &saegim_core::Fact| view::subject_name(&fact.subject, language);
        self.heading(&say!(language, "Learned", "새로 알게 된 사실"), report.learned.len() + report.over.len())?;
        for fact in report.learned.iter().take(SHOWN) {
            print(format!("  ◆ {}: {}", name(fact), fact.value))?;
        }
        self.more(report.learned.len())?;
        for fact in report.over.iter().take(SHOWN) {
            print(say!(language, "  ◇ {}: {} ended", "  ◇ {}: {} 끝남", name(fact), fact.value))?;
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
            "  … and {more} more; use --json to list all",
            "  … 외 {more}개. 모두 보려면 --json을 붙여 주세요"
        )))
    }

    pub(super) async fn archive(&self, command: Option<ArchiveCommand>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (count, english, korean) = match command {
            None => return self.list_archives().await,
            Some(ArchiveCommand::Put { session }) => (mind.archive(&SessionId::new(session)?).await?, "memories archived", "보관"),
            Some(ArchiveCommand::Restore { session }) => (mind.unarchive(&SessionId::new(session)?).await?, "memories restored", "복원"),
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
                "no archived sessions; archive one with `saegim archive put SESSION`, or set retention.limits to archive automatically",
                "보관한 세션이 없어요. `saegim archive put 세션`으로 보관하거나, 설정의 retention.limits로 자동 보관할 수 있어요"
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
            joined => say!(language, " ({joined} merged)", " (그중 {joined}개는 병합됨)"),
        };
        parts.push(say!(language, "{} moved to the cliff{joined}", "{}개 절벽으로 이동{joined}", report.fell));
    }
    if report.restored > 0 {
        parts.push(say!(language, "{} restored", "{}개 복원", report.restored));
    }
    if report.gone > 0 {
        let why = report.gone_for.iter().map(|(loss, count)| {
            let loss = names::loss(*loss, language);
            say!(language, "{count} {loss}", "{loss} {count}개")
        });
        let why = why.collect::<Vec<_>>().join(", ");
        let why = if why.is_empty() { why } else { format!(" ({why})") };
        parts.push(say!(language, "{} permanently deleted{why}", "{}개 완전히 삭제{why}", report.gone));
    }
    if report.erased > 0 {
        parts.push(say!(language, "{} erased", "{}개 영구 삭제", report.erased));
    }
    parts
}

/// Maximum number of items shown per section; `--json` returns all.
const SHOWN: usize = 10;
