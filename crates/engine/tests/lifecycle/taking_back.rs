//! Retracting, rewording and erasing: who may do it, how much, and only on the revision they have seen.

use std::sync::Arc;

use saegim_core::{Hash, Principal, Rating, Span, Tier, Timestamp, TurnId};
use saegim_engine::{
    Clock, Config, Core, Draft, Edit, Engine, EngineError, Exchange, Filter, MindHandle, MindKey, NewMessage, Observed, Page, SetClock,
};

struct World {
    folder: tempfile::TempDir,
    clock: Arc<SetClock>,
}

impl World {
    fn new() -> Self {
        let clock = Arc::new(SetClock::at(Timestamp::parse("2026-03-01T09:00:00Z").unwrap()));
        Self { folder: tempfile::tempdir().unwrap(), clock }
    }

    async fn mind(&self) -> MindHandle {
        let mut config = Config::local(self.folder.path().join("mind.db"));
        config.clock = self.clock.clone();
        Engine::open(config).await.unwrap().mind(MindKey::new("minsu", "luna").unwrap()).await.unwrap()
    }

    fn later(&self, minutes: i64) {
        self.clock.set(self.clock.now().plus(Span::seconds(minutes * 60)));
    }
}

async fn say(mind: &MindHandle, text: &str, answer: &str) -> Observed {
    mind.observe(Exchange { said: vec![NewMessage::user(text), NewMessage::assistant(answer)], ..Exchange::default() }).await.unwrap()
}

async fn known(mind: &MindHandle, subject: &str) -> Vec<String> {
    mind.facts().await.unwrap().current().filter(|fact| fact.subject == subject).map(|fact| fact.value.clone()).collect()
}

async fn memories(mind: &MindHandle, filter: Filter) -> Vec<saegim_core::Memory> {
    mind.list(&filter, Page { limit: 1000, before: None }).await.unwrap()
}

fn turn_of(observed: &Observed) -> TurnId {
    observed.turns[0].id
}

#[tokio::test]
async fn turns_under_a_key_stand_in_the_order_of_their_time() {
    let world = World::new();
    let mind = world.mind().await;
    let mut ids = Vec::new();
    for number in 0..6 {
        let said = vec![NewMessage::user(format!("{number}번째 이야기"))];
        let idempotency = (number % 2 == 0).then(|| format!("key {number}"));
        ids.push(turn_of(&mind.observe(Exchange { said, idempotency, ..Exchange::default() }).await.unwrap()));
        world.later(1);
    }
    assert!(ids.is_sorted(), "{ids:?}");
    // The same request later returns the original turns.
    let said = vec![NewMessage::user("0번째 이야기")];
    let again = mind.observe(Exchange { said, idempotency: Some("key 0".into()), ..Exchange::default() }).await.unwrap();
    assert!(again.repeated && turn_of(&again) == ids[0]);
}

#[tokio::test]
async fn an_answer_that_is_made_anew_is_the_same_request() {
    let world = World::new();
    let mind = world.mind().await;
    let asked = |answer: &str, question: &str| Exchange {
        said: vec![NewMessage::user(question), NewMessage::assistant(answer)],
        idempotency: Some("chat-1".into()),
        asked: Some(Hash::of(question.as_bytes())),
        ..Exchange::default()
    };
    mind.observe(asked("반가워!", "안녕, 나는 여수에 살아")).await.unwrap();
    let before = mind.taken_before(&asked("", "안녕, 나는 여수에 살아")).await.unwrap().unwrap();
    assert_eq!((before.turns.len(), before.turns[1].content.as_str()), (2, "반가워!"));
    let again = mind.observe(asked("또 보네!", "안녕, 나는 여수에 살아")).await.unwrap();
    assert!(again.repeated && again.turns[1].content == "반가워!");
    assert!(matches!(mind.taken_before(&asked("", "다른 물음")).await, Err(EngineError::Conflict(_))));
}

/// Turns from more than a month ago, with the memories learned from them.
async fn long_ago(world: &World, mind: &MindHandle) -> Vec<TurnId> {
    let mut turns = Vec::new();
    for text in
        ["나는 강릉에 살아. 꼭 기억해", "나 고양이 나비를 키워. 기억해 줘", "내 생일은 3월 15일이야. 기억해", "나는 치과의사야. 기억해"]
    {
        turns.push(turn_of(&say(mind, text, "기억할게.").await));
        world.later(10);
    }
    world.later(40 * 24 * 60);
    say(mind, "오랜만이야", "잘 지냈어?").await;
    turns
}

