//! Great events of a life: what is never "to be expected", however often its people and places came up before.

use std::sync::LazyLock;

use regex::Regex;

static EVENT: LazyLock<Regex> = LazyLock::new(|| {
    let rows = include_str!("../data/life_events.txt").lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let cues: Vec<&str> = rows.map(str::trim).collect();
    // Borders of plain words only: looking for others takes a slower way through every Korean text.
    let cues = cues.join("|").replace(r"\b", r"(?-u:\b)");
    Regex::new(&format!("(?i)(?:{cues})")).expect("a test reads every cue")
});

/// Whether a text tells a birth, a death, an illness, an accident, a marriage, a parting, a move, or work won or lost.
pub fn tells_life_event(text: &str) -> bool {
    EVENT.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, great: bool) {
        assert_eq!(tells_life_event(text), great, "{text}");
    }

    #[test]
    fn what_turns_a_life_is_told_from_what_fills_it() {
        for text in [
            "어젯밤에 엄마가 돌아가셨어",
            "우리 강아지가 무지개다리를 건넜어",
            "할아버지 장례식 다녀왔어",
            "동생이 교통사고를 당했어",
            "아빠가 암 진단을 받으셨어",
            "언니가 아기를 낳았어",
            "나 임신했어",
            "우리 다음 달에 결혼해",
            "남자친구랑 헤어졌어",
            "부모님이 이혼하셨어",
            "나 회사에서 잘렸어",
            "드디어 취업했어",
            "부산으로 이사했어",
            "대학에 합격했어",
            "아빠 수술하셨대",
            "My mum died last night",
            "Grandpa passed away",
            "My sister had a baby",
            "I'm pregnant",
            "We got engaged",
            "She asked for a divorce",
            "I got fired today",
            "I got the job!",
            "Dad had a stroke",
            "He was in a car crash",
            "My girlfriend broke up with me",
            "We moved to Leeds",
            "She was diagnosed with cancer",
        ] {
            check(text, true);
        }
        for text in [
            "엄마랑 시장에 갔어",
            "핸드폰 배터리가 죽었어",
            "배고파 죽겠어",
            "웃겨 죽는 줄",
            "영화에서 주인공이 죽었어",
            "사고 싶은 가방이 있어",
            "회의를 다음 주로 옮겼어",
            "암튼 재밌었어",
            "My phone died",
            "The battery died again",
            "I died laughing",
            "I'm dying to see it",
            "The barista knows my order",
            "They fired up the grill",
            "I moved the sofa",
        ] {
            check(text, false);
        }
    }
}
