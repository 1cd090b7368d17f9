//! A memory: what was admitted, how long it is kept, how near to mind it is, and what it feels like.

use serde::{Deserialize, Serialize};

use crate::word_enum::word_enum;
use crate::{
    CliffEntry, CliffPolicy, Fading, Fall, Feeling, Invalid, IslandId, Kind, MemoryId, Nearness, Policy, Rating, SessionId, Strength,
    StrengthPolicy, Tier, TierPolicy, Timestamp, TurnId, Unit, Zone, phrase,
};

word_enum! {
    /// What a memory is about.
    Category "category" {
        /// Who someone is.
        Identity = "identity",
        /// People around them.
        People = "people",
        /// What they like and dislike.
        Preferences = "preferences",
        /// What needs care.
        Caution = "caution",
        /// What was lived through together.
        SharedEvents = "shared_events",
        /// What was asked for.
        Requests = "requests",
        /// How things stand.
        Situation = "situation",
    }
}

word_enum! {
    /// Where a memory came from.
    Source "source" {
        /// Said in conversation.
        Conversation = "conversation",
        /// Seen by the host.
        Observation = "observation",
        /// The essence of other memories.
        Distillation = "distillation",
        /// Given by the user outside conversation.
        User = "user",
        /// Thought of by the character.
        Imagination = "imagination",
        /// Brought in from elsewhere.
        Import = "import",
    }
}

impl Source {
    /// How far a memory from here is trusted. Below 0.6 nothing becomes core or supports a belief.
    pub const fn trust(self) -> Unit {
        Unit::clamped(match self {
            Self::Conversation | Self::User => 1.0,
            Self::Observation | Self::Import => 0.7,
            Self::Distillation => 1.0,
            Self::Imagination => 0.5,
        })
    }
}

word_enum! {
    /// How the character came to know it.
    Knowledge "knowledge" {
        /// It was there.
        Witnessed = "witnessed",
        /// Someone told it.
        Told = "told",
        /// It follows from other things.
        Inferred = "inferred",
        /// It was imagined.
        Imagined = "imagined",
    }
}

word_enum! {
    /// What kind of text a coordinate points at.
    ContentType "content_type" {
        /// Said by the user.
        UserInput = "user_input",
        /// Said by a persona.
        PersonaResponse = "persona_response",
        /// Reported by the host.
        SystemEvent = "system_event",
    }
}

word_enum! {
    /// The dialogue's rhythm.
    RhythmPhase "rhythm_phase" {
        /// Bringing together.
        Integration = "integration",
        /// Looking back.
        Reflection = "reflection",
        /// Laying out.
        Planning = "planning",
        /// Looking around.
        Exploration = "exploration",
    }
}

/// Where in time, space and dialogue a memory was made. Every field may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Coordinate {
    /// The session it was made in.
    pub session: Option<SessionId>,
    /// Its place in the session.
    pub sequence: Option<u32>,
    /// Minutes since the session began.
    pub minutes: Option<f64>,
    /// The project at hand.
    pub project: Option<String>,
    /// The field of work or life.
    pub domain: Option<String>,
    /// Files that were open.
    pub file_context: Vec<String>,
    /// How deep in a recursion of personas.
    pub depth_index: Option<u32>,
    /// The persona's id.
    pub persona_id: Option<String>,
    /// The persona's name.
    pub persona_name: Option<String>,
    /// The persona's role.
    pub persona_role: Option<String>,
    /// What answered for the persona.
    pub backend: Option<String>,
    /// What kind of text it came from.
    pub content_type: Option<ContentType>,
    /// The first 500 characters of what was asked.
    pub prompt_digest: Option<String>,
    /// How many tokens the text had.
    pub token_count: Option<u32>,
    /// Whether the phase controller had injected an instruction.
    pub phase_injection_applied: bool,
    /// Whether an error had occurred.
    pub error_occurred: bool,
    /// The dialogue's rhythm at that time.
    pub rhythm_phase: Option<RhythmPhase>,
    /// How urgent it was, 1..=4.
    pub priority: Option<u8>,
}

/// Whether a memory is there to be recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It can be recalled.
    Alive,
    /// It waits on the cliff.
    OnCliff,
}

