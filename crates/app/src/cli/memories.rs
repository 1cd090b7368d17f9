//! Arguments of the commands for memories.

use clap::Args;
use saegim_core::{Category, Emotion, Invalid, Kind, RhythmPhase, Tier, Timestamp, Unit, Zone, phrase};

#[derive(Args)]
pub(crate) struct IdArgs {
    /// Id, or its first or last digits
    pub(crate) id: String,
}

#[derive(Args)]
pub(crate) struct RememberArgs {
    /// Text to remember; `-` reads standard input
    pub(crate) text: String,
    /// Importance, 0 to 1 [default: inferred from the text]
    #[arg(long, value_name = "0..1", value_parser = share)]
    pub(crate) importance: Option<Unit>,
    /// Emotion; repeatable [default: inferred from the text]
    #[arg(long = "emotion", value_name = "EMOTION", value_parser = Emotion::parse)]
    pub(crate) emotions: Vec<Emotion>,
    /// Intensity of the emotion, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = share, requires = "emotions")]
    pub(crate) intensity: Option<Unit>,
    /// Tag; repeatable
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Retention period: M30, M90, M365, or M0 (permanent)
    #[arg(long, value_parser = Tier::parse)]
    pub(crate) tier: Option<Tier>,
    /// Pin the memory: it keeps its strength and is never forgotten automatically
    #[arg(long)]
    pub(crate) pin: bool,
    /// episodic, semantic or emotional
    #[arg(long, value_parser = Kind::parse)]
    pub(crate) kind: Option<Kind>,
    /// identity, people, preferences, caution, shared_events, requests or situation
    #[arg(long, value_parser = Category::parse)]
    pub(crate) category: Option<Category>,
    /// Session the memory belongs to
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Project the memory belongs to
    #[arg(long)]
    pub(crate) project: Option<String>,
    /// Domain the memory belongs to
    #[arg(long)]
    pub(crate) domain: Option<String>,
    /// Idempotency key: a repeated request with the same key has no further effect
    #[arg(long, value_name = "KEY")]
    pub(crate) idempotency_key: Option<String>,
}

#[derive(Args)]
pub(crate) struct RecallArgs {
    /// Question or keywords
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// Maximum number of memories
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) limit: u16,
    /// Show the parts of each score
    #[arg(long)]
    pub(crate) explain: bool,
    /// Record the results as used, which counts as a recall
    #[arg(long)]
    pub(crate) used: bool,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
}

#[derive(Args)]
pub(crate) struct FilterArgs {
    /// Only memories created at or after this time
    #[arg(long, value_parser = Timestamp::parse)]
    since: Option<Timestamp>,
    /// Only memories created before this time
    #[arg(long, value_parser = Timestamp::parse)]
    until: Option<Timestamp>,
    /// Only this session
    #[arg(long)]
    session: Option<String>,
    /// Only this persona
    #[arg(long)]
    persona: Option<String>,
    /// Only this project
    #[arg(long)]
    project: Option<String>,
    /// Only this domain
    #[arg(long)]
    domain: Option<String>,
    /// Only this kind
    #[arg(long, value_parser = Kind::parse)]
    kind: Option<Kind>,
    /// Only this category
    #[arg(long, value_parser = Category::parse)]
    category: Option<Category>,
    /// Only this tier
    #[arg(long, value_parser = Tier::parse)]
    tier: Option<Tier>,
    /// Only this zone
    #[arg(long, value_parser = Zone::parse)]
    zone: Option<Zone>,
    /// Only memories with this emotion
    #[arg(long, value_parser = Emotion::parse)]
    emotion: Option<Emotion>,
    /// Only memories with this tag; repeatable
    #[arg(long = "tag")]
    tags: Vec<String>,
    /// Only memories of at least this importance
    #[arg(long, value_name = "0..1", value_parser = share)]
    min_importance: Option<Unit>,
    /// Only memories with this rhythm phase: integration, reflection, planning or exploration
    #[arg(long, value_name = "PHASE", value_parser = RhythmPhase::parse)]
    rhythm: Option<RhythmPhase>,
    /// Only memories with this emotion keyword; repeatable, one of them is enough
    #[arg(long = "emotion-keyword", value_name = "WORD")]
    emotion_keywords: Vec<String>,
}

impl FilterArgs {
    pub(crate) fn filter(self) -> Result<saegim_engine::Filter, saegim_core::Invalid> {
        Ok(saegim_engine::Filter {
            since: self.since,
            until: self.until,
            session: self.session.map(saegim_core::SessionId::new).transpose()?,
            persona: self.persona,
            project: self.project,
            domain: self.domain,
            kind: self.kind,
            category: self.category,
            tier: self.tier,
            zone: self.zone,
            emotion: self.emotion,
            tags: self.tags,
            least_importance: self.min_importance,
            rhythm_phase: self.rhythm,
            emotion_keywords: self.emotion_keywords,
        })
    }
}

#[derive(Args)]
pub(crate) struct EditArgs {
    /// Id, or its first or last digits
    pub(crate) id: String,
    /// New text
    pub(crate) text: Option<String>,
    /// New importance, 0 to 1
    #[arg(long, value_name = "0..1", value_parser = share)]
    pub(crate) importance: Option<Unit>,
    /// New emotion; repeatable
    #[arg(long = "emotion", value_name = "EMOTION", value_parser = Emotion::parse)]
    pub(crate) emotions: Vec<Emotion>,
    /// New tag; repeatable
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// New tier; the retention period restarts now
    #[arg(long, value_parser = Tier::parse)]
    pub(crate) tier: Option<Tier>,
    /// Mark the memory as one that changed the character's behaviour, so that it is kept longer; `false` removes the mark
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) changed_behaviour: Option<bool>,
}

#[derive(Args)]
pub(crate) struct ForgetArgs {
    /// Id, or its first or last digits
    #[arg(required_unless_present_any = ["session", "tags"], conflicts_with_all = ["session", "tags", "preview"])]
    pub(crate) id: Option<String>,
    /// Forget every memory of this session
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Forget every memory with this tag; if repeated, only memories that have all given tags
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Show what would be forgotten, and change nothing
    #[arg(long)]
    pub(crate) preview: bool,
    /// Forget it even if it is a core memory
    #[arg(long)]
    pub(crate) core: bool,
}

fn share(text: &str) -> Result<Unit, Invalid> {
    let number = text.parse().map_err(|_| Invalid::new("share", phrase!("command.cli.not_a_share", text)));
    Unit::new(number?)
}
