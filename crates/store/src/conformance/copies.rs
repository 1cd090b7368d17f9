//! In-memory copies: the store reports when and what any process changed.

use std::sync::Arc;

use saegim_core::{Change, Link, LinkKind, Memory, Mind, Op, Verdict, Zone};

use super::{Backend, EMBEDDER, begin, embedded, fallen, full, keep, memory, write};
use crate::{IndexMark, IndexSearch, StoreError};

/// Returns an index search for everything in a mind.
pub(super) fn whole(mind: &Mind) -> IndexSearch<'_> {
    IndexSearch { mind: mind.id, embedder: EMBEDDER, after: IndexMark::default(), limit: 1000 }
}

pub(super) async fn a_store_tells_when_it_was_changed(subject: &impl Backend) {
    let (store, other) = (subject.open().await, subject.open().await);
    let mind = begin(&*store, "minsu").await;
    let Some(before) = store.version() else { return };
    assert_eq!(store.version(), Some(before));
    keep(&*store, &mind, [memory(1, "하나")]).await;
    let after = store.version();
    assert_ne!(after, Some(before));
    keep(&*other, &mind, [memory(2, "둘")]).await;
    assert_ne!(store.version(), after);
}

pub(super) async fn a_commit_that_fails_takes_no_other_with_it(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let mut tasks = Vec::new();
    for number in 0..40u64 {
        let (store, mind) = (Arc::clone(&store), mind.clone());
        tasks.push(tokio::spawn(async move {
            // Every fourth commit refers to a memory that does not exist.
            let change = match number % 4 {
                3 => Change::MemoryGone(memory(number + 1000, "없다").id),
                _ => Change::MemoryAdded(Box::new(memory(number, &format!("기억 {number}")))),
            };
            write(&*store, &mind, Op::Remember, vec![change]).await.is_ok()
        }));
    }
    let mut kept = 0;
    for task in tasks {
        kept += usize::from(task.await.expect("nobody panics"));
    }
    assert_eq!((kept, store.zone_rows(mind.id).await.expect("rows").len()), (30, 30));
    assert!(store.check().await.expect("a check").problems.is_empty());
    assert!(matches!(store.verify_ledger(mind.id).await.expect("the ledger"), Verdict::Whole { entries: 31, .. }));
}

pub(super) async fn a_copy_in_memory_can_catch_up(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let (first, second) = (full(1), memory(2, "둘째"));
    keep(&*store, &mind, [first.clone(), second.clone()]).await;
    write(&*store, &mind, Op::Embed, vec![embedded(&first, &[1.0, -0.5])]).await.expect("a vector");
    let all = store.index_rows(whole(&mind)).await.expect("rows");
    assert_eq!((all.rows.len(), all.memories, all.purges), (2, 2, 0));
    // The vector was written last, so its memory comes last.
    assert_eq!(all.rows[1].vector, Some(vec![127, (-64i8) as u8]));
    assert_eq!((all.rows[1].session.as_deref(), all.rows[1].sequence, all.rows[1].speaker.as_deref()), (Some("저녁"), Some(7), Some("정")));
    let one = store.index_rows(IndexSearch { limit: 1, ..whole(&mind) }).await.expect("rows");
    let other = store.index_rows(IndexSearch { after: one.seen, ..whole(&mind) }).await.expect("rows");
    assert_eq!(([one.rows, other.rows].concat(), other.seen), (all.rows, all.seen));
    let rest = IndexSearch { after: all.seen, ..whole(&mind) };
    assert!(store.index_rows(rest).await.expect("rows").rows.is_empty());
    write(&*store, &mind, Op::Forget, vec![fallen(second.clone())]).await.expect("it falls");
    let changed = store.index_rows(rest).await.expect("rows");
    assert_eq!(changed.rows.iter().map(|row| (row.memory, row.alive)).collect::<Vec<_>>(), [(second.id, false)]);
    write(&*store, &mind, Op::Rebalance, vec![Change::MemoryPlaced { memory: first.id, zone: Zone::Core, score: 0.6 }])
        .await
        .expect("it moves");
    let moved = store.index_rows(IndexSearch { embedder: "another@1", after: changed.seen, ..whole(&mind) }).await.expect("rows");
    assert_eq!((moved.rows[0].zone, moved.rows[0].vector.clone()), (Zone::Core, None));
    write(&*store, &mind, Op::Purge, vec![Change::MemoryGone(second.id)]).await.expect("it goes");
    assert_eq!(store.index_rows(IndexSearch { after: moved.seen, ..whole(&mind) }).await.expect("rows").purges, 1);
}

pub(super) async fn links_and_names_from_elsewhere_are_found_in_their_mind_alone(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, other) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let named = |number: u64, name: &str| Memory { external_id: Some(name.into()), ..memory(number, name) };
    let (one, two, gone) = (named(1, "mem_1"), named(2, "mem_2"), named(3, "mem_3"));
    keep(&*store, &mine, [one.clone(), two.clone(), gone.clone()]).await;
    keep(&*store, &other, [named(4, "mem_1")]).await;
    let link = |from: &Memory, to: &Memory, kind| Link { from: from.id, to: to.id, kind };
    let links = [link(&one, &two, LinkKind::Related), link(&two, &one, LinkKind::Child), link(&two, &gone, LinkKind::Supports)];
    write(&*store, &mine, Op::Link, links.iter().copied().map(Change::LinkAdded).collect()).await.expect("links are kept");
    assert_eq!(store.all_links(mine.id).await.expect("links"), links);
    assert_eq!(store.all_links(other.id).await.expect("links"), []);
    write(&*store, &mine, Op::Forget, vec![fallen(one.clone())]).await.expect("a memory falls");
    write(&*store, &mine, Op::Purge, vec![Change::MemoryGone(gone.id)]).await.expect("a memory goes");
    assert_eq!(store.all_links(mine.id).await.expect("links"), links[..2]);
    let names = ["mem_1", "mem_2", "mem_3", "mem_4"].map(str::to_owned);
    let found = store.by_external_id(mine.id, &names).await.expect("names are looked up");
    assert_eq!(found, [("mem_1".into(), one.id), ("mem_2".into(), two.id)]);
    // A reused external id resolves to the alive memory, independent of the order.
    let again = named(0, "mem_1");
    keep(&*store, &mine, [again.clone()]).await;
    let found = store.by_external_id(mine.id, &names[..1]).await.expect("names are looked up");
    assert_eq!(found, [("mem_1".into(), again.id)]);
    // An external id is unique among alive memories: adding, renaming or restoring a second one fails.
    let second = Change::MemoryAdded(Box::new(named(5, "mem_1")));
    let renamed = Change::MemoryChanged(Box::new(Memory { external_id: Some("mem_1".into()), ..two.clone() }));
    let back = Change::CliffLeft(Box::new(Memory { revision: 1, ..one.clone() }));
    for change in [second, renamed, back] {
        assert!(matches!(write(&*store, &mine, Op::Edit, vec![change]).await, Err(StoreError::Conflict(_))));
    }
    assert_eq!(store.by_external_id(mine.id, &names[..1]).await.expect("names are looked up"), [("mem_1".into(), again.id)]);
    // It can be restored without the external id, and the memory that has it can still be changed.
    let back = Change::CliffLeft(Box::new(Memory { revision: 1, external_id: None, ..one }));
    let changed = Change::MemoryChanged(Box::new(Memory { mentions: 3, ..again }));
    write(&*store, &mine, Op::Restore, vec![back, changed]).await.expect("both are written");
}
