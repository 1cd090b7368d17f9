//! Compares an in-process model with the rules on the same labelled messages, thought by thought, and prints a table: `instruct
//! MODEL.gguf [MESSAGES A THOUGHT] [THOUGHT,...]`. Each row is printed as soon as it is complete.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use saegim_core::{Emotion, Emotions, Face, Language, Relationship, Role, SpeechStyle, Thought, TimeOfDay, Timestamp, Trigger};
use saegim_provider::{
    About, AnalyseFrom, Ask, BelieveFrom, Conflict, ImagineFrom, InstructModel, InterpretFrom, LanguageModel, ModelThinker, ProviderError,
    Reading, ReflectFrom, ReplyTo, RuleThinker, Saying, Settlement, Thinker, Told, Utterance,
};

/// Two values of one subject, and how the second relates to the first.
const VALUES: [(&str, &str, &str, Settlement); 12] = [
    ("residence", "서울", "부산", Settlement::Replaced),
    ("residence", "Seoul", "Busan", Settlement::Replaced),
    ("job", "간호사", "카페 사장", Settlement::Replaced),
    ("job", "student at a college", "nurse", Settlement::Replaced),
    ("likes", "커피", "수영", Settlement::Both),
    ("likes", "coffee", "swimming", Settlement::Both),
    ("pet", "강아지 모찌", "고양이 나비", Settlement::Both),
    ("allergy", "peanuts", "shrimp", Settlement::Both),
    ("birthday", "7월 2일", "칠월 이일", Settlement::Same),
    ("birthday", "July 2nd", "2 July", Settlement::Same),
    ("age", "스물다섯", "25살", Settlement::Same),
    ("hometown", "NYC", "New York City", Settlement::Same),
];

/// Related memories, for the thoughts that write text.
const MEMORIES: [[&str; 3]; 12] = [
    ["어제 아버지와 낚시를 갔다", "지난달에도 아버지와 바다낚시를 했다", "아버지가 낚싯대를 물려주셨다"],
    ["비 오는 날이면 혼자 카페에 간다", "카페에서 일기를 쓰는 시간이 좋다", "오늘도 비가 와서 카페에 들렀다"],
    ["She taught me to bake bread last winter", "We bake every Sunday", "The first loaf burnt and we laughed"],
    ["I ran five miles before work", "Running clears my head", "My knee hurt but I finished the race"],
    ["할머니가 김치 담그는 법을 알려 주셨다", "올해 김장은 할머니 없이 했다", "김치 냄새가 나면 할머니가 생각난다"],
    ["밤마다 기타를 연습한다", "처음으로 사람들 앞에서 기타를 쳤다", "손끝에 굳은살이 생겼다"],
    ["고양이 나비를 입양했다", "나비가 아파서 밤새 병원에 있었다", "나비가 다시 밥을 먹어서 울었다"],
    ["면접에서 또 떨어졌다", "친구가 괜찮다고 안아 줬다", "다시 이력서를 고치고 있다"],
    ["My brother and I built a treehouse", "We painted it green in May", "The roof leaked and we slept there anyway"],
    ["I water the tomatoes every morning", "The first tomato was tiny and sweet", "Gardening is how I rest"],
    ["I failed the maths exam", "My teacher stayed after class with me", "I passed it in June"],
    ["We moved to a flat by the sea", "I miss my old street", "In the evening I walk along the shore"],
];

/// Messages, known facts, and the index of the fact that the last message outdates, if any.
type Known = (&'static [&'static str], &'static [(&'static str, &'static str)], Option<usize>);

const SAID: [Known; 12] = [
    (&["나는 고양이 알레르기가 있어", "병원에서 알레르기가 다 나았대"], &[("allergy", "고양이")], Some(0)),
    (&["나는 부산에 살아", "부산 날씨 좋다"], &[("residence", "부산"), ("likes", "바다")], None),
    (&["나 은행에서 일해", "오늘 사표 냈어. 이제 은행 안 다녀"], &[("residence", "대구"), ("workplace", "은행")], Some(1)),
    (&["강아지 모찌랑 살아", "모찌랑 산책하고 왔어"], &[("pet", "모찌")], None),
    (&["요즘 수영 배워", "수영은 지난달에 그만뒀어"], &[("hobby", "수영"), ("residence", "수원")], Some(0)),
    (&["내 생일은 5월 3일이야", "곧 생일이라 설렌다"], &[("birthday", "5월 3일")], None),
    (&["I am allergic to cats", "The doctor says my cat allergy is gone"], &[("allergy", "cats")], Some(0)),
    (&["I live in Leeds", "the train to Leeds is late again"], &[("residence", "Leeds"), ("likes", "trains")], None),
    (&["I work at a bank", "I quit the bank today, for good"], &[("residence", "York"), ("workplace", "bank")], Some(1)),
    (&["My dog is called Rex", "Rex chewed my shoe"], &[("pet", "Rex")], None),
    (&["I play the violin", "I sold the violin, I don't play any more"], &[("hobby", "violin"), ("residence", "Cork")], Some(0)),
    (&["My birthday is May 3rd", "I can't wait for my birthday"], &[("birthday", "May 3rd")], None),
];

