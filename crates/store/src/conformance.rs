//! The conformance suite that every backend must pass unchanged. Each case uses a fresh [`Backend`] and panics if the backend
//! violates the contract.

mod answers;
mod copies;
mod due;
mod erasure;
mod search;
mod selfhood;
mod statements;
mod talk;
mod thought;

use std::sync::Arc;

use async_trait::async_trait;
use saegim_core::{
    Category, Change, CliffPolicy, CliffReason, Commit, ContentType, Coordinate, Embedding, Emotion, Emotions, Essence, Fall, Feeling,
    Hash, Idempotency, Kind, Knowledge, LedgerRef, Link, LinkKind, Memory, MemoryId, MemoryState, Mind, MindId, MindKey, Mood, Op,
    Principal, Rating, RhythmPhase, SessionId, Source, Span, Strength, Tier, TierPolicy, Timestamp, TurnId, Unit, Verdict, Zone,
    word_queries,
};

use self::copies::whole;
use crate::{Filter, Page, Receipt, Store, StoreError, VectorSearch, WordSearch};

/// A backend under test.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Opens the same store again, as another process would.
    async fn open(&self) -> Arc<dyn Store>;

    /// Returns every byte the backend stores on disk.
    fn at_rest(&self) -> Vec<u8>;
}

/// Runs every case on its own subject.
pub async fn all<S: Backend>(fresh: impl Fn() -> S) {
    a_memory_reads_back_as_it_was_written(&fresh()).await;
    a_commit_is_whole_or_nothing(&fresh()).await;
    a_stale_decision_is_refused(&fresh()).await;
    a_repeated_request_changes_nothing(&fresh()).await;
    answers::what_was_answered_is_answered_again_until_something_is_gone(&fresh()).await;
    answers::what_was_written_is_known_before_it_is_answered(&fresh()).await;
    minds_do_not_see_each_other(&fresh()).await;
    a_mind_that_has_not_begun_reads_as_empty_and_takes_nothing(&fresh()).await;
    search::words_are_found_with_their_particles(&fresh()).await;
    search::any_question_is_answered(&fresh()).await;
    search::nearest_vectors_come_first_and_filters_reach_inside(&fresh()).await;
    the_cliff_hides_and_gives_back(&fresh()).await;
    what_is_gone_leaves_nothing(&fresh()).await;
    erasure::an_erased_mind_leaves_only_its_ledger(&fresh()).await;
    writers_side_by_side_lose_nothing(&fresh()).await;
    what_is_acknowledged_is_there_after_reopening(&fresh()).await;
    lists_page_from_the_newest(&fresh()).await;
    copies::a_copy_in_memory_can_catch_up(&fresh()).await;
    copies::links_and_names_from_elsewhere_are_found_in_their_mind_alone(&fresh()).await;
    talk::a_conversation_reads_back_as_it_was_written(&fresh()).await;
    talk::two_turns_cannot_take_one_place(&fresh()).await;
    talk::a_relationship_is_moved_from_where_it_is(&fresh()).await;
    talk::what_was_said_and_erased_leaves_nothing(&fresh()).await;
    talk::a_conversation_in_memory_can_catch_up(&fresh()).await;
    statements::a_statement_reads_back_as_it_was_written(&fresh()).await;
    statements::a_page_of_statements_has_only_what_was_asked_for(&fresh()).await;
    statements::an_erased_statement_leaves_nothing(&fresh()).await;
    selfhood::the_self_reads_back_as_it_was_written(&fresh()).await;
    selfhood::a_stale_word_about_the_self_is_refused(&fresh()).await;
    selfhood::what_spoke_of_a_gone_memory_says_nothing(&fresh()).await;
    selfhood::an_erased_mind_leaves_nothing_of_its_self(&fresh()).await;
    selfhood::an_agents_forgetting_is_counted(&fresh()).await;
    thought::what_waits_for_a_model_reads_back_and_is_done_once(&fresh()).await;
    thought::what_models_use_adds_up_by_day(&fresh()).await;
    thought::what_models_wrote_goes_with_what_it_was_made_of(&fresh()).await;
    thought::a_run_of_personas_continues_from_its_latest_state_only(&fresh()).await;
    due::a_mind_is_given_to_one_worker_at_a_time(&fresh()).await;
    due::a_mind_that_is_not_due_for_long_is_once_something_is_written(&fresh()).await;
    due::a_mind_tells_what_awaits_its_memories(&fresh()).await;
    due::a_clock_is_followed_and_what_a_wrong_one_wrote_is_found(&fresh()).await;
    due::a_webhook_is_told_by_one_teller_at_a_time_and_goes_with_its_mind(&fresh()).await;
    copies::a_store_tells_when_it_was_changed(&fresh()).await;
    copies::a_commit_that_fails_takes_no_other_with_it(&fresh()).await;
}

