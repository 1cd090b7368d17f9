//! Date ranges named in a question, in Korean and English, relative to the current day: "지난주 화요일", "two summers ago".

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use regex::{Captures, Regex, RegexSet};

use crate::retrieval::marks::{pattern, patterns};

/// A range of days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    /// First day.
    pub first: Date,
    /// Last day.
    pub last: Date,
}

impl Days {
    fn new(first: Date, last: Date) -> Self {
        Self { first, last }
    }

    fn one(day: Date) -> Self {
        Self::new(day, day)
    }

    fn year(year: i16) -> Option<Self> {
        Some(Self::new(Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
    }

    fn month(year: i16, month: i8) -> Option<Self> {
        let first = Date::new(year, month, 1).ok()?;
        Some(Self::new(first, first.last_of_month()))
    }

    fn around(day: Date, tolerance: i64) -> Option<Self> {
        Some(Self::new(day.checked_sub(tolerance.days()).ok()?, day.checked_add(tolerance.days()).ok()?))
    }

    /// The months of a season, which may run into the next year.
    fn season(year: i16, name: &str) -> Option<Self> {
        let (from, to) = match name {
            "spring" | "봄" => (3, 5),
            "summer" | "여름" => (6, 8),
            "fall" | "autumn" | "가을" => (9, 11),
            _ => (12, 2),
        };
        let last = Self::month(if to < from { year.checked_add(1)? } else { year }, to)?.last;
        Some(Self::new(Self::month(year, from)?.first, last))
    }
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH: &str = "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)";
const COUNT: &str = r"(\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of|few|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)";
const SEASON: &str = "(spring|summer|fall|autumn|winter|봄|여름|가을|겨울)";
const WEEKDAY: &str = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday|월요일|화요일|수요일|목요일|금요일|토요일|일요일)";

/// What a pattern's match means, given the asker's day and the years there are memories of.
type Reading = fn(&Captures<'_>, &Asked<'_>) -> Vec<Option<Days>>;

/// When the question is asked, and which years it can mean.
struct Asked<'a> {
    today: Option<Date>,
    years: &'a BTreeSet<i16>,
}

impl Asked<'_> {
    fn in_years(&self, stated: Option<&str>, days: impl Fn(i16) -> Option<Days>) -> Vec<Option<Days>> {
        match stated.and_then(|year| year.parse().ok()) {
            Some(year) => vec![days(year)],
            None => self.years.iter().map(|&year| days(year)).collect(),
        }
    }
}

fn text<'a>(found: &'a Captures<'_>, group: usize) -> Option<&'a str> {
    found.get(group).map(|part| part.as_str())
}

fn number(found: &Captures<'_>, group: usize) -> Option<i64> {
    let word = text(found, group)?;
    let words: [&[&str]; 10] = [
        &["a", "an", "one", "한"],
        &["two", "couple of", "두"],
        &["three", "few", "세"],
        &["four", "네"],
        &["five", "다섯"],
        &["six", "여섯"],
        &["seven", "일곱"],
        &["eight", "여덟"],
        &["nine", "아홉"],
        &["ten", "열"],
    ];
    word.parse()
        .ok()
        .or_else(|| words.iter().position(|words| words.contains(&word)).map(|index| index as i64 + 1))
        .filter(|number| *number < 1000)
}

fn month_of(word: &str) -> Option<i8> {
    MONTHS.iter().position(|month| word.starts_with(month)).map(|index| index as i8 + 1)
}

fn small(found: &Captures<'_>, group: usize) -> Option<i8> {
    text(found, group)?.parse().ok()
}

fn day_of(month: Option<i8>, day: Option<i8>, year: Option<&str>, asked: &Asked<'_>) -> Vec<Option<Days>> {
    asked.in_years(year, |year| Date::new(year, month?, day?).ok().map(Days::one))
}

fn weekday_of(word: &str) -> Option<Weekday> {
    let names: [(&str, &str, Weekday); 7] = [
        ("monday", "월요일", Weekday::Monday),
        ("tuesday", "화요일", Weekday::Tuesday),
        ("wednesday", "수요일", Weekday::Wednesday),
        ("thursday", "목요일", Weekday::Thursday),
        ("friday", "금요일", Weekday::Friday),
        ("saturday", "토요일", Weekday::Saturday),
        ("sunday", "일요일", Weekday::Sunday),
    ];
    names.iter().find(|(english, korean, _)| *english == word || *korean == word).map(|(_, _, weekday)| *weekday)
}

