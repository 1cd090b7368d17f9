//! Per-session retention, if the policy enables it: memories beyond a limit go to the cliff, and old sessions are stored as
//! compressed archives that can be restored.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use saegim_core::{
    Archive, Change, CliffReason, Deed, Fall, Limit, Link, Memory, MemoryId, MemoryState, Op, Policy, RetainedMemory, Round, SelfRole,
    Session, SessionId, Shield, Span, Timestamp, beyond, is_to_archive, next_round, phrase, shield,
};
use serde::{Deserialize, Serialize};

use crate::removal::Removal;
use crate::{EngineError, MindHandle};

/// Maximum number of memories in one archive part. Bounds the time to open one.
const MOST: usize = 2000;

/// Approximate storage size of a memory without its text, in bytes: the row, the index terms and the vector.
const BESIDE_TEXT: u64 = 1024;

/// One line of an archive: a memory with its links.
#[derive(Serialize, Deserialize)]
struct Line {
    memory: Memory,
    links: Vec<Link>,
}

/// Result of one retention run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Retained {
    /// Number of memories beyond a limit that were moved to the cliff.
    pub(crate) displaced: usize,
    /// Number of memories that were archived.
    pub(crate) archived: usize,
}

/// Returns the sessions that have no turns and exist only because memories name them. Their times are those of their first and last
/// memory.
fn given_by_hand(memories: &[Memory], known: &[Session]) -> Vec<Session> {
    let mut given: BTreeMap<&SessionId, (Timestamp, Timestamp)> = BTreeMap::new();
    for memory in memories {
        let Some(name) = memory.coordinate.session.as_ref() else { continue };
        let (began, last) = given.entry(name).or_insert((memory.created_at, memory.created_at));
        (*began, *last) = (memory.created_at.min(*began), memory.created_at.max(*last));
    }
    given.retain(|name, _| known.iter().all(|session| session.name != **name));
    let session = |(name, (began_at, last_at)): (&SessionId, (Timestamp, Timestamp))| Session {
        name: name.clone(),
        began_at,
        last_at,
        last_sequence: 0,
        branched_from: None,
    };
    given.into_iter().map(session).collect()
}

