//! Activities: what a sentence says was done. Short sentences have similar vectors whatever they say ("빨래 돌렸어", "심심해"), so
//! mentions of one habit must also share a topic, or a person and an action.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use saegim_core::LruCache;

use crate::compare::event_equivalence::is_negated;
use crate::emotion::feeling::is_felt;
use crate::parse::sentence_parse::Telling;
use crate::topics::everyday::touched;
use crate::topics::grouping::{is_telling, of_compound};

/// A sentence reduced to the features that identify a habit.
#[derive(Clone, Debug, Default)]
pub struct Activity {
    /// Everyday themes it mentions.
    themes: BTreeSet<usize>,
    /// Keys of its topic words, and whether the word only expresses an emotion.
    things: BTreeMap<String, bool>,
    /// People involved.
    people: BTreeSet<String>,
    /// Actions, and other words that are not specific on their own.
    deeds: BTreeSet<String>,
    /// Whether it says that something was not done.
    denied: bool,
}

/// Number of texts per generation of the cache. New messages are compared with the same few hundred texts repeatedly.
const READ: usize = 2048;

static CACHE: LazyLock<Mutex<LruCache<String, Arc<Activity>>>> = LazyLock::new(|| Mutex::new(LruCache::with_room(READ)));

impl Activity {
    /// Parses a sentence. `names` are the user, the character and the people around them; they do not identify an activity.
    pub fn of(text: &str, names: &[String]) -> Arc<Self> {
        let key = names.iter().map(String::as_str).chain([text]).collect::<Vec<_>>().join("\n");
        let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(&key) {
            return known;
        }
        let activity = Arc::new(Self::read(text, names, is_felt));
        cache().put(key, Arc::clone(&activity));
        activity
    }

    /// `is_felt` returns true for words that only express an emotion.
    fn read(text: &str, names: &[String], is_felt: impl Fn(&str) -> bool) -> Self {
        let mut doing = Self { denied: is_negated(&outcome(text)), ..Self::default() };
        for word in &Telling::of(text).words {
            let forms = word.forms();
            if word.when || forms.iter().any(|form| names.contains(form)) {
                continue;
            }
            doing.themes.extend(touched(&forms));
            if word.person || word.named || is_company(&word.raw) {
                doing.people.extend(word.keys.iter().cloned());
            } else if is_telling(word, &forms) {
                let (made_of, felt) = (of_compound(&word.noun).map(str::to_owned), is_felt(&word.raw));
                doing.things.extend(word.keys.iter().cloned().chain(made_of).map(|key| (key, felt)));
            } else {
                doing.deeds.extend(word.keys.iter().cloned());
            }
        }
        doing
    }

    /// Whether exactly one of the two sentences says that something was not done.
    pub fn is_denied_by(&self, other: &Self) -> bool {
        self.denied != other.denied
    }

    /// Whether two sentences can describe the same activity. The time of day and the outcome may differ; a denial, or a shared
    /// emotion only, does not match.
    pub fn is_same_as(&self, other: &Self) -> bool {
        !self.is_denied_by(other) && self.is_also(other)
    }

    /// Whether two sentences can describe the same activity, done or not done. A shared emotion is not enough.
    fn is_also(&self, other: &Self) -> bool {
        let about = |doing: &Self| doing.things.values().any(|felt| !felt);
        let shared = self.things.iter().any(|(key, felt)| !felt && other.things.contains_key(key));
        if shared || !self.themes.is_disjoint(&other.themes) {
            return true;
        }
        // Each is about the thing it names: mother in the library is not mother's kimchi.
        if about(self) && about(other) {
            return false;
        }
        let (less, more) = if self.deeds.len() <= other.deeds.len() { (self, other) } else { (other, self) };
        let same_deed = !less.deeds.is_empty() && less.deeds.is_subset(&more.deeds);
        let no_people = self.people.is_empty() && other.people.is_empty();
        same_deed && (no_people && !about(self) && !about(other) || !self.people.is_disjoint(&other.people))
    }
}

/// Removes digits (the time of day) and rewrites "stopped by", which is not a denial.
fn outcome(text: &str) -> String {
    let text = text.to_lowercase().replace("stopped by", "came by").replace("stopped at", "came by").replace("stopped in", "came by");
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Whether a Korean word has a particle of company or direction.
fn is_company(word: &str) -> bool {
    ["랑", "하고", "한테", "에게", "께"].iter().any(|mark| word.strip_suffix(mark).is_some_and(|who| who.chars().count() > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tellings_of_one_habit_share_what_it_is_about_and_not_only_a_tone() {
        let names = ["moss".to_owned()];
        let felt = |word: &str| ["뿌듯해", "행복해", "심심해"].contains(&word);
        for (one, other, also) in [
            ("퇴근하고 동네 카페에 들렀어", "카페에서 라떼 마시고 왔어", true),
            ("출근길에 카페 들러서 아메리카노 샀어", "커피숍에서 두 시간 앉아 있었어", true),
            ("아침에 요가 하고 왔어", "요가 선생님이 자세를 잡아 주셨어", true),
            ("아침에 5킬로 뛰었어", "오늘은 달리기 조금만 했어", true),
            ("점심시간에 클라이밍장 다녀왔어", "주말에도 클라이밍 갔지", true),
            ("엄마랑 통화했어", "엄마한테 전화 와서 한참 통화했어", true),
            ("I fired my mugs at pottery class", "Glazed a vase at the pottery studio", true),
            ("Took Moss for a walk", "Took Moss for a long walk", true),
            ("빨래 돌렸어", "심심해", false),
            ("빨래 돌렸어", "아하", false),
            ("빨래 돌렸어", "장 봐 왔어", false),
            ("엄마랑 도서관에서 연을 날렸는데, 완전 뿌듯해", "엄마가 반찬 보내 주셨어", false),
            ("엄마랑 도서관에서 연을 날렸는데, 완전 뿌듯해", "은지랑 온천에서 조개를 주웠는데, 완전 뿌듯해", false),
            ("회사에서 벌에 쏘였어", "회사에서 갑자기 눈물이 터졌어", false),
            ("은지랑 미술관 갔어", "은지랑 온천 갔어", false),
            ("Moss stole a sock", "Moss stared out of the window", false),
            ("At work I had my wallet stolen", "At work I spilled my tea", false),
            ("Just came back from choir", "Just came back from the dentist", false),
        ] {
            let (one, other) = (Activity::read(one, &names, felt), Activity::read(other, &names, felt));
            assert_eq!((one.is_also(&other), other.is_also(&one)), (also, also), "{one:?} | {other:?}");
        }
    }
}
