//! The cliff, zones and due jobs.

use saegim_core::{Emotion, Zone};
use saegim_engine::TickResult;
use serde_json::json;

use super::App;
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::text::gist;
use crate::view::{self, print};

impl App {
    pub(super) async fn cliff(&self) -> Result<(), AppError> {
        let fallen = self.known_mind().await?.cliff().await?;
        let now = self.now();
        if self.global.json {
            let entries: Vec<_> = fallen.iter().map(|fallen| view::fallen(fallen, now)).collect();
            return print(json!({ "entries": entries }));
        }
        if fallen.is_empty() {
            self.tell(&say!(self.language, "no memories on the cliff", "절벽에 있는 기억이 없어요"));
        }
        for fallen in &fallen {
            let left = view::left(&fallen.entry, now, self.language);
            print(gist(&fallen.memory.content, 300))?;
            let line = say!(
                self.language,
                "  {left} · {} · restore with: saegim restore {}",
                "  {left} · {} · 복원: saegim restore {}",
                view::reason(&fallen.entry, self.language),
                view::short(fallen.memory.id),
            );
            print(view::dim(&line))?;
        }
        Ok(())
    }

    pub(super) async fn zones(&self, only: Option<Zone>, limit: usize) -> Result<(), AppError> {
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

    pub(super) async fn rebalance(&self, context: Option<&str>) -> Result<(), AppError> {
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
        self.tell(&say!(self.language, "{} moved", "{}개 이동", moves.len()));
        Ok(())
    }

    /// Runs due jobs for all minds of the database.
    pub(super) async fn tick(&self, due: bool) -> Result<(), AppError> {
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
            "{} moved to the cliff, {} permanently deleted, {} kept longer, {} merged, {} pruned, {} archived, {} moved between zones, {} reweighted, {} embedded",
            "절벽으로 이동 {}개, 완전히 삭제 {}개, 보관 기간 연장 {}개, 병합 {}개, 정리 {}개, 보관 {}개, 영역 이동 {}개, 중요도 갱신 {}개, 벡터 생성 {}개",
            all.expired + all.displaced,
            all.gone,
            all.promoted,
            all.joined,
            all.pruned,
            all.archived,
            all.moved,
            all.weighed,
            all.embedded,
        ))?;
        all.told.iter().for_each(|told| self.tell(told.in_language(self.language)));
        self.tell_traces(all.swept);
        Ok(())
    }

    /// Reports that deleted data is still in the file, because a reader prevented its removal.
    pub(super) fn tell_traces(&self, swept: bool) {
        if !swept {
            self.tell(&say!(
                self.language,
                "another process is still reading old data; the next `saegim tick` removes the last traces",
                "다른 프로세스가 아직 이전 데이터를 읽고 있어요. 남은 흔적은 다음 `saegim tick`에서 삭제돼요"
            ));
        }
    }

    pub(super) async fn mood(&self) -> Result<(), AppError> {
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
