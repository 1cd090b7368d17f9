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
        self.section(&mut lines, &phrase!("Kept, and why", "남은 기억과 이유"), self.kept.iter().map(kept).collect());
        self.section(&mut lines, &phrase!("Lost, and why", "사라진 기억과 이유"), self.lost.iter().map(lost).collect());
        self.section(&mut lines, &phrase!("Over time", "시간에 따른 변화"), self.courses());
        if !self.failures.is_empty() {
            let failures = self.failures.iter().map(|failure| indented(&failure.phrase())).collect();
            self.section(&mut lines, &phrase!("Differences from the story", "이야기와 다른 점"), failures);
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
        let (from, to, unit) = (day(self.start), day(self.end), if self.days == 1 { "day" } else { "days" });
        let (english, korean) = match self.seed {
            Some(seed) => (format!(", seed {seed}"), format!(", 시드 {seed}")),
            None => (String::new(), String::new()),
        };
        Phrase::new(
            format!("{days} {unit}, {from} to {to}: {turns} messages in {exchanges} exchanges{english}"),
            format!("{days}일, {from}부터 {to}까지: 메시지 {turns}개, 대화 {exchanges}번{korean}"),
        )
    }

    /// Summarises the facts about the user.
    fn known(&self) -> Phrase {
        let tally = &self.tally.facts;
        let (current, past) = (self.facts.values().map(Vec::len).sum::<usize>(), self.past_facts);
        let values: Vec<String> = self.facts.iter().map(|(subject, values)| format!("{subject} {}", values.join("·"))).collect();
        let values = gist(&values.join(", "), 150);
        let FactCounts(learned, mentioned, superseded, ended) =
            FactCounts(counted(tally.learned), counted(tally.mentioned), counted(tally.superseded), counted(tally.ended));
        phrase!(
            "  facts       {current} current, {past} ended ({learned} learned, {mentioned} confirmed, {superseded} superseded, {ended} ended)\n              {values}",
            "  사실        현재 {current}개, 끝남 {past}개 (새로 알게 됨 {learned}, 다시 확인 {mentioned}, 바뀜 {superseded}, 끝남 {ended})\n              {values}"
        )
    }

    /// Returns a sparkline with its last value for each tier, each zone and the cliff.
    fn courses(&self) -> Vec<Phrase> {
        let course = |(english, korean): (&str, &str), of: &dyn Fn(&Sample) -> u64| {
            let values: Vec<u64> = self.samples.iter().map(of).collect();
            let (most, last) = (values.iter().max().copied().unwrap_or(0), values.last().copied().unwrap_or(0));
            let line = |name: &str| {
                let wide: usize = name.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum();
                format!("  {name}{} {} {last:>6}", " ".repeat(6usize.saturating_sub(wide)), sparkline(&values, most))
            };
            Phrase::new(line(english), line(korean))
        };
        let mut courses: Vec<Phrase> = Vec::new();
        for &tier in Tier::ALL {
            courses.push(course((tier.as_str(), tier.as_str()), &|sample| sample.tiers[tier as usize]));
        }
        for &zone in Zone::ALL {
            courses.push(course(zone_name(zone), &|sample| sample.zones[zone as usize]));
        }
        courses.push(course(("cliff", "절벽"), &|sample| sample.cliff));
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
            phrase!(
                "  judged      {judged}: {stored} stored, {reinforced} reinforced, {skipped} skipped, {held} held, {rejected} rejected",
                "  판단        {judged}개: 저장 {stored}, 강화 {reinforced}, 건너뜀 {skipped}, 보류 {held}, 거부 {rejected}"
            ),
            phrase!("  by hand     {given} stored; {used} recalls", "  직접        저장 {given}개, 회상 {used}번"),
        ];
        for (tier, count) in &self.essences {
            let made = self.made.get(tier).copied().unwrap_or_default();
            let (grown, made) = (counted(count.saturating_sub(made)), counted(made));
            let why = self.promoted.get(tier).map(|reasons| {
                let told = |language| {
                    let one =
                        |(reason, count): (&PromotionReason, &usize)| format!("{} {}", reason_name(*reason, language), counted(*count));
                    reasons.iter().map(one).collect::<Vec<_>>().join(", ")
                };
                (told(Language::English), told(Language::Korean))
            });
            let (english, korean) = why.unwrap_or_default();
            lines.push(Phrase::new(
                format!("  to {tier:<8} {made} essences created ({english}), extended {grown} times"),
                format!("  {tier:<4}(으)로  본질 {made}개 생성({korean}), {grown}번 확장"),
            ));
        }
        lines.push(phrase!(
            "  to cliff    {expired} expired, {joined} merged, {pruned} faded, {forgotten} forgotten by hand",
            "  절벽으로    기한 만료 {expired}, 병합 {joined}, 흐려짐 {pruned}, 직접 잊음 {forgotten}"
        ));
        lines.push(phrase!(
            "  then        {restored} restored, {gone} permanently deleted, {erased} erased at once; the worker ran {ticks} times",
            "  그 뒤       복원 {restored}, 완전히 삭제 {gone}, 즉시 삭제 {erased}. 백그라운드 워커 {ticks}번 실행"
        ));
        lines
    }
}

