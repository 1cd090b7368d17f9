//! Whole conversations of people the rules were not written for: which facts are extracted, and which must never be.
//!
//! A file contains sessions (`@ when`), the user's lines (`> [face] ...`), the character's lines (`< ...`), and the facts that are
//! true at the end (`=`; `?` for optional ones), that were true once (`~`) and that never were (`!`), each as
//! `subject: value | value`. docs/facts.md lists the score of each set of three at its first reading; this test guards against
//! regressions.

use saegim_core::{Face, Role, Timestamp, Values};
use saegim_language::{About, Claim, RuleThinker, Utterance, ValueComparison, fact_subject};

const DIALOGUES: [(&str, &str); 12] = [
    ("ko_firefighter", include_str!("dialogues/ko_firefighter.txt")),
    ("ko_student", include_str!("dialogues/ko_student.txt")),
    ("en_chef", include_str!("dialogues/en_chef.txt")),
    ("ko_shop", include_str!("dialogues/ko_shop.txt")),
    ("en_driver", include_str!("dialogues/en_driver.txt")),
    ("mixed_designer", include_str!("dialogues/mixed_designer.txt")),
    ("ko_musician", include_str!("dialogues/ko_musician.txt")),
    ("en_teacher", include_str!("dialogues/en_teacher.txt")),
    ("mixed_nurse", include_str!("dialogues/mixed_nurse.txt")),
    ("ko_office", include_str!("dialogues/ko_office.txt")),
    ("en_student", include_str!("dialogues/en_student.txt")),
    ("mixed_barista", include_str!("dialogues/mixed_barista.txt")),
];

struct Known {
    claim: Claim,
    current: bool,
}

/// Applies one claim: an end retires the facts it ends, and a new value of a single-valued subject supersedes the old one.
fn fold(facts: &mut Vec<Known>, claim: Claim) {
    if claim.ends {
        let over = (claim.subject.as_str(), claim.value.as_str());
        facts
            .iter_mut()
            .filter(|known| ValueComparison.ends(over, (&known.claim.subject, &known.claim.value)))
            .for_each(|known| known.current = false);
        return;
    }
    let same = |known: &Known| {
        known.current && known.claim.subject == claim.subject && ValueComparison.same(&claim.subject, &known.claim.value, &claim.value)
    };
    if facts.iter().any(same) {
        return;
    }
    if claim.single {
        facts.iter_mut().filter(|known| known.claim.subject == claim.subject).for_each(|known| known.current = false);
    }
    facts.push(Known { claim, current: true });
}

/// A gold line: the subjects it may appear under, and the accepted values.
struct Gold {
    subjects: Vec<&'static str>,
    values: Vec<String>,
}

impl Gold {
    fn read(line: &'static str) -> Self {
        let (subjects, values) = line.split_once(": ").expect(line);
        let subjects: Vec<&str> = subjects.split('/').collect();
        assert!(subjects.iter().all(|key| *key == "sibling" || fact_subject(key).is_some()), "{line}: no such subject");
        Self { subjects, values: values.split(" | ").map(str::to_lowercase).collect() }
    }

    fn fits(&self, claim: &Claim) -> bool {
        let (value, canonical) = (claim.value.to_lowercase(), claim.canonical.to_lowercase());
        self.subjects.contains(&claim.subject.as_str())
            && self.values.iter().any(|wanted| canonical == *wanted || value.contains(wanted.as_str()))
    }
}

#[derive(Default)]
struct Score {
    wanted: usize,
    found: usize,
    right: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
    stale: Vec<String>,
    never: Vec<String>,
    faces: usize,
    faces_right: usize,
    faces_wrong: Vec<String>,
}

