//! The cliff, zones and due jobs.

use saegim_core::{Emotion, SessionId, Zone};
use saegim_engine::{Core, EngineError, Filter, MindHandle, Page, TickResult};
use serde_json::json;

use crate::cli::ForgetArgs;
use crate::command::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::gist;
use crate::view::{self, print};

impl App {
    /// Forgets the memories of a session or with all of the given tags, or shows which they are.
    pub(crate) async fn forget_many(&self, mind: &MindHandle, args: ForgetArgs) -> Result<(), AppError> {
        let core = if args.core { Core::Too } else { Core::Kept };
        let filter = Filter { session: args.session.map(SessionId::new).transpose()?, tags: args.tags, ..Filter::default() };
        let (mut chosen, mut page) = (Vec::new(), Page { limit: 1000, before: None });
        loop {
            let memories = mind.list(&filter, page.clone()).await?;
            let Some(last) = memories.last() else { break };
            page.before = Some(last.id);
            chosen.extend(memories);
        }
        let (mut forgotten, mut kept) = (Vec::new(), Vec::new());
        for memory in &chosen {
            let result = if args.preview { Ok(()) } else { mind.forget(memory.id, core).await.map(drop) };
            match result {
                Ok(()) => forgotten.push(memory),
                Err(EngineError::Conflict(why)) => kept.push((memory, why)),
                Err(error) => return Err(error.into()),
            }
        }
        if self.global.json {
            let ids: Vec<_> = forgotten.iter().map(|memory| memory.id).collect();
            let kept: Vec<_> =
                kept.iter().map(|(memory, why)| json!({ "id": memory.id, "reason": why.in_language(self.language) })).collect();
            return print(json!({ "preview": args.preview, "memories": ids, "kept": kept }));
        }
        for memory in &forgotten {
            print(format!("{}  {}", view::short(memory.id), crate::text::gist(&memory.content, 100)))?;
        }
        for (memory, why) in &kept {
            self.tell(&format!("{}  {}", view::short(memory.id), why.in_language(self.language)));
        }
        let count = forgotten.len();
        self.tell(&if args.preview {
            say!(self.language, "command.forget.preview", count)
        } else {
            say!(self.language, "command.forget.done", count)
        });
        Ok(())
    }

    pub(crate) async fn cliff(&self) -> Result<(), AppError> {
        let fallen = self.known_mind().await?.cliff().await?;
        let now = self.now();
        if self.global.json {
            let entries: Vec<_> = fallen.iter().map(|fallen| view::fallen(fallen, now)).collect();
            return print(json!({ "entries": entries }));
        }
        if fallen.is_empty() {
            self.tell(&say!(self.language, "command.time.cliff_empty"));
        }
        for fallen in &fallen {
            let left = view::left(&fallen.entry, now, self.language);
            print(gist(&fallen.memory.content, 300))?;
            let line = say!(
                self.language,
                "command.time.cliff_row",
                left,
                reason = view::reason(&fallen.entry, self.language),
                id = view::short(fallen.memory.id)
            );
            print(view::dim(&line))?;
        }
        Ok(())
    }

    pub(crate) async fn zones(&self, only: Option<Zone>, limit: usize) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let (counts, policy) = (mind.counts().await?, &self.engine.policy().zone);
        let mut shown = Vec::new();
        for &zone in Zone::ALL.iter().filter(|zone| only.is_none_or(|only| only == **zone)) {
            shown.push((zone, counts.zones[zone as usize], mind.zone(zone, limit).await?));
        }
        if self.global.json {
            let zone = |(zone, count, memories): &(Zone, u64, Vec<saegim_core::Memory>)| {
                let memories: Vec<_> = memories.iter().map(|memory| view::memory(memory, memory.strength.value)).collect();
                json!({ "zone": zone, "room": zone.room(policy), "count": count, "memories": memories })
            };
            return print(json!({ "zones": shown.iter().map(zone).collect::<Vec<_>>() }));
        }
        for (zone, count, memories) in &shown {
            let room = zone.room(policy).map(|room| format!("/{room}")).unwrap_or_default();
            print(format!("{} {count}{room}", names::zone(*zone, self.language)))?;
            for memory in memories {
                print(format!("  {}  {}", gist(&memory.content, 100), view::dim(&view::short(memory.id))))?;
            }
        }
        Ok(())
    }

    pub(crate) async fn rebalance(&self, context: Option<&str>) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let moves = mind.rebalance(context).await?;
        if self.global.json {
            return print(json!({ "moved": moves }));
        }
        for step in &moves {
            let (from, to) = (names::zone(step.from, self.language), names::zone(step.to, self.language));
            let text = gist(&mind.get(step.memory).await?.content, 80);
            print(format!("{text}  {}", view::dim(&format!("{from} -> {to} {:+.2} · {}", step.score, view::short(step.memory)))))?;
        }
        self.tell(&say!(self.language, "command.time.moved", count = moves.len()));
        Ok(())
    }

    /// Runs due jobs for all minds of the database.
    pub(crate) async fn tick(&self, due: bool) -> Result<(), AppError> {
        let mut all = TickResult { swept: true, ..TickResult::default() };
        let mut minds = Vec::new();
        if due {
            loop {
                let swept = self.engine.sweep(100).await?;
                let last = swept.len() < 100;
                minds.extend(swept.into_iter().map(|(key, ticked)| (key.to_string(), ticked)));
                if last {
                    break;
                }
            }
        } else {
            for mind in self.engine.minds().await? {
                let ticked = self.engine.mind(mind.key.clone()).await?.tick().await?;
                minds.push((mind.key.to_string(), ticked));
            }
        }
        for (_, ticked) in &minds {
            all.add(ticked);
        }
        if self.global.json {
            let minds: serde_json::Map<_, _> = minds.into_iter().map(|(key, ticked)| (key, json!(ticked))).collect();
            let mut value = json!(all);
            value["minds"] = minds.into();
            return print(value);
        }
        print(say!(
            self.language,
            "command.time.ticked",
            fallen = all.expired + all.displaced,
            gone = all.gone,
            promoted = all.promoted,
            joined = all.joined,
            pruned = all.pruned,
            archived = all.archived,
            moved = all.moved,
            weighed = all.weighed,
            embedded = all.embedded
        ))?;
        all.told.iter().for_each(|told| self.tell(&told.in_language(self.language)));
        self.tell_traces(all.swept);
        Ok(())
    }

    /// Reports that deleted data is still in the file, because a reader prevented its removal.
    pub(crate) fn tell_traces(&self, swept: bool) {
        if !swept {
            self.tell(&say!(self.language, "command.time.other_reader"));
        }
    }

    pub(crate) async fn mood(&self) -> Result<(), AppError> {
        let mood = self.known_mind().await?.mood().await?;
        let levels: Vec<(Emotion, f32)> =
            Emotion::ALL.into_iter().map(|emotion| (emotion, mood.level(emotion).get())).filter(|(_, level)| *level > 0.0).collect();
        let emotions = mood.emotions(&self.engine.policy().mood);
        if self.global.json {
            let levels: serde_json::Map<_, _> = levels.into_iter().map(|(emotion, level)| (emotion.to_string(), json!(level))).collect();
            return print(json!({ "emotions": emotions, "levels": levels, "face": saegim_core::Face::of(emotions) }));
        }
        for (emotion, level) in levels {
            print(format!("{} {level:.2} {}", view::padded(view::name(emotion, self.language), 9), "█".repeat((level * 20.0) as usize)))?;
        }
        Ok(())
    }
}
