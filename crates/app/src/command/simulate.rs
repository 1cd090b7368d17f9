//! `saegim simulate`: runs months or years in seconds in a separate database.

use std::io::{IsTerminal, Read};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use saegim_core::{Invalid, Language, Timestamp, phrase};
use saegim_engine::{Clock, Config, EngineError, SystemClock};
use saegim_stories::{Life, Lived, Script, Setting, Story, live};
use serde_json::json;

use crate::cli::{Global, SimulateArgs};
use crate::error::AppError;
use crate::say::say;
use crate::settings::Settings;
use crate::view::{print, tell};

/// Default start date. Fixed, so that the same seed gives the same result.
const START: &str = "2026-01-01";

/// Default length in days and default number of turns per day.
const DAYS: i64 = 365;
const TURNS_PER_DAY: usize = 40;

/// Runs a simulation. Does not open the user's database.
pub(super) async fn run(global: &Global, args: SimulateArgs, language: Language) -> Result<(), AppError> {
    if let Some(file) = [&args.chart, &args.keep].into_iter().flatten().find(|file| file.exists()) {
        let file = file.display();
        let there = phrase!("command.simulate.file_exists", file);
        return Err(AppError::Engine(EngineError::Conflict(there)));
    }
    if let Some(file) = args.chart.as_ref().filter(|file| file.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("svg"))) {
        let (file, instead) = (file.display(), file.with_extension("svg"));
        let instead = instead.display();
        let problem = phrase!("command.simulate.not_svg", file, instead);
        return Err(AppError::Engine(EngineError::Invalid(Invalid::new("chart", problem))));
    }
    let settings = Settings::read(global)?;
    let mut config = Config::local("");
    config.policy = settings.policy().map_err(AppError::Content)?;
    config.time_zone = settings.time_zone()?;
    config.vectors = settings.vectors.unwrap_or(true);
    config.embedder = settings.embedder(global)?;
    let script = script(&args, &config, language)?;
    let setting = Setting { config, key: settings.mind(global)?, seed: args.seed };
    let days = match &script {
        Script::Life(life) => life.days,
        Script::Story(story) => story.days() + 1,
    };
    let bar = bar(days, language, global.json);
    let began = SystemClock.now();
    let lived = live(&script, &setting, &|day| bar.set_position(day.max(0) as u64)).await;
    bar.finish_and_clear();
    let (lived, took) = (lived?, SystemClock.now().since(began));
    report(&lived, (&args, global), language).await?;
    let seconds = took.as_millis() as f64 / 1000.0;
    if !global.json {
        tell(say!(language, "command.simulate.simulated", seconds = format_args!("{seconds:.1}")));
    }
    if lived.report.failures.is_empty() { Ok(()) } else { Err(AppError::Said) }
}

/// Builds the script of the simulation.
fn script(args: &SimulateArgs, config: &Config, language: Language) -> Result<Script, AppError> {
    if let Some(file) = &args.story {
        let named = |invalid: saegim_core::Invalid| {
            let (file, problem) = (file.display(), invalid.problem);
            AppError::Content(saegim_core::phrase!("command.simulate.story_not_valid", file, problem))
        };
        let story = Story::parse(&text_of(file)?, &config.policy).map_err(named)?;
        return Ok(Script::Story(Box::new(story)));
    }
    let start = match args.start {
        Some(start) => start,
        None => Timestamp::parse(START)?,
    };
    Ok(Script::Life(Life {
        start,
        days: args.days.unwrap_or(DAYS),
        turns_per_day: args.turns_per_day.map_or(TURNS_PER_DAY, |turns| turns as usize),
        language: args.language.unwrap_or(language),
    }))
}

fn text_of(file: &Path) -> Result<String, AppError> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(|error| AppError::File { path: "standard input".into(), error })?;
        return Ok(text);
    }
    std::fs::read_to_string(file).map_err(|error| AppError::file(file, error))
}

/// Returns a progress bar in days, hidden if standard error is not a terminal.
fn bar(days: i64, language: Language, json: bool) -> ProgressBar {
    if json || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(days as u64);
    let shape = say!(language, "command.simulate.progress");
    if let Ok(style) = ProgressStyle::with_template(&shape) {
        bar.set_style(style);
    }
    bar
}

async fn report(lived: &Lived, (args, global): (&SimulateArgs, &Global), language: Language) -> Result<(), AppError> {
    if let Some(file) = &args.chart {
        std::fs::write(file, lived.report.chart(language)).map_err(|error| AppError::file(file, error))?;
    }
    if let Some(file) = &args.keep {
        lived.keep(file).await?;
    }
    if global.json {
        let mut value = json!(lived.report);
        value["chart"] = json!(args.chart);
        value["kept_in"] = json!(args.keep);
        return print(value);
    }
    print(lived.report.text(language).trim_end())?;
    if let Some(file) = &args.chart {
        tell(say!(language, "command.simulate.chart_written", file = file.display()));
    }
    if let Some(file) = &args.keep {
        tell(say!(language, "command.simulate.mind_stored", file = file.display()));
    }
    Ok(())
}
