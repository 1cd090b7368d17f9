//! Formats a report as text, in Korean or English.

use saegim_core::{CandidateVerdict, CliffReason, Emotion, Language, Phrase, PromotionReason, Tier, Timestamp, Zone, phrase};

use super::diary::{LostMemory, RemainingMemory, Sample, SimulationCounts};
use super::report::SimulationReport;

/// Number of columns of a sparkline.
const COLUMNS: usize = 60;

/// Maximum number of characters shown of a memory.
const SHOWN: usize = 76;

impl SimulationReport {
    /// Returns the whole report as text.
    pub fn text(&self, language: Language) -> String {
        let mut lines = vec![self.opening(), Phrase::default()];
        lines.extend(self.tally.lines());
        lines.push(self.known());
        self.section(&mut lines, &phrase!("engine.text.kept"), self.kept.iter().map(kept).collect());
        self.section(&mut lines, &phrase!("engine.text.lost"), self.lost.iter().map(lost).collect());
        self.section(&mut lines, &phrase!("engine.text.over_time"), self.courses());
        if !self.failures.is_empty() {
            let failures = self.failures.iter().map(|failure| indented(&failure.phrase())).collect();
            self.section(&mut lines, &phrase!("engine.text.differences"), failures);
        }
        lines.iter().map(|line| line.in_language(language).trim_end().to_owned() + "\n").collect()
    }

    fn section(&self, lines: &mut Vec<Phrase>, title: &Phrase, of: Vec<Phrase>) {
        if of.is_empty() {
            return;
        }
        lines.push(Phrase::default());
        lines.push(title.clone());
        lines.extend(of);
    }

    fn opening(&self) -> Phrase {
        let (days, turns, exchanges) = (counted(self.days as usize), counted(self.tally.turns), counted(self.tally.exchanges));
        let day = |at: Timestamp| at.civil(&self.time_zone).strftime("%Y-%m-%d").to_string();
        let (from, to) = (day(self.start), day(self.end));
        let days = if self.days == 1 { phrase!("engine.text.one_day") } else { phrase!("engine.text.days", days) };
        let seed = self.seed.map(|seed| phrase!("engine.text.seed", seed)).unwrap_or_default();
        phrase!("engine.text.opening", days, from, to, turns, exchanges, seed)
    }

    /// Summarises the facts about the user.
    fn known(&self) -> Phrase {
        let tally = &self.tally.facts;
        let (current, past) = (self.facts.values().map(Vec::len).sum::<usize>(), self.past_facts);
        let values: Vec<String> = self.facts.iter().map(|(subject, values)| format!("{subject} {}", values.join("·"))).collect();
        let values = gist(&values.join(", "), 150);
        let FactCounts(learned, mentioned, superseded, ended) =
            FactCounts(counted(tally.learned), counted(tally.mentioned), counted(tally.superseded), counted(tally.ended));
        phrase!("engine.text.facts", current, past, learned, mentioned, superseded, ended, values)
    }

