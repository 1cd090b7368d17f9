//! Judges the content of a turn: scores each finding as a candidate by six factors, settles facts first, then decides admission
//! by how surprising the finding is.

use saegim_core::{
    Admission, Again, Candidate, CandidateId, CandidateType, CandidateVerdict, Category, Change, ContentType, Coordinate, Embedding,
    EventSentence, FactCategory, FactId, Factors, Knowledge, Language, Memory, MemoryId, MemoryState, Novelty, Phrase, Role, Sameness,
    Settled, Source, StatementId, Thought, Tier, Turn, TurnId, Unit, Worth, Zone, admit, is_habit, phrase, recurrence, restated, sameness,
    told_apart,
};
use saegim_provider::rules::RuleValues;
use saegim_provider::{About, Claim, Finding, LeftAlone, Reading};
use saegim_store::{Filter, VectorSearch};

use crate::engine::no_vectors;
use crate::intake::classify::{category_of, kind_of};
use crate::intake::habit::{Before, Habit};
use crate::intake::observe::{FactNews, Working};
use crate::intake::stated_facts::{may_be_fact, statement};
use crate::lifecycle::essences::NewMention;
use crate::{Draft, EngineError, MindHandle};

/// Number of nearest memories to compare a finding with.
const NEAREST: usize = 5;

/// A turn to judge.
pub(crate) struct Judgement<'a> {
    pub(crate) turn: &'a Turn,
    pub(crate) reading: &'a Reading,
    /// Memories that were in the prompt of the answer. A finding that restates one of them is an echo.
    pub(crate) injected: &'a [Memory],
}

/// The most similar memory that can have the same meaning as a finding.
#[derive(Clone)]
struct Near {
    memory: Memory,
    similarity: Unit,
}

/// A finding with the results of the fact and similarity lookups.
struct Weighing<'a> {
    judgement: &'a Judgement<'a>,
    finding: &'a Finding,
    settled: Settled,
    near: Option<Near>,
    /// Earlier turns about the same habit or topic; empty if the finding is not one.
    told: Before,
}

impl MindHandle {
    /// Judges every finding in a turn and records a candidate for each sentence the thinker skipped.
    pub(crate) async fn judge(&self, working: &mut Working<'_>, judgement: &Judgement<'_>) -> Result<(), EngineError> {
        for (text, why) in &judgement.reading.left_alone {
            if judgement.turn.role == Role::User || *why == LeftAlone::Instruction {
                let candidate = self.left_alone(judgement.turn, text, *why);
                working.candidates.push(candidate);
            }
        }
        for finding in &judgement.reading.findings {
            // Only the user can ask to remember something. A character that says "I remember" does not ask for it.
            let remember_this = finding.remember_this && judgement.turn.role == Role::User;
            self.weigh_finding(working, judgement, &Finding { remember_this, ..finding.clone() }).await?;
        }
        if let Some(finding) = self.passed_over(judgement.turn, judgement.reading).await? {
            self.weigh_finding(working, judgement, &finding).await?;
        }
        Ok(())
    }

    fn left_alone(&self, turn: &Turn, text: &str, why: LeftAlone) -> Candidate {
        let (verdict, reason) = match why {
            LeftAlone::SmallTalk => (CandidateVerdict::Skipped, phrase!("small talk", "인사나 잡담")),
            LeftAlone::Question => (CandidateVerdict::Skipped, phrase!("a question", "질문")),
            LeftAlone::Hypothetical => (CandidateVerdict::Skipped, phrase!("hypothetical", "가정")),
            LeftAlone::Quote => (CandidateVerdict::Skipped, phrase!("quoted from someone else", "다른 사람의 말을 옮김")),
            LeftAlone::Joke => (CandidateVerdict::Skipped, phrase!("a joke", "농담")),
            LeftAlone::Ignorance => {
                (CandidateVerdict::Rejected, phrase!("states only what is not known", "모른다는 말이라 배울 내용이 없음"))
            }
            LeftAlone::Instruction => (
                CandidateVerdict::Held,
                phrase!(
                    "looks like an instruction to the memory; held for the owner",
                    "기억에 내리는 명령처럼 보여 소유자의 결정을 기다림"
                ),
            ),
        };
        let policy = &self.policy().candidate;
        let kind = CandidateType::SmallTalk;
        let factors = Factors { type_weight: Unit::clamped(kind.weight(policy)), ..Factors::default() };
        Candidate {
            id: CandidateId::new(turn.at, self.inner.config.dice.chance()),
            turn: turn.id,
            content: text.to_owned(),
            candidate_type: kind,
            factors,
            score: Unit::clamped(factors.score(policy).total()),
            verdict,
            reason: said_in(text, &reason),
            memory: None,
        }
    }

