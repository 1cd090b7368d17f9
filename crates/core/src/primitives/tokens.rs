//! How many tokens a text has, near enough to keep to a budget.
//!
//! No vocabulary is shipped for this: the one most models use now takes fifty megabytes in memory. What a token costs was
//! measured once for each kind of character against that vocabulary (`o200k`), on Korean, English and mixed talk. Over
//! a page the count is within a few in a hundred, and it errs upward, so that a budget is kept.

/// What a Hangul syllable costs, and what each run of them adds.
const SYLLABLE: f32 = 0.78;
const SYLLABLE_RUN: f32 = 0.35;
/// A word of Latin letters, and each letter beyond the sixth.
const WORD: f32 = 1.0;
const LONG_LETTER: f32 = 0.10;
const LONG_FROM: u32 = 6;
/// Up to three digits go together.
const DIGITS: f32 = 1.2;
const DIGITS_TOGETHER: u32 = 3;
/// Single jamo, as in ㅋㅋㅋ.
const JAMO: f32 = 0.80;
const SIGN: f32 = 0.75;
const LETTER_OF_ANOTHER_SCRIPT: f32 = 0.85;
const PICTURE: f32 = 2.0;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Blank,
    Syllable,
    Latin,
    Digit,
    Jamo,
    Sign,
    Other,
    Picture,
}

fn kind(letter: char) -> Kind {
    match letter {
        '가'..='힣' => Kind::Syllable,
        'ㄱ'..='ㅣ' | '\u{1100}'..='\u{11FF}' => Kind::Jamo,
        letter if letter.is_ascii_alphabetic() => Kind::Latin,
        letter if letter.is_ascii_digit() => Kind::Digit,
        letter if letter.is_whitespace() => Kind::Blank,
        '\u{1F000}'..='\u{1FFFF}' | '\u{2600}'..='\u{27BF}' | '\u{FE0F}' => Kind::Picture,
        letter if letter.is_alphabetic() => Kind::Other,
        _ => Kind::Sign,
    }
}

/// About how many tokens `text` has; 0 only for nothing.
pub fn tokens(text: &str) -> usize {
    let (mut sum, mut before, mut run) = (0.0f32, Kind::Blank, 0u32);
    for letter in text.chars() {
        let kind = kind(letter);
        run = if kind == before { run + 1 } else { 1 };
        before = kind;
        sum += match kind {
            Kind::Blank => 0.0,
            Kind::Syllable => SYLLABLE + if run == 1 { SYLLABLE_RUN } else { 0.0 },
            Kind::Latin if run == 1 => WORD,
            Kind::Latin => {
                if run > LONG_FROM {
                    LONG_LETTER
                } else {
                    0.0
                }
            }
            Kind::Digit => {
                if run % DIGITS_TOGETHER == 1 {
                    DIGITS
                } else {
                    0.0
                }
            }
            Kind::Jamo => JAMO,
            Kind::Sign => SIGN,
            Kind::Other => LETTER_OF_ANOTHER_SCRIPT,
            Kind::Picture => PICTURE,
        };
        // Line breaks are tokens of their own, mostly.
        if letter == '\n' {
            sum += SIGN;
        }
    }
    sum.ceil() as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts with what the `o200k` vocabulary really makes of them.
    const COUNTED: [(usize, &str); 10] = [
        (22, "어제 친구랑 홍대에서 떡볶이 먹었는데 진짜 맛있었어."),
        (16, "I moved to Busan last week and started a new job at a bakery."),
        (23, "우리 강아지 이름은 모찌고 올해 세 살이에요. 산책을 정말 좋아해요!"),
        (25, "생일은 1998년 3월 15일이고 혈액형은 B형이야 ㅋㅋㅋㅋ"),
        (21, "She said the appointment was moved to Thursday at 3:30 pm, so don't call before then."),
        (21, "- **거주지**: 부산 (3일 전) [a4f3c2]"),
        (23, "내일 발표라서 너무 떨려 😭😭 준비는 다 했는데 잘할 수 있을까?"),
        (16, "요즘 러닝 start했는데 weekly 20km 정도 뛰고 있어요"),
        (11, "会議は明日の午後三時からです。"),
        (16, "The quick brown fox jumps over the lazy dog while seventeen international photographers watch silently."),
    ];

    #[test]
    fn a_page_is_counted_within_a_tenth_and_no_line_is_far_off() {
        let (mut ours, mut theirs) = (0, 0);
        for (count, text) in COUNTED {
            let counted = tokens(text);
            (ours, theirs) = (ours + counted, theirs + count);
            let off = counted as f32 / count as f32;
            assert!((0.7..=1.5).contains(&off), "{counted} for {count}: {text}");
        }
        let off = ours as f32 / theirs as f32;
        assert!((0.97..=1.12).contains(&off), "{ours} for {theirs}");
    }

    proptest! {
        #[test]
        fn more_text_never_has_fewer_tokens(text in ".{0,60}", more in ".{0,20}") {
            let longer = [text.as_str(), more.as_str()].join(" ");
            prop_assert!(tokens(&longer) >= tokens(&text));
            prop_assert_eq!(tokens(&text) == 0, text.chars().all(char::is_whitespace) && !text.contains('\n'));
        }
    }
}
