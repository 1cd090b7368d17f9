//! OpenAPI schemas of enumerations and texts.

use saegim_core::{
    Axis, CandidateType, CandidateVerdict, Category, Cause, CliffReason, Emotion, FactCategory, IntimacyLevel, IslandStatus, JobKind, Kind,
    Knowledge, LONGEST_CONTENT, LinkKind, Op, Principal, ProposalKind, ProposalStatus, RhythmPhase, Role, SelfReason, Source, SpeechStyle,
    StatementGroup, StatementStatus, Tier, Trigger, Zone,
};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type};

fn one_of<'a>(words: impl Iterator<Item = &'a str>, about: &str) -> Schema {
    let words: Vec<String> = words.map(str::to_owned).collect();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words)).description(Some(about)).build().into()
}

fn maybe_one_of<'a>(words: impl Iterator<Item = &'a str>, about: &str) -> Schema {
    let mut words: Vec<serde_json::Value> = words.map(Into::into).collect();
    words.push(serde_json::Value::Null);
    let either = SchemaType::from_iter([Type::String, Type::Null]);
    ObjectBuilder::new().schema_type(either).enum_values(Some(words)).description(Some(about)).build().into()
}

macro_rules! lists {
    ($($name:ident, $maybe:ident: $kind:ty, $about:literal;)*) => {$(
        #[allow(dead_code, reason = "not every list is both asked for and left out")]
        pub(crate) fn $name() -> Schema {
            one_of(<$kind>::ALL.iter().map(|word| word.as_str()), $about)
        }

        #[allow(dead_code, reason = "not every list is both asked for and left out")]
        pub(crate) fn $maybe() -> Schema {
            maybe_one_of(<$kind>::ALL.iter().map(|word| word.as_str()), $about)
        }
    )*};
}

lists! {
    kinds, maybe_kinds: Kind, "Kind of memory";
    categories, maybe_categories: Category, "Category";
    sources, maybe_sources: Source, "Source";
    knowledges, maybe_knowledges: Knowledge, "Source of the knowledge";
    tiers, maybe_tiers: Tier, "Tier (retention period)";
    zones, maybe_zones: Zone, "Zone (closeness to working memory)";
    reasons, maybe_reasons: CliffReason, "Reason it was forgotten";
    link_kinds, maybe_link_kinds: LinkKind, "Kind of link";
    principals, maybe_principals: Principal, "Principal";
    operations, maybe_operations: Op, "Operation";
    roles, maybe_roles: Role, "Role";
    verdicts, maybe_verdicts: CandidateVerdict, "Verdict";
    candidate_types, maybe_candidate_types: CandidateType, "Type of candidate";
    fact_categories, maybe_fact_categories: FactCategory, "Category of the fact";
    statement_groups, maybe_statement_groups: StatementGroup, "What the statement is about";
    statement_statuses, maybe_statement_statuses: StatementStatus, "When the statement holds";
    axes, maybe_axes: Axis, "One of the five axes";
    levels, maybe_levels: IntimacyLevel, "Level of intimacy";
    styles, maybe_styles: SpeechStyle, "Speech style";
    emotions, maybe_emotions: Emotion, "Emotion";
    rhythm_phases, maybe_rhythm_phases: RhythmPhase, "Rhythm phase of the dialogue";
    island_statuses, maybe_island_statuses: IslandStatus, "Status";
    self_reasons, maybe_self_reasons: SelfReason, "Reason of the version";
    proposal_kinds, maybe_proposal_kinds: ProposalKind, "Kind of change";
    proposal_statuses, maybe_proposal_statuses: ProposalStatus, "Status";
    triggers, maybe_triggers: Trigger, "Trigger";
    job_kinds, maybe_job_kinds: JobKind, "Kind of job";
    causes, maybe_causes: Cause, "Reason why a model's answer could not be used";
}

/// Returns the schema of a list of emotions.
pub(crate) fn emotion_list() -> Schema {
    ArrayBuilder::new().items(utoipa::openapi::RefOr::T(emotions())).description(Some("Emotions")).build().into()
}

