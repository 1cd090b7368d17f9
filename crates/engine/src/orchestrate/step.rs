//! One step: past examples, the prompt, the answer, the phase, the coordinate, and one commit with all of it.

use std::sync::Arc;

use saegim_core::{
    AnswerSigns, Balance, BqiPlace, BqiSnapshot, Change, ContentType, Coordinate, DEFAULT_BACKEND, Failure, Knowledge, LedgerCoordinate,
    LedgerRef, Link, LinkKind, Memory, Op, Orchestration, OrchestrationStep, Persona, PhaseState, PlanAdjustments, RULES_BACKEND, Session,
    Source, Thing, Thought, Unit, bqi, evaluated, phrase, step_importance, tokens,
};
use saegim_language::{
    AnswerInContext, PastExample, PersonaPrompt, RememberedEvidence, RuleThinker, VoiceFrom, answer_signs, bqi_cues, persona_prompt,
    prompt_digest, voice_actions, voice_answer,
};
use saegim_provider::LanguageModel;

use super::Orchestrator;
use super::examples::TAG;
use super::run::{DOMAIN, OrchestratedStep, OrchestrationEvent, PROJECT};
use crate::{Draft, EngineError};

/// Share of the words of a past example from which an answer used it.
const USED: f32 = 0.4;

/// An answer and where it came from.
struct Answer {
    text: String,
    backend: String,
    failure: Failure,
    /// Memories that the answer quotes.
    quoted: Vec<Memory>,
}

/// What a step is asked.
struct Asked<'a> {
    persona: &'a Persona,
    seed: &'a str,
    depth: u32,
    examples: &'a [Memory],
    /// Earlier answers of the run.
    earlier: &'a [Memory],
    balance: Option<Balance>,
    prompt: String,
}

/// What one step commits.
struct Made<'a> {
    asked: &'a Asked<'a>,
    answer: Answer,
    memory: Memory,
    snapshot: BqiSnapshot,
    signs: AnswerSigns,
    phase: PhaseState,
}

