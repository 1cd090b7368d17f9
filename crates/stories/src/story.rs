//! A story: actions and expectations by day, one per line. It is parsed completely before anything runs.

use saegim_core::{Invalid, Phrase, Policy, Timestamp, phrase};

use super::deed::{DEEDS, StoryAction, by_form};
use super::expectation::{Expectation, expectation};
use super::words::LineTokens;

/// Default start of a story: a Thursday morning.
const START: &str = "2026-01-01T09:00:00Z";

/// Minutes per day.
const DAY: i64 = 24 * 60;

/// A parsed story.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    pub(crate) start: Timestamp,
    pub(crate) time_zone: jiff::tz::TimeZone,
    pub(crate) policy: Policy,
    pub(crate) steps: Vec<StoryStep>,
}

/// One step of a story.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoryStep {
    /// Line number, from 1.
    pub(crate) line: usize,
    /// Text after the colon.
    pub(crate) said: String,
    /// Day, and minute of the day.
    pub(crate) day: i64,
    pub(crate) minute: i64,
    /// Number of earlier repetitions of the step.
    pub(crate) round: usize,
    pub(crate) act: Act,
}

/// Kind of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// An action.
    Do(StoryAction),
    /// An expectation.
    Expect(Expectation),
}

/// The days of a line.
struct When {
    first: i64,
    last: i64,
    every: i64,
    minute: Option<i64>,
}

impl Story {
    /// Parses a story. Errors contain the line number and the correct syntax. `policy` applies where the story does not override
    /// it.
    pub fn parse(text: &str, policy: &Policy) -> Result<Self, Invalid> {
        let start = Timestamp::parse(START).expect("the start is a moment");
        let mut story = Self { start, time_zone: jiff::tz::TimeZone::UTC, policy: policy.clone(), steps: Vec::new() };
        let mut before = Before { day: i64::MIN, minute: 0, awake_from: i64::MIN, policies: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            let read = story.line(number + 1, line, &mut before);
            read.map_err(|wrong| at_line(number + 1, &wrong))?;
        }
        if story.steps.is_empty() {
            let problem = phrase!("engine.story.no_steps");
            return Err(Invalid::new("story", problem));
        }
        story.policy.check().map_err(|wrong| match before.policies.iter().rev().find(|(_, name)| name == wrong.field) {
            Some((number, _)) => at_line(*number, &wrong.phrase()),
            None => wrong,
        })?;
        story.steps.sort_by_key(|step| (step.day, step.minute));
        Ok(story)
    }

    /// Returns the day of the last step.
    pub fn days(&self) -> i64 {
        self.steps.iter().map(|step| step.day).max().unwrap_or(0)
    }

    fn line(&mut self, number: usize, line: &str, before: &mut Before) -> Result<(), Phrase> {
        let mut words = LineTokens::of(line)?;
        if words.is_empty() {
            return Ok(());
        }
        if !words.take("day") && !words.take("days") {
            before.policies.extend(self.heading(&mut words)?.map(|name| (number, name)));
            return Ok(());
        }
        let Some((when, said)) = line.split_once(": ") else {
            return Err(phrase!("engine.story.colon_missing"));
        };
        let when = When::read(when)?;
        let minute = when.minute.unwrap_or(if when.first == before.day { before.minute } else { self.first_minute() });
        if (when.first, minute) < (before.day, before.minute) {
            return Err(phrase!("engine.story.out_of_order"));
        }
        if when.first < before.awake_from {
            let day = before.awake_from;
            return Err(phrase!("engine.story.step_while_stopped", day));
        }
        (before.day, before.minute) = (when.first, minute);
        let mut words = LineTokens::of(said)?;
        let act = act(&mut words)?;
        if let Act::Do(StoryAction::Sleep(until)) = act {
            if until <= when.first {
                return Err(phrase!("engine.story.wakes_before_sleep"));
            }
            before.awake_from = until;
        }
        if self.answer(&act, (when.first, minute)) {
            return Ok(());
        }
        let mut round = 0;
        let mut day = when.first;
        while day <= when.last {
            let said = said.trim().to_owned();
            self.steps.push(StoryStep { line: number, said, day, minute, round, act: act.clone() });
            (day, round) = (day + when.every, round + 1);
        }
        Ok(())
    }

    /// Attaches an answer on its own line to the message on the line before.
    fn answer(&mut self, act: &Act, at: (i64, i64)) -> bool {
        let Act::Do(StoryAction::Talk { event: None, user: None, assistant: Some(answer), .. }) = act else { return false };
        match self.steps.last_mut() {
            Some(StoryStep { day, minute, act: Act::Do(StoryAction::Talk { assistant: open @ None, .. }), .. })
                if (*day, *minute) == at =>
            {
                *open = Some(answer.clone());
                true
            }
            _ => false,
        }
    }

