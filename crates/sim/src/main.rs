//! Crash tests, crowds of writers and benchmarks, on the real engine and a real file.

/// Speed, as ratios within one run.
mod bench;
/// Killing a caretaker again and again.
mod care;
/// Retrieval quality on conversations.
mod eval;
/// How everything grows with a mind.
mod growth;
/// Killing a writer again and again.
mod kills;
/// Texts and vectors made from numbers.
mod made;
/// Failing models.
mod models;
/// The embedder of a large mind is changed.
mod reembed;
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
    /// Kill a writing process at random moments and look what is left
    Kills {
        /// How many times
        #[arg(long, default_value_t = 500)]
        count: u32,
        /// The seed of the moments
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Kill a caretaker at random moments of its work, let another go on, and compare with one that was never killed
    CareKills {
        /// How many times
        #[arg(long, default_value_t = 300)]
        count: u32,
        /// The seed of the moments
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Let several processes write to one file at once
    Writers {
        /// How many processes
        #[arg(long, default_value_t = 4)]
        processes: u32,
        /// How many memories each
        #[arg(long, default_value_t = 300)]
        writes: u32,
    },
    /// A crowd of clients on many minds, beside the barest server that keeps a row
    Served {
        /// How many clients
        #[arg(long, default_value_t = 64)]
        clients: usize,
        /// How many minds
        #[arg(long, default_value_t = 1000)]
        minds: usize,
        /// For how long each server
        #[arg(long, default_value_t = 60)]
        seconds: u64,
    },
    /// Kill the server under load at random moments and look what is left
    ServeKills {
        /// How many times
        #[arg(long, default_value_t = 50)]
        count: u32,
        /// The seed of the moments
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// The barest server, for `served`
    #[command(hide = true)]
    Bare {
        /// Its database
        db: PathBuf,
    },
    /// Measure speed and print it as JSON
    Bench {
        /// How many memories
        #[arg(long, default_value_t = 5000)]
        memories: usize,
        /// Only one part
        #[arg(long)]
        only: Option<bench::Part>,
    },
    /// Measure how answers, memory and disk grow, and print it as JSON
    Growth {
        /// The sizes of a mind, in memories
        #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000,1000000")]
        sizes: Vec<usize>,
        /// How many minds of a few memories; 0 leaves them out
        #[arg(long, default_value_t = 10_000)]
        minds: usize,
        /// How many memories each of them has
        #[arg(long, default_value_t = 100)]
        each: usize,
    },
    /// Rank a set's memories for its questions, one JSON line each, for a scorer
    Eval {
        /// The set's name
        set: String,
        /// The folder of sets
        #[arg(long, env = "SAEGIM_EVALS")]
        data: PathBuf,
        /// built-in, larger (its file named by SAEGIM_E5), or none for words alone
        #[arg(long, default_value = "built-in")]
        embedder: String,
        /// A folder in which what was kept stays, so that another run only asks
        #[arg(long, value_name = "FOLDER")]
        kept: Option<PathBuf>,
        /// A JSON file of policy fields that differ from their defaults, to weigh them against each other
        #[arg(long, value_name = "FILE")]
        policy: Option<PathBuf>,
    },
    /// Put messages to models that fail in ten ways and in three dialects, and look what is left
    Models {
        /// How many messages each
        #[arg(long, default_value_t = 200)]
        inputs: usize,
    },
    /// Change the embedder of a large mind while it is asked
    Reembed {
        /// How many memories
        #[arg(long, default_value_t = 20_000)]
        memories: usize,
    },
    /// Measure one mind of a size
    #[command(hide = true)]
    OneMind { size: usize },
    /// Measure many minds of a size each
    #[command(hide = true)]
    ManyMinds { minds: usize, each: usize },
    /// Look after a mind from one day to another, telling each day on standard output
    #[command(hide = true)]
    Care { db: PathBuf, from: i64, until: i64 },
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
            Command::CareKills { count, seed } => care::run(count, seed).await,
            Command::Care { db, from, until } => care::live(&db, from, until).await,
            Command::Models { inputs } => models::run(inputs).await,
            Command::Reembed { memories } => reembed::run(memories).await,
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

/// What went wrong, in words.
type Outcome = Result<(), Box<dyn std::error::Error>>;
