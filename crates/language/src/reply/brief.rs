//! Writes brief replies in character by rules, from what is known.
//!
//! Nothing is invented. A question is answered from facts or from the user's own remembered words, or else with "I don't know".
//! Other messages are acknowledged by their findings.

use std::sync::LazyLock;

use saegim_core::{Axis, CandidateType, Emotion, Feeling, Language, cut};

use crate::extract::fact_subject::fact_subject;
use crate::extract::person_name::{PersonName, is_kind};
use crate::parse::korean::{Pointer, pointer};
use crate::parse::stance;
use crate::patterns::table::{PEOPLE, Pattern, rows};
use crate::reply::wording::{Filling, Voice};
use crate::tokenize::split;
use crate::{About, Finding, ReplyTo, SkipReason};

/// A feeling is answered from this intensity on.
const FELT: f32 = 0.21;
/// A remembered line longer than this is not quoted whole.
const QUOTED: usize = 120;

static WANTS: LazyLock<Vec<(&'static str, Pattern)>> = LazyLock::new(|| {
    rows(include_str!("../../data/reply/wants.tsv"))
        .filter_map(|row| match row[..] {
            [subject, pattern, ..] => Some((subject, Pattern::new(pattern))),
            _ => None,
        })
        .collect()
});

static WONDERS: Pattern = Pattern::new(
    r"(?:^| )(?:뭐(?:였|라|야|지|예|죠|더|뭐|게)|뭐 (?:타|먹|마시|마셔|좋|하|했)|뭘|무엇|무슨|어디|언제|누구|누가|왜|어떻게|몇|얼마|어느|어떤)\S*(?: .*)?(?:더라|더라고|지|죠|야|예요|에요|이에요|어|아|해|니|냐|까|나|가|요)$|(?:기억|알)(?:나|해|하지|아|지|고 ?있)(?:요|니|냐)?$",
);
static RECALLS: Pattern = Pattern::new(
    r"(?:했|였|이었|었|았|렸|갔|왔|됐)(?:지|더라|죠|던가)|더라|기억|(?:다|라)고 ?(?:했|그랬|말했)|\b(?:remember|recall|did i (?:say|tell|mention)|i (?:told|said|mentioned))\b",
);
static OPINION: Pattern = Pattern::new(
    r"어떻게 ?생각|어떡하|어떡해|어쩌지|어쩔까|어떻게 ?(?:하면|해야|할까)|뭐가 ?(?:좋을|나을)|(?:할까|갈까|살까|먹을까|볼까|말까|좋을까)(?:요|말까)?$|추천|네 ?생각|\b(?:what do you think|should i|what would you|any (?:advice|ideas?|suggestions?)|what do i do(?: now| about.*)?$|recommend|your (?:opinion|take|thoughts))\b",
);
static HOW_IS_IT: Pattern = Pattern::new(
    r"(?:뭐 ?(?:해|하고|하니|하세요|했어)|잘 ?(?:지내|지냈|잤|있었)|괜찮아|안녕|밥(?:은)? ?먹었|어땠|어때|별일 ?없)|\b(?:how are you|how(?:'s| is) it going|what(?:'s| is) up|what are you (?:doing|up to)|how have you been|how was your|are you (?:ok|okay|there|alright)|you ok)\b",
);
static NAMED: Pattern = Pattern::new(r"이름|성함|뭐라고 ?부|\b(?:name|named|called|call you)\b");
static HELLO: Pattern = Pattern::new(
    r"^(?:안녕|하이|ㅎㅇ|헬로|반가|좋은 ?(?:아침|저녁|하루)|굿모닝|나 ?왔|다녀왔|저 ?왔|오랜만)|^(?:hi+|hey+|hello|yo|hiya|howdy|good (?:morning|evening|afternoon)|morning|i'm (?:back|home)|long time)\b",
);
static BYE: Pattern = Pattern::new(
    r"^(?:바이|빠이|잘 ?있어|또 ?봐|이따 ?봐|나 ?갈게|갈게|다음에 ?봐|ㅂㅂ|안녕히 ?계)|^(?:bye|goodbye|see (?:you|ya)|ttyl|later|gotta go|i have to go)\b",
);
static NIGHT: Pattern = Pattern::new(
    r"잘 ?자(?:요|라|$| )|굿 ?나잇|좋은 ?(?:밤|꿈)|자러 ?(?:갈|간)|\b(?:good ?night|gn|sleep (?:well|tight)|sweet dreams|going to (?:bed|sleep)|off to bed)\b",
);
static THANKS: Pattern = Pattern::new(r"고마|고맙|감사|땡큐|ㄱㅅ|\b(?:thank|thanks|thx|tysm|tyvm|appreciat)");
static SORRY: Pattern =
    Pattern::new(r"미안|죄송|ㅈㅅ|사과|용서|잘못|심했|예민|\b(?:sorry|apologi|apology|my bad|forgive|shouldn't have|i was)");
