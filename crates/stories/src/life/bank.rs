//! Message templates by topic, with gaps that are filled from the person or at random.

use std::collections::HashMap;

use saegim_core::Language;

use super::chance::Chance;

/// Templates by topic, and the possible values of their gaps.
#[derive(Clone, Debug)]
pub(crate) struct Bank {
    lines: HashMap<String, Vec<String>>,
    gaps: HashMap<String, Vec<String>>,
}

/// Values that are already chosen: those of the person, and those chosen earlier in the same exchange.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filling(HashMap<String, String>);

impl Filling {
    /// Sets the value of a gap.
    pub(crate) fn put(&mut self, gap: &str, value: String) {
        self.0.insert(gap.to_owned(), value);
    }
}

impl Bank {
    /// Loads the templates of a language.
    pub(crate) fn of(language: Language) -> Self {
        Self::read(match language {
            Language::Korean => include_str!("korean.txt"),
            Language::English => include_str!("english.txt"),
        })
    }

    fn read(text: &str) -> Self {
        let mut bank = Self { lines: HashMap::new(), gaps: HashMap::new() };
        let mut section = String::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name.to_owned();
            } else if let Some(gap) = section.strip_prefix(':') {
                bank.gaps.entry(gap.to_owned()).or_default().extend(line.split(" / ").map(str::to_owned));
            } else {
                bank.lines.entry(section.clone()).or_default().push(line.to_owned());
            }
        }
        bank
    }

    /// Returns the templates of a topic.
    pub(crate) fn lines(&self, topic: &str) -> &[String] {
        self.lines.get(topic).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the possible values of a gap.
    pub(crate) fn gap(&self, name: &str) -> &[String] {
        self.gaps.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Fills the gaps of a template. The same gap gets the same value; `food2` gets a different value than `food`.
    pub(crate) fn filled(&self, line: &str, filling: &mut Filling, chance: &mut Chance) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some((gap, after)) = after.split_once('}') else { break };
            let value = self.value(gap, filling, chance);
            if text.ends_with(" a ") && value.starts_with(['a', 'e', 'i', 'o', 'u']) {
                text.truncate(text.len() - 1);
                text.push_str("n ");
            }
            text.push_str(&value);
            rest = after;
        }
        text.push_str(rest);
        text
    }

    fn value(&self, gap: &str, filling: &mut Filling, chance: &mut Chance) -> String {
        if gap == "memory" {
            // Filled in later, with the result of the recall.
            return "{memory}".to_owned();
        }
        if let Some(known) = filling.0.get(gap) {
            return known.clone();
        }
        let own = self.gap(gap);
        let other = gap.strip_suffix('2').unwrap_or(gap);
        let values = if own.is_empty() { self.gap(other) } else { own };
        let taken = filling.0.get(other).cloned();
        let free: Vec<&String> = values.iter().filter(|value| taken.as_ref() != Some(value)).collect();
        let chosen = chance.one_of(&free).map(|value| (**value).clone()).unwrap_or_default();
        filling.put(gap, chosen.clone());
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps that are filled by the person or by a recall.
    const OWN: [&str; 4] = ["bmonth", "bdate", "city2", "memory"];

    #[test]
    fn both_languages_have_the_same_topics_and_every_gap_can_be_filled() {
        let (korean, english) = (Bank::of(Language::Korean), Bank::of(Language::English));
        let topics = |bank: &Bank| bank.lines.keys().cloned().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(topics(&korean), topics(&english));
        for bank in [&korean, &english] {
            let pieces: usize = bank.lines.values().chain(bank.gaps.values()).map(Vec::len).sum();
            assert!(pieces > 500, "only {pieces} pieces");
            for line in bank.lines.values().flatten() {
                for gap in line.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(gap, _)| gap) {
                    let known = !bank.gap(gap).is_empty() || !bank.gap(gap.trim_end_matches('2')).is_empty() || OWN.contains(&gap);
                    assert!(known, "{line}: nothing fills {gap}");
                }
            }
            for topic in topics(bank).iter().filter(|topic| !topic.contains(' ')) {
                let answered =
                    ["ask", "recalled", "forgotten"].contains(&topic.as_str()) || !bank.lines(&format!("{topic} answers")).is_empty();
                assert!(answered, "nothing answers {topic}");
            }
        }
    }

    #[test]
    fn a_gap_named_twice_gets_one_value_and_its_second_another() {
        let (bank, mut chance) = (Bank::read("[:food]\n국수 / 빵"), Chance::new(1));
        for _ in 0..20 {
            let mut filling = Filling::default();
            let text = bank.filled("{food} {food} {food2}", &mut filling, &mut chance);
            assert!(text == "국수 국수 빵" || text == "빵 빵 국수", "{text}");
        }
    }
}