#[tokio::test]
async fn an_agent_takes_back_what_is_being_said_and_little_of_what_was() {
    let world = World::new();
    let mind = world.mind().await;
    let agent = mind.clone().acting_as(Principal::Agent);
    let old = long_ago(&world, &mind).await;
    let let_go = agent.withdraw(&old[..1]).await.unwrap();
    assert_eq!(let_go.memories, 1);
    for turn in &old[1..] {
        let refused = agent.withdraw(&[*turn]).await;
        assert!(matches!(refused, Err(EngineError::NotYet(..))), "{refused:?}");
        assert!(matches!(agent.reword(*turn, "나는 아무것도 아니야").await, Err(EngineError::NotYet(..))));
    }
    assert_eq!(mind.cliff().await.unwrap().len(), 1);
    // A memory it forgot directly counts toward the same limit, and vice versa.
    let other = memories(&mind, Filter::default()).await[0].id;
    assert!(matches!(agent.forget(other, Core::Kept).await, Err(EngineError::Proposed(_))));
    // Rewording the current exchange is not limited.
    for number in 0..5 {
        let told = say(&mind, &format!("나 {number}번째로 대구로 이사했어. 기억해"), "그래!").await;
        agent.reword(turn_of(&told), &format!("나 {number}번째로 광주로 이사했어. 기억해")).await.unwrap();
        agent.withdraw(&[turn_of(&told), told.turns[1].id]).await.unwrap();
    }
    mind.withdraw(&old).await.unwrap();
}

#[tokio::test]
async fn what_an_agent_rewords_is_trusted_as_its_own_word() {
    let world = World::new();
    let mind = world.mind().await;
    let agent = mind.clone().acting_as(Principal::Agent);
    let told = say(&mind, "나는 강릉에 살아. 꼭 기억해", "응.").await;
    assert!(memories(&mind, Filter::default()).await.iter().all(|memory| memory.trust.get() == 1.0));
    agent.reword(turn_of(&told), "나는 평양에 살아. 꼭 기억해").await.unwrap();
    let now = memories(&mind, Filter::default()).await;
    assert!(!now.is_empty() && now.iter().all(|memory| memory.trust.get() <= 0.5), "{now:?}");
    mind.reword(turn_of(&told), "나는 속초에 살아. 꼭 기억해").await.unwrap();
    assert!(memories(&mind, Filter::default()).await.iter().all(|memory| memory.trust.get() == 1.0), "the owner's own hand");
}

