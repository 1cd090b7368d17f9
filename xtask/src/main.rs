//! Project tasks, run as `cargo xtask TASK`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const TASKS: &str = "\
cargo xtask check      format, lints and all tests
cargo xtask timings    cold release build with a report of the slowest crates
cargo xtask mutants    mutation tests of the rules in core (installs cargo-mutants)
cargo xtask dist       release tarball with its SHA-256 sum in target/dist";

fn main() -> Result<(), Box<dyn Error>> {
    let task = std::env::args().nth(1).unwrap_or_default();
    match task.as_str() {
        "check" => check(),
        "timings" => timings(),
        "mutants" => mutants(),
        "dist" => dist(),
        _ => {
            println!("{TASKS}");
            Ok(())
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a program in the root folder and fails if it fails.
fn run(program: &str, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    println!("$ {program} {}", arguments.join(" "));
    let status = Command::new(program).args(arguments).current_dir(root()).status().map_err(|error| format!("{program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} failed: {status}").into()) }
}

fn check() -> Result<(), Box<dyn Error>> {
    run("cargo", &["fmt", "--all", "--check"])?;
    run("cargo", &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    run("./test", &[])
}

/// Builds into a folder of its own, so that the build is cold without deleting anything.
fn timings() -> Result<(), Box<dyn Error>> {
    let folder = root().join("target/timings");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let folder = folder.display().to_string();
    run("cargo", &["build", "--release", "--locked", "--package", "saegim", "--timings", "--target-dir", &folder])
}

fn mutants() -> Result<(), Box<dyn Error>> {
    run("cargo", &["install", "--locked", "cargo-mutants"])?;
    run("cargo", &["mutants", "--package", "saegim-core", "--timeout", "120"])
}

/// Packs the binary with its licence, notices and shell completions.
fn dist() -> Result<(), Box<dyn Error>> {
    run("cargo", &["build", "--profile", "dist", "--locked", "--package", "saegim"])?;
    let name = format!("saegim-{}-{}-{}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    let folder = root().join("target/dist").join(&name);
    std::fs::create_dir_all(folder.join("completions"))?;
    let binary = root().join("target/dist/saegim");
    std::fs::copy(&binary, folder.join("saegim"))?;
    for file in ["README.md", "LICENSE", "NOTICE", "CHANGELOG.md"] {
        std::fs::copy(root().join(file), folder.join(file))?;
    }
    std::fs::copy(root().join("crates/provider/model/NOTICE"), folder.join("NOTICE-model"))?;
    for shell in ["bash", "zsh", "fish"] {
        let script = Command::new(&binary).args(["completions", shell]).output()?;
        std::fs::write(folder.join("completions").join(format!("saegim.{shell}")), script.stdout)?;
    }
    let tarball = format!("target/dist/{name}.tar.gz");
    run("tar", &["-czf", &tarball, "-C", "target/dist", &name])?;
    let sum = Command::new("sha256sum").arg(format!("{name}.tar.gz")).current_dir(root().join("target/dist")).output()?;
    std::fs::write(root().join(format!("{tarball}.sha256")), sum.stdout)?;
    println!("{tarball}");
    Ok(())
}
