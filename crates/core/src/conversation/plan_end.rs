//! When a plan is over: the last day that a message names, in Korean and English.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use regex::{Captures, Regex};

use crate::Timestamp;
use crate::retrieval::marks::pattern;

/// Returns the end of the last day that `text` names, in `zone`; `None` if it names no day, or only
/// days before `said_at`. A period counts to its end.
pub fn plan_end(text: &str, said_at: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let last = last_day(text, said_at.civil(zone).date())?;
    let next = last.tomorrow().ok()?.to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_millis(next.timestamp().as_millisecond() - 1))
}

fn last_day(text: &str, today: Date) -> Option<Date> {
    let text = text.to_lowercase();
    let mut read: Vec<(usize, usize)> = Vec::new();
    let mut last: Option<Date> = None;
    for (pattern, reading) in PATTERNS.iter() {
        for found in pattern.captures_iter(&text) {
            let whole = found.get(0).expect("a match has a whole");
            if read.iter().any(|(start, end)| whole.start() < *end && *start < whole.end()) {
                continue;
            }
            read.push((whole.start(), whole.end()));
            last = last.max(reading(&found, today).filter(|day| *day >= today));
        }
    }
    last
}

type Reading = fn(&Captures<'_>, Date) -> Option<Date>;

const WEEKDAY: &str = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday|월요일|화요일|수요일|목요일|금요일|토요일|일요일)";
const MONTH: &str = "(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)";
const COUNT: &str = r"(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|사흘|나흘|열흘)";
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Patterns, the most specific first: what one has read, no later one reads again.
static PATTERNS: LazyLock<Vec<(Regex, Reading)>> = LazyLock::new(|| {
    let list: [(String, Reading); 24] = [
        (r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b".into(), |found, _| {
            Date::new(small(found, 1)?, small(found, 2)?.try_into().ok()?, small(found, 3)?.try_into().ok()?).ok()
        }),
        (r"(?:(\d{4})년\s?)?(\d{1,2})월\s?(\d{1,2})일".into(), |found, today| {
            day_of((small(found, 1), small(found, 2)?, small(found, 3)?), today)
        }),
        (format!(r"\b{MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?\b"), |found, today| day_of((None, month(found, 1)?, small(found, 2)?), today)),
        (format!(r"\b(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:of\s+)?{MONTH}\b"), |found, today| {
            day_of((None, month(found, 2)?, small(found, 1)?), today)
        }),
        (r"(?:내년\s?)?(\d{1,2})월".into(), |found, today| month_end(small(found, 1)?, text(found, 0)?.starts_with("내년"), today)),
        (format!(r"\b(?:in|by|until|this|next|early|late|mid)[\s-]+{MONTH}\b"), |found, today| month_end(month(found, 1)?, false, today)),
        (r"day after tomorrow|내일\s?모레|모레".into(), |_, today| ahead(today, 2)),
        (r"\btomorrow\b|내일|낼".into(), |_, today| ahead(today, 1)),
        (r"글피".into(), |_, today| ahead(today, 3)),
        (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b|오늘|이따".into(), |_, today| Some(today)),
        (format!(r"(?:다다음\s?주|\bthe week after next)\s?(?:on )?{WEEKDAY}?"), |found, today| in_week(found, 2, today)),
        (format!(r"(?:다음\s?주|담\s?주|차주|\bnext week)\s?(?:on )?{WEEKDAY}"), |found, today| in_week(found, 1, today)),
        (format!(r"(?:이번\s?주|금주|\bthis)\s?{WEEKDAY}"), |found, today| in_week(found, 0, today)),
        (format!(r"\bnext {WEEKDAY}"), |found, today| in_week(found, 1, today)),
        (r"(?:다음\s?주말|담\s?주말|\bnext weekend)".into(), |_, today| week_end(1, today)),
        (r"(?:이번\s?주말|\bthis weekend)|주말에".into(), |_, today| week_end(0, today)),
        (r"다음\s?주|담\s?주|차주|\bnext week\b".into(), |_, today| week_end(1, today)),
        (r"이번\s?주|금주|\b(?:later )?this week\b".into(), |_, today| week_end(0, today)),
        (format!(r"\b(?:in|for) {COUNT}\s+(day|week|month|year)s?\b"), later),
        (format!(r"{COUNT}\s?(일|주일|주|달|개월|년|해)?\s?(?:뒤|후|있다가)"), later),
        (r"다음\s?달|담\s?달|\bnext month\b".into(), |_, today| Some(today.checked_add(1.month()).ok()?.last_of_month())),
        (r"이번\s?달|이달|\bthis month\b".into(), |_, today| Some(today.last_of_month())),
        (r"내년|\bnext year\b".into(), |_, today| Date::new(today.year().checked_add(1)?, 12, 31).ok()),
        (format!(r"(?:\bon )?{WEEKDAY}"), |found, today| next_weekday(weekday(text(found, 1)?)?, today)),
    ];
    list.into_iter().map(|(text, reading)| (pattern(&text), reading)).collect()
});

fn text<'a>(found: &'a Captures<'_>, group: usize) -> Option<&'a str> {
    found.get(group).map(|part| part.as_str())
}

fn small(found: &Captures<'_>, group: usize) -> Option<i16> {
    text(found, group)?.parse().ok()
}

fn month(found: &Captures<'_>, group: usize) -> Option<i16> {
    let word = text(found, group)?;
    MONTHS.iter().position(|month| word.starts_with(month)).map(|place| place as i16 + 1)
}