const START: Timestamp = Timestamp::from_millis(1_780_000_000_000);
const EMBEDDER: &str = "test@1";

/// Returns id bytes that are ordered by number.
fn chance(number: u64) -> [u8; 10] {
    let mut bytes = [0; 10];
    bytes[2..].copy_from_slice(&number.to_be_bytes());
    bytes
}

fn memory(number: u64, content: &str) -> Memory {
    let at = START.plus(Span::seconds(number as i64));
    Memory {
        id: MemoryId::new(at, chance(number)),
        external_id: None,
        revision: 0,
        standing: MemoryState::Alive,
        content: content.into(),
        essence: None,
        original_event: None,
        interpretation: None,
        summary: None,
        kind: Kind::Episodic,
        category: None,
        source: Source::User,
        knowledge: Knowledge::Told,
        turns: Vec::new(),
        feeling: Feeling::default(),
        trust: Unit::ONE,
        importance: Unit::clamped(0.3),
        stated_importance: None,
        appraisal: None,
        counted_references: 0,
        strength: Strength::fresh(0),
        recalls: 0,
        mentions: 0,
        last_recalled_at: None,
        created_at: at,
        edited_at: None,
        tier: Tier::M30,
        expires_at: Tier::M30.expires(at, &TierPolicy::default()),
        promoted_from: None,
        pinned: false,
        remember_this: false,
        changed_behaviour: false,
        island: None,
        zone: Zone::Outer,
        zone_score: 0.125,
        tags: Vec::new(),
        rating: None,
        coordinate: Coordinate::default(),
    }
}

fn full(number: u64) -> Memory {
    Memory {
        external_id: Some("mem_20251012_093022_a4f3".into()),
        original_event: Some("루나가 \"생일 축하해\"라고 말했다".into()),
        essence: Some(Essence { subject: Some("생일".into()), times: 4 }),
        interpretation: Some("나를 소중히 여긴다".into()),
        summary: Some("생일".into()),
        category: Some(Category::SharedEvents),
        source: Source::Conversation,
        knowledge: Knowledge::Witnessed,
        turns: vec![TurnId::new(START, chance(1)), TurnId::new(START, chance(2))],
        feeling: Feeling {
            keywords: vec!["행복".into()],
            ..Feeling::named(Emotions::mix([Emotion::Joy, Emotion::Sadness]), Unit::clamped(0.75))
        },
        trust: Unit::clamped(0.7),
        stated_importance: Some(Unit::clamped(0.8)),
        appraisal: Some(Unit::clamped(0.65)),
        counted_references: 4,
        strength: Strength { value: Unit::clamped(0.5), as_of_turn: 42 },
        recalls: 3,
        mentions: 2,
        last_recalled_at: Some(START.plus(Span::days(2))),
        edited_at: Some(START.plus(Span::days(1))),
        tier: Tier::M365,
        promoted_from: Some(MemoryId::new(START, chance(9))),
        pinned: true,
        remember_this: true,
        changed_behaviour: true,
        zone: Zone::Inner,
        tags: vec!["생일".into(), "party".into()],
        rating: Some(Rating::new(4).expect("four stars")),
        coordinate: Coordinate {
            session: Some(SessionId::new("저녁").expect("a name")),
            sequence: Some(7),
            minutes: Some(12.5),
            project: Some("saegim".into()),
            domain: Some("life".into()),
            file_context: vec!["a.rs".into(), "나.rs".into()],
            depth_index: Some(2),
            persona_id: Some("thesis".into()),
            persona_name: Some("정".into()),
            persona_role: Some("opener".into()),
            backend: Some("rules".into()),
            content_type: Some(ContentType::UserInput),
            prompt_digest: Some("무엇을 기억해?".into()),
            token_count: Some(31),
            phase_injection_applied: true,
            error_occurred: true,
            rhythm_phase: Some(RhythmPhase::Reflection),
            priority: Some(3),
        },
        ..memory(number, "민수의 생일을 함께 보냈다 🎂")
    }
}