    async fn weigh_finding(&self, working: &mut Working<'_>, judgement: &Judgement<'_>, finding: &Finding) -> Result<(), EngineError> {
        let (turn, policy) = (judgement.turn, self.policy());
        let settled = match &finding.claim {
            Some(claim) if may_be_fact(turn, finding) => self.settle(working, turn, (finding, claim)),
            _ => Settled::Nothing,
        };
        let hopeful = self.may_be_kept(finding);
        let as_habit = self.habit_of(working, finding);
        let near = if hopeful { self.near(working, (finding, &as_habit)).await? } else { None };
        let known = near.as_ref().is_some_and(|near| near.similarity.get() >= policy.admission.known_from);
        let told = if hopeful { self.told_before(working, turn, (finding, &as_habit)).await? } else { Before::default() };
        // A habit is worded differently each time, so enough earlier mentions count as the same memory mentioned again.
        let event = is_habit(finding.candidate_type, told.times(), &policy.candidate);
        let habit = event || told.is_topic() && told.times() >= policy.candidate.seen_fully;
        // A finding that scores high enough without its mentions is stored on its own, even if its topic already has a memory.
        let own = !event && self.score_of(finding, Novelty::New, 1).get() >= policy.candidate.promoted_from;
        let mut again = event && near.as_ref().is_some_and(|near| self.is_related(near) && as_habit.is_of(&near.memory));
        let (mut near, mut has_memory) = (near, false);
        if habit && !again && !known {
            let of_topic = self.memory_of_topic(working, (&finding.content, &told)).await?;
            has_memory = of_topic.is_some();
            again = has_memory && !own;
            near = of_topic
                .filter(|_| again)
                .map(|memory| Near { memory, similarity: Unit::clamped(policy.admission.predictable_from) })
                .or(near);
        }
        let same = known || again;
        let novelty = match &settled {
            Settled::Superseded { .. } | Settled::Ended(_) => Novelty::Changed,
            Settled::Mentioned(_) => Novelty::Same,
            Settled::New(_) | Settled::Past(_) => Novelty::New,
            Settled::Nothing if same => Novelty::Same,
            Settled::Nothing => Novelty::New,
        };
        let seen = match &settled {
            Settled::Mentioned(fact) => working.present.facts.get(*fact).map_or(1, |fact| fact.mentions),
            _ => near.as_ref().filter(|_| same).map_or(0, |near| near.memory.mentions.saturating_add(2)).max(told.times()),
        };
        let finding = &self.after_tellings(finding, seen);
        let factors = self.factors(finding, novelty, seen);
        let score = self.score_of(finding, novelty, seen);
        let mut candidate = Candidate {
            id: CandidateId::new(turn.at, self.inner.config.dice.chance()),
            turn: turn.id,
            content: finding.content.clone(),
            candidate_type: finding.candidate_type,
            factors,
            score,
            verdict: CandidateVerdict::Skipped,
            reason: String::new(),
            memory: None,
        };
        if let Some(echoed) = self.echoes(judgement, working, finding) {
            (candidate.verdict, candidate.reason) = (CandidateVerdict::Rejected, echoed);
        } else if !finding.remember_this && score.get() < policy.candidate.promoted_from {
            let (score, least) = told_apart(score.get(), policy.candidate.promoted_from);
            candidate.reason =
                said_in(&finding.content, &phrase!("score {score} is below {least}", "{score}점으로 기준 {least}점보다 낮음"));
        } else {
            let told = if habit && !known && (again || !has_memory) { told } else { Before::default() };
            let weighing = Weighing { judgement, finding, settled, near, told };
            match (&weighing.settled, weighing.near.clone()) {
                (Settled::Mentioned(fact), _) => self.mentioned(working, (*fact, weighing), &mut candidate).await?,
                (_, Some(near)) if again && !known => {
                    let told = self.told_by(working, &near.memory, &weighing.told);
                    self.reinforce(working, (near, &told), &mut candidate).await?;
                    let reason = match weighing.told.is_topic() {
                        true => phrase!("mentioned {seen} times; strengthened", "{seen}번 나온 이야기, 선명도 올라감"),
                        false => phrase!("mentioned {seen} times: a habit; strengthened", "{seen}번 나온 이야기: 습관, 선명도 올라감"),
                    };
                    candidate.reason = said_in(&finding.content, &reason);
                }
                _ => self.admit(working, weighing, &mut candidate).await?,
            }
        }
        working.candidates.push(candidate);
        Ok(())
    }

