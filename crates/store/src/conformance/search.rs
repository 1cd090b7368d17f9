//! Word and vector search: matches are found only in their own mind, and filters exclude the rest.

use saegim_core::{Change, Embedding, Memory, Op, Tier};

use super::{Backend, EMBEDDER, begin, embedded, fallen, found, keep, memory, near, write};
use crate::Filter;

pub(super) async fn words_are_found_with_their_particles(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let texts = [
        "아침마다 커피를 마신다",
        "회사에서 늦게 왔다",
        "생일이 3월 15일이다",
        "아이스아메리카노만 마셔",
        "집에서 밥을 먹었다",
        "I adopted a puppy",
    ];
    let memories: Vec<_> = texts.iter().enumerate().map(|(number, text)| memory(number as u64, text)).collect();
    keep(&*store, &mind, memories.iter().cloned()).await;
    let cases = [("커피", 0), ("커피는", 0), ("회사", 1), ("생일", 2), ("아메리카노", 3), ("밥", 4), ("집", 4), ("PUPPY", 5)];
    for (question, index) in cases {
        let first = found(&*store, &mind, question, &Filter::default()).await.first().copied();
        assert_eq!(first, Some(memories[index].id), "{question}");
    }
    assert!(found(&*store, &mind, "고양이", &Filter::default()).await.is_empty());
}

pub(super) async fn any_question_is_answered(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    keep(&*store, &mind, [memory(1, "커피 AND NEAR(밥) \"quoted\" * ^ : - ( ) { } '")]).await;
    let long = "가나다라마바사 ".repeat(2000);
    for question in
        ["", "\"", "*", "커피*", "AND OR NOT", "NEAR(", "a:b", "'; DROP TABLE memory;--", "\u{0}\u{E000}", "💥", "नमस्ते", "ﷺ", &long]
    {
        found(&*store, &mind, question, &Filter::default()).await;
    }
    assert_eq!(found(&*store, &mind, "near", &Filter::default()).await.len(), 1);
}

pub(super) async fn nearest_vectors_come_first_and_filters_reach_inside(subject: &impl Backend) {
    let store = subject.open().await;
    let mind = begin(&*store, "minsu").await;
    let mut memories = Vec::new();
    for number in 0..60u64 {
        let angle = number as f32 / 60.0;
        let memory = Memory { tier: if number == 55 { Tier::M365 } else { Tier::M30 }, ..memory(number, &format!("기억 {number}")) };
        let changes = vec![Change::MemoryAdded(Box::new(memory.clone())), embedded(&memory, &[angle.cos(), angle.sin(), 0.1])];
        write(&*store, &mind, Op::Remember, changes).await.expect("a memory is kept");
        memories.push(memory);
    }
    let only = Filter { tier: Some(Tier::M365), ..Filter::default() };
    for round in 0..4 {
        let nearest = near(&*store, &mind, &[1.0, 0.0, 0.1], &Filter::default()).await;
        let ids: Vec<_> = nearest.iter().map(|(id, _)| *id).collect();
        let first = if round < 3 { 0 } else { 1 };
        assert_eq!(ids, memories[first..first + 5].iter().map(|memory| memory.id).collect::<Vec<_>>(), "round {round}");
        assert!(nearest[0].1 > 0.99 && nearest.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{nearest:?}");
        let filtered = near(&*store, &mind, &[1.0, 0.0, 0.1], &only).await;
        assert_eq!(filtered.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [memories[55].id]);
        if round == 2 {
            let other = subject.open().await;
            write(&*other, &mind, Op::Forget, vec![fallen(memories[0].clone())]).await.expect("it falls");
        }
    }
    let wrong = Embedding::new(vec![1.0; 7]).expect("a vector");
    let change = Change::Embedded { memory: memories[1].id, embedder: EMBEDDER.into(), vector: wrong };
    assert!(write(&*store, &mind, Op::Embed, vec![change]).await.is_err());
    let missing = store.without_vector(mind.id, EMBEDDER, 10).await.expect("memories");
    assert!(missing.is_empty());
    assert_eq!(store.without_vector(mind.id, "other@1", 100).await.expect("memories").len(), 59);
}
