//! Per-memory data of an index besides words and vectors.

use std::collections::HashMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use saegim_core::{
    Category, ContentType, Emotions, Fading, Hash, Marks, MemoryId, RhythmPhase, Strength, Teller, Timestamp, Unit, Zone, said,
};
use saegim_store::{Filter, IndexRow};

/// Interned strings.
#[derive(Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    /// Speakers, in the order of their first appearance.
    pub(super) people: Vec<String>,
    person_of: HashMap<u32, u16>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    fn person(&mut self, name: &str) -> u16 {
        let number = self.number(name);
        let next = self.people.len() as u16;
        *self.person_of.entry(number).or_insert_with(|| {
            self.people.push(name.to_owned());
            next
        })
    }
}

/// One memory.
pub(super) struct Document {
    pub(super) id: MemoryId,
    pub(super) alive: bool,
    pub(super) created_at: Timestamp,
    pub(super) day: Date,
    /// The session, if this was part of a conversation. Only such documents have neighbours.
    pub(super) talk: Option<u32>,
    pub(super) sequence: u32,
    pub(super) teller: Teller,
    pub(super) speaker: Option<u16>,
    pub(super) marks: Marks,
    /// Number of words, at least 1.
    pub(super) words: u32,
    pub(super) importance: Unit,
    pub(super) strength: Strength,
    pub(super) fading: Fading,
    /// Whether the vector is missing although the embedder supports the text.
    pub(super) lacks_vector: bool,
    digest: [u8; 8],
    session: Option<u32>,
    category: Option<Category>,
    zone: Zone,
    emotions: Emotions,
    persona: Option<u32>,
    project: Option<u32>,
    domain: Option<u32>,
    tags: Box<[u32]>,
    rhythm_phase: Option<RhythmPhase>,
    keywords: Box<[u32]>,
}

fn digest(content: &str) -> [u8; 8] {
    Hash::of(content.as_bytes()).bytes()[..8].try_into().expect("a hash has more than eight bytes")
}

impl Document {
    /// Returns the position among equally good results: by time, then by text.
    pub(super) fn order(&self) -> (Timestamp, u32, [u8; 8], MemoryId) {
        (self.created_at, self.sequence, self.digest, self.id)
    }

    pub(super) fn new(row: &IndexRow, names: &mut Names) -> Self {
        let teller = match row.content_type {
            Some(ContentType::UserInput) => Teller::User,
            Some(ContentType::PersonaResponse) => Teller::Character,
            Some(ContentType::SystemEvent) | None => Teller::Unknown,
        };
        let spoken = row.content_type.is_some() || row.speaker.is_some();
        // Only the user gives the character standing instructions, not the character itself or people the user quotes.
        let orders = teller == Teller::User || (teller == Teller::Unknown && row.speaker.is_none());
        let marks = Marks::of(&row.content);
        let marks = Marks { standing: marks.standing && orders, ..marks };
        let session = row.session.as_deref().map(|session| names.number(session));
        let mut document = Self {
            id: row.memory,
            alive: true,
            created_at: row.created_at,
            day: row.created_at.civil(&TimeZone::UTC).date(),
            talk: session.filter(|_| spoken),
            sequence: row.sequence.unwrap_or(u32::MAX),
            teller,
            speaker: row.speaker.as_deref().map(|speaker| names.person(speaker)),
            marks,
            words: said(&row.content).split_whitespace().count().max(1) as u32,
            importance: row.importance,
            strength: row.strength,
            fading: row.fading,
            lacks_vector: false,
            digest: digest(&row.content),
            session,
            category: None,
            zone: row.zone,
            emotions: row.emotions,
            persona: None,
            project: None,
            domain: None,
            tags: Box::default(),
            rhythm_phase: None,
            keywords: Box::default(),
        };
        document.update(row, names);
        document
    }