    /// Parses a header line: start, time zone or a policy override. Returns the name of the overridden policy field.
    fn heading(&mut self, words: &mut LineTokens) -> Result<Option<String>, Phrase> {
        let mut rule = None;
        if !self.steps.is_empty() {
            return Err(unknown(words, "day NUMBER: …"));
        }
        if words.take("start") {
            self.start = words.read(&phrase!("engine.story.moment"), Timestamp::parse)?;
        } else if words.take("time zone") {
            let name = words.word(&phrase!("engine.story.time_zone"))?;
            self.time_zone = jiff::tz::TimeZone::get(&name).map_err(|_| phrase!("engine.story.unknown_time_zone", name))?;
        } else if words.take("policy") {
            let name = words.word(&phrase!("engine.story.setting"))?;
            words.must("=")?;
            let value: serde_json::Number = words.number()?;
            self.policy = with(&self.policy, &name, value)?;
            rule = Some(name);
        } else {
            return Err(unknown(words, "start 2026-01-01T09:00:00Z, time zone Asia/Seoul, policy thinning.budget_share = 1.0, day 0: …"));
        }
        words.end().map(|()| rule)
    }

    /// Returns the minute of the day for steps without a time.
    fn first_minute(&self) -> i64 {
        let time = self.start.civil(&self.time_zone);
        i64::from(time.hour()) * 60 + i64::from(time.minute())
    }

    /// Returns the time of a step.
    pub(crate) fn moment(&self, day: i64, minute: i64) -> Timestamp {
        use jiff::ToSpan;
        let date = self.start.civil(&self.time_zone).date();
        let moment = date.checked_add(day.days()).ok().map(|date| date.at((minute / 60) as i8, (minute % 60) as i8, 0, 0));
        let zoned = moment.and_then(|moment| moment.to_zoned(self.time_zone.clone()).ok());
        zoned.map_or(self.start, |zoned| Timestamp::from_millis(zoned.timestamp().as_millisecond()))
    }
}

/// State carried over from the preceding lines.
struct Before {
    day: i64,
    minute: i64,
    awake_from: i64,
    /// Overridden policy fields with their line numbers.
    policies: Vec<(usize, String)>,
}

impl When {
    /// Parses `day 3`, `day 3 21:30`, `day 0..23`, `day 0..90 every 7 08:00`.
    fn read(text: &str) -> Result<Self, Phrase> {
        let usage = || phrase!("engine.story.not_a_day", text);
        let mut words = text.split_whitespace().skip(1);
        let (days, mut every, mut minute) = (words.next().ok_or_else(usage)?, 1, None);
        while let Some(word) = words.next() {
            if word == "every" {
                every = words.next().and_then(|days| days.parse().ok()).filter(|days| *days > 0).ok_or_else(usage)?;
            } else {
                minute = Some(minutes(word).ok_or_else(usage)?);
            }
        }
        let day = |text: &str| text.parse::<i64>().ok().filter(|day| (0..=36_500).contains(day)).ok_or_else(usage);
        let (first, last) = match days.split_once("..") {
            Some((first, last)) => (day(first)?, day(last)?),
            None => (day(days)?, day(days)?),
        };
        if last < first {
            return Err(usage());
        }
        Ok(Self { first, last, every, minute })
    }
}

/// Parses a time of day such as `21:30` into minutes.
fn minutes(text: &str) -> Option<i64> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute): (i64, i64) = (hour.parse().ok()?, minute.parse().ok()?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some((hour * 60 + minute) % DAY)
}

/// Parses the part after the colon.
fn act(words: &mut LineTokens) -> Result<Act, Phrase> {
    if words.take("expect") {
        return expectation(words).map(Act::Expect);
    }
    match by_form(DEEDS, words) {
        Some(read) => read.map(Act::Do),
        None => {
            let openings: Vec<&str> = DEEDS.iter().map(|form| form.opening).chain(["expect"]).collect();
            Err(unknown(words, &openings.join(", ")))
        }
    }
}

fn unknown(words: &LineTokens, known: &str) -> Phrase {
    let found = words.peek().unwrap_or("\"…\"");
    phrase!("engine.story.unknown_step", found, known)
}