async fn begin(store: &dyn Store, user: &str) -> Mind {
    let number = user.bytes().map(u64::from).sum();
    let mind = Mind {
        id: MindId::new(START, chance(number)),
        key: MindKey::new(user, "luna").expect("a name"),
        made_at: START,
        turns: 0,
        mood: Mood::neutral(START),
        ticked_at: None,
        quiet_until: None,
        consolidated_turn: 0,
        compared_to: None,
        raised: Default::default(),
        pruned_turn: 0,
        care_due_at: Some(START),
        salt: [7; 32],
    };
    let mut commit = Commit::new(mind.id, START, Principal::Owner, Op::Begin);
    commit.changes.push(Change::MindBegan(Box::new(mind.clone())));
    store.commit(commit).await.expect("a mind begins");
    mind
}

async fn write(store: &dyn Store, mind: &Mind, op: Op, changes: Vec<Change>) -> Result<Receipt, StoreError> {
    let mut commit = Commit::new(mind.id, START, Principal::Owner, op);
    for change in &changes {
        if let Change::MemoryAdded(memory) = change {
            commit.memories.push(LedgerRef::to(memory, &mind.salt));
        }
    }
    commit.changes = changes;
    store.commit(commit).await
}

async fn keep(store: &dyn Store, mind: &Mind, memories: impl IntoIterator<Item = Memory>) {
    for memory in memories {
        write(store, mind, Op::Remember, vec![Change::MemoryAdded(Box::new(memory))]).await.expect("a memory is kept");
    }
}

async fn found(store: &dyn Store, mind: &Mind, question: &str, filter: &Filter) -> Vec<MemoryId> {
    let search = WordSearch { mind: mind.id, queries: &word_queries(question), filter, limit: 50 };
    let hits = store.by_words(search).await.expect("words answer");
    hits.hits.into_iter().map(|hit| hit.memory).collect()
}

fn vector(components: &[f32]) -> Embedding {
    Embedding::new(components.to_vec()).expect("a usable vector")
}

fn embedded(memory: &Memory, components: &[f32]) -> Change {
    Change::Embedded { memory: memory.id, embedder: EMBEDDER.into(), vector: vector(components) }
}

async fn near(store: &dyn Store, mind: &Mind, components: &[f32], filter: &Filter) -> Vec<(MemoryId, f32)> {
    let vector = vector(components);
    let search = VectorSearch { mind: mind.id, embedder: EMBEDDER, vector: &vector, filter, limit: 5 };
    store.by_vector(search).await.expect("vectors answer").into_iter().map(|hit| (hit.memory, hit.cosine)).collect()
}

fn fallen(memory: Memory) -> Change {
    let fall = Fall { at: START, reason: CliffReason::Manual, note: "asked for".into() };
    let (memory, entry) = memory.to_cliff(fall, &CliffPolicy::default());
    Change::CliffEntered(Box::new(memory), entry)
}

async fn a_memory_reads_back_as_it_was_written(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let (rich, plain) = (full(1), memory(2, "  spaces inside   stay "));
    keep(&*store, &mind, [rich.clone(), plain.clone()]).await;
    let mut read = store.memories(mind.id, &[plain.id, rich.id]).await.expect("memories are read");
    for memory in &mut read {
        memory.tags.sort();
    }
    let mut written = rich.clone();
    written.tags.sort();
    assert_eq!(read, [plain, written.clone()]);

    let changed = Memory { content: "민수의 서른 번째 생일".into(), tags: vec!["서른".into()], turns: Vec::new(), ..written };
    write(&*store, &mind, Op::Edit, vec![Change::MemoryChanged(Box::new(changed.clone()))]).await.expect("a change is written");
    let read = store.memories(mind.id, &[rich.id]).await.expect("memories are read");
    assert_eq!(read, [Memory { revision: 1, ..changed }]);
    assert_eq!(store.mind(&mind.key).await.expect("a mind is read"), Some(mind));
}