    /// Checks whether a row has the same text at the same position of the conversation.
    pub(super) fn same_text(&self, row: &IndexRow) -> bool {
        self.digest == digest(&row.content) && self.sequence == row.sequence.unwrap_or(u32::MAX) && self.created_at == row.created_at
    }

    /// Updates the fields that may change without the text.
    pub(super) fn update(&mut self, row: &IndexRow, names: &mut Names) {
        let mut number = |name: &Option<String>| name.as_deref().map(|name| names.number(name));
        self.importance = row.importance;
        self.strength = row.strength;
        self.fading = row.fading;
        self.category = row.category;
        self.zone = row.zone;
        self.emotions = row.emotions;
        self.persona = number(&row.persona);
        self.project = number(&row.project);
        self.domain = number(&row.domain);
        self.tags = row.tags.iter().map(|tag| names.number(tag)).collect();
        self.rhythm_phase = row.rhythm_phase;
        self.keywords = row.emotion_keywords.iter().map(|word| names.number(word)).collect();
    }

    /// Returns the strength at a turn of the mind.
    pub(super) fn strength_at(&self, turn: u64, policy: &saegim_core::StrengthPolicy) -> Unit {
        self.strength.at(turn, &self.fading, policy)
    }
}

/// A filter with its names resolved once.
pub(super) struct ResolvedFilter {
    filter: Filter,
    session: Wanted,
    persona: Wanted,
    project: Wanted,
    domain: Wanted,
    /// `None` if a required tag is used by no memory.
    tags: Option<Vec<u32>>,
    /// Known ones of the wanted emotion keywords.
    keywords: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Anything,
    Nothing,
    Only(u32),
}

impl Wanted {
    fn of(name: Option<&str>, names: &Names) -> Self {
        match name {
            None => Self::Anything,
            Some(name) => names.known(name).map_or(Self::Nothing, Self::Only),
        }
    }

    fn lets(self, value: Option<u32>) -> bool {
        match self {
            Self::Anything => true,
            Self::Nothing => false,
            Self::Only(number) => value == Some(number),
        }
    }
}

impl ResolvedFilter {
    pub(super) fn new(filter: &Filter, names: &Names) -> Self {
        Self {
            session: Wanted::of(filter.session.as_ref().map(|session| session.as_str()), names),
            persona: Wanted::of(filter.persona.as_deref(), names),
            project: Wanted::of(filter.project.as_deref(), names),
            domain: Wanted::of(filter.domain.as_deref(), names),
            tags: filter.tags.iter().map(|tag| names.known(tag)).collect(),
            keywords: filter.emotion_keywords.iter().filter_map(|word| names.known(word)).collect(),
            filter: filter.clone(),
        }
    }

    /// Checks whether a memory is live and matches the filter.
    pub(super) fn lets(&self, document: &Document) -> bool {
        let filter = &self.filter;
        document.alive
            && filter.since.is_none_or(|since| document.created_at >= since)
            && filter.until.is_none_or(|until| document.created_at < until)
            && self.session.lets(document.session)
            && self.persona.lets(document.persona)
            && self.project.lets(document.project)
            && self.domain.lets(document.domain)
            && filter.kind.is_none_or(|kind| document.fading.kind == kind)
            && filter.category.is_none_or(|category| document.category == Some(category))
            && filter.tier.is_none_or(|tier| document.fading.tier == tier)
            && filter.zone.is_none_or(|zone| document.zone == zone)
            && filter.emotion.is_none_or(|emotion| document.emotions.holds(emotion))
            && filter.least_importance.is_none_or(|least| document.importance >= least)
            && self.tags.as_ref().is_some_and(|tags| tags.iter().all(|tag| document.tags.contains(tag)))
            && filter.rhythm_phase.is_none_or(|phase| document.rhythm_phase == Some(phase))
            && (filter.emotion_keywords.is_empty() || self.keywords.iter().any(|word| document.keywords.contains(word)))
    }
}