/// One memory of a mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Its identity.
    pub id: MemoryId,
    /// The id it had elsewhere.
    pub external_id: Option<String>,
    /// How often it was written; a change names the revision it was made from.
    pub revision: u32,
    /// Whether it is there to be recalled.
    pub standing: Standing,
    /// What is remembered, in the language it was said in.
    pub content: String,
    /// The event it came from, in its own words.
    pub original_event: Option<String>,
    /// The character's view of it.
    pub interpretation: Option<String>,
    /// A shorter form.
    pub summary: Option<String>,
    /// What kind of remembering it is.
    pub kind: Kind,
    /// What it is about.
    pub category: Option<Category>,
    /// Where it came from.
    pub source: Source,
    /// How the character came to know it.
    pub knowledge: Knowledge,
    /// The turns it was learned from.
    pub turns: Vec<TurnId>,
    /// What it feels like.
    pub feeling: Feeling,
    /// How far it is trusted.
    pub trust: Unit,
    /// How much it matters.
    pub importance: Unit,
    /// The importance the owner stated, if they did.
    pub stated_importance: Option<Unit>,
    /// A(m), if it was appraised.
    pub appraisal: Option<Unit>,
    /// How many memories linked to it when its importance was last worked out.
    #[serde(default)]
    pub counted_references: u32,
    /// How vivid it is.
    pub strength: Strength,
    /// How often it was recalled.
    pub recalls: u32,
    /// How often it was met again in conversation.
    pub mentions: u32,
    /// When it last came to mind: when it was last recalled, or an essence's originals were told again.
    pub last_recalled_at: Option<Timestamp>,
    /// When it was told; an essence's is when the last of what it stands on was. When the row was made is in the id.
    pub created_at: Timestamp,
    /// When it was last written by a person.
    pub edited_at: Option<Timestamp>,
    /// How long it is kept.
    pub tier: Tier,
    /// When its term runs out; never, for what is kept until someone lets go of it.
    pub expires_at: Option<Timestamp>,
    /// The memory it was promoted from.
    pub promoted_from: Option<MemoryId>,
    /// Whether the owner holds it fast.
    pub pinned: bool,
    /// Whether someone said "remember this".
    pub remember_this: bool,
    /// Whether it changed how the character behaves.
    pub changed_behaviour: bool,
    /// The island it belongs to.
    pub island: Option<IslandId>,
    /// How near to mind it was at the last rebalance.
    pub zone: Zone,
    /// I(m) when it was last moved; whoever is shown a memory is given what it is at that moment.
    pub zone_score: f32,
    /// Free labels.
    pub tags: Vec<String>,
    /// The owner's stars.
    pub rating: Option<Rating>,
    /// Where in time, space and dialogue it was made.
    pub coordinate: Coordinate,
}

/// How what an essence stands on was told again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    /// How often.
    pub times: u32,
    /// When it was told, the last time.
    pub told_at: Timestamp,
    /// When that is taken in: the term begins then.
    pub at: Timestamp,
    /// The mind's turn.
    pub turn: u64,
}

/// The longest content a memory may have, in characters.
pub const LONGEST_CONTENT: usize = 32_768;

/// Whether there is nothing to read in a text: blanks and marks that show nothing at most.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || letter.is_control() || letter == '\u{feff}')
}

/// Checks a text that is to become a memory's content, and trims it.
pub fn content(text: &str) -> Result<String, Invalid> {
    let text = text.trim();
    if is_blank(text) {
        return Err(Invalid::new(
            "content",
            phrase!("the text is empty; write at least one sentence", "내용이 비어 있어요. 한 문장 이상 입력해 주세요"),
        ));
    }
    if text.chars().count() > LONGEST_CONTENT {
        let problem = phrase!(
            "longer than {LONGEST_CONTENT} characters; shorten or split it",
            "{LONGEST_CONTENT}자보다 길어요. 줄이거나 나눠 주세요"
        );
        return Err(Invalid::new("content", problem));
    }
    if text.contains('\0') {
        return Err(Invalid::new(
            "content",
            phrase!("contains a NUL character; remove it", "NUL 문자가 들어 있어요. 빼고 다시 입력해 주세요"),
        ));
    }
    Ok(text.to_owned())
}

impl Memory {
    /// When it last came to mind: its last recall, or else its birth.
    pub fn freshened(&self) -> Timestamp {
        self.last_recalled_at.map_or(self.created_at, |recalled| recalled.max(self.created_at))
    }

    /// Since when nobody has touched it: it neither came to mind nor began a new term. Restoring and bringing in from
    /// elsewhere begin a term, so that what was just saved is not forgotten as old at the next look.
    pub fn untouched_since(&self, policy: &TierPolicy) -> Timestamp {
        self.term_began(policy).map_or(self.freshened(), |began| began.max(self.freshened()))
    }

    /// When its term began; nothing for what has no end.
    pub fn term_began(&self, policy: &TierPolicy) -> Option<Timestamp> {
        self.expires_at.and_then(|end| self.tier.began(end, policy))
    }

    /// What fading depends on.
    pub fn fading(&self) -> Fading {
        Fading { kind: self.kind, intensity: self.feeling.intensity, importance: self.importance, tier: self.tier, pinned: self.pinned }
    }

