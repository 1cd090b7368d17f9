//! Configuration files of common desktop clients.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// A program that starts MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Client {
    /// For Claude Desktop
    Claude,
    /// For Cursor
    Cursor,
    /// For VS Code
    Vscode,
    /// For Windsurf
    Windsurf,
}

impl Client {
    /// Returns the path of its configuration file, relative to the home folder.
    fn file(self) -> PathBuf {
        let mac = cfg!(target_os = "macos");
        match self {
            Self::Claude if mac => "Library/Application Support/Claude/claude_desktop_config.json".into(),
            Self::Claude if cfg!(windows) => "AppData/Roaming/Claude/claude_desktop_config.json".into(),
            Self::Claude => ".config/Claude/claude_desktop_config.json".into(),
            Self::Cursor => ".cursor/mcp.json".into(),
            Self::Vscode if mac => "Library/Application Support/Code/User/mcp.json".into(),
            Self::Vscode if cfg!(windows) => "AppData/Roaming/Code/User/mcp.json".into(),
            Self::Vscode => ".config/Code/User/mcp.json".into(),
            Self::Windsurf => ".codeium/windsurf/mcp_config.json".into(),
        }
    }

    /// Returns the name of the server list in the file.
    fn list(self) -> &'static str {
        if self == Self::Vscode { "servers" } else { "mcpServers" }
    }
}

/// A client's configuration with saegim added.
pub(crate) struct Installed {
    /// Path of the file.
    pub(crate) file: PathBuf,
    /// New content of the file.
    pub(crate) text: String,
    /// Whether the file contains comments, which would be lost.
    pub(crate) loses: bool,
}

/// Returns the client's configuration with an entry that starts `program` with `arguments`. All other entries stay.
pub(crate) fn installed(client: Client, home: &Path, (program, arguments): (&str, &[String])) -> Result<Installed, String> {
    let file = home.join(client.file());
    let mut loses = false;
    let before = match std::fs::read_to_string(&file) {
        Ok(text) if !text.trim().is_empty() => {
            loses = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err();
            serde_json::from_str::<Value>(&plain(&text)).map_err(|error| format!("{}: {error}", file.display()))?
        }
        Ok(_) => json!({}),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => json!({}),
        Err(error) => return Err(format!("{}: {error}", file.display())),
    };
    let Value::Object(mut all) = before else { return Err(format!("{}: it does not hold an object", file.display())) };
    let servers = all.entry(client.list()).or_insert_with(|| json!({}));
    let Value::Object(servers) = servers else { return Err(format!("{}: {} is not an object", file.display(), client.list())) };
    servers.insert("saegim".into(), json!({ "command": program, "args": arguments }));
    let text = serde_json::to_string_pretty(&all).expect("JSON is always text") + "\n";
    Ok(Installed { file, text, loses })
}

/// Removes comments and trailing commas, which some editors allow in JSON.
fn plain(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(letter) = rest.chars().next() {
        let skipped = match letter {
            '"' => {
                let end = end_of_string(rest);
                kept += &rest[..end];
                end
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            ']' | '}' => {
                let bare = kept.trim_end().len();
                if kept[..bare].ends_with(',') {
                    kept.truncate(bare - 1);
                }
                kept.push(letter);
                1
            }
            other => {
                kept.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[skipped..];
    }
    kept
}

/// Returns the length of the string literal at the start, including its quotes.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (place, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_else_a_client_has_stays_as_it_is() {
        let home = tempfile::tempdir().unwrap();
        let with = |client| installed(client, home.path(), ("saegim", &["mcp".to_owned()]));
        let first = with(Client::Cursor).unwrap();
        assert!(first.text.contains("\"saegim\""));
        std::fs::create_dir_all(first.file.parent().unwrap()).unwrap();
        std::fs::write(&first.file, r#"{"theme":"dark","mcpServers":{"other":{"command":"x"}}}"#).unwrap();
        let second: Value = serde_json::from_str(&with(Client::Cursor).unwrap().text).unwrap();
        assert_eq!((&second["theme"], &second["mcpServers"]["other"]["command"]), (&json!("dark"), &json!("x")));
        assert_eq!(second["mcpServers"]["saegim"]["args"], json!(["mcp"]));
        // Editors allow comments and trailing commas.
        let written = "// 내 서버들\n{\"mcpServers\": {\"other\": {\"command\": \"x // y\", \"args\": [\"/* \\\" */\",]}, /* 끝 */ },\n}\n";
        std::fs::write(&first.file, written).unwrap();
        let third: Value = serde_json::from_str(&with(Client::Cursor).unwrap().text).unwrap();
        assert!(with(Client::Cursor).unwrap().loses, "and are told that they are kept elsewhere");
        assert_eq!(third["mcpServers"]["other"], json!({ "command": "x // y", "args": ["/* \" */"] }));
        assert_eq!(third["mcpServers"]["saegim"]["args"], json!(["mcp"]));
        std::fs::write(&first.file, "not json").unwrap();
        assert!(with(Client::Cursor).is_err(), "a file that cannot be read is left alone");
    }
}