static SECRET: Pattern = Pattern::new(
    r"비밀|아무|누구|한테만|니까|우리끼리|털어놓|고백|\b(?:never told|haven't told|secret|between|first|only|don't tell|nobody|confess)",
);
static ADVICE: Pattern = Pattern::new(r"생각|의견|조언|상담|라면|같으면|\b(?:think|would you|advice|opinion|thoughts|input|take)");

/// Returns the reply from the character.
pub(crate) fn reply(asked: &ReplyTo<'_>) -> String {
    Replier { asked, voice: Voice { language: asked.language, style: asked.style, turn: turn(asked.text) } }.answer()
}

/// A number that depends on the text alone (FNV-1a).
fn turn(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) >> 7
}

struct Replier<'a> {
    asked: &'a ReplyTo<'a>,
    voice: Voice,
}

impl Replier<'_> {
    fn answer(&self) -> String {
        let reading = self.asked.reading;
        let left = |why: SkipReason| reading.left_alone.iter().any(|(_, left)| *left == why);
        if left(SkipReason::Instruction) {
            return self.say("refuse");
        }
        let normal = split::normalise(self.asked.text);
        let sentences = split::sentences(&split::Unquoted::new(&normal).text);
        let question = sentences.iter().rev().find(|sentence| {
            stance::of_clause(&sentence.text, true, sentence.asks) == Some(SkipReason::Question)
                || WONDERS.fits(&sentence.text) && !stance::tells(&sentence.text)
        });
        // A dare and a reproach are often worded as questions, and are not to be looked up.
        let charged = reading.toward.iter().any(|toward| toward.points < 0.0 || toward.axis == Axis::Rivalry);
        if let Some(question) = question.filter(|_| !charged) {
            return self.answered(&question.text);
        }
        let first = sentences.first().map_or("", |sentence| sentence.text.as_str());
        self.acknowledged()
            .or_else(|| self.touched(&normal))
            .or_else(|| self.felt(self.asked.feeling))
            .or_else(|| self.learned())
            .or_else(|| self.greeted(first, &normal))
            .unwrap_or_else(|| {
                let kind = |kind: CandidateType| reading.findings.iter().any(|finding| finding.candidate_type == kind);
                match () {
                    () if kind(CandidateType::Plan) => self.say("plan"),
                    () if left(SkipReason::Joke) => self.say("joke"),
                    () if left(SkipReason::Hypothetical) => self.say("supposed"),
                    () if kind(CandidateType::Event) => self.say("event"),
                    () if reading.findings.iter().any(|finding| matches!(finding.about, About::Other(_))) => self.say("other"),
                    () => self.say("listen"),
                }
            })
    }

    fn say(&self, occasion: &str) -> String {
        self.say_of(occasion, "")
    }

    fn say_of(&self, occasion: &str, value: &str) -> String {
        self.voice.say(occasion, Filling { value, user: self.user(), character: self.asked.character.trim() })
    }

    /// The person's name where it can be called: a given name in Korean, any name in English.
    fn user(&self) -> &str {
        let name = self.asked.user.trim();
        let korean = name.chars().all(|letter| ('가'..='힣').contains(&letter));
        let given = match self.asked.language {
            Language::Korean => korean && (2..=3).contains(&name.chars().count()),
            Language::English => name.starts_with(|letter: char| letter.is_uppercase()),
        };
        if given { name } else { "" }
    }

    /// What is said to a question: facts, remembered lines, or that it is not known.
    fn answered(&self, question: &str) -> String {
        let words: Vec<String> = question.split([' ', ',', '?']).map(str::to_lowercase).collect();
        let own = words.iter().any(|word| {
            pointer(word) == Pointer::First
                || matches!(word.as_str(), "my" | "i" | "me" | "mine" | "am" | "our" | "we" | "i'm" | "내꺼" | "제꺼")
        });
        let second =
            words.iter().any(|word| pointer(word) == Pointer::Second || matches!(word.as_str(), "you" | "your" | "you're" | "u" | "ur"));
        let mine = own || RECALLS.fits(question);
        if !own && NAMED.fits(question) && !mentions_someone(question) && !RECALLS.fits(question) {
            return self.say("called");
        }
        if OPINION.fits(question) && !RECALLS.fits(question) {
            return self.say("opinion");
        }
        if !own && HOW_IS_IT.fits(question) && !RECALLS.fits(question) {
            return self.say("self");
        }
        if second && !mine {
            return self.say("world");
        }
        if let Some(said) = self.by_facts(question).or_else(|| self.by_memories(question)) {
            return said;
        }
        self.say(if mine { "unknown" } else { "world" })
    }

    fn by_facts(&self, question: &str) -> Option<String> {
        let wanted = fact_subjects_asked(question);
        for key in &wanted {
            let mut values: Vec<&str> =
                self.asked.facts.iter().filter(|(subject, _)| subject == key).map(|(_, value)| value.as_str()).collect();
            if is_person(key) {
                values = of_those_asked(values, question);
            }
            if let Some(said) = self.stated(key, &values, NAMED.fits(question)) {
                return Some(said);
            }
        }
        if wanted.iter().any(|key| *key == "name" || is_person(key)) {
            return None;
        }
        // A fact whose value the question itself names: "나 고수 먹나?"
        let asks = content_words(question);
        let fact = self.asked.facts.iter().find(|(subject, value)| {
            !mentions_someone(question)
                && !matches!(subject.as_str(), "name" | "age")
                && content_words(value).iter().any(|word| asks.contains(word))
        });
        fact.and_then(|(key, value)| self.stated(key, &[value], false))
    }

    /// A fact as an answer; of somebody asked for by name, only the name.
    fn stated(&self, key: &str, values: &[&str], by_name: bool) -> Option<String> {
        let someone = matches!(key, "pet" | "child" | "family" | "best_friend");
        let shown: Vec<String> = values
            .iter()
            .filter_map(|value| if someone && by_name { PersonName::split(value).name } else { Some((*value).to_owned()) })
            .take(3)
            .collect();
        if shown.is_empty() {
            return None;
        }
        let value = match (&shown[..], self.asked.language) {
            ([front @ .., last], Language::English) if !front.is_empty() => format!("{} and {last}", front.join(", ")),
            _ => shown.join(", "),
        };
        let occasion = if someone && by_name { "said pet name".to_owned() } else { format!("said {key}") };
        let favourite = key.starts_with("favourite_").then_some("said favourite");
        let occasion = if self.voice.knows(&occasion) { occasion.as_str() } else { favourite.unwrap_or("said") };
        Some(self.say_of(occasion, &value))
    }

    /// The remembered line that shares most with the question, in the words it was said in.
    fn by_memories(&self, question: &str) -> Option<String> {
        let asks = content_words(question);
        let shared = |line: &str| content_words(line).iter().filter(|word| asks.contains(word)).count();
        let mut best: Option<(usize, &str)> = None;
        for line in self.asked.memories.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.ends_with('?')) {
            let count = shared(line);
            if count > 0 && best.is_none_or(|(most, _)| count > most) {
                best = Some((count, line));
            }
        }
        let (_, line) = best?;
        let whole = line.trim_end_matches(['.', ' ', '"']);
        let short: String =
            if whole.chars().count() > QUOTED { whole.chars().take(QUOTED).chain("…".chars()).collect() } else { whole.to_owned() };
        Some(self.say_of("told", &short))
    }

    /// Corrections, promises, boundaries and requests to remember.
    fn acknowledged(&self) -> Option<String> {
        let findings = &self.asked.reading.findings;
        let corrected = findings.iter().find(|finding| finding.corrects);
        if let Some(finding) = corrected {
            let value = finding.claim.as_ref().filter(|claim| !claim.ends).map(|claim| claim.value.as_str());
            return Some(value.map_or_else(|| self.say("taken back"), |value| self.say_of("corrected", value)));
        }
        let kind = |kind: CandidateType| findings.iter().any(|finding| finding.candidate_type == kind && finding.about != About::Character);
        match () {
            () if kind(CandidateType::Boundary) => Some(self.say("boundary")),
            () if kind(CandidateType::Promise) => Some(self.say("promise")),
            () if findings.iter().any(|finding| finding.remember_this) => Some(self.say("remember")),
            () => None,
        }
    }

    /// What is said to the character itself.
    fn touched(&self, normal: &str) -> Option<String> {
        let strongest = self.asked.reading.toward.iter().max_by(|one, other| one.points.abs().total_cmp(&other.points.abs()))?;
        let dark = self.asked.feeling.sentiment.get() < -0.2 && self.asked.feeling.intensity.get() > 0.3;
        let cue = strongest.cue.as_str();
        let good = strongest.points > 0.0;
        let occasion = match strongest.axis {
            _ if NIGHT.fits(cue) => "night",
            _ if good && THANKS.fits(cue) => "thanked",
            _ if good && SORRY.fits(cue) => "sorry",
            _ if strongest.points.abs() < 2.0 && dark => return None,
            Axis::Trust if good && SECRET.fits(cue) => "confided",
            Axis::Respect if good && ADVICE.fits(cue) => return None,
            Axis::Respect if good => "praised",
            Axis::Rivalry => "dared",
            Axis::Trust if !good => "doubted",
            _ if !good => "hurt",
            _ if HELLO.fits(normal) => return None,
            _ => "warm",
        };
        Some(self.say(occasion))
    }

    fn felt(&self, feeling: &Feeling) -> Option<String> {
        if feeling.intensity.get() < FELT {
            return None;
        }
        const ORDER: [Emotion; 9] = [
            Emotion::Sadness,
            Emotion::Fear,
            Emotion::Anger,
            Emotion::Disgust,
            Emotion::Anxiety,
            Emotion::Envy,
            Emotion::Ennui,
            Emotion::Joy,
            Emotion::Nostalgia,
        ];
        let emotion = ORDER.into_iter().find(|&emotion| feeling.emotions.holds(emotion))?;
        let said = self.say(emotion.as_str());
        // Good news of a fact is taken up too.
        match self.learned().filter(|_| emotion == Emotion::Joy) {
            Some(learned) if !learned.contains('!') => Some(format!("{learned} {said}")),
            _ => Some(said),
        }
    }

    /// Facts told just now.
    fn learned(&self) -> Option<String> {
        let own = |finding: &&Finding| finding.about == About::User && finding.claim.is_some();
        let finding =
            self.asked.reading.findings.iter().filter(own).max_by(|one, other| one.confidence.get().total_cmp(&other.confidence.get()))?;
        let claim = finding.claim.as_ref()?;
        if claim.ends {
            return Some(self.say("over"));
        }
        let favourite = claim.subject.starts_with("favourite_").then_some("new favourite");
        let occasion = format!("new {}", claim.subject);
        let occasion = if self.voice.knows(&occasion) { occasion.as_str() } else { favourite.unwrap_or("new") };
        let long = claim.value.chars().count() > 24 || fact_subject(&claim.subject).is_some_and(|subject| subject.form == "yesno");
        Some(self.say_of(if long { "remember" } else { occasion }, &claim.value))
    }

    fn greeted(&self, first: &str, normal: &str) -> Option<String> {
        match () {
            () if NIGHT.fits(normal) => Some(self.say("night")),
            () if BYE.fits(first) => Some(self.say("bye")),
            () if HELLO.fits(first) => Some(self.say("hello")),
            () if THANKS.fits(normal) && normal.chars().count() < 30 => Some(self.say("thanked")),
            () if self.asked.reading.findings.is_empty() && first.chars().count() <= 4 && !first.is_empty() => Some(self.say("yes")),
            () => None,
        }
    }
}

