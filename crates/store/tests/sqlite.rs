//! SQLite against the conformance suite, and the promises only a file can break.
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the functions tests share")]

use std::sync::Arc;

use async_trait::async_trait;
use saegim_store::{SqliteSettings, SqliteStore, Store, conformance};

struct OneFile(tempfile::TempDir);

#[async_trait]
impl conformance::Subject for OneFile {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(SqliteSettings::at(self.0.path().join("mind.db"))).await.unwrap())
    }

    fn at_rest(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.0.path()).unwrap();
        files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_every_promise_of_a_store() {
    conformance::all(|| OneFile(tempfile::tempdir().unwrap())).await;
}