    fn factors(&self, finding: &Finding, novelty: Novelty, seen: u32) -> Factors {
        let policy = &self.policy().candidate;
        // Strong emotion raises the future impact: the impact moves toward 1 in proportion to intensity / great_intensity.
        let moved = (finding.feeling.intensity.get() / self.policy().admission.great_intensity.max(f32::EPSILON)).min(1.0);
        let impact = finding.future_impact.get() + (1.0 - finding.future_impact.get()) * moved;
        Factors {
            type_weight: Unit::clamped(finding.candidate_type.weight(policy)),
            confidence: finding.confidence,
            future_impact: Unit::clamped(impact),
            emotion_intensity: finding.feeling.intensity,
            recurrence: recurrence(seen, policy),
            novelty: novelty.value(policy),
        }
    }

    /// Checks whether a finding can reach the promotion score in the best case (new and mentioned often). Only such findings are
    /// embedded.
    pub(crate) fn may_be_kept(&self, finding: &Finding) -> bool {
        let policy = &self.policy().candidate;
        let best = self.score_of(&self.after_tellings(finding, policy.seen_fully), Novelty::New, policy.seen_fully);
        finding.remember_this || best.get() >= policy.promoted_from
    }

    fn score_of(&self, finding: &Finding, novelty: Novelty, seen: u32) -> Unit {
        Unit::clamped(self.factors(finding, novelty, seen).score(&self.policy().candidate).total())
    }

    /// Records the statement of a finding and updates the facts. Skips behaviour claims and claims with low confidence.
    fn settle(&self, working: &mut Working<'_>, turn: &Turn, (finding, claim): (&Finding, &Claim)) -> Settled {
        let id = StatementId::new(turn.at, self.inner.config.dice.chance());
        let statement = statement(id, turn, (finding, claim));
        if claim.category == FactCategory::Behaviour || finding.confidence.get() < self.policy().candidate.fact_confidence {
            return Settled::Nothing;
        }
        let settled = working.present.facts.state(&statement, &RuleValues);
        working.news.extend(FactNews::of(&settled, &working.present, (&claim.subject, &claim.value)));
        working.commit.changes.push(Change::Stated(Box::new(statement)));
        let touched: Vec<Change> = settled
            .touched()
            .into_iter()
            .filter_map(|id| working.present.facts.get(id))
            .map(|fact| Change::FactSet(Box::new(fact.clone())))
            .collect();
        working.commit.changes.extend(touched);
        settled
    }

    /// Returns the rejection reason if a finding of the character only repeats injected memories or known facts.
    fn echoes(&self, judgement: &Judgement<'_>, working: &Working<'_>, finding: &Finding) -> Option<String> {
        if judgement.turn.role == Role::User || finding.remember_this {
            return None;
        }
        let share = self.policy().admission.echo_share;
        let injected = judgement.injected.iter().any(|memory| restated(&finding.content, &memory.content) >= share);
        // If the character mentions a known fact value, it comes from the prompt, so it is not new information.
        let known = working.present.facts.current().any(|fact| fact.value.chars().count() > 1 && finding.content.contains(&fact.value));
        (injected || known).then(|| said_in(&finding.content, &phrase!("repeats text from the prompt", "프롬프트에 있던 내용을 반복함")))
    }

