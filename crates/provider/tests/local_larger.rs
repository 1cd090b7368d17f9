//! The larger embedder compared with reference vectors.
//!
//! These tests need the model file: run `model/fetch-e5.sh PATH`, then `SAEGIM_E5=PATH cargo test`. Without it they print a message
//! and check nothing; the unit tests use a small generated model.
#![allow(clippy::unwrap_used, reason = "the lint's exception for tests does not reach the functions tests share")]

mod local_pairs;

use std::path::PathBuf;

use local_pairs::{Promise, check_pairs};
use saegim_core::Embedding;
use saegim_provider::{Embedder, LargerEmbedder, ProviderError, Purpose};

const DIMS: usize = 384;

fn path() -> Option<PathBuf> {
    let path = std::env::var_os("SAEGIM_E5").map(PathBuf::from);
    if path.is_none() {
        eprintln!("SAEGIM_E5 does not name the larger model's file: nothing was tested");
    }
    path
}

fn embedder() -> Option<LargerEmbedder> {
    path().map(|path| LargerEmbedder::open_verified(&path).unwrap())
}

/// A sentence, its pieces, and two reference vectors: by plain numpy, and by the engine of its own package.
struct Reference {
    text: &'static str,
    pieces: Vec<u32>,
    plain: Embedding,
    engine: Embedding,
}

/// Written by `model/reference_e5.py`.
fn references() -> Vec<Reference> {
    let (numbers, _) = include_bytes!("local_larger.f32").as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    let read = |(line, vectors): (&'static str, &[f32])| {
        let (text, pieces) = line.split_once('\t').unwrap();
        let pieces = pieces.split(' ').map(|piece| piece.parse().unwrap()).collect();
        let vector = |index: usize| Embedding::new(vectors[index * DIMS..][..DIMS].to_vec()).unwrap();
        Reference { text, pieces, plain: vector(0), engine: vector(1) }
    };
    include_str!("local_larger.tsv").lines().zip(numbers.chunks_exact(2 * DIMS)).map(read).collect()
}

#[test]
fn only_the_very_file_is_opened() {
    let Some(path) = path() else { return };
    assert_eq!(LargerEmbedder::open(&path).unwrap().dims(), DIMS);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[40_000_000] ^= 1;
    let damaged = std::env::temp_dir().join(format!("saegim-larger-{}.bin", std::process::id()));
    std::fs::write(&damaged, bytes).unwrap();
    let opened = LargerEmbedder::open(&damaged);
    std::fs::remove_file(&damaged).unwrap();
    assert!(matches!(opened, Err(ProviderError::Broken(words)) if words.contains("install it again")));
}

#[test]
fn vectors_and_pieces_are_those_from_elsewhere() {
    let Some(embedder) = embedder() else { return };
    for reference in references() {
        assert_eq!(embedder.pieces(reference.text).unwrap(), reference.pieces, "{}", reference.text);
        let embedding = embedder.plain_now(&[reference.text]).unwrap().remove(0);
        let (plain, engine) = (embedding.cosine(&reference.plain), embedding.cosine(&reference.engine));
        assert!(plain > 0.99999 && engine > 0.9995, "{}: {plain} {engine}", reference.text);
    }
}

#[test]
fn odd_text_gives_a_vector_and_the_way_characters_are_stored_does_not_matter() {
    let Some(embedder) = embedder() else { return };
    let embed = |text: &str| embedder.embed_now(&[text]).unwrap().remove(0);
    for text in ["!", "😀", "ㅋ", "我喜欢咖啡", "<s>", &"바다가 보고 싶다 ".repeat(50_000)] {
        assert_eq!(embed(text).dims(), DIMS);
    }
    assert_eq!(embed("한글을 써"), embed("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}\u{110B}\u{1173}\u{11AF} \u{110A}\u{1165}"));
    assert_eq!(embed("  커피를\t좋아해 \n"), embed("커피를 좋아해"));
    assert!(matches!(embedder.embed_now(&[" \n"]), Err(ProviderError::Invalid(_))));
}

#[tokio::test]
async fn the_trait_gives_the_same_for_questions_and_passages() {
    let Some(embedder) = embedder() else { return };
    let texts = ["커피를 좋아해".to_string(), "コーヒーが好き".to_string()];
    let now = embedder.embed_now(&[&texts[0], &texts[1]]).unwrap();
    for purpose in [Purpose::Query, Purpose::Passage] {
        assert_eq!(embedder.embed(&texts, purpose).await.unwrap(), now);
    }
    assert_eq!(embedder.id(), "me5-small-q4@2");
    assert!(texts.iter().all(|text| embedder.knows(text)) && !embedder.knows("!?"));
}

#[test]
fn the_calibration_keeps_its_promise() {
    let Some(embedder) = embedder() else { return };
    let similarity = |one: &str, other: &str| {
        let pair = embedder.embed_now(&[one, other]).unwrap();
        embedder.calibration().similarity(pair[0].cosine(&pair[1])).get()
    };
    check_pairs("ko", &similarity, Promise { same: 0.75, falsely_same: 0.0, related: 0.6 });
    check_pairs("en", &similarity, Promise { same: 0.85, falsely_same: 0.05, related: 0.4 });
}

#[test]
fn across_languages_the_same_is_nearer_than_the_unrelated() {
    // Only relative: a pair across languages loses about 0.08 of cosine with this model, so its calibration does not apply.
    let Some(embedder) = embedder() else { return };
    let cosines = |relation: &str| -> Vec<f32> {
        let pairs = include_str!("pairs.tsv").lines().map(|line| line.split('\t').collect::<Vec<_>>());
        let wanted = pairs.filter(|fields| fields[0] == "both" && fields[1] == relation);
        let cosine = |fields: Vec<&str>| {
            let pair = embedder.embed_now(&fields[2..]).unwrap();
            pair[0].cosine(&pair[1])
        };
        wanted.map(cosine).collect()
    };
    let least = cosines("same").into_iter().fold(1.0, f32::min);
    let most = cosines("unrelated").into_iter().fold(0.0, f32::max);
    assert!(least > most + 0.02, "{least} {most}");
}

#[test]
fn what_sentences_share_is_taken_off() {
    let Some(embedder) = embedder() else { return };
    let texts: Vec<&str> = references().iter().map(|reference| reference.text).filter(|text| text.chars().count() > 15).collect();
    let mean_cosine = |vectors: Vec<Embedding>| {
        let pairs = vectors.iter().enumerate().flat_map(|(at, one)| vectors[..at].iter().map(move |other| one.cosine(other)));
        pairs.sum::<f32>() / (vectors.len() * (vectors.len() - 1) / 2) as f32
    };
    assert!(mean_cosine(embedder.plain_now(&texts).unwrap()) > 0.7);
    assert!(mean_cosine(embedder.embed_now(&texts).unwrap()).abs() < 0.2);
}
