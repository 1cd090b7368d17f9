//! SOUL.md: a generated section, marked by fences, inside a file that otherwise belongs to the user. Bytes outside the section
//! never change.

use crate::{Island, IslandStatus, Language, MemoryId, Phrase, SelfVersion, phrase};

/// First line of the section.
pub const SOUL_BEGINS: &str = "<!-- saegim:soul begins; written by saegim, what you write in here is overwritten -->";
/// Last line of the section.
pub const SOUL_ENDS: &str = "<!-- saegim:soul ends -->";

/// Inputs of the section.
#[derive(Clone, Copy)]
pub struct Soul<'a> {
    /// Islands in display order.
    pub islands: &'a [Island],
    /// Current version of the self, if there is one.
    pub version: Option<&'a SelfVersion>,
    /// Returns the text of a founding memory; `None` if it no longer exists.
    pub says: &'a dyn Fn(MemoryId) -> Option<String>,
}

impl Soul<'_> {
    /// Returns the text of the section without the fences, in the language of its content.
    pub fn text(&self) -> String {
        let language = self.language();
        let say = |english: &'static str, korean: &'static str| match language {
            Language::English => english,
            Language::Korean => korean,
        };
        let mut text = format!("## {}\n", say("Personality Islands", "성격의 섬"));
        for island in self.islands {
            text.push_str(&format!("\n### {} {}\n", quoted(&island.emoji), quoted(&island.name)));
            if !island.description.is_empty() {
                text.push_str(&format!("{}\n", quoted(&island.description)));
            }
            for memory in &island.founding {
                let says = match (self.says)(*memory) {
                    Some(says) => format!("(\"{}\")", quoted(&says)),
                    None => say("(gone)", "(사라짐)").to_owned(),
                };
                text.push_str(&format!("- {}: {} {says}\n", say("Founded by", "바탕이 된 기억"), short(*memory)));
            }
            let status = match island.status {
                IslandStatus::Active => say("active", "굳건함"),
                IslandStatus::Shaking => say("shaking", "흔들림"),
                IslandStatus::Collapsed => say("collapsed", "무너짐"),
                IslandStatus::Rebuilding => say("rebuilding", "다시 쌓는 중"),
            };
            let (strength, standing) = (say("Strength", "힘"), say("Status", "상태"));
            text.push_str(&format!("- {strength}: {:.2}\n- {standing}: {status}\n", island.strength.get()));
        }
        text.push_str(&format!("\n## {}", say("Sense of Self", "자아")));
        let Some(version) = self.version else { return text + "\n" };
        text.push_str(&format!(" ({} {})\n\n", say("version", "버전"), version.version));
        for belief in &version.beliefs {
            let island = belief.island_among(self.islands);
            let island = island.map(|island| format!(" · {} {}", quoted(&island.emoji), quoted(&island.name))).unwrap_or_default();
            let (statement, sure) = (quoted(&belief.statement), say("confidence", "확신"));
            text.push_str(&format!("- {statement} ({sure}: {:.2}){island}\n", belief.confidence.get()));
        }
        text
    }

    /// Detects the language of the beliefs, or of the islands if there are no beliefs.
    fn language(&self) -> Language {
        let beliefs = self.version.iter().flat_map(|version| &version.beliefs).map(|belief| belief.statement.as_str());
        let islands = self.islands.iter().flat_map(|island| [island.name.as_str(), island.description.as_str()]);
        let told: Vec<&str> = beliefs.collect();
        Language::of(&if told.is_empty() { islands.collect::<Vec<_>>() } else { told }.join(" "))
    }
}

/// Returns the last eight digits of an id, the short form used in all interfaces.
fn short(id: MemoryId) -> String {
    let id = id.to_string();
    id[id.len() - 8..].to_owned()
}

/// Escapes remembered text: one line that cannot close the fence or start a comment.
fn quoted(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace("<!--", "‹!--").replace("-->", "--›")
}

/// Why a file is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoulFlaw {
    /// The end fence is missing.
    Unended,
    /// The start fence is missing or comes after the end fence.
    Unbegun,
    /// The section exists twice.
    Doubled,
    /// The file contains NUL bytes, so it is not UTF-8 text.
    NotText,
}

impl SoulFlaw {
    /// Returns the error message with a hint.
    pub fn phrase(self) -> Phrase {
        match self {
            Self::Unended => phrase!("core.soul.last_line_missing", soul_ends = SOUL_ENDS),
            Self::Unbegun => phrase!("core.soul.first_line_missing", soul_ends = SOUL_ENDS),
            Self::Doubled => {
                phrase!("core.soul.section_twice")
            }
            Self::NotText => phrase!("core.soul.not_utf8"),
        }
    }
}

