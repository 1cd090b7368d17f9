//! What an erased mind leaves.

use saegim_core::{Commit, Op, PlanAction, PlanAdjustment, PlanAdjustments, PlanDetails, PlanTrigger, Principal, SessionId, Verdict};

use super::{Backend, START, begin, find, keep, memory};

pub(super) async fn an_erased_mind_leaves_only_its_ledger(subject: &impl Backend) {
    let store = subject.open().await;
    let (mine, yours) = (begin(&*store, "minsu").await, begin(&*store, "jiwoo").await);
    keep(&*store, &mine, [memory(1, "erasable지워질말")]).await;
    keep(&*store, &yours, [memory(2, "yours남의말")]).await;
    let mut named = Commit::new(mine.id, START, Principal::Owner, Op::Report);
    named.session = Some(SessionId::new("sessioncanary").expect("a name"));
    named.coordinate.project = Some("projectcanary".into());
    named.coordinate.domain = Some("domaincanary".into());
    named.coordinate.persona_id = Some("personacanary".into());
    named.plan_adjustment = PlanAdjustments(vec![PlanAdjustment {
        trigger: PlanTrigger::HighRisk,
        action: PlanAction::ReorderPersonaCycle,
        details: PlanDetails { new_order: vec!["plancanary".into()] },
    }]);
    store.commit(named).await.expect("an entry");
    let commit = Commit::new(mine.id, START, Principal::Owner, Op::Erase).because("asked for");
    let erased = store.erase(commit).await.expect("it is erased");
    assert_eq!((erased.memories, erased.swept), (1, true));
    let bytes = subject.at_rest();
    for gone in ["erasable", "minsu", "sessioncanary", "projectcanary", "domaincanary", "personacanary", "plancanary"] {
        assert!(!find(&bytes, gone.as_bytes()), "{gone} is still there");
    }
    assert!(find(&bytes, b"yours") && find(&bytes, b"jiwoo"));
    assert!(matches!(store.verify_ledger(mine.id).await.expect("the ledger"), Verdict::Whole { entries: 4, .. }));
    let left = store.mind_by_id(mine.id).await.expect("a mind").expect("it existed");
    assert_eq!((left.key.user(), left.key.character()), ("erased", mine.id.to_string().replace('-', "").as_str()));
    assert!(store.mind(&mine.key).await.expect("no error").is_none());
    assert_eq!(store.check().await.expect("a check").problems, []);
}