#[tokio::test]
async fn what_something_core_was_learned_from_stays_known() {
    let world = World::new();
    let mind = world.mind().await;
    let agent = mind.clone().acting_as(Principal::Agent);
    let told = say(&mind, "나는 강릉에 살아. 꼭 기억해", "응.").await;
    let before = known(&mind, "residence").await;
    assert_eq!(before.len(), 1);
    let core = memories(&mind, Filter::default()).await[0].id;
    mind.edit(core, Edit { tier: Some(Tier::M0), ..Default::default() }).await.unwrap();
    let refused = agent.reword(turn_of(&told), "나는 평양에 살아. 꼭 기억해").await;
    assert!(matches!(refused, Err(EngineError::Forbidden(_))), "{refused:?}");
    agent.withdraw(&[turn_of(&told)]).await.unwrap();
    assert_eq!(known(&mind, "residence").await, before, "the owner made it core, so it is known");
    // Later retractions do not change that.
    let other = say(&mind, "나는 치과의사야", "응.").await;
    assert_eq!(known(&mind, "job").await.len(), 1);
    mind.withdraw(&[turn_of(&other)]).await.unwrap();
    assert_eq!(known(&mind, "residence").await, before);
    assert_eq!(known(&mind, "job").await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_changes_meant_for_one_revision_one_is_made() {
    let world = World::new();
    let mind = world.mind().await;
    let memory = mind.remember(Draft::text("비 오는 날 산책을 했다")).await.unwrap().memory;
    let meant = mind.clone().at_revisions([memory.revision]);
    let mut edits = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (meant, edit) = (meant.clone(), Edit { content: Some(format!("고친 글 {number}")), ..Default::default() });
        edits.spawn(async move { meant.edit(memory.id, edit).await });
    }
    let mut made = 0;
    for edited in edits.join_all().await {
        match edited {
            Ok(_) => made += 1,
            Err(error) => assert!(matches!(error, EngineError::Changed(_)), "{error}"),
        }
    }
    assert_eq!(made, 1);
    assert!(matches!(meant.forget(memory.id, Core::Kept).await, Err(EngineError::Changed(_))));
    assert!(matches!(meant.rate(memory.id, Rating::new(3).unwrap()).await, Err(EngineError::Changed(_))));
}

/// Returns whether the context, the turns (including retracted ones) or the scene topic contain these words.
async fn is_told(mind: &MindHandle, words: &str) -> bool {
    let context = mind.context(saegim_engine::ContextQuery { text: "오늘 뭐 하지?".into(), budget: None }).await.unwrap();
    let turns = mind.turns(saegim_engine::TurnPage { limit: 100, withdrawn: true, ..Default::default() }).await.unwrap();
    let topics = mind.scene().await.unwrap().and_then(|scene| scene.topic).unwrap_or_default();
    let sections = context.sections.iter().any(|section| section.text.contains(words));
    sections || turns.iter().any(|turn| turn.content.contains(words)) || topics.contains(words)
}

#[tokio::test]
async fn what_is_erased_is_gone_from_the_answers_that_said_it_again_and_from_the_scene() {
    for (secret, answer, later, word) in [
        ("내 통장 비밀번호는 482913이야. 꼭 기억해 줘", "응, 통장 비밀번호 482913 기억할게!", "아까 482913이라고 했지?", "482913"),
        (
            "Please remember that my sister Harriet lives in Norwich",
            "Got it, your sister Harriet lives in Norwich.",
            "How is Harriet, your sister who lives in Norwich?",
            "Harriet",
        ),
    ] {
        let world = World::new();
        let mind = world.mind().await;
        say(&mind, "오늘 날씨가 좋네", "그러게, 산책 어때?").await;
        world.later(1);
        let said = vec![NewMessage::user(secret), NewMessage::assistant(answer)];
        let exchange = Exchange { said, idempotency: Some("told".into()), ..Exchange::default() };
        let observed = mind.observe(exchange.clone()).await.unwrap();
        world.later(1);
        say(&mind, "점심은 국수였어", later).await;
        let id = observed.candidates.iter().find_map(|candidate| candidate.memory).unwrap();
        assert!(is_told(&mind, word).await);
        let gone = mind.erase_memory(id).await.unwrap();
        assert!(gone.turns == 3 && gone.candidates > 0, "{gone:?}");
        assert!(!is_told(&mind, word).await, "{word}");
        let again = mind.observe(exchange).await.unwrap();
        assert!(again.turns.iter().all(|turn| !turn.content.contains(word)), "{:?}", again.turns);
        let left = mind.turns(saegim_engine::TurnPage { limit: 100, ..Default::default() }).await.unwrap();
        assert_eq!(left.len(), 3, "what has nothing to do with it stays");
        assert!(left.iter().any(|turn| turn.content == "점심은 국수였어"));
    }
}

#[tokio::test]
async fn an_answer_that_repeats_no_more_than_the_secret_goes_with_it() {
    for (secret, answer, word) in [
        ("우리 집 대문 암호는 자작나무숲이야. 기억해 줘", "응, 자작나무숲이라고 기억할게", "자작나무숲"),
        ("Remember this: the word for the alarm company is marmalade", "Okay, marmalade it is!", "marmalade"),
    ] {
        let world = World::new();
        let mind = world.mind().await;
        say(&mind, "주말에 뭐 하지", "산책은 어때?").await;
        world.later(1);
        let observed = say(&mind, secret, answer).await;
        let id = observed.candidates.iter().find_map(|candidate| candidate.memory).unwrap();
        let gone = mind.erase_memory(id).await.unwrap();
        assert_eq!(gone.turns, 2, "{gone:?}");
        assert!(!is_told(&mind, word).await, "{word}");
    }
}

#[tokio::test]
async fn erasing_takes_what_says_it_and_not_whatever_was_told_of_the_same_pet() {
    for tellings in [
        ["두부가 소파를 다 뜯어놨어", "두부 예방접종은 4월 18일 오후 3시로 잡았어", "두부 데리고 호수 갔다가 카약을 탔는데, 진짜 좋았어"],
        [
            "Biscuit chewed up the sofa again",
            "Biscuit's vet appointment is on April 18 at three",
            "Took Biscuit kayaking on the lake, it was so good",
        ],
    ] {
        let world = World::new();
        let mind = world.mind().await;
        let mut kept = None;
        for telling in tellings {
            world.later(24 * 60);
            let observed = say(&mind, telling, "그랬구나").await;
            kept = observed.candidates.iter().find_map(|candidate| candidate.memory).or(kept);
        }
        let kept = mind.get(kept.unwrap()).await.unwrap();
        mind.erase_memory(kept.id).await.unwrap();
        let left = mind.turns(saegim_engine::TurnPage { limit: 100, ..Default::default() }).await.unwrap();
        let told = |text: &str| left.iter().any(|turn| turn.content == text);
        let others: Vec<&str> = tellings.into_iter().filter(|telling| *telling != kept.content).collect();
        assert!(others.iter().filter(|telling| told(telling)).count() >= 2, "{left:?}");
        assert!(!told(&kept.content), "{left:?}");
    }
}

#[tokio::test]
async fn a_fact_that_rests_on_what_was_let_go_is_not_told_while_it_waits() {
    let world = World::new();
    let mind = world.mind().await;
    let observed = say(&mind, "나는 땅콩 알레르기가 있어. 꼭 기억해 줘", "알겠어").await;
    let id = observed.candidates.iter().find_map(|candidate| candidate.memory).unwrap();
    let facts = async || {
        let context = mind.context(saegim_engine::ContextQuery { text: "뭐 먹을까?".into(), budget: None }).await.unwrap();
        context.sections.iter().any(|section| section.name.contains("facts") && section.text.contains("땅콩"))
    };
    assert!(facts().await);
    mind.forget(id, Core::Kept).await.unwrap();
    assert!(!facts().await);
    mind.restore(id).await.unwrap();
    assert!(facts().await);
}
