//! Attribution and factuality of a claim, judged by its sentence. A model may attribute to the user what the sentence says of
//! someone else, what is no longer true, or what it negates.

use crate::parse::who::{self, Speaker};
use crate::patterns::table::Pattern;
use crate::tokenize::clauses::all_clauses;
use crate::tokenize::split::sentence_texts;
use crate::{About, Claim};

/// A third person at the start of an English clause.
static OTHER: Pattern = Pattern::new(
    r"^(?:(?:and|but|so|because|though|while|also|then|well|oh|yeah|btw|apparently|turns out),? )*(?P<who>he|she|they|his|her|their|(?:my|our|his|her|their|the|a|this|that) (?:[\w'-]+ ){0,3}?(?:mom|mum|mother|dad|father|parents?|sister|brother|sis|bro|sibling|twin|cousin|aunt|uncle|niece|nephew|grandma|grandpa|grandmother|grandfather|wife|husband|girlfriend|boyfriend|partner|fianc\S+|son|daughter|kid|child|friend|bestie|buddy|roommate|neighbou?r|boss|manager|coworker|colleague|teacher|professor|doctor|therapist|coach|ex|hero|heroine|protagonist|main character|lead|narrator|character|villain|author|writer|actor|actress|singer|director|guy|girl|woman|man|lady)(?:'s)?(?: (?-i:[A-Z]\w+))?)\b",
);

/// The speaker of an English clause, as subject or owner.
static SELF: Pattern = Pattern::new(r"\b(?:i|i'm|i've|i'd|i'll|im|ive|me|my|mine|we|we're|we've|our)\b");

/// A fictional or public person, in Korean.
static ROLE: Pattern = Pattern::new(
    r"(?P<who>주인공|여주인공|남주인공|여주|남주|등장인물|캐릭터|배우|가수|작가|감독|아이돌|유튜버|연예인|대통령|악당|빌런|화자)(?:이|가|은|는|의|도|님)?(?: |$)",
);

/// The topic or subject of a Japanese sentence, if it is a person.
static JAPANESE: Pattern = Pattern::new(
    r"(?P<who>彼女|彼氏|彼|友達|友人|親友|お?母(?:さん)?|お?父(?:さん)?|お?兄(?:さん|ちゃん)?|お?姉(?:さん|ちゃん)?|弟|妹|夫|妻|旦那|息子|娘|先生|上司|同僚|主人公|あの人|[ぁ-ゟァ-ヿ一-鿿]+?(?:さん|くん|ちゃん|君|様))(?:の[^はがもを。]{1,8})?(?:は|が|も)",
);

static JAPANESE_SELF: Pattern = Pattern::new(r"私|僕|俺|わたし|ぼく|おれ|うち(?:は|の)|自分");

static JAPANESE_DENIAL: Pattern = Pattern::new(
    r"(?:じゃ|では)(?:ない|なかった|ありません)|(?:く|わ|か|が|さ|た|な|ば|ま|ら|い|え|け|せ|て|べ|め|れ|げ|ね|き|し|み)ない|ません|なかった",
);

static JAPANESE_DOUBLE: Pattern =
    Pattern::new(r"(?:かもしれ|違い|なければなら|なくてはいけ|しか)ない|(?:かもしれ|なければなり|なくてはいけ)ません");

/// Markers of the past in the same clause.
static ONCE: Pattern = Pattern::new(
    r"\bused to\b|\bback (?:then|when|in the day)\b|\bin the past\b|\bas a (?:kid|child|teen)\b|\bformerly\b|예전엔|예전에는|예전에|옛날엔|옛날에는|옛날에|한때|왕년에|그때는|그땐|昔は|昔、|以前は|かつて",
);

