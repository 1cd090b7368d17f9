//! Script detection for the built-in model.

/// Checks whether the built-in model can read `text`: at least half of its letters are Hangul or Latin, or it has digits and no
/// letters. Text with neither (blank, punctuation or emoji alone) has no comparable meaning.
pub fn is_hangul_or_latin(text: &str) -> bool {
    let (mut known, mut letters, mut digits) = (0usize, 0usize, false);
    for character in text.chars() {
        if character.is_alphabetic() {
            letters += 1;
            known += usize::from(is_hangul(character) || is_latin(character));
        }
        digits |= character.is_numeric();
    }
    if letters == 0 { digits } else { known * 2 >= letters }
}

fn is_hangul(character: char) -> bool {
    matches!(character,
        '\u{1100}'..='\u{11FF}' // combining letters of decomposed text
        | '\u{3130}'..='\u{318F}' // standalone letters, as in ㅋㅋ and ㅠㅠ
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}' // syllables
        | '\u{FFA0}'..='\u{FFDC}') // half-width
}

fn is_latin(character: char) -> bool {
    matches!(character,
        'A'..='Z' | 'a'..='z' | 'ª' | 'º'
        | '\u{C0}'..='\u{24F}'
        | '\u{1E00}'..='\u{1EFF}'
        | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}') // full-width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_latin_and_numbers_are_known_and_the_rest_is_not() {
        for (text, known) in [
            ("나는 커피를 좋아해", true),
            ("I like coffee", true),
            ("ㅋㅋㅋ ㅠㅠ", true),
            ("\u{1102}\u{1161}\u{1102}\u{1173}\u{11AB}", true),
            ("café com leite", true),
            ("Ｈｅｌｌｏ", true),
            ("오늘 배운 표현은 行く", true),
            ("2019-03-05", true),
            ("3월 5일", true),
            ("コーヒーが好きです", false),
            ("我喜欢咖啡", false),
            ("я люблю кофе", false),
            ("أحب القهوة", false),
            ("ฉันชอบกาแฟ", false),
            ("コーヒー OK", false),
            ("😂😂", false),
            ("!?...", false),
            ("   ", false),
            ("", false),
        ] {
            assert_eq!(is_hangul_or_latin(text), known, "{text:?}");
        }
    }
}
