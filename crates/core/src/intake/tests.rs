//! Decisions about exchanges with one or two findings.

use crate::memories::memory::tests::plain;
use crate::*;

fn now() -> Timestamp {
    Timestamp::parse("2026-05-01T12:00:00Z").unwrap()
}

fn turn(role: Role) -> Turn {
    Turn {
        id: TurnId::new(now(), [1; 10]),
        session: SessionId::new("evening").unwrap(),
        sequence: 3,
        role,
        speaker: None,
        content: "I moved to Busan.".into(),
        at: now(),
        face: None,
        injected: Vec::new(),
        withdrawn_at: None,
    }
}

fn context() -> IntakeContext {
    IntakeContext {
        turns: 7,
        mood: Mood::neutral(now()),
        relationship: Relationship::default(),
        scene: None,
        zones: [Zone::Core, Zone::Inner, Zone::Outer, Zone::Belt, Zone::Cloud],
        now: now(),
        calibration: Some(Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).unwrap()),
    }
}

/// A fact that scores 0.70 when it is new.
fn input() -> FindingInput {
    FindingInput {
        finding: IntakeFinding {
            content: "I moved to Busan".into(),
            candidate_type: CandidateType::Fact,
            feeling: Feeling::default(),
            confidence: Unit::clamped(0.9),
            future_impact: Unit::clamped(0.9),
            remember_this: false,
            has_claim: false,
            life_event: false,
            class: MemoryClass { kind: Kind::Semantic, category: None },
            class_of_habit: MemoryClass { kind: Kind::Semantic, category: None },
        },
        is_echo: false,
        fact: SettledFact::default(),
        vector: Some(Embedding::new(vec![1.0, 0.0]).unwrap()),
        appraisal: Appraised::Done(Some(Unit::clamped(0.4))),
        similar: Vec::new(),
        to_earlier: Vec::new(),
        mentions: EarlierMentions::default(),
    }
}

/// An event that scores too low to be stored once.
fn event() -> FindingInput {
    let mut input = input();
    input.finding.candidate_type = CandidateType::Event;
    input.finding.future_impact = Unit::ZERO;
    input
}

fn read(findings: Vec<FindingInput>) -> ReadTurn {
    ReadTurn {
        turn: turn(Role::User),
        session_began: now(),
        moves_mood: None,
        effects: Vec::new(),
        ignored: Vec::new(),
        findings,
        restated: Vec::new(),
        restated_essences: Vec::new(),
    }
}

fn decide(read: ReadTurn) -> IntakeDecision {
    decide_exchange(context(), &[read], &Policy::default(), DecisionIds::new([0; 32])).unwrap()
}

/// Decides about one finding and returns the candidate and the decision.
fn check(input: FindingInput, verdict: CandidateVerdict, reason: &str) -> IntakeDecision {
    let decision = decide(read(vec![input]));
    let candidate = decision.candidates.last().unwrap();
    assert_eq!((candidate.verdict, candidate.reason.as_str()), (verdict, reason));
    decision
}

fn known(memory: Memory) -> KnownMemory {
    KnownMemory { memory, essences: Vec::new() }
}

/// A memory that was learned a month ago, with this number of counted mentions.
fn memory(number: u8, mentions: u32) -> Memory {
    Memory {
        id: MemoryId::new(now().minus(Span::days(30)), [number; 10]),
        content: "I live in Busan".into(),
        mentions,
        category: Some(Category::SharedEvents),
        turns: vec![TurnId::new(now().minus(Span::days(30)), [number; 10])],
        ..plain(now().minus(Span::days(30)))
    }
}

fn similar(similarity: f32, relation: TextRelation) -> SimilarMemory {
    SimilarMemory { known: known(memory(5, 0)), similarity: Unit::clamped(similarity), relation }
}

fn same_meaning() -> TextRelation {
    TextRelation { same_meaning: true, ..TextRelation::default() }
}

/// Earlier mentions in this number of turns.
fn mentioned(turns: u8) -> Vec<TurnId> {
    (0..turns).map(|day| TurnId::new(now().minus(Span::days(i64::from(day) + 1)), [day; 10])).collect()
}

#[test]
fn a_new_finding_is_stored() {
    let decision = check(input(), CandidateVerdict::Stored, "new (similarity 0.00)");
    let created = &decision.created[0].memory;
    assert_eq!((created.content.as_str(), created.turns.as_slice()), ("I moved to Busan", [turn(Role::User).id].as_slice()));
    assert_eq!((created.strength.as_of_turn, created.knowledge, created.trust), (7, Knowledge::Witnessed, Unit::ONE));
    assert_eq!(decision.candidates[0].memory, Some(created.id));
    assert_eq!(created.original_event.as_deref(), Some("I moved to Busan."));
    assert!(decision.created[0].vector.is_some() && decision.changed.is_empty());
}

#[test]
fn the_same_input_gives_the_same_decision() {
    let ids = |decision: IntakeDecision| (decision.candidates[0].id, decision.created[0].memory.id);
    assert_eq!(ids(decide(read(vec![input()]))), ids(decide(read(vec![input()]))));
}