fn kept(kept: &RemainingMemory) -> Phrase {
    let text = gist(&kept.content, SHOWN);
    let (tier, days, recalls, mentions) = (kept.tier, kept.days, kept.recalls, kept.mentions);
    let alive = if days == 1 { "1 day".to_owned() } else { format!("{days} days") };
    let why = |language| {
        let mut why: Vec<String> = kept.because.iter().map(|reason| reason_name(*reason, language).to_owned()).collect();
        let felt = kept.emotions.iter().filter(|emotion| *emotion != Emotion::Neutral);
        why.extend(
            felt.map(|emotion| if language == Language::Korean { emotion.korean().to_owned() } else { emotion.as_str().to_owned() }),
        );
        why.join(", ")
    };
    Phrase::new(
        format!("  {tier:<4}  {text}\n        {alive}, recalls {recalls}, mentions {mentions}; {}", why(Language::English)),
        format!("  {tier:<4}  {text}\n        {days}일, 회상 {recalls}, 언급 {mentions}. {}", why(Language::Korean)),
    )
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
fn reason_name(reason: PromotionReason, language: Language) -> &'static str {
    match (language, reason) {
        (Language::English, PromotionReason::Repeated) => "mentioned repeatedly",
        (Language::English, PromotionReason::Recalled) => "recalled often",
        (Language::English, PromotionReason::Moved) => "strong emotion",
        (Language::English, PromotionReason::Remember) => "requested to be remembered",
        (Language::English, PromotionReason::ChangedBehaviour) => "changed behaviour",
        (Language::English, PromotionReason::Island) => "belongs to an island",
        (Language::English, PromotionReason::Lasting) => "kept for a year",
        (Language::English, PromotionReason::Belief) => "supports a belief",
        (Language::English, PromotionReason::Founds) => "founds an island",
        (Language::Korean, PromotionReason::Repeated) => "여러 번 나온 이야기",
        (Language::Korean, PromotionReason::Recalled) => "자주 회상함",
        (Language::Korean, PromotionReason::Moved) => "강한 감정",
        (Language::Korean, PromotionReason::Remember) => "기억해 달라고 요청함",
        (Language::Korean, PromotionReason::ChangedBehaviour) => "행동을 바꿈",
        (Language::Korean, PromotionReason::Island) => "섬에 속함",
        (Language::Korean, PromotionReason::Lasting) => "1년 동안 유지됨",
        (Language::Korean, PromotionReason::Belief) => "믿음의 근거",
        (Language::Korean, PromotionReason::Founds) => "섬의 바탕",
    }
}

fn indented(phrase: &Phrase) -> Phrase {
    Phrase::new(format!("  {phrase}"), format!("  {}", phrase.in_language(Language::Korean)))
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

/// Returns the English and Korean name of a zone.
fn zone_name(zone: Zone) -> (&'static str, &'static str) {
    let korean = match zone {
        Zone::Core => "중심",
        Zone::Inner => "가까이",
        Zone::Outer => "바깥",
        Zone::Belt => "띠",
        Zone::Cloud => "구름",
    };
    (zone.as_str(), korean)
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
