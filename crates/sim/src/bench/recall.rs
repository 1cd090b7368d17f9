use rusqlite::Connection;
use saegim_core::{Kind, Timestamp};
use saegim_engine::{Filter, MindHandle, Query};
use serde_json::{Map, Value};

use super::{Times, now, timed};
use crate::Outcome;
use crate::made::HashEmbedder;

/// Measures every question without and with a filter, and compares with sqlite-vec's brute-force search.
pub(super) async fn measure(mind: &MindHandle, texts: &[String], questions: &[String], told: &mut Map<String, Value>) -> Outcome {
    let recall = asked(mind, questions, &Filter::default()).await?;
    let filter = Filter { kind: Some(Kind::Episodic), since: Some(Timestamp::from_millis(0)), ..Filter::default() };
    let filtered = asked(mind, questions, &filter).await?;
    let brute = brute_force(texts, questions)?;
    told.insert("recall_embedded".into(), recall.json());
    told.insert("recall_filtered".into(), filtered.json());
    told.insert("sqlite_vec_brute_force".into(), brute.json());
    told.insert("recall_over_brute_force".into(), recall.over(&brute).into());
    Ok(())
}

/// Measures every question. Drops the first twentieth, which loads the index into memory.
pub(crate) async fn asked(mind: &MindHandle, questions: &[String], filter: &Filter) -> Result<Times, Box<dyn std::error::Error>> {
    let mut times = Vec::new();
    for question in questions {
        let start = now();
        mind.recall(Query { limit: 10, filter: filter.clone(), ..Query::text(question.clone()) }).await?;
        times.push(start.elapsed());
    }
    Ok(Times(times.split_off(questions.len() / 20)))
}

/// Measures the same vectors and number of neighbours in a sqlite-vec table.
fn brute_force(texts: &[String], questions: &[String]) -> Result<Times, Box<dyn std::error::Error>> {
    register();
    let connection = Connection::open_in_memory()?;
    connection.execute_batch("CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[512] distance_metric=cosine)")?;
    let bytes = |text: &str| -> Vec<u8> {
        HashEmbedder::vector(text, 512).components().iter().flat_map(|component| component.to_le_bytes()).collect()
    };
    for (row, text) in texts.iter().enumerate() {
        connection.execute("INSERT INTO vectors (rowid, embedding) VALUES (?1, ?2)", (row as i64, bytes(text)))?;
    }
    let mut search = connection.prepare("SELECT rowid, distance FROM vectors WHERE embedding MATCH ?1 AND k = 10")?;
    let vectors: Vec<Vec<u8>> = questions.iter().map(|question| bytes(question)).collect();
    Ok(timed(vectors.len(), |run| {
        let rows = search.query_map([&vectors[run]], |row| row.get::<_, i64>(0)).expect("it answers");
        assert_eq!(rows.count(), 10);
    }))
}

#[allow(unsafe_code)]
fn register() {
    // SAFETY: the entry point has the signature of every SQLite extension; see the store's `open.rs`.
    unsafe {
        rusqlite::ffi::sqlite3_auto_extension(Some(std::mem::transmute::<
            *const (),
            unsafe extern "C" fn(
                *mut rusqlite::ffi::sqlite3,
                *mut *mut std::ffi::c_char,
                *const rusqlite::ffi::sqlite3_api_routines,
            ) -> i32,
        >(sqlite_vec::sqlite3_vec_init as *const ())));
    }
}