fn weekday(word: &str) -> Option<Weekday> {
    const NAMES: [(&str, &str); 7] = [
        ("monday", "월요일"),
        ("tuesday", "화요일"),
        ("wednesday", "수요일"),
        ("thursday", "목요일"),
        ("friday", "금요일"),
        ("saturday", "토요일"),
        ("sunday", "일요일"),
    ];
    let place = NAMES.iter().position(|(english, korean)| *english == word || *korean == word)?;
    Weekday::from_monday_zero_offset(place as i8).ok()
}

fn ahead(today: Date, days: i64) -> Option<Date> {
    today.checked_add(days.days()).ok()
}

/// The day in this year, or in the next one if it has passed.
fn day_of((year, month, day): (Option<i16>, i16, i16), today: Date) -> Option<Date> {
    let (month, day) = (month.try_into().ok()?, day.try_into().ok()?);
    let of = |year: i16| Date::new(year, month, day).ok();
    match year {
        Some(year) => of(year),
        None => of(today.year()).filter(|day| *day >= today).or_else(|| of(today.year().checked_add(1)?)),
    }
}

fn month_end(month: i16, next_year: bool, today: Date) -> Option<Date> {
    let month: i8 = month.try_into().ok()?;
    let passed = i16::from(next_year || month < today.month());
    Some(Date::new(today.year().checked_add(passed)?, month, 1).ok()?.last_of_month())
}

/// Monday of the week that begins `weeks` after the current one.
fn monday(weeks: i64, today: Date) -> Option<Date> {
    ahead(today, weeks * 7 - i64::from(today.weekday().to_monday_zero_offset()))
}

fn week_end(weeks: i64, today: Date) -> Option<Date> {
    ahead(monday(weeks, today)?, 6)
}

fn in_week(found: &Captures<'_>, weeks: i64, today: Date) -> Option<Date> {
    match text(found, 1).and_then(weekday) {
        Some(day) => ahead(monday(weeks, today)?, i64::from(day.to_monday_zero_offset())),
        None => week_end(weeks, today),
    }
}

fn next_weekday(day: Weekday, today: Date) -> Option<Date> {
    let ahead_by = (day.to_monday_zero_offset() - today.weekday().to_monday_zero_offset()).rem_euclid(7);
    ahead(today, i64::from(ahead_by))
}

/// "In three weeks", "3주 뒤", "사흘 뒤".
fn later(found: &Captures<'_>, today: Date) -> Option<Date> {
    const WORDS: [&[&str]; 10] = [
        &["a", "an", "one", "한"],
        &["two", "a couple of", "두"],
        &["three", "a few", "세", "사흘"],
        &["four", "네", "나흘"],
        &["five", "다섯"],
        &["six", "여섯"],
        &["seven", "일곱"],
        &["eight", "여덟"],
        &["nine", "아홉"],
        &["ten", "열", "열흘"],
    ];
    let word = text(found, 1)?;
    let spelled = || WORDS.iter().position(|words| words.contains(&word)).map(|place| place as i64 + 1);
    let count = word.parse().ok().or_else(spelled)?;
    match text(found, 2) {
        Some("week" | "주" | "주일") => ahead(today, count * 7),
        Some("month" | "달" | "개월") => today.checked_add(count.months()).ok(),
        Some("year" | "년" | "해") => today.checked_add(count.years()).ok(),
        Some(_) => ahead(today, count),
        None => ahead(today, count).filter(|_| word.ends_with('흘')),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    /// Monday, 16 November 2026.
    const TODAY: Date = date(2026, 11, 16);

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(last_day(text, TODAY).map(|day| day.to_string()).as_deref(), expected, "{text}");
    }

    #[test]
    fn the_last_day_of_a_plan_is_read_in_both_languages() {
        for (text, expected) in [
            ("내일 면접 봐", "2026-11-17"),
            ("내일모레 병원 가", "2026-11-18"),
            ("다음 주 수요일이 아빠 기일이야", "2026-11-25"),
            ("담주에 이사해", "2026-11-29"),
            ("이번 주말에 부산 가", "2026-11-22"),
            ("금요일에 시험이야", "2026-11-20"),
            ("12월 3일에 수술해", "2026-12-03"),
            ("3월 2일에 입학해", "2027-03-02"),
            ("내년 3월에 결혼해", "2027-03-31"),
            ("다음 달에 퇴사할 거야", "2026-12-31"),
            ("2주 뒤에 출국해", "2026-11-30"),
            ("사흘 뒤에 발표야", "2026-11-19"),
            ("내일부터 다음 주까지 휴가야", "2026-11-29"),
            ("my sister is visiting next weekend", "2026-11-29"),
            ("interview tomorrow", "2026-11-17"),
            ("flying out on Friday", "2026-11-20"),
            ("surgery on March 5th", "2027-03-05"),
            ("we're getting married in June", "2027-06-30"),
            ("moving in two weeks", "2026-11-30"),
            ("the day after tomorrow I start", "2026-11-18"),
            ("next year we want to build", "2027-12-31"),
        ] {
            check(text, Some(expected));
        }
    }

    #[test]
    fn a_plan_lasts_to_the_end_of_its_day() {
        let zone = TimeZone::fixed(jiff::tz::offset(9));
        let said = Timestamp::parse("2026-11-16T20:00:00Z").unwrap();
        assert_eq!(plan_end("내일 면접 봐", said, &zone).unwrap().to_string(), "2026-11-18T14:59:59.999Z");
    }

    #[test]
    fn a_plan_without_a_day_has_no_end() {
        for text in ["언젠가 제주도에서 살 거야", "I want to learn the cello", "어제 갔다 왔어", "그 후로 안 가", "", "99월 99일"]
        {
            check(text, None);
        }
        for strange in ["999년 뒤", "in 999 years", "9999-12-31"] {
            last_day(strange, date(9999, 12, 30));
        }
    }
}
