//! Plans one day: topics by time of day, following daily, weekly and yearly patterns and random events.

use jiff::civil::{Date, Weekday};

use super::bank::Bank;
use super::chance::Chance;
use super::person::Person;

/// A planned message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// Seconds since midnight.
    pub(crate) second: i64,
    pub(crate) topic: &'static str,
    /// Index of the line within the topic, if it must be a specific one.
    pub(crate) line: Option<usize>,
}

/// Hour, percentage of the day's exchanges, topics by weight.
type Conversation = (i64, usize, &'static [(&'static str, u32)]);

/// Conversations of a day: hour, percentage of the day's exchanges, topics by weight.
const CONVERSATIONS: [Conversation; 4] = [
    (8, 15, &[("morning", 40), ("chat", 30), ("pet", 8), ("season", 4), ("health", 5), ("home", 5), ("work", 8)]),
    (12, 20, &[("lunch", 30), ("cafe", 20), ("chat", 28), ("work", 18), ("money", 4)]),
    (
        19,
        45,
        &[
            ("chat", 34),
            ("work", 12),
            ("pet", 8),
            ("friend", 8),
            ("partner", 7),
            ("mother", 4),
            ("home", 9),
            ("media", 7),
            ("hobby", 6),
            ("joke", 2),
            ("hypothetical", 1),
            ("toward", 2),
        ],
    ),
    (22, 20, &[("chat", 40), ("night", 22), ("media", 10), ("toward", 4), ("partner", 6), ("health", 5), ("home", 8), ("pet", 5)]),
];

/// Hour of the conversation that contains the special topics of the day.
const EVENING: i64 = 19;

/// Occasional evening topics with their daily probability.
const NOW_AND_THEN: [(&str, f64); 14] = [
    ("episode", 0.95),
    ("episode", 0.8),
    ("episode", 0.6),
    ("episode", 0.4),
    ("news", 0.15),
    ("plan", 0.35),
    ("preference", 0.18),
    ("promise", 0.08),
    ("boundary", 0.02),
    ("remember", 0.15),
    ("work_good", 0.14),
    ("work_bad", 0.16),
    ("joy", 0.025),
    ("sorrow", 0.02),
];

/// Maximum number of questions about the past per day.
const ASKED: usize = 4;

/// Events that span several days.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedEvents {
    /// Days until a quarrel is settled.
    makeup_in: Option<u32>,
}

/// The day to plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Day {
    /// Number of the day, from 0.
    pub(crate) number: i64,
    pub(crate) date: Date,
    /// Number of exchanges.
    pub(crate) exchanges: usize,
}

impl PlannedEvents {
    /// Plans a day and applies the changes in the person's life.
    pub(crate) fn plan(&mut self, day: Day, (bank, person): (&Bank, &mut Person), chance: &mut Chance) -> Vec<Planned> {
        let mut special = self.special(day, (bank, person), chance);
        special.truncate(day.exchanges);
        let mut planned = Vec::with_capacity(day.exchanges);
        let ordinary = day.exchanges - special.len();
        let (mut shares, mut given) = (0, 0);
        for (hour, share, topics) in CONVERSATIONS {
            let begins = hour * 3600 + chance.below(2400) as i64;
            shares += share;
            let count = ordinary * shares / 100 - given;
            given += count;
            let mut topics = (0..count).map(|_| (chance.weighed(topics), None)).collect::<Vec<_>>();
            if hour == EVENING {
                for item in special.drain(..) {
                    topics.insert(chance.below(topics.len() + 1), item);
                }
            }
            let mut second = begins;
            for (topic, line) in topics {
                planned.push(Planned { second, topic, line });
                second += 8 + chance.below(25) as i64;
            }
        }
        planned
    }

    /// Returns the special topics of a day, in order.
    fn special(&mut self, day: Day, (bank, person): (&Bank, &mut Person), chance: &mut Chance) -> Vec<(&'static str, Option<usize>)> {
        let mut special: Vec<(&'static str, Option<usize>)> = Vec::new();
        // In the first days people introduce themselves.
        let told = bank.lines("intro").len().div_ceil(3);
        let first = day.number as usize * told;
        special.extend((first..(first + told).min(bank.lines("intro").len())).map(|line| ("intro", Some(line))));
        let today = (day.date.month(), day.date.day());
        let mut add = |topic: &'static str, holds: bool| special.extend(holds.then_some((topic, None)));
        add("birthday", today == person.birthday);
        add("birthday_mother", today == person.mothers_birthday);
        add("money", day.date.day() == 25);
        add("holiday", matches!(today, (1, 1) | (9, 25..=27) | (12, 25) | (2, 17..=18)));
        add("season", matches!(today, (4, 5) | (7, 1) | (10, 20) | (12, 3)));
        add("hobby", matches!(day.date.weekday(), Weekday::Tuesday | Weekday::Saturday));
        add("mother", day.date.weekday() == Weekday::Sunday);
        for (topic, share) in NOW_AND_THEN {
            let falls = chance.happens(share);
            add(topic, falls);
            if falls && topic == "sorrow" {
                self.makeup_in = Some(2 + chance.below(4) as u32);
            }
        }
        add("makeup", self.makeup_in == Some(0));
        self.makeup_in = self.makeup_in.and_then(|days| days.checked_sub(1));
        for (topic, gap, share) in [("move", "city", 1.0 / 420.0), ("newjob", "company", 1.0 / 380.0), ("newhobby", "hobby", 1.0 / 300.0)] {
            if day.number > 20 && chance.happens(share) {
                person.change(gap, bank, chance);
                add(topic, true);
            }
        }
        let asked = if day.number > 0 { 1 + chance.below(ASKED) } else { 0 };
        (0..asked.min(day.exchanges.div_ceil(8))).for_each(|_| add("ask", true));
        special
    }
}