#[test]
fn a_low_score_is_skipped() {
    let decision = check(event(), CandidateVerdict::Skipped, "score 0.41 is below 0.65");
    assert!(decision.created.is_empty() && decision.unappraised.is_empty());
}

#[test]
fn a_request_to_remember_overrides_the_score() {
    let mut asked = event();
    asked.finding.remember_this = true;
    let decision = check(asked, CandidateVerdict::Stored, "requested to be remembered");
    assert!(decision.created[0].memory.remember_this);
}

#[test]
fn an_echo_of_the_prompt_is_rejected() {
    let decision = check(FindingInput { is_echo: true, ..input() }, CandidateVerdict::Rejected, "repeats text from the prompt");
    assert!(decision.created.is_empty());
}

#[test]
fn small_talk_becomes_a_skipped_candidate() {
    let part =
        IgnoredPart {
            content: "안녕!".into(), verdict: CandidateVerdict::Skipped, reason: Phrase::new("small talk", "인사나 잡담")
        };
    let decision = decide(ReadTurn { ignored: vec![part], ..read(Vec::new()) });
    let candidate = &decision.candidates[0];
    assert_eq!((candidate.candidate_type, candidate.verdict), (CandidateType::SmallTalk, CandidateVerdict::Skipped));
    assert_eq!((candidate.reason.as_str(), candidate.memory), ("인사나 잡담", None));
}

#[test]
fn a_known_finding_reinforces_its_memory() {
    let input = FindingInput { similar: vec![similar(0.9, same_meaning())], ..input() };
    let decision = check(input, CandidateVerdict::Reinforced, "already known (similarity 0.90); strengthened");
    assert_eq!((decision.created.len(), decision.changed[0].mentions), (0, 1));
    assert!(decision.changed[0].turns.contains(&turn(Role::User).id));
}

#[test]
fn a_similar_memory_with_another_meaning_is_not_reinforced() {
    let input = FindingInput { similar: vec![similar(0.9, TextRelation::default())], ..input() };
    check(input, CandidateVerdict::Stored, "new (similarity 0.00)");
}

#[test]
fn a_predictable_finding_is_stored_only_if_it_is_important() {
    let near = || vec![similar(0.7, same_meaning())];
    check(FindingInput { similar: near(), ..input() }, CandidateVerdict::Skipped, "predictable (similarity 0.70)");
    let mut important = FindingInput { similar: near(), ..input() };
    important.finding.life_event = true;
    check(important, CandidateVerdict::Stored, "similar to a known memory (0.70), but important");
}

#[test]
fn a_changed_fact_is_never_predictable() {
    let fact = FactId::from_bytes([3; 16]);
    for effect in [Settled::New(fact), Settled::Superseded { by: fact, old: vec![FactId::from_bytes([2; 16])] }, Settled::Ended(vec![fact])]
    {
        let mut input = FindingInput { similar: vec![similar(0.7, same_meaning())], ..input() };
        input.fact.effect = effect;
        check(input, CandidateVerdict::Stored, "new (similarity 0.70)");
    }
}

#[test]
fn a_mentioned_fact_reinforces_the_memory_it_was_learned_as() {
    let mut input = input();
    input.fact = SettledFact { effect: Settled::Mentioned(FactId::from_bytes([3; 16])), mentions: 3, turns: Vec::new(), memory: None };
    check(input.clone(), CandidateVerdict::Skipped, "already known as a fact");
    input.fact.memory = Some(known(memory(5, 0)));
    let decision = check(input, CandidateVerdict::Reinforced, "already known; strengthened");
    assert_eq!(decision.changed[0].id, memory(5, 0).id);
}

#[test]
fn the_third_mention_of_an_activity_becomes_a_habit() {
    let once_before = EarlierMentions { turns: mentioned(1), ..EarlierMentions::default() };
    check(FindingInput { mentions: once_before, ..event() }, CandidateVerdict::Skipped, "score 0.45 is below 0.65");
    let mentions = EarlierMentions { turns: mentioned(2), ..EarlierMentions::default() };
    let decision = check(FindingInput { mentions, ..event() }, CandidateVerdict::Stored, "mentioned 3 times: a habit");
    let habit = &decision.created[0].memory;
    assert_eq!((habit.mentions, habit.turns.len(), habit.category), (2, 3, Some(Category::SharedEvents)));
    assert_eq!(decision.candidates[0].candidate_type, CandidateType::Fact);
}

#[test]
fn another_mention_of_a_habit_reinforces_its_memory() {
    let covered = mentioned(2);
    let relation = TextRelation { same_meaning: false, same_activity: true, covers: covered[..1].to_vec() };
    let habit = SimilarMemory { known: known(memory(5, 2)), similarity: Unit::clamped(0.7), relation };
    let mentions = EarlierMentions { turns: covered, ..EarlierMentions::default() };
    let input = FindingInput { similar: vec![habit], mentions, ..event() };
    let decision = check(input, CandidateVerdict::Reinforced, "mentioned 4 times: a habit; strengthened");
    // This mention and the earlier one that the memory covers.
    assert_eq!(decision.changed[0].mentions, 4);
}