impl Removal<'_> {
    /// Enforces the per-session limits. Does nothing unless the policy enables them.
    pub(crate) async fn retain(&self, now: Timestamp) -> Result<Retained, EngineError> {
        let policy = &self.mind.policy().retention;
        let mut done = Retained::default();
        if !policy.limits {
            return Ok(done);
        }
        let (memories, founding) = (self.mind.lifecycle().passing().await?, self.mind.lifecycle().founding().await?);
        let mut sessions = self.mind.store().sessions(self.mind.id).await?;
        sessions.extend(given_by_hand(&memories, &sessions));
        sessions.sort_by_key(|session| Reverse(session.last_at));
        let free = |memory: &Memory| may_go(memory, SelfRole::of(memory, &founding), self.mind, now);
        let all: Vec<RetainedMemory> = memories.iter().map(|memory| RetainedMemory { free: free(memory), ..retained(memory) }).collect();
        let over = beyond(&all, &sessions, policy);
        let mut falls = Vec::with_capacity(over.len());
        for (id, limit) in &over {
            let memory = memories.iter().find(|memory| memory.id == *id).expect("it was just read").clone();
            falls.push((memory, Fall { at: now, reason: CliffReason::Displaced, note: note(*limit, policy) }));
        }
        done.displaced = falls.len();
        self.mind.lifecycle().fall(Op::Prune, falls).await?;
        let fallen: HashSet<MemoryId> = over.iter().map(|(id, _)| *id).collect();
        for session in sessions.iter().filter(|session| is_to_archive(session, now, policy)) {
            let of_it = |memory: &&Memory| memory.coordinate.session.as_ref() == Some(&session.name);
            let kept = |memory: &&Memory| !fallen.contains(&memory.id) && free(memory);
            let memories: Vec<Memory> = memories.iter().filter(of_it).filter(kept).cloned().collect();
            done.archived += self.archive_session(session, memories, now).await?;
        }
        done.displaced += self.empty_archives(now).await?;
        Ok(done)
    }

    pub(crate) async fn archives(&self) -> Result<Vec<Archive>, EngineError> {
        self.mind.may(Deed::Read).await?;
        Ok(self.mind.store().archives(self.mind.id).await?)
    }

    pub(crate) async fn archived_count(&self) -> Result<u64, EngineError> {
        Ok(self.mind.store().archives(self.mind.id).await?.iter().map(|archive| u64::from(archive.memories)).sum())
    }

    pub(crate) async fn archive(&self, name: &SessionId) -> Result<usize, EngineError> {
        self.mind.may(Deed::Archive).await?;
        let (known, founding) = (self.mind.store().session(self.mind.id, name).await?, self.mind.lifecycle().founding().await?);
        let mut memories = self.mind.lifecycle().passing().await?;
        memories.retain(|memory| memory.coordinate.session.as_ref() == Some(name));
        let session = known.or_else(|| given_by_hand(&memories, &[]).pop()).ok_or_else(|| no_session(name))?;
        memories.retain(|memory| {
            let hold = shield(memory, SelfRole::of(memory, &founding), self.mind.now(), self.mind.policy());
            !matches!(hold, Some(Shield::Core | Shield::Pinned | Shield::Founding))
        });
        self.archive_session(&session, memories, self.mind.now()).await
    }

    pub(crate) async fn unarchive(&self, name: &SessionId) -> Result<usize, EngineError> {
        self.mind.may(Deed::Archive).await?;
        let archives = self.mind.store().archives(self.mind.id).await?;
        let of_it: Vec<&Archive> = archives.iter().filter(|archive| archive.session == *name).collect();
        if of_it.is_empty() {
            return Err(EngineError::NotFound(phrase!("engine.archive.not_archived", name = name.as_str())));
        }
        let mut count = 0;
        for archive in of_it {
            count += self.restore_from_archive(archive, self.mind.now()).await?;
        }
        self.mind.models().embed_missing(|_| ()).await?;
        Ok(count)
    }

    /// Restores the archives of these sessions. Called before turns of a session are changed or erased.
    pub(crate) async fn open_archives_of(&self, sessions: &[SessionId]) -> Result<(), EngineError> {
        for archive in self.mind.store().archives(self.mind.id).await?.iter().filter(|archive| sessions.contains(&archive.session)) {
            self.restore_from_archive(archive, self.mind.now()).await?;
        }
        Ok(())
    }

    /// Returns the time at which a memory will be archived if nothing else happens. `None` if session limits are disabled, the
    /// memory has no session, is shielded, or expires first.
    pub(crate) async fn archived_at(&self, memory: &Memory) -> Result<Option<Timestamp>, EngineError> {
        let policy = &self.mind.policy().retention;
        let Some(name) = memory.coordinate.session.as_ref().filter(|_| policy.limits) else { return Ok(None) };
        let last_at = self.mind.store().session(self.mind.id, name).await?.map_or(memory.created_at, |session| session.last_at);
        let days = Span::days(i64::from(policy.archive_after_days));
        let began = memory.term_began(&self.mind.policy().tier);
        let anew = began.filter(|began| *began > memory.created_at.plus(Span::days(1)));
        let at = anew.map_or(last_at, |began| began.max(last_at)).plus(days);
        let at = next_round(at.minus(Span::millis(1)).max(self.mind.now()), Round::Daily, &self.mind.inner.config.time_zone);
        let role = SelfRole::of(memory, &self.mind.lifecycle().founding().await?);
        let stays = memory.standing != MemoryState::Alive
            || shield(memory, role, at.unwrap_or(self.mind.now()), self.mind.policy()).is_some()
            || memory.expires_at.zip(at).is_some_and(|(ends, at)| ends <= at);
        Ok(at.filter(|_| !stays))
    }

    /// Finds an archived memory and the archive that contains it. Decompresses the archives one by one.
    pub(crate) async fn archive_with(&self, id: MemoryId) -> Result<Option<(Memory, Archive)>, EngineError> {
        for archive in self.mind.store().archives(self.mind.id).await? {
            if let Some(line) = unpacked(&archive)?.into_iter().find(|line| line.memory.id == id) {
                return Ok(Some((line.memory, archive)));
            }
        }
        Ok(None)
    }

    /// Returns the memory with this id. If it is archived, restores only this memory first, because forgetting and erasing must
    /// work on archived memories too.
    pub(crate) async fn fetch_anywhere(&self, id: MemoryId) -> Result<Memory, EngineError> {
        let missing = match self.mind.fetch(id).await {
            Err(EngineError::NotFound(missing)) => missing,
            found => return found,
        };
        let Some((_, archive)) = self.archive_with(id).await? else { return Err(EngineError::NotFound(missing)) };
        let (own, rest): (Vec<Line>, Vec<Line>) = unpacked(&archive)?.into_iter().partition(|line| line.memory.id == id);
        let mut back = Vec::new();
        for line in &own {
            back.push(self.with_restored_state(line.memory.clone()).await?);
        }
        let mut commit = self.mind.commit(Op::Archive, &back.iter().collect::<Vec<_>>()).because("1 brought out");
        commit.changes.push(Change::ArchiveGone(archive.session.clone(), archive.part));
        if !rest.is_empty() {
            let left = Archive { memories: rest.len() as u32, lines: packed(&rest)?, ..archive };
            commit.changes.push(Change::Archived(Box::new(left), Vec::new()));
        }
        commit.changes.extend(back.iter().map(|memory| Change::MemoryAdded(Box::new(memory.clone()))));
        let links = self.links_among(&own, &back).await?;
        commit.changes.extend(links.into_iter().map(Change::LinkAdded));
        self.mind.write(commit).await?;
        self.mind.fetch(id).await
    }

    /// Returns every archived memory.
    pub(crate) async fn archived(&self) -> Result<Vec<Memory>, EngineError> {
        let mut memories = Vec::new();
        for archive in self.mind.store().archives(self.mind.id).await? {
            memories.extend(unpacked(&archive)?.into_iter().map(|line| line.memory));
        }
        Ok(memories)
    }

    async fn archive_session(&self, session: &Session, memories: Vec<Memory>, now: Timestamp) -> Result<usize, EngineError> {
        let count = memories.len();
        let known = self.mind.store().archives(self.mind.id).await?;
        let last = known.iter().filter(|archive| archive.session == session.name).map(|archive| archive.part).max().unwrap_or(0);
        for (part, batch) in (last + 1..).zip(memories.chunks(MOST)) {
            let mut lines = Vec::with_capacity(batch.len());
            for memory in batch {
                lines.push(Line { memory: memory.clone(), links: self.mind.store().links(self.mind.id, memory.id).await? });
            }
            let archive = Archive {
                session: session.name.clone(),
                part,
                made_at: now,
                last_at: session.last_at,
                memories: batch.len() as u32,
                lines: packed(&lines)?,
            };
            let mut commit = self.mind.commit(Op::Archive, &batch.iter().collect::<Vec<_>>()).because(format!("{} put away", batch.len()));
            commit.session = Some(session.name.clone());
            commit.changes.push(Change::Archived(Box::new(archive), batch.iter().map(|memory| memory.id).collect()));
            self.mind.write(commit).await?;
        }
        Ok(count)
    }

    pub(crate) async fn restore_from_archive(&self, archive: &Archive, now: Timestamp) -> Result<usize, EngineError> {
        let lines = unpacked(archive)?;
        let mut back: Vec<Memory> = Vec::with_capacity(lines.len());
        for line in &lines {
            back.push(self.with_restored_state(line.memory.clone()).await?.with_new_term(now, &self.mind.policy().tier));
        }
        let mut commit = self.mind.commit(Op::Archive, &back.iter().collect::<Vec<_>>()).because(format!("{} brought out", back.len()));
        commit.session = Some(archive.session.clone());
        commit.changes.push(Change::ArchiveGone(archive.session.clone(), archive.part));
        commit.changes.extend(back.iter().map(|memory| Change::MemoryAdded(Box::new(memory.clone()))));
        let links = self.links_among(&lines, &back).await?;
        commit.changes.extend(links.into_iter().map(Change::LinkAdded));
        self.mind.write(commit).await?;
        Ok(back.len())
    }

    /// Returns the links of `lines` whose two ends exist in the store or in `back`.
    async fn links_among(&self, lines: &[Line], back: &[Memory]) -> Result<Vec<Link>, EngineError> {
        let mut links: Vec<Link> = lines.iter().flat_map(|line| line.links.iter().copied()).collect();
        links.sort();
        links.dedup();
        let ends: Vec<MemoryId> = links.iter().flat_map(|link| [link.from, link.to]).collect();
        let mut there: HashSet<MemoryId> =
            self.mind.store().memories(self.mind.id, &ends).await?.into_iter().map(|memory| memory.id).collect();
        there.extend(back.iter().map(|memory| memory.id));
        links.retain(|link| there.contains(&link.from) && there.contains(&link.to));
        Ok(links)
    }

    /// Moves memories to the cliff that were archived for longer than the policy allows and whose own term has ended. The others
    /// stay archived.
    async fn empty_archives(&self, now: Timestamp) -> Result<usize, EngineError> {
        let policy = &self.mind.policy().retention;
        let mut count = 0;
        for archive in self.mind.store().archives(self.mind.id).await?.iter().filter(|archive| archive.goes_at(policy) <= now) {
            let (over, stays): (Vec<Line>, Vec<Line>) =
                unpacked(archive)?.into_iter().partition(|line| line.memory.expires_at.is_none_or(|ends| ends <= now));
            if over.is_empty() {
                continue;
            }
            let about: Vec<&Memory> = over.iter().map(|line| &line.memory).collect();
            let note = format!("put away, and {} days are over", policy.delete_after_days);
            let mut commit = self.mind.lifecycle().worker_commit(Op::Expire).because(note.clone());
            commit.memories = self.mind.commit(Op::Expire, &about).memories;
            commit.changes.push(Change::ArchiveGone(archive.session.clone(), archive.part));
            if !stays.is_empty() {
                let left = Archive { memories: stays.len() as u32, lines: packed(&stays)?, ..archive.clone() };
                commit.changes.push(Change::Archived(Box::new(left), Vec::new()));
            }
            for line in over {
                count += 1;
                let fall = Fall { at: now, reason: CliffReason::Displaced, note: note.clone() };
                let (memory, entry) = line.memory.to_cliff(fall, &self.mind.policy().cliff);
                commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
                commit.changes.push(Change::CliffEntered(Box::new(memory), entry));
            }
            self.mind.write(commit).await?;
        }
        Ok(count)
    }
}