/// Returns the policy with one value changed.
fn with(policy: &Policy, name: &str, value: serde_json::Number) -> Result<Policy, Phrase> {
    let unknown = || phrase!("engine.story.unknown_setting", name);
    let (table, field) = name.split_once('.').ok_or_else(unknown)?;
    let mut all = serde_json::to_value(policy).expect("a policy is plain data");
    let place = all.get_mut(table).and_then(|table| table.get_mut(field)).ok_or_else(unknown)?;
    *place = value.into();
    serde_json::from_value(all).map_err(|error| phrase!("engine.story.setting_not_valid", name, error))
}

fn at_line(number: usize, wrong: &Phrase) -> Invalid {
    Invalid::new("story", phrase!("engine.story.line", number, wrong))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saegim_core::Language;

    fn parse(text: &str) -> Result<Story, Invalid> {
        Story::parse(text, &Policy::default())
    }

    #[test]
    fn days_may_be_repeated_and_answers_may_stand_on_their_own_line() {
        let story = parse(
            "start 2026-03-01T08:00:00+09:00\ntime zone Asia/Seoul\n\n# 카페\nday 0..14 every 7: remember \"하나\" or \"둘\" as cafe\n\
             day 3 21:30: user \"안녕\"\nday 3: assistant \"응\"\nday 20: expect count M30 >= 1",
        )
        .unwrap();
        let days: Vec<(i64, i64, usize)> = story.steps.iter().map(|step| (step.day, step.minute, step.round)).collect();
        assert_eq!(days, [(0, 480, 0), (3, 1290, 0), (7, 480, 1), (14, 480, 2), (20, 480, 0)]);
        assert!(matches!(&story.steps[1].act, Act::Do(StoryAction::Talk { assistant: Some(answer), .. }) if answer == &["응"]));
        assert_eq!(story.moment(3, 1290).to_string(), "2026-03-04T12:30:00.000Z");
        assert_eq!(story.days(), 20);
    }

    #[test]
    fn a_rule_may_be_other_than_usual() {
        let story = parse("policy promotion.m30_recalls = 2\nday 0: tick").unwrap();
        assert_eq!(story.policy.promotion.m30_recalls, 2);
        for wrong in ["policy promotion.nothing = 2", "policy thinning = 2", "policy cliff.days = 1\nday 0: tick"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_wrong_names_its_line_and_what_to_write_instead() {
        for (text, english, korean) in [
            ("day 0: user 안녕", "line 1: expected a text in quotes", "1번째 줄: `안녕` 위치에"),
            ("\nday 0: sing", "line 2: `sing` is not a step; start with one of: user, event", "2번째 줄: `sing`은 알 수 없는"),
            ("day 5: tick\nday 4: tick", "line 2: this is earlier", "2번째 줄: 윗줄보다"),
            ("day 0: expect \"a\" in M31", "M31", "M31"),
            ("day 0: expect count M30", "one of =, <, <=, >, >= is missing; write: expect count", "중 하나"),
            ("day 0: expect refused restore", "write: restore MEMORY", "이렇게 입력해 주세요: restore MEMORY"),
            ("day x: tick", "write: day 3, day 3 21:30", "이렇게 입력해 주세요: day 3"),
            ("day 3 25:00: tick", "is not a day", "올바른 날짜가 아니에요"),
            ("day 3:tick", "a colon and a space", "콜론(:)과 공백"),
            ("day 0: sleep until day 9\nday 4: tick", "the program is stopped until day 9", "멈춰 있어요"),
            ("day 0: remember \"a\" colour red", "`colour` is not an option of remember; write: remember", "옵션이 아니에요"),
            ("once upon a time", "`once` is not a step; start with one of: start", "알 수 없는 단계"),
            ("time zone Mars/Base", "is not a time zone", "올바른 시간대가 아니에요"),
            ("day 0: remember \"열린", "closing quote", "닫는 따옴표"),
            (
                "\npolicy thinning.budget_share = 7\nday 0: tick",
                "line 2: thinning.budget_share: 7.0 is not in the range",
                "2번째 줄: thinning.budget_share",
            ),
            ("# nothing\n\n", "no steps", "단계가 없어요"),
            ("day 0: expect \"a\" is somewhere", "`somewhere` is not a property of a memory; write: expect MEMORY in M90", "`somewhere`"),
            ("day 0: tick now", "unexpected", "쓸 수 없어요"),
        ] {
            let wrong = parse(text).unwrap_err().problem;
            assert!(wrong.to_string().contains(english), "{text}: {wrong}");
            assert!(wrong.in_language(Language::Korean).contains(korean), "{text}: {}", wrong.in_language(Language::Korean));
        }
    }
}