async fn a_commit_is_whole_or_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let good = memory(1, "커피를 쏟았다");
    let changes = vec![Change::MemoryAdded(Box::new(good.clone())), Change::MemoryGone(MemoryId::new(START, chance(99)))];
    let refused = write(&*store, &mind, Op::Remember, changes).await;
    assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    assert!(store.memories(mind.id, &[good.id]).await.expect("memories are read").is_empty());
    assert!(found(&*store, &mind, "커피", &Filter::default()).await.is_empty());
    assert!(matches!(store.verify_ledger(mind.id).await.expect("the ledger is read"), Verdict::Whole { entries: 1, .. }));
}

async fn a_stale_decision_is_refused(subject: &impl Backend) {
    let (store, other) = (subject.open().await, subject.open().await);
    let mind = begin(&*store, "minsu").await;
    let first = memory(1, "서울에 산다");
    keep(&*store, &mind, [first.clone()]).await;
    let change = |content: &str| vec![Change::MemoryChanged(Box::new(Memory { content: content.into(), ..first.clone() }))];
    write(&*store, &mind, Op::Edit, change("부산에 산다")).await.expect("the first writes");
    let late = write(&*other, &mind, Op::Edit, change("대구에 산다")).await;
    assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
    let read = store.memories(mind.id, &[first.id]).await.expect("memories are read");
    assert_eq!((read[0].content.as_str(), read[0].revision), ("부산에 산다", 1));
}

async fn a_repeated_request_changes_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let request = |number: u64, content: &str| {
        let memory = memory(number, content);
        let mut commit = Commit::new(mind.id, START, Principal::Owner, Op::Remember);
        commit.memories.push(LedgerRef::to(&memory, &mind.salt));
        commit.changes.push(Change::MemoryAdded(Box::new(memory)));
        commit.idempotency = Some(Idempotency { key: "k-1".into(), request: Hash::of(content.as_bytes()) });
        commit
    };
    let first = store.commit(request(1, "한 번만")).await.expect("the first is done");
    let again = subject.open().await.commit(request(2, "한 번만")).await.expect("the second is answered");
    assert!(!first.repeated && again.repeated);
    assert_eq!((first.sequence, &first.memories), (again.sequence, &again.memories));
    assert!(matches!(store.commit(request(3, "다른 것")).await, Err(StoreError::Conflict(_))));
    let all = store.list(mind.id, &Filter::default(), Page { limit: 10, before: None }).await.expect("a list");
    assert_eq!(all.len(), 1);
}

async fn minds_do_not_see_each_other(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    let secret = memory(1, "비밀번호는 달빛이다");
    keep(&*store, &yours, [secret.clone()]).await;
    write(&*store, &yours, Op::Embed, vec![embedded(&secret, &[1.0, 0.0])]).await.expect("a vector is kept");
    let digits = secret.id.to_string().replace('-', "");
    for _ in 0..3 {
        assert!(found(&*store, &mine, "비밀번호 달빛", &Filter::default()).await.is_empty());
        assert!(near(&*store, &mine, &[1.0, 0.0], &Filter::default()).await.is_empty());
    }
    assert!(store.memories(mine.id, &[secret.id]).await.expect("memories").is_empty());
    assert!(store.index_rows(whole(&mine)).await.expect("rows").rows.is_empty());
    assert!(store.ids_like(mine.id, &digits[24..]).await.expect("ids").is_empty());
    assert!(store.zone_rows(mine.id).await.expect("rows").is_empty());
    assert!(store.ledger_of(mine.id, secret.id).await.expect("entries").is_empty());
    assert!(store.list(mine.id, &Filter::default(), Page { limit: 10, before: None }).await.expect("a list").is_empty());
    let meddling = vec![Change::MemoryGone(secret.id)];
    assert!(matches!(write(&*store, &mine, Op::Purge, meddling).await, Err(StoreError::NotFound(_))));
    let meddling = vec![Change::MemoryChanged(Box::new(Memory { content: "바뀜".into(), ..secret.clone() }))];
    assert!(matches!(write(&*store, &mine, Op::Edit, meddling).await, Err(StoreError::NotFound(_))));
    assert_eq!(found(&*store, &yours, "달빛", &Filter::default()).await, [secret.id]);
}