/// Returns the subjects that a question asks about the user; empty if it is about someone else.
pub fn fact_subjects_asked(question: &str) -> Vec<&'static str> {
    let wanted: Vec<&str> = WANTS.iter().filter(|(_, pattern)| pattern.fits(question)).map(|(subject, _)| *subject).collect();
    // Another person's birthday or trade is no fact of the user's.
    let apart = mentions_someone(question) && wanted.iter().any(|key| !is_person(key) && *key != "name");
    if apart { Vec::new() } else { wanted }
}

fn is_person(key: &str) -> bool {
    matches!(key, "pet" | "child" | "partner" | "family" | "best_friend")
}

/// Whether a question is about somebody by name or relation.
fn mentions_someone(question: &str) -> bool {
    question.split([' ', ',', '?']).any(|word| {
        let lower = word.to_lowercase();
        let bare = lower.trim_end_matches("'s");
        let asks = matches!(bare, "what" | "who" | "where" | "when" | "how" | "why" | "it" | "that" | "there" | "here" | "let" | "today");
        let named = lower != bare && !asks && word.starts_with(|letter: char| letter.is_ascii_uppercase());
        matches!(pointer(word), Pointer::Person(_)) || PEOPLE.has("kin", bare) || named
    })
}

/// Of several animals or relatives, those the question names; all when it names none.
fn of_those_asked<'a>(values: Vec<&'a str>, question: &str) -> Vec<&'a str> {
    let asked = question.to_lowercase();
    let kinds = |value: &str| -> Vec<String> { value.to_lowercase().split(' ').filter(|word| is_kind(word)).map(str::to_owned).collect() };
    let named: Vec<&str> = values.iter().copied().filter(|value| kinds(value).iter().any(|kind| asked.contains(kind.as_str()))).collect();
    let names_a_kind = asked
        .split([' ', ',', '?'])
        .any(|word| is_kind(crate::parse::korean::particle(word.trim_end_matches("'s")).0) && word.chars().count() > 1);
    if !named.is_empty() {
        return named;
    }
    // "동생" is not "언니"; but a value without a kind may be the one.
    if names_a_kind { values.into_iter().filter(|value| kinds(value).is_empty()).collect() } else { values }
}

/// The words of a text that tell what it is about.
fn content_words(text: &str) -> Vec<String> {
    const IDLE: [&str; 70] = [
        "기억", "뭐였", "뭐라", "어디", "언제", "누구", "무슨", "어떤", "어떻", "얼마", "내가", "제가", "나는", "저는", "우리", "너한",
        "말했", "얘기", "했었", "했지", "이름", "뭐야", "뭐지", "그때", "저번", "전에", "지난", "혹시", "근데", "진짜", "정말", "오늘",
        "요즘", "있어", "없어", "있었", "좋아", "싫어", "하는", "했더", "했어", "이야", "예요", "인지", "알아", "알지", "그거", "이거",
        "뭐하", "먹어", "remember", "recall", "know", "tell", "told", "said", "say", "nam", "what", "day", "time", "thing", "lik", "lov",
        "go", "get", "hav", "did", "do", "am",
    ];
    let mut words = cut(text).words;
    words.retain(|word| {
        word.chars().count() > 1 && !IDLE.contains(&word.as_str()) && !IDLE.iter().any(|idle| !idle.is_ascii() && word.starts_with(idle))
    });
    words.sort_unstable();
    words.dedup();
    words
}
