//! Details of one memory: state, score, history and forecast.

use saegim_core::{Ending, LinkKind, Need, Timestamp};
use saegim_engine::MemoryDetails;
use serde_json::json;

use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::{self, gist};
use crate::view::{self, print};

/// Number of lines shown from the start and the end of a long history.
const FIRST: usize = 5;
const LAST: usize = 15;

impl App {
    pub(crate) async fn show(&self, id: &str) -> Result<(), AppError> {
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
            (say!(language, "command.life.id"), memory.id.to_string()),
            (say!(language, "command.life.created"), view::when(memory.kept_since(), &zone)),
        ];
        if memory.created_at > memory.kept_since() {
            rows.push((say!(language, "command.life.last_mentioned"), view::when(memory.created_at, &zone)));
        }
        if let Some(judged) = &shown.judged {
            let why = format!("{} ({:.2})", judged.reason, judged.score.get());
            rows.push((say!(language, "command.life.reason"), why));
        }
        rows.extend([
            (say!(language, "command.life.importance"), format!("{:.2}", memory.importance.get())),
            (say!(language, "command.life.strength"), format!("{:.2}", shown.strength.get())),
            (say!(language, "command.life.closeness"), view::parts(&shown.nearness, language)),
            (say!(language, "command.life.recalls"), memory.recalls.to_string()),
        ]);
        if let Some(last) = memory.last_recalled_at {
            rows.push((say!(language, "command.life.last_recalled"), view::when(last, &zone)));
        }
        if let Some(rating) = memory.rating {
            rows.push((say!(language, "command.life.rating"), view::stars(rating)));
        }
        if let Some(fallen) = &shown.fallen {
            let left = match fallen.entry.is_gone(now) {
                true => view::left(&fallen.entry, now, language),
                false => {
                    let left = language.left(fallen.entry.time_left(now));
                    say!(language, "command.life.time_to_restore", left)
                }
            };
            rows.push((say!(language, "command.life.on_cliff"), format!("{}; {left}", view::reason(&fallen.entry, language))));
        }
        rows.extend(self.awaits(shown, &zone).into_iter().map(|line| (say!(language, "command.life.forecast"), line)));
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
            let between = say!(self.language, "command.life.more_between", between);
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
            return vec![say!(language, "command.life.archived_with_session", name)];
        }
        if let Some(at) = shown.archives_at {
            let at = day(at);
            lines.push(say!(language, "command.life.archived_with_session_on", at));
        }
        let essence = shown.links.iter().find(|link| link.to == shown.memory.id && link.kind == LinkKind::DistilledFrom);
        match (&fate.rises, essence) {
            (_, Some(link)) => lines.push(say!(language, "command.life.essence_kept_longer", id = view::short(link.from))),
            (Some((at, rise)), None) => {
                let why = rise.reasons.iter().map(|reason| names::promotion(*reason, language)).collect::<Vec<_>>().join(", ");
                let (at, to) = (day(*at), rise.to);
                lines.push(say!(language, "command.life.essence_promoted", at, to, why));
            }
            (None, None) => {}
        }
        match (fate.falls_at, fate.gone_at) {
            (Some(falls), Some(gone)) => {
                let (falls, gone, days) = (day(falls), day(gone), self.engine.policy().zone.auto_forget_days);
                lines.push(match fate.falls_because {
                    Some(Ending::Cloud) => say!(language, "command.life.falls_unless_recalled", falls, days, gone),
                    _ => say!(language, "command.life.falls", falls, gone),
                });
            }
            _ => lines.push(say!(language, "command.life.permanent")),
        }
        let below = self.engine.policy().thinning.prune_below;
        if fate.fades && shown.strength.get() < 2.0 * below {
            lines.push(say!(language, "command.life.fading", below = format_args!("{below:.2}")));
        }
        if essence.is_none() && fate.falls_at.is_some() && !fate.needs.is_empty() {
            let needs = fate.needs.iter().filter_map(|need| self.need(*need)).collect::<Vec<_>>();
            lines.push(say!(language, "command.life.to_keep_longer", needs = needs.join(&say!(language, "command.life.or"))));
        }
        lines
    }

    fn need(&self, need: Need) -> Option<String> {
        let language = self.language;
        Some(match need {
            Need::Recalls(0) | Need::Topic(0) => return None,
            Need::Recalls(1) => say!(language, "command.life.one_recall"),
            Need::Recalls(more) => say!(language, "command.life.recalls_needed", more),
            Need::Topic(1) => say!(language, "command.life.one_mention"),
            Need::Topic(more) => say!(language, "command.life.mentions_needed", more),
            Need::Remember => say!(language, "command.life.request_to_remember"),
            Need::ChangedBehaviour => {
                say!(language, "command.life.changed_behaviour")
            }
            Need::Island => say!(language, "command.life.place_on_island"),
            Need::StrongFeelings => say!(language, "command.life.strong_feeling"),
            Need::Owner => say!(language, "command.life.promotion_by_owner"),
        })
    }
}