impl Orchestrator<'_> {
    /// Makes and stores the next step of a run.
    pub(super) async fn step(
        &self,
        run: &Orchestration,
        persona: &str,
        depth: u32,
    ) -> Result<(Orchestration, Vec<OrchestrationEvent>), EngineError> {
        let persona = run.persona(persona).ok_or_else(|| EngineError::NotFound(phrase!("engine.orchestrate.not_found")))?;
        let seed = run.prompt.clone().ok_or_else(|| EngineError::Conflict(phrase!("engine.orchestrate.prompt_deleted")))?;
        let policy = &self.mind.policy().orchestration;
        let place = |agent| BqiPlace { time: self.mind.now(), space: DOMAIN, agent };
        let question = bqi(bqi_cues(&seed, ""), place(""), policy);
        let examples = self.examples(persona, &seed, &question).await?;
        let mut earlier = self.answers(run).await?;
        earlier.drain(..earlier.len().saturating_sub(policy.history));
        let (balance, phase) = run.phase.clone().inject();
        let asked = Asked { persona, seed: &seed, depth, examples: &examples, earlier: &earlier, balance, prompt: String::new() };
        let asked = Asked { prompt: prompt_for(run, &asked), ..asked };
        let answer = self.answer(run, &asked).await?;
        let snapshot = bqi(bqi_cues(&seed, &answer.text), place(&persona.id), policy);
        let memory = self.memory_of(run, &asked, (&answer, &snapshot)).await?;
        let phase = phase.integrate(memory.feeling.sentiment, run.personas.len(), policy);
        let signs = answer_signs(&AnswerInContext { answer: &answer.text, earlier: &texts_of(&earlier), examples: &texts_of(&examples) });
        self.store(run, Made { asked: &asked, answer, memory, snapshot, signs, phase }).await
    }

    /// Answers with the persona's backend; rules answer if its model fails.
    async fn answer(&self, run: &Orchestration, asked: &Asked<'_>) -> Result<Answer, EngineError> {
        let mut failure = Failure::None;
        if let Some(model) = self.model_of(asked.persona) {
            let system = asked.persona.system(run.language);
            match self.mind.models().ask_persona(&*model, system, asked.prompt.clone()).await? {
                Ok(text) => return Ok(Answer { text, backend: model.id().to_owned(), failure, quoted: Vec::new() }),
                Err(_) => failure = Failure::Occurred,
            }
        }
        let evidence = self.evidence(asked.seed).await?;
        let dates: Vec<String> = evidence.iter().map(|memory| self.date_of(memory)).collect();
        let lines: Vec<RememberedEvidence<'_>> =
            evidence.iter().zip(&dates).map(|(memory, date)| RememberedEvidence { text: &memory.content, date }).collect();
        let shown = past_examples(asked.examples);
        // A voice answers the others of its cycle.
        let voices = run.personas.len().saturating_sub(1);
        let near = &asked.earlier[asked.earlier.len().saturating_sub(voices.min(run.steps.len() % run.personas.len().max(1)))..];
        let spoken: Vec<(String, &str)> = near.iter().map(|memory| (name_of(run, memory), memory.content.as_str())).collect();
        let spoken: Vec<(&str, &str)> = spoken.iter().map(|(name, text)| (name.as_str(), *text)).collect();
        let said = voice_answer(&VoiceFrom {
            stance: asked.persona.stance,
            prompt: asked.seed,
            language: run.language,
            examples: &shown,
            evidence: &lines,
            earlier: &spoken,
            plan: &voice_actions(&run.plan),
            balance: asked.balance,
        });
        let quoted = said.used.iter().filter_map(|place| evidence.get(*place).cloned()).collect();
        Ok(Answer { text: said.text, backend: RULES_BACKEND.to_owned(), failure, quoted })
    }

    fn model_of(&self, persona: &Persona) -> Option<Arc<dyn LanguageModel>> {
        match persona.backend.as_str() {
            RULES_BACKEND => None,
            DEFAULT_BACKEND => self.mind.thinker.as_deref().and_then(|thinker| thinker.model(Thought::Reply)),
            name => self.mind.inner.config.models.get(name).map(Arc::clone),
        }
    }

    /// Returns the day of a memory in the time zone of the mind.
    fn date_of(&self, memory: &Memory) -> String {
        memory.created_at.civil(&self.mind.inner.config.time_zone).date().to_string()
    }

    /// Builds the coordinate memory of an answer.
    async fn memory_of(
        &self,
        run: &Orchestration,
        asked: &Asked<'_>,
        (answer, snapshot): (&Answer, &BqiSnapshot),
    ) -> Result<Memory, EngineError> {
        let policy = &self.mind.policy().orchestration;
        let began = self.mind.store().session(self.mind.id, &run.session).await?.map_or(run.began_at, |session| session.began_at);
        let coordinate = Coordinate {
            session: Some(run.session.clone()),
            sequence: Some(run.sequence_before + run.steps.len() as u32 + 1),
            minutes: Some(self.mind.now().since(began).as_millis() as f64 / 60_000.0),
            project: Some(PROJECT.to_owned()),
            domain: Some(DOMAIN.to_owned()),
            file_context: Vec::new(),
            depth_index: Some(asked.depth),
            persona_id: Some(asked.persona.id.clone()),
            persona_name: Some(asked.persona.name.clone()),
            persona_role: Some(asked.persona.role.clone()),
            backend: Some(answer.backend.clone()),
            content_type: Some(ContentType::PersonaResponse),
            prompt_digest: Some(prompt_digest(&prompt_of(run, asked))),
            token_count: Some(tokens(&answer.text) as u32),
            phase_injection_applied: asked.balance.is_some(),
            error_occurred: answer.failure == Failure::Occurred,
            rhythm_phase: Some(snapshot.rhythm_phase),
            priority: Some(snapshot.priority),
        };
        let feeling = RuleThinker.feel(&answer.text);
        let draft = Draft {
            emotions: Some(feeling.emotions),
            importance: Some(Unit::clamped(policy.step_importance)),
            tags: vec![asked.persona.id.clone(), TAG.to_owned()],
            kind: Some(saegim_core::Kind::Semantic),
            source: Some(Source::Observation),
            coordinate,
            ..Draft::text(&answer.text)
        };
        let mut memory = self.mind.intake().conceive(draft).await?;
        memory.feeling = feeling;
        memory.knowledge = Knowledge::Inferred;
        memory.trust = Unit::clamped(policy.trust.min(memory.trust.get()));
        Ok(memory)
    }

    /// Commits a step. If one of the memories it recalled changed meanwhile, it is stored without counting the recall.
    async fn store(&self, run: &Orchestration, made: Made<'_>) -> Result<(Orchestration, Vec<OrchestrationEvent>), EngineError> {
        let policy = self.mind.policy();
        let evaluation = evaluated(&made.signs, &policy.orchestration);
        let (answer, mut memory) = (made.answer, made.memory);
        memory.feeling.affect_amplitude = made.phase.affect;
        memory.feeling.keywords.clone_from(&made.snapshot.emotion_keywords);
        memory.stated_importance = Some(step_importance(&evaluation, answer.failure, &policy.orchestration));
        memory.importance = memory.weighed(0, &policy.importance);
        let now = self.mind.now();
        let step = OrchestrationStep {
            persona: made.asked.persona.id.clone(),
            depth: made.asked.depth,
            sequence: run.sequence_before + run.steps.len() as u32 + 1,
            memory: memory.id,
            backend: answer.backend.clone(),
            examples: made.asked.examples.iter().map(|memory| memory.id).collect(),
            affect: made.phase.affect,
            freedom: made.phase.freedom,
            stability: made.phase.stability,
            rhythm: made.snapshot.rhythm_phase,
            injected: made.asked.balance.is_some(),
            failed: answer.failure == Failure::Occurred,
            evaluation,
            at: now,
        };
        let mut next = run.clone();
        next.phase = made.phase.clone();
        next.steps.push(step.clone());
        next.changed_at = now;
        let parent = run.steps.last().map(|step| step.memory);
        let used: Vec<Memory> = {
            let taken_up = made.asked.examples.iter().filter(|example| saegim_core::restated(&example.content, &memory.content) >= USED);
            taken_up.chain(&answer.quoted).cloned().collect()
        };
        let mut commit = self.mind.commit(Op::Orchestrate, &[&memory]).because("answered").about(Thing::Orchestration(run.id));
        let kept = made.asked.earlier.iter().filter(|earlier| Some(earlier.id) == parent);
        commit.memories.extend(kept.chain(made.asked.examples).chain(&answer.quoted).map(|memory| LedgerRef::to(memory, self.mind.salt())));
        commit.session = Some(run.session.clone());
        commit.coordinate = LedgerCoordinate {
            affect: Some(made.phase.affect),
            priority: memory.coordinate.priority,
            ..LedgerCoordinate::of(&memory.coordinate, memory.feeling.emotions)
        };
        commit.evaluation = Some(evaluation);
        commit.plan_adjustment = PlanAdjustments(run.plan.clone());
        commit.used = used.iter().map(|memory| memory.id).collect();
        let (vector, _) = self.mind.models().vector_of(&memory.content).await;
        commit.changes.push(Change::MemoryAdded(Box::new(memory.clone())));
        commit.changes.extend(vector.map(|vector| self.mind.models().embedded(memory.id, vector)));
        commit.changes.extend(parent.into_iter().filter(|parent| made.asked.earlier.iter().any(|known| known.id == *parent)).flat_map(
            |parent| {
                [(memory.id, parent, LinkKind::Child), (parent, memory.id, LinkKind::Parent)]
                    .map(|(from, to, kind)| Change::LinkAdded(Link { from, to, kind }))
            },
        ));
        commit.changes.push(Change::SessionSet(self.session_after(run, step.sequence).await?));
        commit.changes.push(Change::OrchestrationSet(Box::new(next.clone())));
        let bare = commit.clone();
        let turns = self.mind.as_worker().mind().await?.turns;
        commit
            .changes
            .extend(used.into_iter().map(|memory| Change::MemoryChanged(Box::new(memory.recalled(now, turns, &policy.strength)))));
        match self.mind.write(commit).await {
            Ok(_) => {}
            Err(EngineError::Conflict(_) | EngineError::Changed(_)) if self.run(run.id).await?.revision == run.revision => {
                self.mind.write(bare).await?;
            }
            Err(error) => return Err(error),
        }
        next.revision = run.revision + 1;
        let prompt = made.asked.prompt.clone();
        let events =
            vec![OrchestrationEvent::Step(Box::new(OrchestratedStep { step, memory, prompt })), OrchestrationEvent::Phase(made.phase)];
        Ok((next, events))
    }

    async fn session_after(&self, run: &Orchestration, sequence: u32) -> Result<Session, EngineError> {
        let now = self.mind.now();
        let known = self.mind.store().session(self.mind.id, &run.session).await?;
        Ok(match known {
            Some(session) => Session { last_at: session.last_at.max(now), last_sequence: session.last_sequence.max(sequence), ..session },
            None => {
                Session { name: run.session.clone(), began_at: run.began_at, last_at: now, last_sequence: sequence, branched_from: None }
            }
        })
    }
}