    /// How vivid it is at the mind's `turn`.
    pub fn strength_at(&self, turn: u64, policy: &StrengthPolicy) -> Unit {
        self.strength.at(turn, &self.fading(), policy)
    }

    /// What the memory function looks at, given its similarity to the mind's context.
    pub fn nearness(&self, context: Unit) -> Nearness {
        Nearness { recalls: self.recalls, freshened: self.freshened(), appraisal: self.appraisal.unwrap_or(Unit::clamped(0.5)), context }
    }

    /// The memory after it was recalled and used: it counts, and its freshness and vividness are renewed.
    pub fn recalled(mut self, now: Timestamp, turn: u64, policy: &StrengthPolicy) -> Self {
        self.strength = self.strength.renewed(turn, &self.fading(), policy);
        self.recalls = self.recalls.saturating_add(1);
        self.last_recalled_at = Some(self.last_recalled_at.map_or(now, |last| last.max(now)));
        self
    }

    /// How often it was told, the first time included.
    pub fn told(&self) -> u32 {
        self.mentions.saturating_add(1)
    }

    /// Since when it has been kept; an essence was made after what it tells of was told.
    pub fn kept_since(&self) -> Timestamp {
        if self.source == Source::Distillation { self.created_at.min(self.id.made_at()) } else { self.created_at }
    }

    /// An essence after what it stands on was told again: counted, dated anew, fresh in mind, and with a new term. What
    /// someone still lives is not to run out like what is over.
    pub fn told_again(mut self, again: Again, policy: &Policy) -> Self {
        self.strength = self.strength.renewed(again.turn, &self.fading(), &policy.strength);
        self.mentions = self.mentions.saturating_add(again.times);
        self.created_at = self.created_at.max(again.told_at);
        self.last_recalled_at = Some(self.last_recalled_at.map_or(again.told_at, |last| last.max(again.told_at)));
        self.expires_at = self.expires_at.max(self.expires_at.and_then(|_| self.tier.expires(again.at, &policy.tier)));
        self
    }

    /// Whether it is kept until someone lets go of it: core, or a text a client keeps under a name of its own.
    pub fn is_endless(&self) -> bool {
        self.expires_at.is_none()
    }

    /// The memory with a new term of its tier from `now` on, alive: what restoring gives back. What had no end has none again.
    pub fn with_new_term(mut self, now: Timestamp, policy: &TierPolicy) -> Self {
        self.standing = Standing::Alive;
        self.expires_at = self.expires_at.and_then(|_| self.tier.expires(now, policy));
        self
    }

