//! Runs of personas on the command line.

use std::path::Path;

use saegim_core::{EvaluatedCycle, Orchestration, OrchestrationStep, Persona, PlanAdjustment, SessionId, phrase};
use saegim_engine::{
    DEFAULT_PERSONAS, OrchestrationEvent, OrchestrationPage, OrchestrationRequest, PersonaFile, RunStart, built_in_personas, read_personas,
};
use serde_json::json;

use super::App;
use crate::cli::{OrchestrateArgs, PersonasArgs, RecentArgs};
use crate::error::AppError;
use crate::names;
use crate::say::say;
use crate::shapes::{Cycle, OrchestrationDetails, OrchestrationRun, PersonaStep, Rhythm, Voice};
use crate::view::{self, print};

/// Number of runs listed.
const LISTED: usize = 20;

impl App {
    pub(crate) async fn orchestrate(&self, args: OrchestrateArgs) -> Result<(), AppError> {
        let session = args.session.map(SessionId::new).transpose()?;
        if args.list {
            return self.list_runs(session).await;
        }
        if let Some(id) = &args.show {
            return self.show_run(id).await;
        }
        let personas = args.personas.as_deref().map(|file| self.personas_of(file)).transpose()?;
        let start = if args.resume { RunStart::Resume } else { RunStart::New };
        let prompt = args.prompt.join(" ");
        if !args.resume {
            // An invalid prompt must not create the mind.
            saegim_core::content(&prompt)?;
        }
        let request = OrchestrationRequest { prompt, depth: args.depth, session, personas, start };
        let mind = if args.resume { self.known_mind().await? } else { self.mind().await? };
        let mut telling = Telling { app: self, prompts: args.prompts, run: None, told: Ok(()) };
        mind.orchestrate(request, &mut |event| telling.hear(&event)).await?;
        telling.told
    }

    fn personas_of(&self, file: &Path) -> Result<Vec<Persona>, AppError> {
        let text = std::fs::read_to_string(file).map_err(|error| AppError::file(file, error))?;
        let models = self.settings.model_names(&self.global)?;
        Ok(read_personas(&PersonaFile { name: &file.display().to_string(), text: &text, models: &models })?)
    }

    async fn list_runs(&self, session: Option<SessionId>) -> Result<(), AppError> {
        let page = OrchestrationPage { limit: LISTED, session, status: None };
        let runs = self.known_mind().await?.orchestrations(page).await?;
        if self.global.json {
            return print(json!({ "orchestrations": runs.iter().map(OrchestrationRun::from).collect::<Vec<_>>() }));
        }
        for run in &runs {
            let asked = run.prompt.clone().unwrap_or_else(|| say!(self.language, "command.orchestrate.prompt_deleted"));
            let status = names::name("run_status", run.status.as_str(), self.language);
            let ago = self.language.ago(run.changed_at, self.now());
            print(crate::text::gist(&asked, 200))?;
            print(view::dim(&format!("  {status} · {} · {ago} · {}", run.session.as_str(), view::short(run.id))))?;
        }
        Ok(())
    }

    async fn show_run(&self, id: &str) -> Result<(), AppError> {
        let mind = self.known_mind().await?;
        let shown = mind.orchestration(mind.resolve_orchestration(id).await?).await?;
        if self.global.json {
            return print(json!(OrchestrationDetails::from(&shown)));
        }
        self.print_run(&shown.run)?;
        for (place, step) in shown.steps.iter().enumerate() {
            let text = step.memory.as_ref().map(|memory| memory.content.clone());
            let text = text.unwrap_or_else(|| say!(self.language, "command.orchestrate.answer_forgotten"));
            self.print_step(&shown.run, (place + 1, &step.step), &text)?;
        }
        shown.run.cycles.iter().try_for_each(|cycle| self.print_cycle(cycle))
    }

    fn print_run(&self, run: &Orchestration) -> Result<(), AppError> {
        let order: Vec<&str> = run.order.iter().filter_map(|id| Some(run.persona(id)?.name_in(self.language))).collect();
        let (order, session, id) = (order.join(" → "), run.session.as_str(), view::short(run.id));
        print(view::dim(&say!(self.language, "command.orchestrate.began", order, session, id)))?;
        self.print_plan(&run.plan)
    }

    fn print_plan(&self, plan: &[PlanAdjustment]) -> Result<(), AppError> {
        if plan.is_empty() {
            return Ok(());
        }
        let plan = view::plan(plan, self.language);
        print(view::dim(&say!(self.language, "command.orchestrate.plan", plan)))
    }

    fn print_step(&self, run: &Orchestration, (place, step): (usize, &OrchestrationStep), text: &str) -> Result<(), AppError> {
        let name = run.persona(&step.persona).map_or(step.persona.as_str(), |persona| persona.name_in(self.language));
        let all = run.personas.len() * run.depth as usize;
        print(format!("\n[{place}/{all}] {name}"))?;
        print(text)?;
        let mut about = vec![step.backend.clone(), names::name("rhythm_phase", step.rhythm.as_str(), self.language)];
        about.push(say!(self.language, "command.orchestrate.affect", affect = format_args!("{:.2}", step.affect.get())));
        let count = step.examples.len();
        if count > 0 {
            about.push(say!(self.language, "command.orchestrate.examples", count));
        }
        if step.injected {
            about.push(say!(self.language, "command.orchestrate.balanced"));
        }
        if step.failed {
            about.push(say!(self.language, "command.orchestrate.failed"));
        }
        about.push(view::short(step.memory));
        print(view::dim(&format!("  {}", about.join(" · "))))
    }

