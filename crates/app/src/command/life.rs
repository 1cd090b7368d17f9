//! Details of one memory: state, score, history and forecast.

use saegim_core::{Ending, LinkKind, Need, Timestamp};
use saegim_engine::MemoryDetails;
use serde_json::json;

use super::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::{self, gist};
use crate::view::{self, print};

/// Number of lines shown from the start and the end of a long history.
const FIRST: usize = 5;
const LAST: usize = 15;

impl App {
    pub(super) async fn show(&self, id: &str) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let shown = mind.show(mind.resolve(id).await?).await?;
        if self.global.json {
            let mut value = view::memory(&shown.memory, shown.strength);
            value["nearness"] = json!({ "score": shown.nearness.total(), "parts": shown.nearness.parts() });
            value["links"] = json!(shown.links);
            value["judged"] = json!(shown.judged.as_ref().map(view::candidate));
            value["fate"] = json!(shown.fate);
            value["history"] = json!(shown.history);
            if let Some(fallen) = &shown.fallen {
                value["cliff"] = json!(fallen.entry);
            }
            return print(value);
        }
        self.life(&shown)
    }

    /// Prints the details of a memory.
    fn life(&self, shown: &MemoryDetails) -> Result<(), AppError> {
        let (memory, now, language) = (&shown.memory, self.now(), self.language);
        print(text::shown(&memory.content))?;
        print(view::dim(&format!("  {}", view::about(memory, &self.look()?))))?;
        let zone = self.settings.time_zone()?;
        let mut rows = vec![
            (say!(language, "id", "ID"), memory.id.to_string()),
            (say!(language, "created", "생성"), view::when(memory.kept_since(), &zone)),
        ];
        if memory.created_at > memory.kept_since() {
            rows.push((say!(language, "last mentioned", "마지막 언급"), view::when(memory.created_at, &zone)));
        }
        if let Some(judged) = &shown.judged {
            let why = format!("{} ({:.2})", judged.reason, judged.score.get());
            rows.push((say!(language, "reason", "저장 이유"), why));
        }
        rows.extend([
            (say!(language, "importance", "중요도"), format!("{:.2}", memory.importance.get())),
            (say!(language, "strength", "선명도"), format!("{:.2}", shown.strength.get())),
            (say!(language, "closeness", "근접도"), view::parts(&shown.nearness, language)),
            (say!(language, "recalls", "회상 횟수"), memory.recalls.to_string()),
        ]);
        if let Some(last) = memory.last_recalled_at {
            rows.push((say!(language, "last recalled", "마지막 회상"), view::when(last, &zone)));
        }
        if let Some(rating) = memory.rating {
            rows.push((say!(language, "rating", "별점"), view::stars(rating)));
        }
        if let Some(fallen) = &shown.fallen {
            let left = match fallen.entry.is_gone(now) {
                true => view::left(&fallen.entry, now, language),
                false => {
                    let left = language.left(fallen.entry.time_left(now));
                    say!(language, "{left} left to restore it", "복원 기간 {left} 남음")
                }
            };
            rows.push((say!(language, "on the cliff", "절벽에 있음"), format!("{}; {left}", view::reason(&fallen.entry, language))));
        }
        rows.extend(self.awaits(shown, &zone).into_iter().map(|line| (say!(language, "forecast", "예상"), line)));
        for (label, value) in rows {
            print(format!("  {label}: {value}"))?;
        }
        for link in &shown.links {
            let (arrow, other) = if link.from == memory.id { ("->", link.to) } else { ("<-", link.from) };
            let text = shown.kin.iter().find(|kin| kin.id == other).map(|kin| gist(&kin.content, 80)).unwrap_or_default();
            print(format!("  {arrow} {} {}  {text}", names::link((link.kind, link.from == memory.id), language), view::short(other)))?;
        }
        self.history(shown, &zone)
    }

    /// Prints the history of a memory, without the middle part if it is long.
    fn history(&self, shown: &MemoryDetails, zone: &jiff::tz::TimeZone) -> Result<(), AppError> {
        let line = |entry| print(view::dim(&view::entry_of(entry, shown.memory.id, (zone, self.language))));
        let between = shown.history.len().saturating_sub(FIRST + LAST);
        let (first, rest) = shown.history.split_at(if between > 1 { FIRST } else { 0 });
        first.iter().try_for_each(line)?;
        if between > 1 {
            let between =
                say!(self.language, "… {between} more; use --json to list all", "… 외 {between}개. 모두 보려면 --json을 붙여 주세요");
            print(view::dim(&format!("       {between}")))?;
        }
        rest.iter().skip(if between > 1 { between } else { 0 }).try_for_each(line)
    }

    /// Returns the forecast of a memory as sentences.
    fn awaits(&self, shown: &MemoryDetails, zone: &jiff::tz::TimeZone) -> Vec<String> {
        let (fate, language) = (&shown.fate, self.language);
        let day = |at: Timestamp| at.civil(zone).strftime("%Y-%m-%d").to_string();
        if shown.fallen.is_some() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if let Some(session) = &shown.archived_in {
            let name = session.as_str();
            return vec![say!(
                language,
                "archived with its session; to restore it, run: saegim archive restore \"{name}\"",
                "세션과 함께 보관되어 있어요. 복원하려면: saegim archive restore \"{name}\""
            )];
        }
        if let Some(at) = shown.archives_at {
            let at = day(at);
            lines.push(say!(language, "archived with its session on {at}", "{at}에 세션과 함께 보관돼요"));
        }
        let essence = shown.links.iter().find(|link| link.to == shown.memory.id && link.kind == LinkKind::DistilledFrom);
        match (&fate.rises, essence) {
            (_, Some(link)) => lines.push(say!(
                language,
                "its essence {} is kept longer instead",
                "본질을 담은 기억({})이 대신 더 오래 보관돼요",
                view::short(link.from)
            )),
            (Some((at, rise)), None) => {
                let why = rise.reasons.iter().map(|reason| names::promotion(*reason, language)).collect::<Vec<_>>().join(", ");
                let (at, to) = (day(*at), rise.to);
                lines.push(say!(
                    language,
                    "on {at} its essence moves to {to}: {why}",
                    "{at}에 본질이 {to}(으)로 옮겨져 더 오래 보관돼요: {why}"
                ));
            }
            (None, None) => {}
        }
        match (fate.falls_at, fate.gone_at) {
            (Some(falls), Some(gone)) => {
                let (falls, gone, days) = (day(falls), day(gone), self.engine.policy().zone.auto_forget_days);
                lines.push(match fate.falls_because {
                    Some(Ending::Cloud) => say!(
                        language,
                        "moves to the cliff on {falls} unless it is recalled within {days} days, and is deleted on {gone}; each recall postpones this",
                        "{days}일 동안 회상하지 않으면 {falls}에 절벽으로 이동하고 {gone}에 삭제돼요. 회상할 때마다 늦춰져요"
                    ),
                    _ => say!(
                        language,
                        "moves to the cliff on {falls} and is deleted on {gone}",
                        "{falls}에 절벽으로 이동하고 {gone}에 삭제돼요"
                    ),
                });
            }
            _ => lines.push(say!(language, "permanent: it is not forgotten automatically", "영구 보관: 자동으로 잊히지 않아요")),
        }
        let below = self.engine.policy().thinning.prune_below;
        if fate.fades && shown.strength.get() < 2.0 * below {
            lines.push(say!(
                language,
                "fading: below {below:.2} it may be forgotten earlier; mention or recall it to keep it",
                "흐려지는 중: 선명도가 {below:.2} 아래로 내려가면 더 일찍 잊힐 수 있어요. 다시 언급하거나 회상하면 유지돼요"
            ));
        }
        if essence.is_none() && fate.falls_at.is_some() && !fate.needs.is_empty() {
            let needs = fate.needs.iter().filter_map(|need| self.need(*need)).collect::<Vec<_>>();
            lines.push(say!(language, "to keep it longer: {}", "더 오래 보관하려면: {}", needs.join(&say!(language, ", or ", ", 또는 "))));
        }
        lines
    }

    fn need(&self, need: Need) -> Option<String> {
        let language = self.language;
        Some(match need {
            Need::Recalls(0) | Need::Topic(0) => return None,
            Need::Recalls(1) => say!(language, "one more recall", "한 번 더 회상하기"),
            Need::Recalls(more) => say!(language, "{more} more recalls", "{more}번 더 회상하기"),
            Need::Topic(1) => say!(language, "one more memory about the same topic", "같은 주제의 기억 1개 더"),
            Need::Topic(more) => say!(language, "{more} more memories about the same topic", "같은 주제의 기억 {more}개 더"),
            Need::Remember => say!(language, "a request to remember it", "기억해 달라는 요청"),
            Need::ChangedBehaviour => {
                say!(
                    language,
                    "a change in the character's behaviour (saegim edit --changed-behaviour)",
                    "캐릭터의 행동을 바꾼 기억으로 표시하기 (saegim edit --changed-behaviour)"
                )
            }
            Need::Island => say!(language, "a place on an island", "섬에 속하기"),
            Need::StrongFeelings => say!(language, "a strong feeling with several emotions", "여러 감정이 섞인 강한 느낌"),
            Need::Owner => say!(language, "promotion to core memory by the owner", "소유자가 핵심 기억으로 지정하기"),
        })
    }
}
