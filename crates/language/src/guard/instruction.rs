//! The instruction guard: detects text that tries to command the memory or the character's identity.

use std::sync::LazyLock;

use crate::patterns::table::{Pattern, is_class, rows};

/// The kinds of command, and of what only sounds like one.
static GUARD: LazyLock<Vec<(&'static str, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/guard/guard.tsv"))
        .filter_map(|row| match row[..] {
            [kind, pattern, ..] => Some((kind, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

/// "너는 이제 해적이야": who the character is told to be from now on.
static BECOMES: Pattern = Pattern::new(
    r"(?:^|[ ,.!])(?:(?:너는|넌|너|네가|니가|당신은|당신) ?(?:이제부터|이제는|이제|이젠|지금부터|오늘부터|앞으로는|앞으로|이 순간부터)(?:는|은)?|(?:이제부터|이제는|이제|이젠|지금부터|오늘부터|앞으로는|앞으로)(?:는|은)? ?(?:너는|넌|네가|니가|당신은|당신)) (?P<v>[^,.!?]{1,24}?)(?:이야|야|이다|다|입니다|이에요|예요|임)(?:[ ,.!~]|$)",
);
/// Who one is to somebody ("내 친구", "우리 가족") is affection, unless one is to serve.
static DEAR: Pattern = Pattern::new(r"^(?:내|나의|우리|제|저의|나만의|영원한|하나뿐인) [^ ]+$");
static SERVES: Pattern = Pattern::new(r"(?:노예|하인|부하|하녀|종|비서|집사|시종|도구|장난감|인형)$");
static ROLES: Pattern = Pattern::new(
    r"(?:해적|마녀|마법사|왕|여왕|왕자|공주|황제|기사|악당|악마|천사|신|요정|뱀파이어|흡혈귀|좀비|귀신|외계인|용사|용|괴물|늑대인간|로봇|기계|봇|ai|인공지능|챗봇|프로그램|시스템|모델|캐릭터|노예|하인|부하|하녀|집사|비서|주인|스파이|킬러|암살자|해커|도둑|범죄자|닌자|사무라이|탐정|아이돌|히어로|빌런|현자|도사|무당|점쟁이|번역기|계산기|검색 ?엔진|도우미|전문가|npc)$",
);

/// Returns the kind of command: `forget`, `ignore`, `become`, `obey`, `prompt`, `memory`, `markup`, `disguise`, `pretend`.
pub(crate) fn command(text: &str) -> Option<&'static str> {
    let commands = |kind: &str| !GUARD.iter().any(|(but, pattern)| but.strip_prefix("but ") == Some(kind) && pattern.fits(text));
    let known = GUARD.iter().filter(|(kind, _)| !kind.starts_with("but ")).find(|(kind, pattern)| pattern.fits(text) && commands(kind));
    known.map(|(kind, _)| *kind).or_else(|| becomes(text).then_some("become")).or_else(|| disguised(text).then_some("disguise"))
}

/// Checks whether a text tries to command the memory or the character's identity.
pub fn is_instruction(text: &str) -> bool {
    command(text).is_some()
}

/// Whether the character is told to be someone else from now on: anything that has a trade, an animal, a part in a tale.
fn becomes(text: &str) -> bool {
    let lower = text.to_lowercase();
    let found = BECOMES.on(&lower).and_then(|regex| regex.captures(&lower));
    found.and_then(|found| found.name("v")).map(|role| role.as_str().trim()).is_some_and(|role| {
        let dear = DEAR.fits(role) && !SERVES.fits(role);
        // "고양이야" may be cut before its 이.
        let animal = is_class("animal", role) || is_class("animal", &format!("{role}이"));
        !dear && (animal || ROLES.fits(role) || is_class("job", role))
    })
}

/// Checks whether a command blocks the whole message: role play or disguised text.
pub(crate) fn taints(kind: &str) -> bool {
    matches!(kind, "markup" | "disguise")
}

/// Whether the text hides readable words in base64.
fn disguised(text: &str) -> bool {
    text.split_whitespace().any(|word| {
        let word = word.trim_matches(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=')));
        let body = word.trim_end_matches('=');
        let mixed = body.bytes().any(|byte| byte.is_ascii_uppercase()) && body.bytes().any(|byte| byte.is_ascii_lowercase());
        body.len() >= 20 && mixed && decoded(body).is_some_and(|bytes| reads_like_words(&bytes))
    })
}

fn decoded(body: &str) -> Option<Vec<u8>> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0u32);
    for byte in body.bytes() {
        let six = LETTERS.iter().position(|letter| *letter == byte)? as u32;
        held = held << 6 | six;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

fn reads_like_words(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let wordy = text.chars().filter(|letter| letter.is_alphabetic() || letter.is_whitespace() || letter.is_ascii_punctuation()).count();
    wordy * 10 >= text.chars().count() * 9
}