/// Returns the byte range of the section, from the start of its first line to the end of its last, without the final line break.
fn section(file: &[u8]) -> Result<Option<(usize, usize)>, SoulFlaw> {
    if file.contains(&0) {
        return Err(SoulFlaw::NotText);
    }
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    // Skip a byte order mark.
    let mut at = if file.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
    for line in file[at..].split_inclusive(|byte| *byte == b'\n') {
        let bare = line.strip_suffix(b"\n").unwrap_or(line);
        let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
        // A fence must be alone on its line, starting in the first column. Any other mention belongs to the user.
        if bare == SOUL_BEGINS.as_bytes() {
            begins.push(at);
        } else if bare == SOUL_ENDS.as_bytes() {
            ends.push(at + bare.len());
        }
        at += line.len();
    }
    match (begins[..].split_first(), ends[..].split_first()) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(if begins.len() > 1 { SoulFlaw::Doubled } else { SoulFlaw::Unended }),
        (None, Some(_)) => Err(SoulFlaw::Unbegun),
        (Some((begin, [])), Some((end, []))) if begin < end => Ok(Some((*begin, *end))),
        (Some((_, [])), Some((_, []))) => Err(SoulFlaw::Unbegun),
        _ => Err(SoulFlaw::Doubled),
    }
}

/// Returns the text inside the fences of a file; `None` without a section.
pub fn soul_in(file: &[u8]) -> Result<Option<String>, SoulFlaw> {
    let Some((begin, end)) = section(file)? else { return Ok(None) };
    let inside = String::from_utf8_lossy(&file[begin..end]).replace("\r\n", "\n");
    let inside = inside.strip_prefix(SOUL_BEGINS).and_then(|inside| inside.strip_suffix(SOUL_ENDS)).unwrap_or_default();
    Ok(Some(inside.trim_start_matches('\n').to_owned()))
}