#[test]
fn another_mention_of_a_topic_reinforces_the_latest_of_its_memories() {
    let memories = vec![vec![known(memory(5, 0))], vec![known(memory(6, 1)), known(memory(7, 4))]];
    let mentions = EarlierMentions { turns: mentioned(3), is_topic: true, memories };
    let decision = check(FindingInput { mentions, ..event() }, CandidateVerdict::Reinforced, "mentioned 6 times; strengthened");
    assert_eq!(decision.changed[0].id, memory(7, 4).id);
}

#[test]
fn a_finding_is_compared_with_the_memories_of_the_same_exchange() {
    let again = FindingInput { to_earlier: vec![same_meaning()], ..input() };
    let decision = decide(read(vec![input(), again]));
    let verdicts: Vec<_> = decision.candidates.iter().map(|candidate| candidate.verdict).collect();
    assert_eq!(verdicts, [CandidateVerdict::Stored, CandidateVerdict::Reinforced]);
    assert_eq!((decision.created.len(), decision.changed.len()), (1, 0));
}

#[test]
fn essences_count_a_mention_of_their_originals() {
    let essence = Memory { source: Source::Distillation, ..memory(9, 4) };
    let target = KnownMemory { memory: memory(5, 0), essences: vec![essence.clone()] };
    let similar = vec![SimilarMemory { known: target, similarity: Unit::clamped(0.9), relation: same_meaning() }];
    let decision = decide(read(vec![FindingInput { similar, ..input() }]));
    let changed = decision.changed.iter().find(|memory| memory.id == essence.id).unwrap();
    assert_eq!((changed.mentions, changed.last_recalled_at), (5, Some(now())));
}

#[test]
fn a_missing_appraisal_is_reported_only_if_it_is_needed() {
    let unappraised = |input: FindingInput| decide(read(vec![FindingInput { appraisal: Appraised::NotYet, ..input }])).unappraised;
    assert_eq!(unappraised(input()), ["I moved to Busan"]);
    assert!(unappraised(event()).is_empty());
}

#[test]
fn a_restated_memory_counts_as_recalled() {
    let recalled = ReadTurn { turn: turn(Role::Assistant), restated: vec![memory(5, 0)], ..read(Vec::new()) };
    let decision = decide(recalled);
    assert_eq!((decision.used.as_slice(), decision.changed[0].recalls), ([memory(5, 0).id].as_slice(), 1));
    assert!(decision.moved.is_empty(), "only the user's messages move the relationship");
}

#[test]
fn a_message_moves_the_relationship_within_its_limit() {
    let effects = vec![RelationshipEffect { axis: Axis::Trust, points: 99.0, cue: "thank you".into() }];
    let decision = decide(ReadTurn { effects, ..read(Vec::new()) });
    let moved: Vec<_> = decision.moved.iter().map(|change| (change.axis, change.delta, change.reason.as_str())).collect();
    let most = Policy::default().relationship.at_most;
    assert!(moved.contains(&(Axis::Trust, most, "thank you")), "{moved:?}");
    assert!(moved.iter().any(|(axis, _, reason)| *axis == Axis::Familiarity && *reason == "talked"), "{moved:?}");
    assert_eq!(decision.relationship.trust, most);
}

#[test]
fn assertions_with_low_confidence_do_not_count() {
    struct Equal;
    impl Values for Equal {
        fn same(&self, _: &str, one: &str, other: &str) -> bool {
            one == other
        }
        fn ends(&self, _: (&str, &str), _: (&str, &str)) -> bool {
            false
        }
    }
    let assertion = |value: &str, confidence: f32| Assertion {
        id: AssertionId::from_bytes([value.len() as u8; 16]),
        turn: Some(turn(Role::User).id),
        at: now(),
        subject: "residence".into(),
        value: value.into(),
        canonical: value.into(),
        category: FactCategory::Situation,
        single: true,
        ends: false,
        emotions: Emotions::default(),
        intensity: Unit::ZERO,
        importance: Unit::clamped(0.5),
        confidence: Unit::clamped(confidence),
    };
    let (mut facts, policy) = (Facts::default(), CandidatePolicy::default());
    let mut settle = |value: &str, confidence: f32| {
        let settled = settle_assertion(&mut facts, &assertion(value, confidence), SettleRules { values: &Equal, policy: &policy });
        settled.map(|settled| (settled.effect, settled.mentions))
    };
    assert_eq!(settle("Busan", 0.4), None);
    assert!(matches!(settle("Busan", 0.9), Some((Settled::New(_), 1))));
    assert!(matches!(settle("Busan", 0.9), Some((Settled::Mentioned(_), 2))));
    assert!(matches!(settle("Seoul!", 0.9), Some((Settled::Superseded { .. }, 1))));
}