struct Case<'a> {
    expected: &'a str,
    text: &'a str,
    before: Option<&'a str>,
}

/// At most `most` rows of a table, evenly spaced.
fn spread<T>(rows: Vec<T>, most: usize) -> Vec<T> {
    let (all, most) = (rows.len(), most.min(rows.len()));
    let places: Vec<usize> = (0..most).map(|number| number * all / most).collect();
    rows.into_iter().enumerate().filter(|(place, _)| places.contains(place)).map(|(_, row)| row).collect()
}

fn messages() -> Vec<Case<'static>> {
    let lines = include_str!("../tests/rules_heldout.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines
        .filter_map(|line| {
            let mut columns = line.split('\t');
            let (expected, text) = (columns.next()?, columns.next()?);
            Some(Case { expected, text, before: columns.next().filter(|before| !before.is_empty()) })
        })
        .collect()
}

/// A model that logs every answer to standard error.
struct Loud(InstructModel);

#[async_trait::async_trait]
impl LanguageModel for Loud {
    fn id(&self) -> &str {
        self.0.id()
    }

    async fn ask(&self, ask: &Ask<'_>) -> Result<Told, ProviderError> {
        let told = self.0.ask(ask).await;
        match &told {
            Ok(Told { text, spent }) => {
                eprintln!("{} read {} wrote {}: {}", ask.thought, spent.read, spent.written, text.replace('\n', " "))
            }
            Err(error) => eprintln!("{}: {error}", ask.thought),
        }
        told
    }

    async fn speak(&self, ask: &Ask<'_>, said: Saying<'_>) -> Result<Told, ProviderError> {
        let told = self.ask(ask).await?;
        said(&told.text);
        Ok(told)
    }
}

/// Scores of the model and of the rules, the number of requests, and the model's total time.
#[derive(Default)]
struct Tally {
    asked: usize,
    usable: usize,
    model: f32,
    rules: f32,
    seconds: f64,
}

impl Tally {
    async fn ask<T>(&mut self, answer: impl Future<Output = Result<T, ProviderError>>) -> Option<T> {
        let began = now();
        let answer = answer.await;
        self.asked += 1;
        self.seconds += began.elapsed().as_secs_f64();
        self.usable += usize::from(answer.is_ok());
        answer.inspect_err(|error| eprintln!("unusable: {error}")).ok()
    }

    fn told(&self, thought: &str, scored: bool) {
        let of = |number: f32| if scored { format!("{number:.0} of {}", self.asked) } else { "not scored".into() };
        let each = self.seconds / self.asked.max(1) as f64;
        println!("| `{thought}` | {} of {} | {} | {} | {each:.1} s |", self.usable, self.asked, of(self.model), of(self.rules));
    }
}

#[allow(clippy::disallowed_methods, reason = "an evaluation measures")]
fn now() -> Instant {
    Instant::now()
}

fn points(right: bool) -> f32 {
    if right { 1.0 } else { 0.0 }
}

