//! Crash tests, concurrency tests and benchmarks on the real engine and a real file.

/// Speed as ratios within one run.
mod bench;
/// Repeated kills of the worker.
mod care;
/// Retrieval quality on conversations.
mod eval;
/// Growth of latency, memory and disk usage.
mod growth;
/// Repeated kills of a writer.
mod kills;
/// Generated texts and vectors.
mod made;
/// Failing models.
mod models;
/// Repeated kills of runs of personas.
mod orchestrations;
/// Change of the embedder of a large mind.
mod reembed;
/// Search for bytes of deleted texts.
mod residue;
/// The server under load and under kills.
mod served;
/// Many processes on one file.
mod writers;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "saegim-sim", about = "Crash tests, crowds of writers and benchmarks")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Kill a writing process at random times and check the result
    Kills {
        /// Number of kills
        #[arg(long, default_value_t = 500)]
        count: u32,
        /// Seed of the kill times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Kill the worker at random times, continue with another, and compare with one that was never killed
    CareKills {
        /// Number of kills
        #[arg(long, default_value_t = 300)]
        count: u32,
        /// Seed of the kill times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Kill runs of personas at random times, resume them and check the result
    OrchestrateKills {
        /// Number of kills
        #[arg(long, default_value_t = 200)]
        count: u32,
        /// Seed of the kill times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Write to one file from several processes at once
    Writers {
        /// Number of processes
        #[arg(long, default_value_t = 4)]
        processes: u32,
        /// Number of memories per process
        #[arg(long, default_value_t = 300)]
        writes: u32,
    },
    /// Run many clients on many minds, and compare with a minimal server that stores one row per turn
    Served {
        /// Number of clients
        #[arg(long, default_value_t = 64)]
        clients: usize,
        /// Number of minds
        #[arg(long, default_value_t = 1000)]
        minds: usize,
        /// Duration per server, in seconds
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Kill the server under load at random times and check the result
    ServeKills {
        /// Number of kills
        #[arg(long, default_value_t = 50)]
        count: u32,
        /// Seed of the kill times
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Run the minimal server for `served`
    #[command(hide = true)]
    Bare {
        /// Database file
        db: PathBuf,
    },
    /// Measure speed and print it as JSON
    Bench {
        /// Number of memories
        #[arg(long, default_value_t = 5000)]
        memories: usize,
        /// Run only this part
        #[arg(long)]
        only: Option<bench::Part>,
    },
    /// Measure how latency, memory and disk usage grow, and print it as JSON
    Growth {
        /// Sizes of a mind, in memories
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
        sizes: Vec<usize>,
        /// Number of small minds; 0 skips this part
        #[arg(long, default_value_t = 10_000)]
        minds: usize,
        /// Number of memories per small mind
        #[arg(long, default_value_t = 100)]
        each: usize,
    },
    /// Rank the memories of a data set for its questions, one JSON line each, for a scorer
    Eval {
        /// Name of the data set
        set: String,
        /// Folder of the data sets
        #[arg(long, env = "SAEGIM_EVALS")]
        data: PathBuf,
        /// built-in, larger (file given by SAEGIM_E5), or none for keywords only
        #[arg(long, default_value = "built-in")]
        embedder: String,
        /// Folder in which the database stays, so that another run only asks the questions
        #[arg(long, value_name = "FOLDER")]
        kept: Option<PathBuf>,
        /// JSON file with policy fields that differ from their defaults
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
    },
    /// Send messages to models that fail in ten ways and three API formats, and check the result
    Models {
        /// Number of messages per combination
        #[arg(long, default_value_t = 200)]
        inputs: usize,
    },
    /// Change the embedder of a large mind while it is queried
    Reembed {
        /// Number of memories
        #[arg(long, default_value_t = 20_000)]
        memories: usize,
    },
    /// Delete memories in mixed work and look for their bytes in every file
    Residue {
        /// Number of minds, each with its own seed
        #[arg(long, default_value_t = 3)]
        seeds: u64,
        /// First seed
        #[arg(long, default_value_t = 1)]
        first: u64,
        /// Number of texts that are erased or purged in each mind
        #[arg(long, default_value_t = 1000)]
        gone: usize,
    },
    /// Measure one mind of this size
    #[command(hide = true)]
    OneMind { size: usize },
    /// Measure many minds of this size
    #[command(hide = true)]
    ManyMinds { minds: usize, each: usize },
    /// Maintain a mind from one day to another and print each day on standard output
    #[command(hide = true)]
    Care { db: PathBuf, from: i64, until: i64 },
    /// Run personas over questions and acknowledge each step on standard output, until killed
    #[command(hide = true)]
    Think {
        db: PathBuf,
        #[arg(long)]
        seed: u64,
    },
    /// Write memories and acknowledge each on standard output, until killed or done
    #[command(hide = true)]
    Write {
        db: PathBuf,
        #[arg(long)]
        writer: u32,
        #[arg(long)]
        writes: Option<u32>,
    },
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    let done = runtime.block_on(async {
        match cli.command {
            Command::Kills { count, seed } => kills::run(count, seed).await,
            Command::OrchestrateKills { count, seed } => orchestrations::run(count, seed).await,
            Command::Think { db, seed } => orchestrations::think(&db, seed).await,
            Command::CareKills { count, seed } => care::run(count, seed).await,
            Command::Care { db, from, until } => care::live(&db, from, until).await,
            Command::Models { inputs } => models::run(inputs).await,
            Command::Reembed { memories } => reembed::run(memories).await,
            Command::Residue { seeds, first, gone } => residue::run(residue::Runs { seeds, first, gone }).await,
            Command::Writers { processes, writes } => writers::run(processes, writes).await,
            Command::Served { clients, minds, seconds } => served::run(served::Load { clients, minds, seconds }).await,
            Command::ServeKills { count, seed } => served::kills(count, seed).await,
            Command::Bare { db } => served::bare::run(&db).await,
            Command::Bench { memories, only } => bench::run(memories, only).await,
            Command::Growth { sizes, minds, each } => growth::run(&sizes, minds, each),
            Command::OneMind { size } => growth::one_mind(size).await,
            Command::ManyMinds { minds, each } => growth::many_minds(minds, each).await,
            Command::Eval { set, data, embedder, kept, policy } => {
                let (kept, policy) = (kept.as_deref(), policy.as_deref());
                eval::run(eval::Evaluation { data: &data, set: &set, embedder: &embedder, kept, policy }).await
            }
            Command::Write { db, writer, writes } => writers::write(&db, writer, writes).await,
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// Result of a command.
type Outcome = Result<(), Box<dyn std::error::Error>>;