/// Writes the prompt of a step.
fn prompt_for(run: &Orchestration, asked: &Asked<'_>) -> String {
    let (shown, actions) = (past_examples(asked.examples), voice_actions(&run.plan));
    let speaker = |memory: &'_ Memory| memory.coordinate.persona_id.clone().unwrap_or_else(|| "unknown".to_owned());
    let speakers: Vec<String> = asked.earlier.iter().map(speaker).collect();
    let history: Vec<(&str, &str)> =
        speakers.iter().zip(asked.earlier).map(|(speaker, memory)| (speaker.as_str(), memory.content.as_str())).collect();
    persona_prompt(&PersonaPrompt { examples: &shown, history: &history, plan: &actions, ..prompt_of(run, asked) })
}

/// Returns a prompt without examples, history and plan.
fn prompt_of<'a>(run: &'a Orchestration, asked: &'a Asked<'_>) -> PersonaPrompt<'a> {
    PersonaPrompt {
        system: asked.persona.system(run.language),
        name: asked.persona.name_in(run.language),
        role: &asked.persona.role,
        examples: &[],
        depth: asked.depth,
        step: run.steps.len() % run.personas.len().max(1) + 1,
        history: &[],
        plan: &[],
        balance: asked.balance,
        seed: asked.seed,
        language: run.language,
    }
}

fn texts_of(memories: &[Memory]) -> Vec<&str> {
    memories.iter().map(|memory| memory.content.as_str()).collect()
}

fn past_examples(memories: &[Memory]) -> Vec<PastExample<'_>> {
    memories.iter().map(past_example).collect()
}

fn past_example(memory: &Memory) -> PastExample<'_> {
    PastExample {
        prompt_digest: memory.coordinate.prompt_digest.as_deref().unwrap_or_default(),
        summary: memory.summary.as_deref(),
        answer: &memory.content,
    }
}

/// Returns the name of the persona that wrote a memory, in the language of the run.
fn name_of(run: &Orchestration, memory: &Memory) -> String {
    let id = memory.coordinate.persona_id.as_deref().unwrap_or_default();
    run.persona(id).map_or_else(|| id.to_owned(), |persona| persona.name_in(run.language).to_owned())
}