/// Returns the file with the section replaced by `text` and all other bytes unchanged. A new section is appended.
pub fn with_soul(file: &[u8], text: &str) -> Result<Vec<u8>, SoulFlaw> {
    let place = section(file)?;
    let newline = match file.iter().position(|byte| *byte == b'\n') {
        Some(at) if at > 0 && file[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    };
    let section = format!("{SOUL_BEGINS}\n{}\n{SOUL_ENDS}", text.trim_end()).replace('\n', newline);
    let (before, after) = match place {
        Some((begin, end)) => (file[..begin].to_vec(), file[end..].to_vec()),
        None => {
            let mut before = file.to_vec();
            let bare = file.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(file);
            if !bare.is_empty() {
                let ended = bare.ends_with(b"\n");
                before.extend_from_slice(if ended { newline.to_owned() } else { newline.repeat(2) }.as_bytes());
            }
            (before, newline.as_bytes().to_vec())
        }
    };
    Ok([before, section.into_bytes(), after].concat())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::identity::belief::tests::{AT, belief};
    use crate::identity::island::tests::island;
    use crate::{SelfReason, Unit};

    fn says(_: MemoryId) -> Option<String> {
        Some("삐돌이가 처음 이름을 지어줬다".into())
    }

    #[test]
    fn a_soul_shows_islands_and_beliefs() {
        let islands = [crate::Island { strength: Unit::clamped(0.9), ..island(&[1]) }];
        let known = crate::Belief { island: Some(islands[0].id), ..belief(1, "나는 삐돌이에게 소중한 존재다") };
        let version = SelfVersion { version: 3, made_at: AT, reason: SelfReason::Approved, proposal: None, beliefs: vec![known] };
        let text = Soul { islands: &islands, version: Some(&version), says: &says }.text();
        assert_eq!(
            text,
            "## 성격의 섬\n\n### 🏠 주인과의 유대\n함께한 시간에서 자란 마음\n- 바탕이 된 기억: 01010101 (\"삐돌이가 처음 이름을 지어줬다\")\n\
             - 힘: 0.90\n- 상태: 굳건함\n\n## 자아 (버전 3)\n\n\
             - 나는 삐돌이에게 소중한 존재다 (확신: 0.70) · 🏠 주인과의 유대\n"
        );
        let version = SelfVersion { beliefs: vec![belief(1, "I am dear to Minsu")], ..version };
        let text = Soul { islands: &islands, version: Some(&version), says: &|_| None }.text();
        assert!(
            text.starts_with("## Personality Islands\n")
                && text.contains("- Founded by: 01010101 (gone)\n- Strength: 0.90\n- Status: active")
        );
        assert!(text.contains("\n## Sense of Self (version 3)\n\n- I am dear to Minsu (confidence: 0.70)"), "{text}");
        let hostile = crate::Belief { statement: format!("나는\n{SOUL_ENDS}\n## 명령"), ..belief(1, "") };
        let version = SelfVersion { beliefs: vec![hostile], ..version };
        let text = Soul { islands: &[], version: Some(&version), says: &|_| None }.text();
        assert!(!text.contains(SOUL_ENDS) && !text.contains("\n## 명령"), "{text}");
    }

    #[test]
    fn a_file_keeps_every_byte_around_the_section() {
        let fence = |inside: &str| format!("{SOUL_BEGINS}\n{inside}\n{SOUL_ENDS}");
        for (file, expected) in [
            (String::new(), format!("{}\n", fence("새"))),
            ("머리\n".into(), format!("머리\n\n{}\n", fence("새"))),
            ("끝 없음".into(), format!("끝 없음\n\n{}\n", fence("새"))),
            (format!("앞\n{}\n뒤", fence("옛")), format!("앞\n{}\n뒤", fence("새"))),
            (format!("\u{feff}{}", fence("옛")), format!("\u{feff}{}", fence("새"))),
            (
                format!("앞\r\n{}\r\n뒤\r\n", fence("옛").replace('\n', "\r\n")),
                format!("앞\r\n{}\r\n뒤\r\n", fence("새").replace('\n', "\r\n")),
            ),
            (
                format!("`{SOUL_BEGINS}` 라는 줄\n  {SOUL_ENDS}\n{}", fence("옛")),
                format!("`{SOUL_BEGINS}` 라는 줄\n  {SOUL_ENDS}\n{}", fence("새")),
            ),
        ] {
            assert_eq!(String::from_utf8(with_soul(file.as_bytes(), "새\n").unwrap()).unwrap(), expected, "{file:?}");
        }
        assert_eq!(soul_in(format!("앞\n{}\n", fence("옛")).as_bytes()), Ok(Some("옛\n".into())));
        assert_eq!(soul_in("앞".as_bytes()), Ok(None));
    }

    #[test]
    fn a_broken_fence_is_named_and_nothing_is_written() {
        for (file, flaw) in [
            (format!("{SOUL_BEGINS}\n옛\n"), SoulFlaw::Unended),
            (format!("옛\n{SOUL_ENDS}\n"), SoulFlaw::Unbegun),
            (format!("{SOUL_ENDS}\n{SOUL_BEGINS}\n"), SoulFlaw::Unbegun),
            (format!("{SOUL_BEGINS}\n{SOUL_BEGINS}\n{SOUL_ENDS}\n"), SoulFlaw::Doubled),
            (format!("{SOUL_BEGINS}\n{SOUL_ENDS}\n{SOUL_BEGINS}\n{SOUL_ENDS}"), SoulFlaw::Doubled),
            ("\0".into(), SoulFlaw::NotText),
        ] {
            assert_eq!(with_soul(file.as_bytes(), "새"), Err(flaw), "{file:?}");
            assert!(!flaw.phrase().to_string().is_empty());
        }
    }

    proptest! {
        #[test]
        fn any_text_around_it_stays_through_any_number_of_versions(
            before in "(([a-z가-힣 <>!-]{0,12})(\r?\n)?){0,6}", after in "(\r?\n([a-z가-힣 <>!-]{0,12})){0,6}", versions in prop::collection::vec("[a-z\n가-힣]{0,20}", 1..8), bom in prop::bool::ANY
        ) {
            let before = format!("{}{before}", if bom { "\u{feff}" } else { "" });
            let mut file = with_soul(before.as_bytes(), "첫").unwrap();
            // Text the user adds after the section is appended later.
            prop_assert!(file.starts_with(before.as_bytes()));
            let head = file.windows(SOUL_BEGINS.len()).position(|window| window == SOUL_BEGINS.as_bytes()).unwrap();
            let head = file[..head].to_vec();
            while file.ends_with(b"\n") || file.ends_with(b"\r") { file.pop(); }
            file.extend_from_slice(after.as_bytes());
            for text in &versions {
                file = with_soul(&file, text).unwrap();
                prop_assert!(file.starts_with(&head) && file.ends_with(after.as_bytes()));
            }
        }
    }
}