    fn print_cycle(&self, cycle: &EvaluatedCycle) -> Result<(), AppError> {
        let (depth, scores) = (cycle.depth, view::scores(&cycle.evaluation, self.language));
        print(say!(self.language, "command.orchestrate.evaluated", depth, scores))?;
        if cycle.adjustments.is_empty() {
            return Ok(());
        }
        let plan = view::plan(&cycle.adjustments, self.language);
        print(say!(self.language, "command.orchestrate.next", plan))
    }

    pub(crate) fn personas(&self, args: &PersonasArgs) -> Result<(), AppError> {
        if args.default {
            return print(DEFAULT_PERSONAS.trim_end());
        }
        let personas = args.file.as_deref().map_or_else(|| Ok(built_in_personas()), |file| self.personas_of(file))?;
        if self.global.json {
            let shown: Vec<Voice> = personas.iter().map(|persona| Voice::of(persona, self.language)).collect();
            return print(json!({ "personas": shown }));
        }
        for persona in &personas {
            let stance = names::name("stance", persona.stance.as_str(), self.language);
            print(format!("{}  {} ({})", persona.id, persona.name_in(self.language), persona.role))?;
            print(view::dim(&format!("  {stance} · {} · {}", persona.backend, persona.system(self.language))))?;
        }
        if let Some(file) = &args.file {
            let (file, count) = (file.display(), personas.len());
            self.tell(&say!(self.language, "command.orchestrate.file_valid", file, count));
        }
        Ok(())
    }

    pub(crate) async fn recent(&self, args: RecentArgs) -> Result<(), AppError> {
        let (filter, page) = (args.filter.filter()?, saegim_engine::Page { limit: usize::from(args.count), before: None });
        let memories = match self.engine.existing_mind(&self.key).await? {
            Some(mind) => mind.list(&filter, page).await?,
            None => Vec::new(),
        };
        if self.global.json {
            let shown: Vec<_> = memories.iter().map(|memory| view::memory(memory, memory.strength.value)).collect();
            return print(json!({ "memories": shown }));
        }
        if memories.is_empty() {
            self.tell(&say!(self.language, "command.memories.no_matches"));
        }
        let look = self.look()?;
        for memory in &memories {
            print(crate::text::gist(&memory.content, 300))?;
            print(view::dim(&format!("  {}", view::about(memory, &look))))?;
        }
        Ok(())
    }
}

/// Prints the progress of a run.
struct Telling<'a> {
    app: &'a App,
    prompts: bool,
    run: Option<Box<Orchestration>>,
    /// Result of printing; a closed pipe must not stop the run.
    told: Result<(), AppError>,
}

impl Telling<'_> {
    fn hear(&mut self, event: &OrchestrationEvent) {
        if self.told.is_ok() {
            self.told = self.tell(event);
        }
    }

    fn tell(&mut self, event: &OrchestrationEvent) -> Result<(), AppError> {
        if let OrchestrationEvent::Began(run) = event {
            self.run = Some(run.clone());
        }
        if self.app.global.json {
            return self.tell_json(event);
        }
        match event {
            OrchestrationEvent::Began(run) => {
                self.app.print_run(run)?;
                if !run.steps.is_empty() {
                    let (done, all) = (run.steps.len(), run.personas.len() * run.depth as usize);
                    self.app.tell(&say!(self.app.language, "command.orchestrate.resumed", done, all));
                }
                Ok(())
            }
            OrchestrationEvent::Step(made) => {
                let Some(run) = &mut self.run else { return Err(AppError::Content(phrase!("engine.orchestrate.not_found"))) };
                run.steps.push(made.step.clone());
                if self.prompts {
                    print(view::dim(&format!("\n{}", made.prompt)))?;
                }
                let place = run.steps.len();
                self.app.print_step(run, (place, &made.step), &made.memory.content)
            }
            OrchestrationEvent::Adjustment(cycle) => {
                print("")?;
                self.app.print_cycle(cycle)
            }
            OrchestrationEvent::Phase(_) | OrchestrationEvent::Done(_) => Ok(()),
        }
    }

    /// Prints one JSON line per event.
    fn tell_json(&self, event: &OrchestrationEvent) -> Result<(), AppError> {
        print(match event {
            OrchestrationEvent::Began(run) => json!({ "event": "began", "run": OrchestrationRun::from(&**run) }),
            OrchestrationEvent::Step(made) => {
                let step = PersonaStep::of(&made.step, Some(&made.memory.content)).with_prompt(&made.prompt);
                json!({ "event": "step", "step": step })
            }
            OrchestrationEvent::Phase(phase) => json!({ "event": "phase", "phase": Rhythm::from(phase) }),
            OrchestrationEvent::Adjustment(cycle) => json!({ "event": "adjustment", "cycle": Cycle::from(&**cycle) }),
            OrchestrationEvent::Done(run) => json!({ "event": "done", "run": OrchestrationRun::from(&**run) }),
        })
    }
}
