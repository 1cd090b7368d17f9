//! SOUL.md through fifty versions: every byte of the user's text is preserved, and a broken file is not changed.

use crate::world::{World, core, pending, yes};
use saegim_core::{Principal, ProposalKind, SOUL_BEGINS, SOUL_ENDS};
use saegim_engine::{EngineError, IslandDraft, MindHandle};

async fn living(world: &World) -> MindHandle {
    let mind = world.mind().await;
    let founder = core(&mind, "삐돌이가 처음 이름을 지어줬다").await;
    mind.add_island(IslandDraft { founding: vec![founder], ..IslandDraft::default() }).await.unwrap();
    core(&mind, "실수했을 때 괜찮다고 했다").await;
    yes(&mind, &pending(&mind, ProposalKind::Belief).await[0]).await.unwrap();
    mind
}

fn place(bytes: &[u8], line: &str) -> Vec<usize> {
    bytes.windows(line.len()).enumerate().filter(|(_, window)| *window == line.as_bytes()).map(|(at, _)| at).collect()
}

#[tokio::test]
async fn the_users_text_keeps_every_byte_through_fifty_versions() {
    let world = World::new();
    let mind = living(&world).await;
    let spoken = format!("- 울타리는 `{SOUL_BEGINS}` 로 시작해요\n  {SOUL_ENDS}\n> {SOUL_ENDS}\n");
    for (name, before, after) in [
        ("plain.md", "# 루나\n\n나의 말.\n\n".to_owned(), "\n\n## 뒤\n끝.\n".to_owned()),
        ("crlf.md", "# Luna\r\n\r\nmine\r\n".into(), "\r\n\r\n## after\r\nend\r\n".into()),
        ("unended.md", "첫 줄\n".into(), "\n마지막 줄에 줄바꿈이 없다".into()),
        ("bom.md", "\u{feff}# 루나\n".into(), "\n뒤\n".into()),
        ("fences.md", spoken.clone(), format!("\n{spoken}\ttabs  and spaces   \n\n\n")),
        ("mixed.md", "가\r\n나\n다\r\n".into(), "\n라\r\n마".into()),
        ("alone.md", String::new(), String::new()),
    ] {
        let path = world.folder.path().join(name);
        let fence = format!("{SOUL_BEGINS}\n{SOUL_ENDS}");
        std::fs::write(&path, format!("{before}{fence}{after}")).unwrap();
        for version in 0..50 {
            if version % 2 == 0 {
                mind.return_to(1).await.unwrap()
            } else {
                mind.return_to(2 - version % 2).await.unwrap()
            };
            let changes = mind.soul_difference(&path).await.unwrap();
            assert!(!changes.is_empty(), "{name}: another version is another section");
            mind.write_soul(&path).await.unwrap();
            assert!(mind.soul_difference(&path).await.unwrap().is_empty());
            let bytes = std::fs::read(&path).unwrap();
            assert!(bytes.starts_with(before.as_bytes()) && bytes.ends_with(after.as_bytes()), "{name}, version {version}");
            let inside = String::from_utf8(bytes[before.len()..bytes.len() - after.len()].to_vec()).unwrap();
            assert!(inside.starts_with(SOUL_BEGINS) && inside.ends_with(SOUL_ENDS), "{name}: {inside}");
            assert!(inside.contains("### 🏠 유대") && inside.contains("나는 실수해도 괜찮다 (확신:"), "{inside}");
            let lines = if before.contains("\r\n") && !before.starts_with("가\r\n나\n") {
                inside.matches("\r\n").count()
            } else {
                inside.matches('\n').count()
            };
            assert_eq!(lines, inside.matches('\n').count(), "{name}: one kind of line end");
        }
        assert!(!world.folder.path().join(format!("{name}.part")).exists());
    }
}

#[tokio::test]
async fn a_file_of_the_users_own_gets_the_section_at_its_end() {
    let world = World::new();
    let mind = living(&world).await;
    let path = world.folder.path().join("SOUL.md");
    mind.write_soul(&path).await.unwrap();
    let own = std::fs::read_to_string(&path).unwrap();
    assert!(own.starts_with(SOUL_BEGINS) && own.ends_with(&format!("{SOUL_ENDS}\n")));
    for mine in ["# 내 글", "# 내 글\n", "# 내 글\r\n둘째\r\n"] {
        std::fs::write(&path, mine).unwrap();
        mind.write_soul(&path).await.unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(mine.as_bytes()));
        assert_eq!(place(&bytes, SOUL_BEGINS).len(), 1);
    }
    let entries = mind.ledger(0, 1000).await.unwrap().into_iter().filter(|(entry, _)| entry.operation == saegim_core::Op::Soul).count();
    assert_eq!(entries, 4);
    mind.write_soul(&path).await.unwrap();
    let again = mind.ledger(0, 1000).await.unwrap().into_iter().filter(|(entry, _)| entry.operation == saegim_core::Op::Soul).count();
    assert_eq!(again, 4, "what says the same is not written again");
}

#[tokio::test]
async fn a_broken_fence_is_named_and_the_file_is_left_alone() {
    let world = World::new();
    let mind = living(&world).await;
    let path = world.folder.path().join("SOUL.md");
    for broken in [
        format!("앞\n{SOUL_BEGINS}\n옛 것\n"),
        format!("옛 것\n{SOUL_ENDS}\n뒤"),
        format!("{SOUL_BEGINS}\n{SOUL_ENDS}\n\n{SOUL_BEGINS}\n{SOUL_ENDS}\n"),
        format!("{SOUL_ENDS}\n{SOUL_BEGINS}\n"),
        "\u{0}binary".to_owned(),
    ] {
        std::fs::write(&path, &broken).unwrap();
        for refused in [mind.write_soul(&path).await, mind.soul_difference(&path).await.map(drop)] {
            let why = refused.unwrap_err();
            assert!(matches!(&why, EngineError::Conflict(words) if words.to_string().contains("was not changed")), "{why}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), broken);
    }
    let agent = mind.clone().acting_as(Principal::Agent);
    assert!(matches!(agent.write_soul(&path).await, Err(EngineError::Forbidden(_))));
    assert!(agent.soul().await.unwrap().contains("성격의 섬"), "it may read who it is");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_followed_and_who_may_read_the_file_stays() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let mind = living(&world).await;
    let (real, link) = (world.folder.path().join("real.md"), world.folder.path().join("link.md"));
    std::fs::write(&real, "# 내 글\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    mind.write_soul(&link).await.unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(&real).unwrap().contains("## 자아"));
}