fn score(name: &str, dialogue: &'static str) -> Score {
    let mut score = Score::default();
    let (mut facts, mut before, mut at) = (Vec::new(), None, None);
    // Where the file omits the character's line, a filler reply is used.
    let listens = if dialogue.contains("그렇구나") || name.contains("ko") { "그렇구나." } else { "I see." };
    let (mut wanted, mut also, mut stale, mut never) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for line in dialogue.lines().filter(|line| !line.trim().is_empty()) {
        let (mark, rest) = line.split_once(' ').expect(line);
        match mark {
            "#" => {}
            "@" => at = Some(Timestamp::parse(rest).expect(line)),
            "<" => {
                // A restatement by the character is never a fact about the user.
                let reading = RuleThinker.read(&Utterance {
                    role: Role::Assistant,
                    text: rest,
                    at: at.expect("a sitting begins with @"),
                    user: "user",
                    character: "character",
                    before: before.take(),
                });
                assert!(reading.findings.iter().all(|finding| finding.about != About::User), "{name} {line}: {:?}", reading.findings);
                before = Some(rest);
            }
            ">" => {
                let (face, text) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")).expect(line);
                let reading = RuleThinker.read(&Utterance {
                    role: Role::User,
                    text,
                    at: at.expect("a sitting begins with @"),
                    user: "user",
                    character: "character",
                    before: before.take(),
                });
                before = Some(listens);
                score.faces += 1;
                if Some(reading.face) == Face::parse(face) {
                    score.faces_right += 1;
                } else {
                    score.faces_wrong.push(format!("{face} not {}: {text}", reading.face.as_str()));
                }
                for finding in reading.findings.into_iter().filter(|finding| finding.about == About::User) {
                    finding.claim.into_iter().for_each(|claim| fold(&mut facts, claim));
                }
            }
            "=" => wanted.push((rest, Gold::read(rest))),
            "~" => stale.push((rest, Gold::read(rest))),
            "?" => also.push((rest, Gold::read(rest))),
            "!" => never.push((rest, Gold::read(rest))),
            _ => panic!("{line}: no such mark"),
        }
    }
    let current: Vec<&Claim> = facts.iter().filter(|known| known.current).map(|known| &known.claim).collect();
    score.wanted = wanted.len();
    for (line, gold) in &wanted {
        if current.iter().any(|claim| gold.fits(claim)) {
            score.found += 1;
        } else {
            score.missed.push((*line).to_owned());
        }
    }
    for claim in &current {
        let shown = format!("{}={}", claim.subject, claim.value);
        let listed = |list: &[(&str, Gold)]| list.iter().any(|(_, gold)| gold.fits(claim));
        if listed(&wanted) {
            score.right += 1;
        } else if listed(&stale) {
            score.stale.push(shown.clone());
            score.wrong.push(shown);
        } else if listed(&never) {
            score.never.push(shown.clone());
            score.wrong.push(shown);
        } else if claim.single && !listed(&also) {
            // The file lists every single-valued fact of the person, so any other is wrong.
            score.wrong.push(shown);
        }
    }
    score
}

fn percent(part: usize, whole: usize) -> f32 {
    100.0 * part as f32 / whole.max(1) as f32
}

#[test]
fn facts_come_out_of_conversations_and_what_was_never_true_does_not() {
    let mut all = Score::default();
    let mut report = String::new();
    for (name, dialogue) in DIALOGUES {
        let one = score(name, dialogue);
        report += &format!(
            "{name}: recall {}/{} = {:.0} %, precision {}/{} = {:.0} %, faces {}/{} = {:.0} %\n  missed {:?}\n  wrong {:?}\n  stale {:?}\n  never {:?}\n",
            one.found,
            one.wanted,
            percent(one.found, one.wanted),
            one.right,
            one.right + one.wrong.len(),
            percent(one.right, one.right + one.wrong.len()),
            one.faces_right,
            one.faces,
            percent(one.faces_right, one.faces),
            one.missed,
            one.wrong,
            one.stale,
            one.never
        );
        if std::env::var_os("FACES").is_some() {
            report += &one.faces_wrong.iter().map(|line| format!("    {line}\n")).collect::<String>();
        }
        all.found += one.found;
        all.wanted += one.wanted;
        all.right += one.right;
        all.wrong.extend(one.wrong);
        all.never.extend(one.never);
        all.faces += one.faces;
        all.faces_right += one.faces_right;
    }
    let (right, found) = (percent(all.right, all.right + all.wrong.len()), percent(all.found, all.wanted));
    println!("{report}together: precision {right:.1} %, recall {found:.1} %, faces {:.1} %", percent(all.faces_right, all.faces));
    assert!(right >= 95.0 && found >= 85.0, "precision {right:.1} %, recall {found:.1} %\n{report}");
    assert!(all.never.is_empty(), "never true, and shown: {:?}", all.never);
}