    /// Returns the most similar memory that can have the same meaning, including memories created in this exchange.
    async fn near(&self, working: &mut Working<'_>, (finding, habit): (&Finding, &Habit)) -> Result<Option<Near>, EngineError> {
        self.embed(working, &[finding.content.as_str()]).await;
        let Some(vector) = working.vectors.get(&finding.content).cloned() else { return Ok(None) };
        let Some(embedder) = self.inner.config.embedder.clone() else { return Ok(None) };
        let calibration = embedder.calibration();
        let least = self.policy().admission.predictable_from;
        let known = self.nearest(&vector).await?.into_iter().map(|(id, cosine)| (id, calibration.similarity(cosine)));
        let mut nearest: Vec<(MemoryId, Unit)> = known.filter(|(_, similarity)| similarity.get() >= least).collect();
        let born = working.born.iter().filter_map(|(memory, other)| Some((memory.id, vector.cosine(other.as_ref()?))));
        nearest.extend(born.map(|(id, cosine)| (id, calibration.similarity(cosine))));
        nearest.sort_by(|(_, a), (_, b)| b.get().total_cmp(&a.get()));
        let own = EventSentence { text: &finding.content, sentiment: finding.feeling.sentiment };
        let fully = self.policy().candidate.seen_fully;
        for (id, similarity) in nearest {
            let newborn = working.born.iter().map(|(memory, _)| memory).find(|memory| memory.id == id);
            let known = match working.memories.get(&id).or(newborn) {
                Some(memory) => Some(memory.clone()),
                None => self.store().memories(self.id, &[id]).await?.pop(),
            };
            let Some(near) = known.map(|memory| Near { memory, similarity }) else { continue };
            let known = EventSentence { text: &near.memory.content, sentiment: near.memory.feeling.sentiment };
            // Skip memories that say something different or less than the finding. A repeated habit is an exception: it matches
            // its memory even in other words.
            let means = !matches!(sameness(own, known), Sameness::Other | Sameness::More);
            if means || self.is_related(&near) && habit.tells_again(&near.memory, fully) {
                return Ok(Some(near));
            }
        }
        Ok(None)
    }

    /// Checks whether the similarity is at least the threshold for a predictable finding.
    fn is_related(&self, near: &Near) -> bool {
        near.similarity.get() >= self.policy().admission.predictable_from
    }