    /// Returns a sparkline with its last value for each tier, each zone and the cliff.
    fn courses(&self) -> Vec<Phrase> {
        let course = |name: Phrase, of: &dyn Fn(&Sample) -> u64| {
            let values: Vec<u64> = self.samples.iter().map(of).collect();
            let (most, last) = (values.iter().max().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            let line = |language| {
                let name = name.in_language(language);
                let wide: usize = name.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
                format!("  {name}{} {} {last:>6}", " ".repeat(6usize.saturating_sub(wide)), sparkline(&values, most))
            };
            Phrase::new(line(Language::English), line(Language::Korean))
        };
        let mut courses: Vec<Phrase> = Vec::new();
        for &tier in Tier::ALL {
            courses.push(course(tier.as_str().into(), &|sample| sample.tiers[tier as usize]));
        }
        for &zone in Zone::ALL {
            courses.push(course(Phrase::name("zone", zone.as_str()), &|sample| sample.zones[zone as usize]));
        }
        courses.push(course(phrase!("engine.text.cliff"), &|sample| sample.cliff));
        courses
    }
}

struct FactCounts(String, String, String, String);

impl SimulationCounts {
    fn lines(&self) -> Vec<Phrase> {
        let judged: usize = self.verdicts.values().sum();
        let of = |verdict: CandidateVerdict| counted(self.verdicts.get(&verdict).copied().unwrap_or(0));
        let (stored, reinforced, skipped) = (of(CandidateVerdict::Stored), of(CandidateVerdict::Reinforced), of(CandidateVerdict::Skipped));
        let (held, rejected, judged) = (of(CandidateVerdict::Held), of(CandidateVerdict::Rejected), counted(judged));
        let (given, used) = (counted(self.given), counted(self.used));
        let (expired, joined, pruned) = (counted(self.expired), counted(self.joined), counted(self.pruned));
        let (forgotten, restored, gone, erased) =
            (counted(self.forgotten), counted(self.restored), counted(self.gone), counted(self.erased));
        let ticks = counted(self.ticks);
        let mut lines = vec![
            phrase!("engine.text.judged", judged, stored, reinforced, skipped, held, rejected),
            phrase!("engine.text.by_hand", given, used),
        ];
        for (tier, count) in &self.essences {
            let made = self.made.get(tier).copied().unwrap_or_default();
            let (grown, made) = (counted(count.saturating_sub(made)), counted(made));
            let one = |(reason, count): (&PromotionReason, &usize)| {
                let (reason, count) = (reason_name(*reason), counted(*count));
                phrase!("engine.text.reason_count", reason, count)
            };
            let why = self.promoted.get(tier).map(|reasons| Phrase::joined(reasons.iter().map(one), ", ")).unwrap_or_default();
            let to = Phrase::new(format!("{tier:<8}"), format!("{tier:<4}"));
            lines.push(phrase!("engine.text.essences", to, made, why, grown));
        }
        lines.push(phrase!("engine.text.to_cliff", expired, joined, pruned, forgotten));
        lines.push(phrase!("engine.text.then", restored, gone, erased, ticks));
        lines
    }
}

fn kept(kept: &RemainingMemory) -> Phrase {
    let text = gist(&kept.content, SHOWN);
    let (tier, days, recalls, mentions) = (kept.tier, kept.days, kept.recalls, kept.mentions);
    let alive = if days == 1 { phrase!("engine.text.one_day") } else { phrase!("engine.text.days", days) };
    let felt = kept.emotions.iter().filter(|emotion| *emotion != Emotion::Neutral);
    let felt = felt.map(|emotion| Phrase::new(emotion.as_str(), emotion.korean()));
    let why = Phrase::joined(kept.because.iter().map(|reason| reason_name(*reason)).chain(felt), ", ");
    phrase!("engine.text.kept_memory", tier = format_args!("{tier:<4}"), text, alive, recalls, mentions, why)
}

fn lost(lost: &LostMemory) -> Phrase {
    let text = gist(&lost.content, SHOWN);
    let (tier, days, importance, note) = (lost.tier, lost.days, lost.importance.get(), &lost.note);
    let korean = match lost.reason {
        CliffReason::Expired => format!("{tier} 기한 만료"),
        CliffReason::Displaced => "흐려졌거나 다른 기억과 병합됨".to_owned(),
        CliffReason::Manual => "직접 잊음".to_owned(),
    };
    let day = lost.day;
    let after = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    Phrase::new(
        format!("  {text}\n        {}, day {day}, after {after}: {note}; importance {importance:.2}", lost.reason),
        format!("  {text}\n        {day}일째, {days}일 만에: {korean}. 중요도 {importance:.2}"),
    )
}

/// Returns the display name of a promotion reason.
fn reason_name(reason: PromotionReason) -> Phrase {
    match reason {
        PromotionReason::ChangedBehaviour => phrase!("engine.text.changed_behaviour"),
        reason => Phrase::name("promotion", reason.as_str()),
    }
}

fn indented(phrase: &Phrase) -> Phrase {
    phrase!("engine.text.indented", phrase)
}

/// Draws values as one line of block characters. Each column shows the maximum of its range.
fn sparkline(values: &[u64], most: u64) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let columns = values.len().min(COLUMNS);
    let column = |at: usize| {
        let stretch = &values[at * values.len() / columns..((at + 1) * values.len() / columns).max(at * values.len() / columns + 1)];
        let highest = stretch.iter().max().copied().unwrap_or(0);
        if highest == 0 { ' ' } else { BLOCKS[((highest * 8).div_ceil(most.max(1)) as usize).clamp(1, 8) - 1] }
    };
    let line: String = (0..columns).map(column).collect();
    format!("{line}{}", " ".repeat(COLUMNS - columns))
}

/// Formats a number with thousands separators.
pub(crate) fn counted(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn gist(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_courses_are_easy_to_read() {
        assert_eq!(["0", "999", "1,000", "109,500"].map(str::to_owned), [0, 999, 1000, 109_500].map(counted));
        let line = sparkline(&[0, 1, 4, 8, 8, 2], 8);
        assert_eq!(line.trim_end(), " ▁▄██▂");
        assert_eq!(sparkline(&[], 0).chars().count(), COLUMNS);
        assert_eq!(sparkline(&vec![5; 1000], 5).chars().filter(|block| *block == '█').count(), COLUMNS);
    }
}
