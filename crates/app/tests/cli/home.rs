//! A temporary folder for each test, and functions that run the binary in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A user's machine: an empty home folder and a database that does not exist yet.
pub(crate) struct Home {
    folder: tempfile::TempDir,
    language: &'static str,
}

/// Result of one run of the binary.
pub(crate) struct Said {
    /// Exit code.
    pub(crate) code: i32,
    /// Standard output: data.
    pub(crate) data: String,
    /// Standard error: messages.
    pub(crate) words: String,
}

/// Midnight, `number` days after the start of test time.
pub(crate) fn day(number: u32) -> String {
    let mut left = number;
    for year in 2026.. {
        let leap = year % 4 == 0;
        for (month, days) in [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].into_iter().enumerate() {
            if left < days {
                return format!("{year}-{:02}-{:02}T00:00:00Z", month + 1, left + 1);
            }
            left -= days;
        }
    }
    unreachable!("years do not end")
}

impl Home {
    pub(crate) fn english() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), language: "C" }
    }

    pub(crate) fn korean() -> Self {
        Self { language: "ko_KR.UTF-8", ..Self::english() }
    }

    /// One home for each UI language.
    pub(crate) fn both() -> [Self; 2] {
        [Self::english(), Self::korean()]
    }

    /// Returns whether the UI language is Korean.
    pub(crate) fn is_korean(&self) -> bool {
        self.language.starts_with("ko")
    }

    /// Path of a file in the home folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// [`Home::path`] as a string, for the command line.
    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Command that runs the binary on `mind.db`, isolated from the environment of the machine.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saegim"));
        command.env_clear().env("HOME", self.folder.path()).env("LANG", self.language).current_dir(self.folder.path());
        if !arguments.contains(&"--db") {
            command.arg("--db").arg(self.path("mind.db"));
        }
        command.args(arguments).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        Said::of(self.command(arguments).output().unwrap())
    }

    /// Runs a command that must succeed and returns its standard output.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.words);
        said.data
    }

    /// Runs a command that must succeed with `input` on standard input and returns its standard output.
    pub(crate) fn piped(&self, arguments: &[&str], input: &str) -> String {
        let mut child = self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let said = Said::of(child.wait_with_output().unwrap());
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.words);
        said.data
    }

    /// Runs a command that must succeed with `--json` and returns the parsed output; standard error must be empty.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let said = self.run(&[arguments, &["--json"]].concat());
        assert_eq!((said.code, said.words.as_str()), (0, ""), "{arguments:?}");
        serde_json::from_str(&said.data).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", said.data))
    }

    /// Runs a command that must fail with this exit code and returns its standard error; standard output must be empty.
    pub(crate) fn refused(&self, code: i32, arguments: &[&str]) -> String {
        let said = self.run(arguments);
        assert_eq!((said.code, said.data.as_str()), (code, ""), "{arguments:?}: {}", said.words);
        assert!(!said.words.trim().is_empty(), "{arguments:?} was refused without a word");
        said.words
    }

    /// Remembers a text on day 0 and returns its id.
    pub(crate) fn keep(&self, text: &str, more: &[&str]) -> String {
        let kept = self.json(&[&["remember", text, "--now", &day(0)], more].concat());
        kept["id"].as_str().unwrap().to_owned()
    }

    /// Texts that a recall returns, best first.
    pub(crate) fn recall(&self, question: &str) -> Vec<String> {
        texts(&self.json(&["recall", question])["results"])
    }

    /// Texts on the cliff.
    pub(crate) fn cliff(&self) -> Vec<String> {
        texts(&self.json(&["cliff"])["entries"])
    }

    /// Bytes of the database and of every file beside it.
    pub(crate) fn at_rest(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("mind.db"));
        files.flat_map(|path| std::fs::read(path).unwrap()).collect()
    }
}

impl Said {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it was not killed"),
            data: String::from_utf8(output.stdout).unwrap(),
            words: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Content of every memory in a list.
pub(crate) fn texts(memories: &Value) -> Vec<String> {
    memories.as_array().unwrap().iter().map(|memory| memory["content"].as_str().unwrap().to_owned()).collect()
}

/// Returns whether `bytes` contain `word`.
pub(crate) fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window == word.as_bytes())
}

/// Lines of a bundle as JSON values.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