    /// Returns the nearest memories with their uncalibrated cosines.
    async fn nearest(&self, vector: &Embedding) -> Result<Vec<(MemoryId, f32)>, EngineError> {
        if let Some(index) = self.retrieval().index().await? {
            let (index, quantised) = (index.read_owned().await, vector.quantised());
            return Ok(index.nearest(&quantised, NEAREST));
        }
        let search = VectorSearch { mind: self.id, embedder: self.embedder_id(), vector, filter: &Filter::default(), limit: NEAREST };
        match self.store().by_vector(search).await {
            Ok(hits) => Ok(hits.into_iter().map(|hit| (hit.memory, hit.cosine)).collect()),
            Err(error) if no_vectors(&error).is_some() => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Decides admission by surprise. A changed fact value is never skipped as predictable, because facts are settled first.
    async fn admit(&self, working: &mut Working<'_>, weighing: Weighing<'_>, candidate: &mut Candidate) -> Result<(), EngineError> {
        let Weighing { judgement, finding, settled, near, told } = weighing;
        let (policy, habit) = (self.policy(), !told.turns.is_empty());
        let mut memory = self.conceived(working, judgement, finding).await?;
        if habit {
            if finding.claim.is_none() {
                memory.category = Some(Category::SharedEvents);
            }
            memory.mentions = told.turns.len() as u32;
            memory.turns.splice(0..0, told.turns.iter().map(|turn| turn.id));
        }
        let similarity = near.as_ref().map_or(Unit::ZERO, |near| near.similarity);
        let changed = matches!(settled, Settled::New(_) | Settled::Superseded { .. } | Settled::Ended(_) | Settled::Past(_));
        let weight = if self.is_great(finding) { Worth::Great(memory.importance) } else { Worth::Ordinary(memory.importance) };
        // A habit (mentioned three times) is always worth storing, however similar other memories are. A finding that is already
        // known is not stored again just because it settled a fact again.
        let known = similarity.get() >= policy.admission.known_from;
        let judged = if habit || !known && (changed || finding.remember_this) {
            admit(Unit::clamped(similarity.get().min(policy.admission.predictable_from - 1e-3)), weight, &policy.admission)
        } else {
            admit(similarity, weight, &policy.admission)
        };
        match (judged, near) {
            (Admission::NotNew, Some(mut near)) => {
                near.memory.remember_this |= finding.remember_this;
                self.reinforce(working, (near, &[]), candidate).await?;
            }
            (Admission::Expected | Admission::NotNew, _) => {
                let alike = similarity.get();
                let reason = phrase!("predictable (similarity {alike:.2})", "예상할 수 있는 내용 (유사도 {alike:.2})");
                candidate.reason = said_in(&finding.content, &reason);
            }
            (Admission::Predictable(importance) | Admission::Surprising(importance), _) => {
                memory.importance = importance;
                memory.appraisal = memory.appraisal.map(|appraisal| appraisal.max(importance));
                candidate.verdict = CandidateVerdict::Stored;
                let alike = similarity.get();
                let reason = match judged {
                    Admission::Predictable(_) => {
                        phrase!("similar to a known memory ({alike:.2}), but important", "아는 내용과 비슷하지만({alike:.2}) 중요함")
                    }
                    _ if finding.remember_this => phrase!("requested to be remembered", "기억해 달라고 요청함"),
                    _ if told.is_topic() => phrase!("mentioned {} times", "{}번 나온 이야기", memory.mentions + 1),
                    _ if habit => phrase!("mentioned {} times: a habit", "{}번 나온 이야기: 습관", memory.mentions + 1),
                    _ => phrase!("new (similarity {alike:.2})", "새로운 내용 (유사도 {alike:.2})"),
                };
                candidate.reason = said_in(&finding.content, &reason);
                candidate.memory = Some(memory.id);
                let vector = working.vectors.get(&memory.content).cloned();
                working.born.push((memory, vector));
            }
        }
        Ok(())
    }

    /// Admits a held candidate after the owner approved it, as if the user had asked to remember it. Returns the new memory, or
    /// `None` if it was already known.
    pub(crate) async fn admit_held(
        &self,
        working: &mut Working<'_>,
        id: CandidateId,
        content: &str,
    ) -> Result<Option<MemoryId>, EngineError> {
        let gone = || EngineError::NotFound(phrase!("the message no longer exists", "이제 없는 메시지예요"));
        let mut candidate = self.store().candidate(self.id, id).await?.ok_or_else(gone)?;
        let turn = self.store().turns_by_id(self.id, &[candidate.turn]).await?.pop().ok_or_else(gone)?;
        let feeling = self.models().think(Thought::Feel, |thinker| thinker.feel(content)).await.unwrap_or_default();
        let finding = Finding {
            content: content.to_owned(),
            candidate_type: CandidateType::Fact,
            about: About::Both,
            claim: None,
            feeling,
            confidence: Unit::ONE,
            future_impact: Unit::clamped(0.5),
            remember_this: turn.role == Role::User,
            corrects: false,
            appraisal: None,
        };
        let habit = self.habit_of(working, &finding);
        let near = self.near(working, (&finding, &habit)).await?;
        let reading = Reading::default();
        let judgement = Judgement { turn: &turn, reading: &reading, injected: &[] };
        let weighing = Weighing { judgement: &judgement, finding: &finding, settled: Settled::Nothing, near, told: Before::default() };
        self.admit(working, weighing, &mut candidate).await?;
        Ok(candidate.memory.filter(|_| candidate.verdict == CandidateVerdict::Stored))
    }

    /// Handles a fact that was mentioned again: reinforces its memory instead of creating a second one.
    async fn mentioned(
        &self,
        working: &mut Working<'_>,
        (fact, weighing): (FactId, Weighing<'_>),
        candidate: &mut Candidate,
    ) -> Result<(), EngineError> {
        let Weighing { finding, near, .. } = weighing;
        let turns = working.present.facts.get(fact).map(|fact| fact.turns.clone()).unwrap_or_default();
        let mut known = near.filter(|near| turns.iter().any(|turn| near.memory.turns.contains(turn)));
        for turn in turns.iter().filter(|turn| **turn != candidate.turn) {
            if known.is_none() {
                let learned = self.store().learned_from(self.id, *turn).await?;
                let alive = learned.into_iter().filter(|memory| memory.standing == MemoryState::Alive);
                let telling =
                    alive.max_by(|a, b| restated(&finding.content, &a.content).total_cmp(&restated(&finding.content, &b.content)));
                known = telling
                    .map(|memory| Near { memory: working.memories.get(&memory.id).cloned().unwrap_or(memory), similarity: Unit::ONE });
            }
        }
        match known {
            Some(mut near) => {
                near.memory.remember_this |= finding.remember_this;
                self.reinforce(working, (near, &[]), candidate).await?;
                candidate.reason = said_in(&finding.content, &phrase!("already known; strengthened", "이미 아는 내용, 선명도 올라감"));
            }
            None => candidate.reason = said_in(&finding.content, &phrase!("already known as a fact", "이미 사실로 알고 있음")),
        }
        Ok(())
    }

    /// Reinforces a known memory and counts this mention and the earlier mentions (`told`) that were not counted yet.
    async fn reinforce(
        &self,
        working: &mut Working<'_>,
        (near, told): (Near, &[TurnId]),
        candidate: &mut Candidate,
    ) -> Result<(), EngineError> {
        candidate.verdict = CandidateVerdict::Reinforced;
        let alike = near.similarity.get();
        let reason = phrase!("already known (similarity {alike:.2}); strengthened", "이미 아는 내용 (유사도 {alike:.2}), 선명도 올라감");
        candidate.reason = said_in(&near.memory.content, &reason);
        candidate.memory = Some(near.memory.id);
        let turns = working.present.turns;
        let heard: Vec<TurnId> = told.iter().copied().chain([candidate.turn]).collect();
        let strength = |memory: &mut Memory| {
            if memory.source != Source::Distillation {
                memory.strength = memory.strength.renewed(turns, &memory.fading(), &self.policy().strength);
            }
            memory.remember_this |= near.memory.remember_this;
            memory.heard_in(&heard);
        };
        if let Some((memory, _)) = working.born.iter_mut().find(|(memory, _)| memory.id == near.memory.id) {
            strength(memory);
            return Ok(());
        }
        let mut known = working.memories.remove(&near.memory.id).unwrap_or_else(|| near.memory.clone());
        strength(&mut known);
        let at = candidate.id.made_at();
        if known.source == Source::Distillation {
            known = known.told_again(Again { times: 0, told_at: at, at, turn: turns }, self.policy());
        }
        working.memories.insert(known.id, known);
        self.lifecycle()
            .essences_with_mentions(working, NewMention { memory: near.memory.id, turns: &heard, text: &candidate.content }, at)
            .await
    }

    /// Builds the memory for a finding without storing it.
    async fn conceived(&self, working: &Working<'_>, judgement: &Judgement<'_>, finding: &Finding) -> Result<Memory, EngineError> {
        let turn = judgement.turn;
        let began = working.present.window.iter().find(|other| other.session == turn.session).map_or(turn.at, |first| first.at);
        let draft = Draft {
            content: finding.content.clone(),
            kind: Some(kind_of(finding)),
            category: category_of(finding),
            source: Some(if matches!(turn.role, Role::System | Role::Event) { Source::Observation } else { Source::Conversation }),
            tier: Some(Tier::M30),
            born: Some(turn.at),
            // The reading already contains the emotions, so they are not analysed again.
            emotions: Some(finding.feeling.emotions),
            appraisal: finding.appraisal,
            coordinate: Coordinate {
                session: Some(turn.session.clone()),
                sequence: Some(turn.sequence),
                minutes: Some(turn.at.since(began).as_millis() as f64 / 60_000.0),
                persona_name: turn.speaker.clone(),
                content_type: Some(match turn.role {
                    Role::User => ContentType::UserInput,
                    Role::Assistant | Role::Persona => ContentType::PersonaResponse,
                    Role::System | Role::Event => ContentType::SystemEvent,
                }),
                ..Coordinate::default()
            },
            ..Draft::default()
        };
        let mut memory = self.conceive(draft).await?;
        memory.feeling = finding.feeling.clone();
        memory.turns = vec![turn.id];
        memory.remember_this = finding.remember_this;
        memory.original_event = (memory.content != turn.content).then(|| turn.content.clone());
        memory.knowledge = if turn.role == Role::Persona { Knowledge::Told } else { Knowledge::Witnessed };
        memory.trust = Unit::clamped(match turn.role {
            Role::User => 1.0,
            Role::System | Role::Event => 0.7,
            Role::Assistant | Role::Persona => 0.5,
        });
        memory.importance = memory.weighed(0, &self.policy().importance);
        // The zone is computed for the time of the turn, which can be in the past (imports).
        let score = memory.nearness(Unit::ZERO).score(turn.at, &self.policy().zone);
        memory.zone_score = score;
        memory.zone = self.lifecycle().occupancy().await?.zone(Zone::of(score, &self.policy().zone), &self.policy().zone);
        Ok(memory)
    }
}

/// Returns the reason in the language of `text`.
fn said_in(text: &str, reason: &Phrase) -> String {
    reason.in_language(Language::of(text)).to_owned()
}
