//! Korean particles that go by the sound before them. Whoever writes a sentence with a gap cannot know what will stand in it, so
//! both forms are written, `{name} 이(가)`, and the one that fits is chosen once it is known.

/// Both forms as they are written, the one after a consonant, and the one after a vowel.
const PAIRS: [(&str, &str, &str); 7] = [
    ("은(는)", "은", "는"),
    ("이(가)", "이", "가"),
    ("을(를)", "을", "를"),
    ("과(와)", "과", "와"),
    ("와(과)", "과", "와"),
    ("(으)로", "으로", "로"),
    ("(이)라", "이라", "라"),
];

/// How a word ends, to the ear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sound {
    Vowel,
    Consonant,
    /// ㄹ, after which 로 stands like after a vowel.
    Rieul,
}

/// The text with the particles that fit, joined to the word before them. Where nobody can tell how the word sounds, both forms
/// stay.
pub fn with_particles(text: &str) -> String {
    let mut done = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((place, (written, consonant, vowel))) = first(rest) {
        done.push_str(&rest[..place]);
        rest = &rest[place + written.len()..];
        match sound_of(&done) {
            Some(sound) => {
                done.truncate(done.trim_end().len());
                let closed = sound == Sound::Consonant || sound == Sound::Rieul && !written.ends_with('로');
                done.push_str(if closed { consonant } else { vowel });
            }
            None => done.push_str(written),
        }
    }
    done + rest
}

fn first(text: &str) -> Option<(usize, (&'static str, &'static str, &'static str))> {
    PAIRS.iter().filter_map(|pair| Some((text.find(pair.0)?, *pair))).min_by_key(|(place, _)| *place)
}

/// How the last word of a text ends. Digits are read out, and of foreign words the last letter tells: 챗, 북 and 밀 end in a
/// consonant, 서버 and 월드 do not.
fn sound_of(text: &str) -> Option<Sound> {
    let mut letters = text.chars().rev().filter(|letter| !letter.is_whitespace() && !"\"'`”’)]}>…".contains(*letter));
    let last = letters.next()?;
    Some(match last {
        '가'..='힣' => match (last as u32 - '가' as u32) % 28 {
            0 => Sound::Vowel,
            8 => Sound::Rieul,
            _ => Sound::Consonant,
        },
        '1' | '7' | '8' => Sound::Rieul,
        '0' | '3' | '6' => Sound::Consonant,
        '2' | '4' | '5' | '9' => Sound::Vowel,
        'l' | 'L' | 'R' => Sound::Rieul,
        'm' | 'n' | 'M' | 'N' | 'b' | 'c' | 'k' | 'p' | 't' => Sound::Consonant,
        'g' if letters.next() == Some('n') => Sound::Consonant,
        letter if letter.is_ascii_alphabetic() => Sound::Vowel,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_fits_the_sound_before_it() {
        for (written, read) in [
            ("민수 이(가) 왔다", "민수가 왔다"),
            ("지훈 이(가) 왔다", "지훈이 왔다"),
            ("M90 (으)로 옮김", "M90으로 옮김"),
            ("M365(으)로 옮김", "M365로 옮김"),
            ("M0 (으)로, M30(으)로", "M0으로, M30으로"),
            ("서울 (으)로 이사", "서울로 이사"),
            ("부산 (으)로 이사", "부산으로 이사"),
            ("대구 (으)로 이사", "대구로 이사"),
            ("0cac3f38 은(는) 없다", "0cac3f38은 없다"),
            ("0cac3f39 을(를) 고침", "0cac3f39를 고침"),
            ("\"모찌\" 은(는) 개다", "\"모찌\"는 개다"),
            ("\"꿀\" 은(는) 달다", "\"꿀\"은 달다"),
            ("year.svg 은(는) 이미 있다", "year.svg는 이미 있다"),
            ("story.html 은(는)", "story.html은"),
            ("Susan 과(와) Bob 와(과) Anna 과(와) king 이(가)", "Susan과 Bob과 Anna와 king이"),
            ("1번 (으)로", "1번으로"),
            ("칠 (으)로, 7 (으)로, 6 (으)로", "칠로, 7로, 6으로"),
            ("친구 (이)라고 함, 동생(이)라고 함", "친구라고 함, 동생이라고 함"),
            ("🎂 이(가) 있다", "🎂 이(가) 있다"),
            ("이(가)", "이(가)"),
            ("아무것도 없음", "아무것도 없음"),
        ] {
            assert_eq!(with_particles(written), read, "{written}");
        }
    }
}