/// Returns the schema of a list of mind patterns.
pub(crate) fn patterns() -> Schema {
    let (end, within) = (r"[^\s*/%\u0000-\u001f\u007f-\u009f]", r"[^*/%\u0000-\u001f\u007f-\u009f]");
    let name = format!(r"(\*|{end}({within}{{0,198}}{end})?)");
    let pattern = format!(r"^(\*|{name}/{name}(/{name})?)$");
    let one = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).build();
    let about = "Minds: `user/character[/work]` with `*` for any name";
    ArrayBuilder::new().items(utoipa::openapi::RefOr::T(Schema::from(one))).description(Some(about)).build().into()
}

/// Maximum length of a tag or name, in characters.
pub(crate) const LONGEST_LABEL: usize = 200;

/// Maximum number of tags per memory.
pub(crate) const MOST_LABELS: usize = 100;

/// Maximum number of people.
pub(crate) const MOST_PEOPLE: usize = 100;

fn short_list(kind: SchemaType, most: usize, about: &str) -> Schema {
    let one = ObjectBuilder::new().schema_type(Type::String).max_length(Some(LONGEST_LABEL)).build();
    let list = ArrayBuilder::new().schema_type(kind).items(utoipa::openapi::RefOr::T(Schema::from(one))).max_items(Some(most));
    list.description(Some(about)).build().into()
}

/// Returns the schema of a list of tags.
pub(crate) fn label_list() -> Schema {
    short_list(Type::Array.into(), MOST_LABELS, "Tags")
}

/// Returns the schema of an optional list of tags.
pub(crate) fn maybe_label_list() -> Schema {
    short_list(SchemaType::from_iter([Type::Array, Type::Null]), MOST_LABELS, "Tags")
}

/// Returns the schema of a list of people.
pub(crate) fn people_list() -> Schema {
    short_list(Type::Array.into(), MOST_PEOPLE, "Other characters who are present")
}

/// Pattern of an id.
pub(crate) const ID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

fn list_like(pattern: &str, about: &str) -> Schema {
    let one = ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).build();
    let list = ArrayBuilder::new().items(utoipa::openapi::RefOr::T(Schema::from(one))).max_items(Some(100));
    list.description(Some(about)).build().into()
}

/// Returns the schema of a list of memories, by id or some digits of it.
pub(crate) fn memory_list() -> Schema {
    list_like("^[0-9a-f-]{4,36}$", "Ids of memories, or some of their digits")
}

/// Returns the schema of a list of ids.
pub(crate) fn id_list() -> Schema {
    list_like(&format!("^{ID}$"), "Ids of memories")
}

/// Pattern of a text that is not blank, for any regex dialect's definition of whitespace. The leading whitespace class
/// and the first visible character are disjoint, so that matching does not backtrack.
const TEXT: &str = r"^[\s\u0001-\u0020\u007f-\u00a0\ufeff]*[^\s\u0000-\u0020\u007f-\u00a0\ufeff][^\u0000]*$";

fn text(kinds: SchemaType) -> Schema {
    let text = ObjectBuilder::new().schema_type(kinds).min_length(Some(1)).max_length(Some(LONGEST_CONTENT));
    text.pattern(Some(TEXT)).description(Some("Text")).build().into()
}

/// Returns the schema of a text.
pub(crate) fn texts() -> Schema {
    text(Type::String.into())
}

/// Returns the schema of an optional text.
pub(crate) fn maybe_texts() -> Schema {
    text(SchemaType::from_iter([Type::String, Type::Null]))
}

/// Returns the schema of an optional time: RFC 3339, or a date for its first moment in UTC. Limited to the end of 9998,
/// so that no UTC offset leaves the supported range.
pub(crate) fn maybe_moments() -> Schema {
    let either = SchemaType::from_iter([Type::String, Type::Null]);
    let year = "([0-8][0-9]{3}|9([0-8][0-9]{2}|9([0-8][0-9]|9[0-8])))";
    let leap = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)";
    let day = "((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))";
    let time = r"T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])";
    let pattern = format!("^({year}-{day}|{leap}-02-29)({time})?$");
    let about = "Time like 2026-03-15T18:30:00+09:00, or date like 2026-03-15, which starts at midnight UTC";
    ObjectBuilder::new().schema_type(either).pattern(Some(pattern)).description(Some(about)).build().into()
}