async fn a_mind_that_has_not_begun_reads_as_empty_and_takes_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let begun = begin(&*store, "minsu").await;
    keep(&*store, &begun, [memory(1, "바다를 보러 갔다")]).await;
    let unbegun = Mind { id: MindId::UNBEGUN, ..begun };
    for _ in 0..2 {
        assert!(store.mind_by_id(unbegun.id).await.expect("no mind").is_none());
        assert_eq!(store.head(unbegun.id).await.expect("a head"), 0);
        assert!(found(&*store, &unbegun, "바다", &Filter::default()).await.is_empty());
        assert!(store.list(unbegun.id, &Filter::default(), Page { limit: 10, before: None }).await.expect("a list").is_empty());
        let kept = write(&*store, &unbegun, Op::Remember, vec![Change::MemoryAdded(Box::new(memory(2, "산에 갔다")))]).await;
        assert!(matches!(kept, Err(StoreError::NotFound(_))), "{kept:?}");
    }
}

async fn the_cliff_hides_and_gives_back(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let kept = memory(1, "바다를 보러 갔다");
    keep(&*store, &mind, [kept.clone()]).await;
    write(&*store, &mind, Op::Embed, vec![embedded(&kept, &[0.0, 1.0])]).await.expect("a vector");
    write(&*store, &mind, Op::Forget, vec![fallen(kept.clone())]).await.expect("it falls");
    for _ in 0..3 {
        assert!(found(&*store, &mind, "바다", &Filter::default()).await.is_empty());
        assert!(near(&*store, &mind, &[0.0, 1.0], &Filter::default()).await.is_empty());
    }
    assert!(store.zone_rows(mind.id).await.expect("rows").is_empty());
    let waiting = store.cliff(mind.id).await.expect("the cliff");
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].entry.gone_at, START.plus(Span::days(7)));
    let back = waiting[0].memory.clone().with_new_term(START, &TierPolicy::default());
    write(&*store, &mind, Op::Restore, vec![Change::CliffLeft(Box::new(back))]).await.expect("it comes back");
    assert!(store.cliff(mind.id).await.expect("the cliff").is_empty());
    assert_eq!(found(&*store, &mind, "바다", &Filter::default()).await, [kept.id]);
    assert_eq!(near(&*store, &mind, &[0.0, 1.0], &Filter::default()).await[0].0, kept.id);
    assert_eq!(store.counts(mind.id, EMBEDDER).await.expect("counts").vectors, 1);
    assert_eq!(store.embedded("other@1").await.expect("a count").1, 0);
}