/// Checks whether retention may remove a memory. It may not if the memory is shielded (core, pinned, founding, requested, important
/// or less than seven days old) or has a recent new term.
fn may_go(memory: &Memory, role: SelfRole, mind: &MindHandle, now: Timestamp) -> bool {
    let lately = brought_out_lately(memory, mind.policy(), now);
    memory.standing == MemoryState::Alive && !lately && shield(memory, role, now, mind.policy()).is_none()
}

/// Checks whether a memory got a new term within the last `archive_after_days`. A memory that was just restored must not be
/// archived again the next morning.
fn brought_out_lately(memory: &Memory, policy: &Policy, now: Timestamp) -> bool {
    let began = memory.term_began(&policy.tier);
    let anew = began.filter(|began| *began > memory.created_at.plus(Span::days(1)));
    anew.is_some_and(|began| now.since(began) < Span::days(i64::from(policy.retention.archive_after_days)))
}

/// Returns the fields that retention depends on, for a memory that must stay.
fn retained(memory: &Memory) -> RetainedMemory {
    let texts = [Some(&memory.content), memory.original_event.as_ref(), memory.interpretation.as_ref(), memory.summary.as_ref()];
    let text: usize = texts.into_iter().flatten().map(String::len).sum();
    RetainedMemory {
        memory: memory.id,
        session: memory.coordinate.session.clone(),
        importance: memory.importance,
        bytes: text as u64 + BESIDE_TEXT,
        free: false,
    }
}

fn note(limit: Limit, policy: &saegim_core::RetentionPolicy) -> String {
    match limit {
        Limit::Sessions => format!("only {} sessions are kept whole", policy.sessions),
        Limit::PerSession => format!("a session holds {} memories", policy.memories_per_session),
        Limit::Size => format!("a mind takes {} MB", policy.megabytes),
    }
}

fn packed(lines: &[Line]) -> Result<Vec<u8>, EngineError> {
    let mut text = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut text, line).expect("a memory is always JSON");
        text.push(b'\n');
    }
    zstd::encode_all(text.as_slice(), 3).map_err(|error| spoiled(&error.to_string()))
}

fn unpacked(archive: &Archive) -> Result<Vec<Line>, EngineError> {
    let text = zstd::decode_all(archive.lines.as_slice()).map_err(|error| spoiled(&error.to_string()))?;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(|error| spoiled(&error.to_string()))).collect()
}

fn spoiled(problem: &str) -> EngineError {
    EngineError::Store(saegim_store::StoreError::Broken(phrase!("engine.archive.not_readable", problem)))
}

fn no_session(name: &SessionId) -> EngineError {
    EngineError::NotFound(phrase!("engine.archive.session_not_found", name = name.as_str()))
}
