//! How long ago, as people say it.

use crate::primitives::word_enum::word_enum;
use crate::{Span, Timestamp};

word_enum! {
    /// A language saegim speaks.
    Language "language" {
        /// English.
        English = "en",
        /// Korean.
        Korean = "ko",
    }
}

impl Language {
    /// The language a text is mostly written in: Korean once a fifth of its letters are Hangul.
    pub fn of(text: &str) -> Self {
        let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
        let hangul = text.chars().filter(|letter| matches!(letter, '\u{AC00}'..='\u{D7A3}' | '\u{3131}'..='\u{318E}')).count();
        if hangul > 0 && hangul * 5 >= letters { Self::Korean } else { Self::English }
    }

    /// A length of time in whole units: "3 days", "3일".
    pub fn length(self, span: Span) -> String {
        let minutes = span.as_millis() / 60_000;
        let (number, english, korean) = match minutes {
            0..60 => (minutes, "minute", "분"),
            60..1_440 => (minutes / 60, "hour", "시간"),
            1_440..43_200 => (minutes / 1_440, "day", "일"),
            43_200..525_600 => (minutes / 43_200, "month", "개월"),
            _ => (minutes / 525_600, "year", "년"),
        };
        self.counted(number, english, korean)
    }

    fn counted(self, number: i64, english: &str, korean: &str) -> String {
        match self {
            Self::English if number == 1 => format!("1 {english}"),
            Self::English => format!("{number} {english}s"),
            Self::Korean => format!("{number}{korean}"),
        }
    }

    /// How much time is left, a started unit counted as whole, an hour beyond whole days aside: "7 days", "30일".
    pub fn left(self, span: Span) -> String {
        let up = |number: i64, unit: i64| (number + unit - 1) / unit;
        let minutes = up(span.as_millis(), 60_000);
        let (number, english, korean) = match minutes {
            0..60 => (minutes, "minute", "분"),
            60..1_440 => (up(minutes, 60), "hour", "시간"),
            _ => (up(minutes - 60, 1_440), "day", "일"),
        };
        self.counted(number, english, korean)
    }

    /// How long before `now` a moment lies: "just now", "3일 전".
    pub fn ago(self, moment: Timestamp, now: Timestamp) -> String {
        let span = now.since(moment);
        match self {
            Self::English if span < Span::seconds(60) => "just now".into(),
            Self::Korean if span < Span::seconds(60) => "방금".into(),
            Self::English => format!("{} ago", self.length(span)),
            Self::Korean => format!("{} 전", self.length(span)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, english: &str, korean: &str) {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let moment = now.minus(Span::seconds(seconds));
        assert_eq!((Language::English.ago(moment, now), Language::Korean.ago(moment, now)), (english.into(), korean.into()));
    }

    #[test]
    fn ages_are_said_as_people_say_them() {
        check(0, "just now", "방금");
        check(61, "1 minute ago", "1분 전");
        check(7_200, "2 hours ago", "2시간 전");
        check(3 * 86_400, "3 days ago", "3일 전");
        check(65 * 86_400, "2 months ago", "2개월 전");
        check(800 * 86_400, "2 years ago", "2년 전");
    }

    #[test]
    fn time_left_counts_a_started_unit_as_whole() {
        for (span, left) in [
            (Span::days(7), "7 days"),
            (Span::millis(7 * 86_400_000 - 1), "7 days"),
            (Span::hours(23), "23 hours"),
            (Span::seconds(61), "2 minutes"),
            (Span::ZERO, "0 minutes"),
        ] {
            assert_eq!(Language::English.left(span), left);
        }
        assert_eq!(Language::Korean.left(Span::days(30)), "30일");
    }

    #[test]
    fn the_language_of_a_text_is_seen() {
        for (text, language) in [
            ("커피 좋아해", Language::Korean),
            ("I like coffee", Language::English),
            ("나 요즘 Rust 공부해", Language::Korean),
            ("the word 정 has no translation in English, they say", Language::English),
            ("123 😀", Language::English),
        ] {
            assert_eq!(Language::of(text), language, "{text}");
        }
    }
}