async fn what_is_gone_leaves_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let mut gone = Vec::new();
    for number in 0..200u64 {
        let canary = format!("canary{number:04}카나리아{number:04}");
        let text = format!("{canary} 노래했다");
        let mut memory = Memory { content: text.clone(), tags: vec![canary.clone()], ..full(number + 10) };
        memory.external_id = Some(canary.clone());
        memory.original_event = Some(canary.clone());
        memory.interpretation = Some(canary.clone());
        memory.summary = Some(canary.clone());
        memory.coordinate.prompt_digest = Some(canary.clone());
        memory.feeling.keywords = vec![canary.clone()];
        let components: Vec<f32> = (0..16).map(|index| ((number * 31 + index * 17) % 23) as f32 - 11.0).collect();
        let changes = vec![Change::MemoryAdded(Box::new(memory.clone())), embedded(&memory, &components)];
        write(&*store, &mind, Op::Remember, changes).await.expect("it is kept");
        gone.push(memory);
    }
    let stays = memory(1000, "stays여기남는다");
    keep(&*store, &mind, [stays.clone()]).await;
    write(&*store, &mind, Op::Link, vec![Change::LinkAdded(Link { from: gone[0].id, to: stays.id, kind: LinkKind::Related })])
        .await
        .expect("a link");
    assert!(find(&subject.at_rest(), b"canary0042"), "the scan itself must be able to find");
    for memory in &gone {
        write(&*store, &mind, Op::Forget, vec![fallen(memory.clone())]).await.expect("it falls");
    }
    for memory in &gone {
        write(&*store, &mind, Op::Purge, vec![Change::MemoryGone(memory.id)]).await.expect("it goes");
    }
    assert!(store.sweep().await.expect("a sweep"), "nobody reads, so nothing may be left waiting");
    let bytes = subject.at_rest();
    for canary in ["canary", "카나리아"] {
        assert!(!find(&bytes, canary.as_bytes()), "{canary} is still there");
    }
    assert!(find(&bytes, "stays여기남는다".as_bytes()));
    assert!(store.links(mind.id, stays.id).await.expect("links").is_empty());
    assert!(store.check().await.expect("a check").problems.is_empty());
    assert!(matches!(store.verify_ledger(mind.id).await.expect("the ledger"), Verdict::Whole { .. }));
}

fn find(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

async fn writers_side_by_side_lose_nothing(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let mut tasks = Vec::new();
    for writer in 0..8u64 {
        let store = if writer % 2 == 0 { Arc::clone(&store) } else { subject.open().await };
        let mind = mind.clone();
        tasks.push(tokio::spawn(async move {
            for number in 0..25u64 {
                let number = writer * 100 + number;
                keep(&*store, &mind, [memory(number, &format!("기억 {number}"))]).await;
            }
        }));
    }
    for task in tasks {
        task.await.expect("no writer fails");
    }
    assert_eq!(store.zone_rows(mind.id).await.expect("rows").len(), 200);
    assert!(matches!(store.verify_ledger(mind.id).await.expect("the ledger"), Verdict::Whole { entries: 201, .. }));
    assert!(store.check().await.expect("a check").problems.is_empty());
}

async fn what_is_acknowledged_is_there_after_reopening(subject: &impl Backend) {
    let mind = {
        let store = subject.open().await;
        let mind = begin(&*store, "minsu").await;
        keep(&*store, &mind, [memory(1, "남는다"), memory(2, "이것도")]).await;
        mind
    };
    let store = subject.open().await;
    assert_eq!(store.minds().await.expect("minds"), std::slice::from_ref(&mind));
    for (user, character, is_there) in [(Some("minsu"), None, true), (Some("jiwoo"), None, false), (None, Some("nobody"), false)] {
        let named = |name: Option<&str>| name.map(str::to_owned);
        let search = crate::MindSearch { user: named(user), character: named(character), work: None };
        assert_eq!(store.minds_named(search).await.expect("minds").len(), usize::from(is_there), "{user:?} {character:?}");
    }
    assert_eq!(found(&*store, &mind, "남는다", &Filter::default()).await.len(), 1);
    let entries = store.ledger(mind.id, 1, 10).await.expect("entries");
    assert_eq!(entries.iter().map(|(entry, _)| entry.operation).collect::<Vec<_>>(), [Op::Remember, Op::Remember]);
}

async fn lists_page_from_the_newest(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    keep(&*store, &mind, (0..7).map(|number| memory(number, &format!("기억 {number}")))).await;
    let first = store.list(mind.id, &Filter::default(), Page { limit: 4, before: None }).await.expect("a page");
    let second = store.list(mind.id, &Filter::default(), Page { limit: 4, before: Some(first[3].id) }).await.expect("a page");
    let texts: Vec<_> = first.iter().chain(&second).map(|memory| memory.content.as_str()).collect();
    assert_eq!(texts, ["기억 6", "기억 5", "기억 4", "기억 3", "기억 2", "기억 1", "기억 0"]);
    let since = Filter { since: Some(START.plus(Span::seconds(5))), ..Filter::default() };
    assert_eq!(store.list(mind.id, &since, Page { limit: 9, before: None }).await.expect("a page").len(), 2);
}