    /// The memory as it goes to the cliff, and its entry there. Core and pinned memories do not go by themselves.
    pub fn to_cliff(mut self, fall: Fall, policy: &CliffPolicy) -> (Self, CliffEntry) {
        self.standing = Standing::OnCliff;
        let entry = CliffEntry::entered(self.id, fall, policy);
        (self, entry)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ImportancePolicy;

    /// A plain memory for tests of rules.
    pub(crate) fn plain(at: Timestamp) -> Memory {
        Memory {
            id: MemoryId::new(at, [7; 10]),
            external_id: None,
            revision: 0,
            standing: Standing::Alive,
            content: "민수는 매운 떡볶이를 좋아한다".into(),
            original_event: None,
            interpretation: None,
            summary: None,
            kind: Kind::Episodic,
            category: None,
            source: Source::User,
            knowledge: Knowledge::Told,
            turns: Vec::new(),
            feeling: Feeling::default(),
            trust: Unit::ONE,
            importance: Unit::clamped(0.3),
            stated_importance: None,
            appraisal: None,
            counted_references: 0,
            strength: Strength::fresh(0),
            recalls: 0,
            mentions: 0,
            last_recalled_at: None,
            created_at: at,
            edited_at: None,
            tier: Tier::M30,
            expires_at: Tier::M30.expires(at, &TierPolicy::default()),
            promoted_from: None,
            pinned: false,
            remember_this: false,
            changed_behaviour: false,
            island: None,
            zone: Zone::Outer,
            zone_score: 0.125,
            tags: Vec::new(),
            rating: None,
            coordinate: Coordinate::default(),
        }
    }

    #[test]
    fn content_is_trimmed_and_bounded() {
        assert_eq!(content("  커피  ").unwrap(), "커피");
        for text in ["", " \n ", "\u{1}\u{feff} ", "a\0b", &"가".repeat(LONGEST_CONTENT + 1)] {
            assert!(content(text).is_err());
        }
    }

    #[test]
    fn midnight_only_ever_adds_what_refers_to_a_memory() {
        let policy = ImportancePolicy::default();
        let of = |importance: f32| Memory { importance: Unit::clamped(importance), ..plain(Timestamp::from_millis(1)) };
        for (given, why) in [(0.8, "it settled"), (0.54, "it was a surprise"), (0.21, "it was predictable"), (0.3, "nothing was given")] {
            let mut memory = of(given);
            for (references, expected) in [(1, 0.05), (1, 0.05), (3, 0.15), (2, 0.15), (0, 0.15), (90, 0.2)] {
                memory = memory.referred(references, &policy);
                let found = memory.importance.get();
                assert!((found - given - expected).abs() < 1e-6, "{why}: {found} with {references} references");
            }
        }
        assert_eq!(of(0.95).referred(4, &policy).importance, Unit::ONE);
    }

    #[test]
    fn a_hand_moves_importance_by_what_it_changed_and_a_stated_one_stands() {
        let policy = ImportancePolicy::default();
        let settled = Memory { importance: Unit::clamped(0.6), ..plain(Timestamp::from_millis(1)) };
        let rated = Memory { rating: Some(Rating::new(5).unwrap()), ..settled.clone() }.reweighed(&settled, &policy);
        assert!((rated.importance.get() - 0.9).abs() < 1e-6, "{:?}", rated.importance);
        let fewer = Memory { rating: Some(Rating::new(1).unwrap()), ..rated.clone() }.reweighed(&rated, &policy);
        assert!((fewer.importance.get() - 0.66).abs() < 1e-6, "{:?}", fewer.importance);
        let stated = Memory { stated_importance: Some(Unit::clamped(0.2)), ..settled.clone() }.reweighed(&settled, &policy);
        assert_eq!(stated.importance, Unit::clamped(0.2));
        assert_eq!(Memory { pinned: true, ..settled.clone() }.reweighed(&settled, &policy).importance, settled.importance);
    }

    #[test]
    fn a_recall_counts_and_resets_freshness_even_when_the_clock_went_back() {
        let at = Timestamp::from_millis(1_000_000);
        let memory = plain(at).recalled(Timestamp::from_millis(2_000_000), 40, &StrengthPolicy::default());
        assert_eq!((memory.recalls, memory.freshened().millis(), memory.strength.as_of_turn), (1, 2_000_000, 40));
        assert!(memory.strength.value > plain(at).strength_at(40, &StrengthPolicy::default()));
        let again = memory.recalled(Timestamp::from_millis(0), 3, &StrengthPolicy::default());
        assert_eq!((again.recalls, again.freshened().millis(), again.strength.as_of_turn), (2, 2_000_000, 40));
    }

    #[test]
    fn what_falls_is_on_the_cliff_and_comes_back_with_a_new_term() {
        let at = Timestamp::from_millis(1_000_000);
        let later = at.plus(crate::Span::days(29));
        let fall = Fall { at: later, reason: crate::CliffReason::Manual, note: String::new() };
        let (fallen, entry) = plain(at).to_cliff(fall, &CliffPolicy::default());
        assert_eq!((fallen.standing, entry.entered_at), (Standing::OnCliff, later));
        let back = fallen.with_new_term(later, &TierPolicy::default());
        assert_eq!((back.standing, back.expires_at), (Standing::Alive, back.tier.expires(later, &TierPolicy::default())));
        assert!(back.expires_at > plain(at).tier.expires(at, &TierPolicy::default()));
    }

    #[test]
    fn an_essence_told_again_is_counted_dated_and_kept_anew() {
        let (policy, day) = (Policy::default(), |day: i64| Timestamp::from_millis(1_780_000_000_000).plus(crate::Span::days(day)));
        let essence = Memory { tier: Tier::M90, expires_at: Some(day(90)), mentions: 4, ..plain(day(0)) };
        let again = Again { times: 3, told_at: day(40), at: day(42), turn: 7 };
        let told = essence.clone().told_again(again, &policy);
        assert_eq!((told.told(), told.recalls, told.created_at), (8, 0, day(40)));
        assert_eq!((told.last_recalled_at, told.expires_at), (Some(day(40)), Some(day(132))));
        let late = Again { told_at: day(-9), at: day(-9), ..again };
        assert_eq!(told.clone().told_again(late, &policy).expires_at, told.expires_at, "nothing is dated back");
        let core = Memory { tier: Tier::M0, expires_at: None, ..essence };
        assert_eq!(core.told_again(again, &policy).expires_at, None, "what has no end gets none");
    }

    #[test]
    fn what_the_user_said_is_trusted_most_and_what_was_imagined_supports_nothing() {
        for source in [Source::Observation, Source::Import, Source::Imagination] {
            assert!(source.trust() < Source::User.trust(), "{source:?}");
        }
        assert!(Source::Imagination.trust().get() < 0.6 && Source::Import.trust().get() >= 0.6);
    }
}