/// Returns whether a reading contains every expected statement, and none if none is expected.
fn right(reading: &Reading, expected: &str) -> bool {
    let mine = reading.findings.iter().filter(|finding| matches!(finding.about, About::User | About::Both));
    let claims: Vec<_> = mine.filter_map(|finding| finding.claim.as_ref()).collect();
    expected.split(" & ").map(str::trim).all(|one| {
        let (ends, one) = one.strip_prefix('-').map_or((false, one.trim_start_matches('~')), |rest| (true, rest));
        match one.split_once('=') {
            Some((subject, values)) if !one.contains('>') => claims.iter().any(|claim| {
                let held = |value: &str| claim.canonical == value || claim.value.to_lowercase().contains(&value.to_lowercase());
                claim.subject == subject && claim.ends == ends && values.split('|').any(held)
            }),
            _ => claims.is_empty(),
        }
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("name a model's file")?;
    let most: usize = arguments.get(1).map_or(Ok(20), |number| number.parse())?;
    let wanted = |thought: Thought| arguments.get(2).is_none_or(|list| list.split(',').any(|name| name == thought.as_str()));
    let model: Arc<dyn LanguageModel> = Arc::new(Loud(InstructModel::open(Path::new(path))?));
    let thinker = ModelThinker::new().asking(&model, Thought::ALL.iter().copied());
    println!("{}\n\n| Thought | Usable answers | Model right | Rules right | An answer took |\n|---|---|---|---|---|", model.id());
    for thought in Thought::ALL.iter().copied().filter(|thought| wanted(*thought)) {
        match thought {
            Thought::Extract => extract(&thinker, most).await?,
            Thought::Appraise => appraise(&thinker, most).await?,
            Thought::Feel => feel(&thinker, most).await?,
            Thought::Settle => settle(&thinker).await?,
            Thought::Reply => reply(&thinker, most).await?,
            Thought::Analyse => analyse(&thinker, most).await?,
            _ => written(&thinker, thought, most).await?,
        }
    }
    Ok(())
}

async fn extract(thinker: &ModelThinker, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    for Case { expected, text, before } in spread(messages(), most) {
        let at = Timestamp::from_millis(1_772_323_200_000);
        let utterance = Utterance { role: Role::User, text, at, user: "user", character: "character", before };
        tally.rules += points(right(&RuleThinker.read(&utterance), expected));
        let read = tally.ask(thinker.extract(&utterance)).await;
        let good = read.as_ref().is_some_and(|read| right(read, expected));
        tally.model += points(good);
        let claims: Vec<_> = read.iter().flat_map(|read| &read.findings).filter_map(|finding| finding.claim.as_ref()).collect();
        let told: Vec<String> = claims.iter().map(|claim| format!("{}={}", claim.subject, claim.value)).collect();
        eprintln!("{} {expected:24} {text} -> {told:?} usable: {}", if good { "+" } else { "-" }, read.is_some());
    }
    tally.told("extract", true);
    Ok(())
}

/// Pairwise ranking: messages that state something must weigh more than messages that state nothing.
async fn appraise(thinker: &ModelThinker, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    let (states, idle): (Vec<Case<'_>>, Vec<Case<'_>>) = messages().into_iter().partition(|case| case.expected.contains('='));
    let mut weights: [Vec<(f32, f32)>; 2] = Default::default();
    for (cases, weights) in [states, idle].into_iter().zip(&mut weights) {
        for case in spread(cases, most / 2) {
            let weight = |appraisal: saegim_core::Appraisal| {
                [appraisal.factual, appraisal.emotional, appraisal.actionable, appraisal.explicit]
                    .iter()
                    .map(|share| share.get())
                    .sum::<f32>()
            };
            let model = tally.ask(thinker.appraise(case.text)).await.map(weight).unwrap_or_default();
            weights.push((model, weight(RuleThinker.appraise(case.text).await?)));
        }
    }
    let above = |pick: fn(&(f32, f32)) -> f32| -> f32 {
        let of = |one: &(f32, f32), other: &(f32, f32)| match pick(one).total_cmp(&pick(other)) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
        let pairs = (weights[0].len() * weights[1].len()).max(1) as f32;
        weights[0].iter().flat_map(|one| weights[1].iter().map(move |other| of(one, other))).sum::<f32>() / pairs
    };
    // The pairwise share, scaled to the number of messages.
    (tally.model, tally.rules) = (above(|pair| pair.0) * tally.asked as f32, above(|pair| pair.1) * tally.asked as f32);
    tally.told("appraise", true);
    Ok(())
}

async fn feel(thinker: &ModelThinker, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    let rows: Vec<Vec<&str>> = include_str!("../tests/feelings.tsv")
        .lines()
        .filter(|line| line.starts_with("held"))
        .map(|line| line.split('\t').collect())
        .collect();
    for row in spread(rows, most) {
        let [_, face, tags, text] = row[..] else { continue };
        let tags = Emotions::mix(tags.split(',').filter_map(|tag| Emotion::parse(tag).ok()));
        let fits = |felt: Emotions| Face::parse(face) == Some(Face::of(felt)) && tags.iter().any(|tag| felt.holds(tag));
        tally.rules += points(fits(RuleThinker.feel(text).await?.emotions));
        let felt = tally.ask(thinker.feel(text)).await;
        tally.model += points(felt.is_some_and(|felt| fits(felt.emotions)));
    }
    tally.told("feel", true);
    Ok(())
}

async fn settle(thinker: &ModelThinker) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    for (subject, older, newer, standing) in VALUES {
        let conflict = Conflict { subject, older, newer };
        tally.rules += points(RuleThinker.settle(&conflict).await? == standing);
        let settled = tally.ask(thinker.settle(&conflict)).await;
        eprintln!("{subject} {older} {newer}: {settled:?}");
        tally.model += points(settled == Some(standing));
    }
    tally.told("settle", true);
    Ok(())
}

/// An answer is correct if it contains the requested value and no other known value.
async fn reply(thinker: &ModelThinker, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    let rows: Vec<Vec<&str>> = include_str!("../tests/replies.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .filter(|row: &Vec<&str>| row.get(3).is_some_and(|facts| facts.contains('=')))
        .collect();
    for row in spread(rows, most) {
        let facts: Vec<(String, String)> = row[3]
            .split(';')
            .filter_map(|fact| fact.split_once('='))
            .map(|(subject, value)| (subject.trim().into(), value.trim().into()))
            .collect();
        let last = |value: &str| value.split(' ').next_back().unwrap_or(value).to_owned();
        let asked_for: Vec<String> = facts.iter().map(|(_, value)| last(value)).filter(|value| row[1].contains(value.as_str())).collect();
        let wanted: Vec<&String> = asked_for.iter().filter(|value| !row[1].contains(&format!("!{value}"))).collect();
        if wanted.is_empty() {
            continue;
        }
        let (text, language) = (row[2], Language::of(row[2]));
        let at = Timestamp::from_millis(1_772_323_200_000);
        let reading = RuleThinker.read(&Utterance { role: Role::User, text, at, user: "user", character: "character", before: None });
        let style = if row[0] == "formal" { SpeechStyle::Formal } else { SpeechStyle::Casual };
        let context: String = facts.iter().map(|(subject, value)| format!("- {subject}: {value}\n")).collect();
        let asked = ReplyTo {
            text,
            character: "Luna",
            user: "user",
            language,
            style,
            facts: &facts,
            memories: &[],
            feeling: &reading.feeling.clone(),
            reading: &reading,
            context: &context,
            before: &[],
            sampling: None,
        };
        let fits = |answer: &str| {
            wanted.iter().all(|value| answer.contains(value.as_str()))
                && !asked_for.iter().any(|value| !wanted.contains(&value) && answer.contains(value.as_str()))
                && Language::of(answer) == language
        };
        tally.rules += points(fits(&RuleThinker.reply(&asked)));
        let answer = tally.ask(Thinker::reply(thinker, &asked)).await;
        eprintln!("{text} -> {answer:?}");
        tally.model += points(answer.is_some_and(|answer| fits(&answer)));
    }
    tally.told("reply", true);
    Ok(())
}

/// An analysis is correct if it doubts exactly the fact that the last message outdates, or none if there is none.
async fn analyse(thinker: &ModelThinker, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    for (said, facts, outdated) in spread(SAID.to_vec(), most) {
        let turns: Vec<(Role, &str)> = said.iter().map(|text| (Role::User, *text)).collect();
        let (relationship, language) = (Relationship::default(), Language::of(said[0]));
        let from = AnalyseFrom { user: "user", character: "Luna", turns: &turns, facts, relationship: &relationship, language };
        let fits = |analysis: &saegim_provider::Analysis| {
            let doubted: Vec<usize> = analysis.outdated.iter().map(|(fact, _)| *fact).collect();
            doubted == Vec::from_iter(outdated) && analysis.conflicts.is_empty()
        };
        tally.rules += points(fits(&RuleThinker.analyse(&from).await?));
        let analysis = tally.ask(thinker.analyse(&from)).await;
        eprintln!("{said:?} {outdated:?}: {analysis:?}");
        tally.model += points(analysis.is_some_and(|analysis| fits(&analysis)));
    }
    tally.told("analyse", true);
    Ok(())
}

/// Thoughts without reference answers: only counts usable answers.
async fn written(thinker: &ModelThinker, thought: Thought, most: usize) -> Result<(), ProviderError> {
    let mut tally = Tally::default();
    for memories in spread(MEMORIES.to_vec(), most) {
        let language = Language::of(memories[0]);
        let said = match thought {
            Thought::Distil => tally.ask(thinker.distil(&memories)).await,
            Thought::Name => tally.ask(thinker.name_island(&memories)).await.map(|named| format!("{} {}", named.emoji, named.name)),
            Thought::Believe => {
                let from = BelieveFrom { memories: &memories, user: "user", character: "Luna" };
                tally.ask(thinker.believe(&from)).await.map(|beliefs| format!("{beliefs:?}"))
            }
            Thought::Interpret => {
                let from = InterpretFrom { memories: &memories, user: "user", character: "Luna" };
                tally.ask(thinker.interpret(&from)).await.map(|views| format!("{views:?}"))
            }
            Thought::Imagine => {
                let from = ImagineFrom {
                    trigger: Trigger::Idle,
                    time_of_day: None::<TimeOfDay>,
                    context: None,
                    theme: "moments",
                    memories: &memories,
                    user: "user",
                    language,
                    style: SpeechStyle::Casual,
                    throw: 0,
                };
                tally.ask(thinker.imagine(&from)).await.map(|daydream| daydream.scenario)
            }
            _ => {
                let from = ReflectFrom { user: "user", facts: &[], memories: &memories, language };
                tally.ask(thinker.reflect(&from)).await.flatten()
            }
        };
        eprintln!("{thought}: {said:?}");
    }
    tally.told(thought.as_str(), false);
    Ok(())
}
