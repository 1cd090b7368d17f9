//! The `saegim` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    saegim_app::main()
}
