//! The ledger for its owner: read, verify, sign and export.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use saegim_core::{Deed, Hash, LedgerEntry, MindId, Phrase, Principal, Timestamp, Verdict, phrase};
use serde::{Deserialize, Serialize};

use crate::reporting::Reporting;
use crate::{Engine, EngineError};

/// A signed ledger head, to be stored elsewhere. It detects a chain that was truncated or rewritten later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SignedHead {
    /// Mind the chain belongs to.
    pub mind: MindId,
    /// Number of entries in the chain.
    pub sequence: u64,
    /// Hash of the last entry.
    pub hash: Hash,
    /// Time of the signature.
    pub at: Timestamp,
    /// Public key, in hexadecimal.
    pub key: String,
    /// Signature, in hexadecimal.
    pub signature: String,
}

impl SignedHead {
    fn message(&self) -> Vec<u8> {
        format!("saegim ledger head\n{}\n{}\n{}\n{}", self.mind, self.sequence, self.hash, self.at).into_bytes()
    }

    /// Checks that the signature is valid for exactly these values.
    fn is_genuine(&self) -> bool {
        let key = bytes::<32>(&self.key).and_then(|key| VerifyingKey::from_bytes(&key).ok());
        let signature = bytes::<64>(&self.signature).map(|signature| Signature::from_bytes(&signature));
        match (key, signature) {
            (Some(key), Some(signature)) => key.verify_strict(&self.message(), &signature).is_ok(),
            _ => false,
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let digits = (0..hex.len()).step_by(2).map(|at| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()));
    digits.collect::<Option<Vec<u8>>>()?.try_into().ok()
}

impl Reporting<'_> {
    pub(crate) async fn ledger(&self, after: u64, limit: usize) -> Result<Vec<(LedgerEntry, Hash)>, EngineError> {
        self.mind.may(Deed::ReadLedger).await?;
        self.mind.access().flush_attempts().await?;
        let mut entries = Vec::new();
        let mut after = after;
        while entries.len() < limit {
            let page = self.mind.store().ledger(self.mind.id, after, limit).await?;
            let Some((last, _)) = page.last() else { break };
            after = last.sequence;
            entries.extend(page.into_iter().filter(|(entry, _)| self.may_see(entry)));
        }
        entries.truncate(limit);
        Ok(entries)
    }

    /// Checks whether this principal may read an entry. An agent reads only its own entries.
    pub(crate) fn may_see(&self, entry: &LedgerEntry) -> bool {
        self.mind.principal() != Principal::Agent || entry.principal == Principal::Agent
    }

    pub(crate) async fn verify_ledger(&self, head: Option<&SignedHead>) -> Result<Verdict, EngineError> {
        self.mind.access().flush_attempts().await?;
        let verdict = self.mind.store().verify_ledger(self.mind.id).await?;
        let (Verdict::Whole { entries, .. }, Some(head)) = (&verdict, head) else { return Ok(verdict) };
        let broken = |problem: Phrase| Ok(Verdict::Broken { sequence: head.sequence, problem });
        if head.mind != self.mind.id {
            return broken(phrase!("engine.audit.head_of_other_mind"));
        }
        if !head.is_genuine() {
            return broken(phrase!("engine.audit.signature_not_valid"));
        }
        if *entries < head.sequence {
            return Ok(Verdict::Broken { sequence: entries + 1, problem: phrase!("engine.audit.truncated", sequence = head.sequence) });
        }
        let at_head = self.mind.store().ledger(self.mind.id, head.sequence.saturating_sub(1), 1).await?;
        if at_head.first().is_none_or(|(_, hash)| *hash != head.hash) {
            return broken(phrase!("engine.audit.rewritten"));
        }
        Ok(verdict)
    }

    pub(crate) async fn sign_head(&self) -> Result<SignedHead, EngineError> {
        self.mind.may(Deed::Operate).await?;
        self.mind.access().flush_attempts().await?;
        let Verdict::Whole { entries, head } = self.mind.store().verify_ledger(self.mind.id).await? else {
            return Err(EngineError::Conflict(phrase!("engine.audit.cannot_sign")));
        };
        let key = self.signing_key()?;
        let mut signed = SignedHead {
            mind: self.mind.id,
            sequence: entries,
            hash: head,
            at: self.mind.now(),
            key: hex(key.verifying_key().as_bytes()),
            signature: String::new(),
        };
        signed.signature = hex(&key.sign(&signed.message()).to_bytes());
        Ok(signed)
    }

    /// Returns the signing key and creates it on first use. It is stored beside the database, not in it, so that write access to
    /// the database does not grant use of the key.
    fn signing_key(&self) -> Result<SigningKey, EngineError> {
        let path = key_path(&self.mind.inner.config.database);
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let key = bytes::<32>(text.trim())
                    .ok_or_else(|| EngineError::Conflict(phrase!("engine.audit.no_signing_key", path = path.display())))?;
                Ok(SigningKey::from_bytes(&key))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = SigningKey::from_bytes(&self.mind.inner.config.dice.roll());
                write_secret(&path, &hex(key.as_bytes())).map_err(|error| EngineError::of_file(&path, &error))?;
                Ok(key)
            }
            Err(error) => Err(EngineError::of_file(&path, &error)),
        }
    }

    pub(crate) async fn export_ledger(&self, folder: &Path) -> Result<Vec<PathBuf>, EngineError> {
        self.mind.may(Deed::Operate).await?;
        let mut days: BTreeMap<String, String> = BTreeMap::new();
        let mut after = 0;
        loop {
            let entries = self.ledger(after, 1000).await?;
            let Some((last, _)) = entries.last() else { break };
            after = last.sequence;
            for (entry, hash) in &entries {
                let day = entry.at.civil(&self.mind.inner.config.time_zone).strftime("%Y%m%d").to_string();
                let mut line = serde_json::to_value(entry).expect("an entry is plain data");
                line["hash"] = serde_json::json!(hash);
                let file = days.entry(day).or_default();
                file.push_str(&line.to_string());
                file.push('\n');
            }
        }
        let head = self.sign_head().await?;
        let head = serde_json::to_string_pretty(&head).expect("a head is plain data") + "\n";
        let mut files: Vec<(PathBuf, String)> =
            days.into_iter().map(|(day, text)| (folder.join(format!("ledger-{day}.jsonl")), text)).collect();
        files.push((folder.join("head.json"), head));
        std::fs::create_dir_all(folder).map_err(|error| EngineError::of_file(folder, &error))?;
        for (path, text) in &files {
            std::fs::write(path, text).map_err(|error| EngineError::of_file(path, &error))?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

impl Engine {
    /// Path of the signing key, if one exists. Backups do not include it: holding a copy of the memories must not allow signing in
    /// the owner's name. Heads signed before can be verified without it.
    pub fn signing_key_file(&self) -> Option<PathBuf> {
        Some(key_path(&self.inner.config.database)).filter(|path| path.exists())
    }
}

fn key_path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-key");
    PathBuf::from(name)
}

/// Writes a file that only its owner can read.
fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // An empty file would later be read as a damaged key.
        let _ = std::fs::remove_file(path);
    })
}