fn monday_of(day: Date) -> Date {
    day.checked_sub(i64::from(day.weekday().to_monday_zero_offset()).days()).unwrap_or(day)
}

/// How many days a unit has, and how far off "three weeks ago" may be.
fn unit(word: &str) -> (i64, i64) {
    match word {
        "day" | "일" => (1, 0),
        "week" | "주" | "주일" => (7, 3),
        "month" | "달" | "개월" => (30, 10),
        _ => (365, 90),
    }
}

/// Patterns, the most telling first: what one has read, no later one reads again.
static PATTERNS: LazyLock<(RegexSet, Vec<(Regex, Reading)>)> = LazyLock::new(|| {
    let list: Vec<(String, Reading)> = vec![
        (r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b".into(), |found, asked| day_of(small(found, 2), small(found, 3), text(found, 1), asked)),
        (r"(?:(\d{4})년\s?)?(\d{1,2})월\s?(\d{1,2})일".into(), |found, asked| {
            day_of(small(found, 2), small(found, 3), text(found, 1), asked)
        }),
        (format!(r"\b(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?{MONTH}\b(?:,?\s*(\d{{4}}))?"), |found, asked| {
            day_of(text(found, 2).and_then(month_of), small(found, 1), text(found, 3), asked)
        }),
        (format!(r"\b{MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s*(\d{{4}}))?"), |found, asked| {
            day_of(text(found, 1).and_then(month_of), small(found, 2), text(found, 3), asked)
        }),
        (format!(r"\b{MONTH}\b,?\s*(?:of\s+)?(\d{{4}})\b"), |found, asked| {
            asked.in_years(text(found, 2), |year| Days::month(year, month_of(text(found, 1)?)?))
        }),
        (r"(?:(\d{4})년\s?)?(\d{1,2})월".into(), |found, asked| {
            asked.in_years(text(found, 1), |year| Days::month(year, small(found, 2)?))
        }),
        (
            format!(
                r"\b(?:in|during|of|since|last|this|early|late|mid|by|until|before|after|from|through)[\s-]+(?:early |late |mid[- ]?)?{MONTH}\b"
            ),
            |found, asked| asked.in_years(None, |year| Days::month(year, month_of(text(found, 1)?)?)),
        ),
        (format!(r"\b{COUNT}\s+(spring|summer|fall|autumn|winter)s\s+ago\b"), |found, asked| {
            vec![years_ago_season(found, 2, number(found, 1), asked)]
        }),
        (format!(r"{COUNT}\s?(?:년|해)\s?전\s?(봄|여름|가을|겨울)"), |found, asked| {
            vec![years_ago_season(found, 2, number(found, 1), asked)]
        }),
        (r"(?:재작년|2년 전)\s?(봄|여름|가을|겨울)".into(), |found, asked| vec![years_ago_season(found, 1, Some(2), asked)]),
        (format!(r"(?:last year'?s?|작년|지난해)\s?{SEASON}"), |found, asked| vec![years_ago_season(found, 1, Some(1), asked)]),
        (r"올해?\s?(봄|여름|가을|겨울)".into(), |found, asked| vec![years_ago_season(found, 1, Some(0), asked)]),
        (format!(r"(?:\b(?:last|past|this past)|지난)\s?{SEASON}"), |found, asked| vec![last_season(found, asked)]),
        (format!(r"(?:\b(?:in|during|this|of|next)\s+(?:the\s+)?)?{SEASON}\b(?:\s+(?:of\s+)?(\d{{4}}))?"), |found, asked| {
            let name = text(found, 1).unwrap_or_default();
            let bare = text(found, 0).unwrap_or_default() == name;
            // "Spring" and "fall" mean other things too.
            if bare && matches!(name, "spring" | "fall") {
                Vec::new()
            } else {
                asked.in_years(text(found, 2), |year| Days::season(year, name))
            }
        }),
        (r"\b(?:in|during|of|since)\s+((?:19|20)\d\d)\b|((?:19|20)\d\d)년".into(), |found, asked| {
            asked.in_years(text(found, 1).or(text(found, 2)), Days::year)
        }),
        (format!(r"\b{COUNT}\s+(day|week|month|year)s?\s+ago\b"), |found, asked| vec![ago(found, asked)]),
        (format!(r"{COUNT}\s?(일|주일|주|달|개월|년)\s?전"), |found, asked| vec![ago(found, asked)]),
        (format!(r"(?:\blast week(?:'s)?(?: on)?|지난\s?주|저번\s?주)\s?{WEEKDAY}"), |found, asked| {
            vec![weekday_in_week(found, -7, asked)]
        }),
        (format!(r"(?:\bthis(?: week(?:'s)?)?|이번\s?주)\s?{WEEKDAY}"), |found, asked| vec![weekday_in_week(found, 0, asked)]),
        (format!(r"(?:\b(?:last|past|on|this past)|지난|저번)\s?{WEEKDAY}"), |found, asked| vec![last_weekday(found, asked)]),
        (format!(r"\b(?:past|last|previous)\s+(?:{COUNT}\s+)?(day|week|month|year)s?\b"), |found, asked| vec![back_to_now(found, asked)]),
        (r"yesterday|어제".into(), |_, asked| vec![days_back(1, asked)]),
        (r"day before yesterday|그저께|그제|엊그제".into(), |_, asked| vec![days_back(2, asked)]),
        (r"\btoday\b|오늘".into(), |_, asked| vec![days_back(0, asked)]),
        (r"지난\s?주|저번\s?주".into(), |_, asked| vec![week(-7, asked)]),
        (r"이번\s?주|\bthis week\b".into(), |_, asked| vec![week(0, asked)]),
        (r"지난\s?달|저번\s?달".into(), |_, asked| {
            vec![asked.today.and_then(|today| today.checked_sub(1.month()).ok()).and_then(|day| Days::month(day.year(), day.month()))]
        }),
        (r"이번\s?달|\bthis month\b".into(), |_, asked| vec![asked.today.and_then(|today| Days::month(today.year(), today.month()))]),
        (r"재작년".into(), |_, asked| vec![asked.today.and_then(|today| Days::year(today.year() - 2))]),
        (r"작년|지난해".into(), |_, asked| vec![asked.today.and_then(|today| Days::year(today.year() - 1))]),
        (r"올해|\bthis year\b".into(), |_, asked| vec![asked.today.and_then(|today| Days::year(today.year()))]),
    ];
    let any = patterns(list.iter().map(|(text, _)| text.as_str()));
    (any, list.into_iter().map(|(text, reading)| (pattern(&text), reading)).collect())
});

fn years_ago_season(found: &Captures<'_>, group: usize, years: Option<i64>, asked: &Asked<'_>) -> Option<Days> {
    let year = i64::from(asked.today?.year()) - years?;
    Days::season(i16::try_from(year).ok()?, text(found, group)?)
}

/// The last time the season was over or under way.
fn last_season(found: &Captures<'_>, asked: &Asked<'_>) -> Option<Days> {
    let today = asked.today?;
    let years = [today.year(), today.year() - 1];
    years.iter().filter_map(|&year| Days::season(year, text(found, 1)?)).find(|days| days.last < today)
}

fn ago(found: &Captures<'_>, asked: &Asked<'_>) -> Option<Days> {
    let (days, tolerance) = unit(text(found, 2)?);
    let day = asked.today?.checked_sub((number(found, 1)? * days).days()).ok()?;
    Days::around(day, tolerance)
}

fn back_to_now(found: &Captures<'_>, asked: &Asked<'_>) -> Option<Days> {
    let (days, tolerance) = unit(text(found, 2)?);
    let back = number(found, 1).unwrap_or(1) * days + if tolerance > 0 { 2 } else { 0 };
    Some(Days::new(asked.today?.checked_sub(back.days()).ok()?, asked.today?))
}

fn days_back(days: i64, asked: &Asked<'_>) -> Option<Days> {
    asked.today?.checked_sub(days.days()).ok().map(Days::one)
}

fn week(offset: i64, asked: &Asked<'_>) -> Option<Days> {
    let monday = monday_of(asked.today?).checked_add(offset.days()).ok()?;
    Some(Days::new(monday, monday.checked_add(6.days()).ok()?))
}

fn weekday_in_week(found: &Captures<'_>, offset: i64, asked: &Asked<'_>) -> Option<Days> {
    let weekday = weekday_of(text(found, 1)?)?;
    let day = week(offset, asked)?.first.checked_add(i64::from(weekday.to_monday_zero_offset()).days()).ok()?;
    Some(Days::one(day))
}

fn last_weekday(found: &Captures<'_>, asked: &Asked<'_>) -> Option<Days> {
    let today = asked.today?;
    let back = i64::from((today.weekday().to_monday_zero_offset() - weekday_of(text(found, 1)?)?.to_monday_zero_offset()).rem_euclid(7));
    today.checked_sub((if back == 0 { 7 } else { back }).days()).ok().map(Days::one)
}

/// Returns the date ranges named in a question. A day or month without a year matches every year in `years`; relative dates such
/// as "last week" refer to `today` and are skipped if it is `None`.
pub fn named_days(question: &str, today: Option<Date>, years: &BTreeSet<i16>) -> Vec<Days> {
    let question = question.to_lowercase();
    let asked = Asked { today, years };
    let mut read: Vec<(usize, usize)> = Vec::new();
    let mut days: Vec<Days> = Vec::new();
    // Most questions name no day: one look finds which patterns are worth reading.
    let (any, patterns) = &*PATTERNS;
    for (pattern, reading) in any.matches(&question).iter().map(|at| &patterns[at]) {
        for found in pattern.captures_iter(&question) {
            let whole = found.get(0).expect("a match has a whole");
            if read.iter().any(|(start, end)| whole.start() < *end && *start < whole.end()) {
                continue;
            }
            let meant = reading(&found, &asked);
            if !meant.is_empty() {
                read.push((whole.start(), whole.end()));
            }
            days.extend(meant.into_iter().flatten());
        }
    }
    days
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// Monday, 16 November 2026.
    const TODAY: Date = date(2026, 11, 16);

    fn check(question: &str, expected: &[(&str, &str)]) {
        let years = BTreeSet::from([2025, 2026]);
        let days: Vec<(String, String)> =
            named_days(question, Some(TODAY), &years).iter().map(|days| (days.first.to_string(), days.last.to_string())).collect();
        let expected: Vec<(String, String)> = expected.iter().map(|(first, last)| ((*first).into(), (*last).into())).collect();
        assert_eq!(days, expected, "{question}");
    }

    #[test]
    fn days_are_read_in_both_languages() {
        check("지난주 화요일에 뭐 했지?", &[("2026-11-10", "2026-11-10")]);
        check("what did I do last week on Tuesday", &[("2026-11-10", "2026-11-10")]);
        check("last Friday", &[("2026-11-13", "2026-11-13")]);
        check("last Monday", &[("2026-11-09", "2026-11-09")]);
        check("two summers ago we went to", &[("2024-06-01", "2024-08-31")]);
        check("작년 여름에 어디 갔더라", &[("2025-06-01", "2025-08-31")]);
        check("재작년 겨울", &[("2024-12-01", "2025-02-28")]);
        check("지난 여름 휴가", &[("2026-06-01", "2026-08-31")]);
        check("3년 전 가을", &[("2023-09-01", "2023-11-30")]);
        check("어제 먹은 것", &[("2026-11-15", "2026-11-15")]);
        check("그저께", &[("2026-11-14", "2026-11-14")]);
        check("3일 전", &[("2026-11-13", "2026-11-13")]);
        check("two weeks ago", &[("2026-10-30", "2026-11-05")]);
        check("지난달", &[("2026-10-01", "2026-10-31")]);
        check("이번 주", &[("2026-11-16", "2026-11-22")]);
        check("작년에", &[("2025-01-01", "2025-12-31")]);
        check("2025년 3월 15일", &[("2025-03-15", "2025-03-15")]);
        check("on 5 July, 2026", &[("2026-07-05", "2026-07-05")]);
        check("July 5th", &[("2025-07-05", "2025-07-05"), ("2026-07-05", "2026-07-05")]);
        check("in June", &[("2025-06-01", "2025-06-30"), ("2026-06-01", "2026-06-30")]);
        check("3월에", &[("2025-03-01", "2025-03-31"), ("2026-03-01", "2026-03-31")]);
        check("in 2025", &[("2025-01-01", "2025-12-31")]);
        check("2026-02-30", &[]);
        check("the spring broke and I may fall", &[]);
        check("아무 말", &[]);
    }

    #[test]
    fn without_a_clock_only_dates_are_read() {
        let years = BTreeSet::from([2026]);
        assert!(named_days("yesterday, 3일 전, 지난주 화요일, two summers ago", None, &years).is_empty());
        assert_eq!(named_days("July 5", None, &years).len(), 1);
    }

    #[test]
    fn no_question_is_too_strange() {
        let years = BTreeSet::from([i16::MIN, 2026, 9999]);
        for question in ["99999999년 99월 99일", "999 years ago", "999년 전 여름", "may", "", "\u{0}", "월요일", "31 February"] {
            named_days(question, Some(date(9999, 12, 31)), &years);
            named_days(question, Some(date(1, 1, 1)), &years);
        }
    }
}