/// Returns the person a claim is about if no sentence of the message attributes it to the user.
pub(crate) fn of_somebody_else(claim: &Claim, text: &str) -> Option<String> {
    let value = claim.value.to_lowercase();
    let mut told = None;
    for sentence in sentence_texts(text) {
        let mut carried: Option<String> = None;
        for clause in all_clauses(&sentence) {
            let lower = clause.to_lowercase();
            let at = lower.find(&value);
            let lead = at.and_then(|at| clause.get(..at)).unwrap_or(&clause);
            let whom = whom(&clause, lead);
            if at.is_some() {
                match whom.as_ref().map_or(carried.as_ref(), |whom| whom.0.as_ref()) {
                    Some(who) => told = Some(who.clone()),
                    None => return None,
                }
            }
            // The next clause continues with the topic of this one, not with a person it only mentions.
            match whom {
                Some((Some(who), true)) => carried = Some(who),
                Some((None, _)) => carried = None,
                _ => {}
            }
        }
    }
    told
}

/// Returns the person that the words before a value refer to, and whether the next clause is likely to continue with them. The
/// inner `None` is the speaker; the outer `None` means that they refer to no person.
fn whom(clause: &str, lead: &str) -> Option<(Option<String>, bool)> {
    let caught = |pattern: &Pattern, text: &str| {
        let found = pattern.on(text)?.captures(text)?;
        found.name("who").map(|who| (who.as_str().to_owned(), who.end()))
    };
    if let Some((who, end)) = caught(&JAPANESE, lead) {
        return Some((Some(who).filter(|_| !JAPANESE_SELF.fits(&lead[end..])), true));
    }
    if JAPANESE_SELF.fits(lead) {
        return Some((None, true));
    }
    if let Some((who, end)) = caught(&OTHER, lead) {
        return Some((Some(who).filter(|_| !SELF.fits(&lead[end..])), true));
    }
    if SELF.fits(lead) {
        return Some((None, true));
    }
    if let Some((who, _)) = caught(&ROLE, lead) {
        return Some((Some(who), true));
    }
    let lead = lead.replace("우린 ", "우리는 ");
    let topic = who::opening(clause, Speaker::User).is_some_and(|(about, topic)| matches!(about, About::Other(_)) && topic);
    match who::before(&lead, Speaker::User, false) {
        Some(About::Other(who)) => Some((Some(who), topic)),
        Some(About::User | About::Both) => Some((None, true)),
        _ => None,
    }
}

/// Checks whether the claim occurs only in clauses about the past.
pub(crate) fn was_once(claim: &Claim, text: &str) -> bool {
    let value = claim.value.to_lowercase();
    let of_the_past = matches!(claim.subject.as_str(), "hometown" | "birthplace" | "school" | "alma_mater");
    let now = |clause: &String| clause.to_lowercase().contains(&value) && !ONCE.fits(clause);
    let (once, stands): (Vec<String>, Vec<String>) = all_clauses(text).into_iter().partition(|clause| ONCE.fits(clause));
    !of_the_past && once.iter().any(|clause| clause.to_lowercase().contains(&value)) && !stands.iter().any(now)
}

/// Checks whether a Japanese sentence negates the content of a finding.
pub(crate) fn is_denied_in_japanese(content: &str, claim: &Claim, text: &str) -> bool {
    let denies = |text: &str| JAPANESE_DENIAL.fits(text) && !JAPANESE_DOUBLE.fits(text);
    let sentence = text.split(['。', '！', '？', '!', '?', '\n', '、']).find(|sentence| sentence.contains(&claim.value));
    sentence.is_some_and(denies) && !denies(content) && !claim.ends && claim.subject != "dislikes"
}

/// Returns the content with its person: the sentence that contains both, or else the name as a prefix.
pub fn with_person(content: String, who: &str, text: &str) -> String {
    let name = who.split_whitespace().next_back().unwrap_or(who);
    let names = |text: &str| text.to_lowercase().contains(&name.to_lowercase());
    if names(&content) {
        return content;
    }
    let sentence = sentence_texts(text).into_iter().find(|sentence| sentence.contains(&content) && names(sentence));
    sentence.unwrap_or_else(|| format!("{who}: {content}"))
}
