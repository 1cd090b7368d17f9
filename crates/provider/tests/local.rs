//! The built-in embedder compared with reference vectors, unusual text and damaged files.
#![allow(clippy::unwrap_used, reason = "the lint's exception for tests does not reach the functions tests share")]

mod local_pairs;

use local_pairs::{Promise, check_pairs};
use saegim_core::Embedding;
use saegim_provider::{Embedder, LocalEmbedder, ProviderError, Purpose};

const MODEL: &[u8] = include_bytes!("../model/use-m3-koen-q4.bin");
const DIMS: usize = 512;

/// A sentence, its pieces, and two reference vectors: of the reduced model by plain numpy, and of the full model by its own
/// package.
struct Reference {
    text: &'static str,
    pieces: Vec<u32>,
    cut: Embedding,
    whole: Embedding,
}

/// Written by `model/reference.py`.
fn references() -> Vec<Reference> {
    let (numbers, _) = include_bytes!("local_reference.f32").as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    let lines = include_str!("local_reference.tsv").lines();
    let read = |(line, vectors): (&'static str, &[f32])| {
        let (text, pieces) = line.split_once('\t').unwrap();
        let pieces = pieces.split(' ').map(|piece| piece.parse().unwrap()).collect();
        let vector = |index: usize| Embedding::new(vectors[index * DIMS..][..DIMS].to_vec()).unwrap();
        Reference { text, pieces, cut: vector(0), whole: vector(1) }
    };
    lines.zip(numbers.chunks_exact(2 * DIMS)).map(read).collect()
}

fn embedder() -> LocalEmbedder {
    LocalEmbedder::built_in().unwrap()
}

fn embed(text: &str) -> Embedding {
    embedder().embed_now(&[text]).unwrap().remove(0)
}

#[test]
fn texts_split_into_the_same_pieces_as_elsewhere() {
    let references = references();
    assert_eq!(references.len(), 50);
    for reference in references {
        assert_eq!(embedder().pieces(reference.text).unwrap(), reference.pieces, "{}", reference.text);
    }
}

#[test]
fn vectors_are_those_of_plain_numpy() {
    for reference in references() {
        let cosine = embedder().plain_now(&[reference.text]).unwrap()[0].cosine(&reference.cut);
        assert!(cosine > 0.9999, "{}: {cosine}", reference.text);
    }
}

#[test]
fn cutting_the_model_down_cost_little() {
    // A few references contain pieces that only the full model has: an emoji, Portuguese, "<s>".
    let mut cosines: Vec<f32> = references().iter().map(|reference| reference.cut.cosine(&reference.whole)).collect();
    cosines.sort_by(f32::total_cmp);
    assert!(cosines[5] > 0.95 && cosines[25] > 0.985, "{cosines:?}");
}

#[test]
fn a_batch_gives_what_its_texts_give_alone() {
    let references = references();
    let texts: Vec<&str> = references.iter().map(|reference| reference.text).collect();
    let together = embedder().embed_now(&texts).unwrap();
    for (text, embedding) in texts.iter().zip(together) {
        assert_eq!(embed(text), embedding, "{text}");
    }
    assert!(embedder().embed_now(&[]).unwrap().is_empty());
}

#[tokio::test]
async fn the_trait_gives_the_same_for_questions_and_passages() {
    let embedder = embedder();
    assert_eq!((embedder.id(), embedder.dims()), ("use-m3-koen-q4@2", DIMS));
    let texts = ["나는 커피를 좋아해".to_string(), "I like coffee".to_string()];
    let now = embedder.embed_now(&[&texts[0], &texts[1]]).unwrap();
    for purpose in [Purpose::Query, Purpose::Passage] {
        assert_eq!(embedder.embed(&texts, purpose).await.unwrap(), now);
    }
    assert!(now.iter().all(|embedding| embedding.dims() == DIMS));
}

/// Checks that both texts have the same embedding.
fn check_same(one: &str, other: &str) {
    assert_eq!(embed(one), embed(other), "{one:?} and {other:?}");
}

#[test]
fn the_way_characters_are_stored_does_not_matter() {
    // Decomposed Hangul, as some file systems and keyboards produce it.
    check_same(
        "나는 한글을 써",
        "\u{1102}\u{1161}\u{1102}\u{1173}\u{11AB} \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}\u{110B}\u{1173}\u{11AF} \u{110A}\u{1165}",
    );
    check_same("café", "cafe\u{301}");
    check_same("ABC 123", "ＡＢＣ　１２３");
    check_same("  커피를\t좋아해 \n", "커피를 좋아해");
}

#[test]
fn particles_and_endings_change_little_and_the_subject_much() {
    let close = embed("나는 커피를 좋아해").cosine(&embed("난 커피 좋아해요"));
    let far = embed("나는 커피를 좋아해").cosine(&embed("어제 기차를 놓쳤어"));
    assert!(close > 0.8 && far < 0.3, "{close} {far}");
}

#[test]
fn the_same_in_both_languages_is_close() {
    let close = embed("우리 강아지가 아파서 병원에 다녀왔어").cosine(&embed("My dog was sick so we went to the vet"));
    assert!(close > 0.5, "{close}");
}

#[test]
fn odd_text_gives_a_vector() {
    let long = "바다가 보고 싶다 ".repeat(100_000);
    for text in ["!", "😀", "😀😀😀", "\u{0}", "ㅋ", "我喜欢咖啡", "\u{200D}\u{FE0F}a", "<s>", &"가".repeat(50_000), &long] {
        assert_eq!(embed(text).dims(), DIMS);
    }
}

#[test]
fn blank_text_is_refused() {
    for text in ["", " ", "\n\t ", "\u{3000}", "\u{FFFD}"] {
        assert!(matches!(embedder().embed_now(&["커피", text]), Err(ProviderError::Invalid(_))), "{text:?}");
    }
}

#[test]
fn of_a_long_text_the_first_512_pieces_are_read() {
    let long = "오늘은 바다를 보러 갔다. ".repeat(200);
    assert_eq!(embedder().pieces(&long).unwrap().len(), 512);
    assert_eq!(embed(&long), embed(&(long.clone() + "끝은 읽지 않는다")));
}

#[test]
fn text_in_other_scripts_is_not_known() {
    for (text, known) in
        [("커피 좋아해", true), ("I like coffee", true), ("コーヒーが好き", false), ("Мне нравится кофе", false), ("", false)]
    {
        assert_eq!(embedder().knows(text), known, "{text}");
    }
}

#[test]
fn the_calibration_keeps_its_promise() {
    let embedder = embedder();
    let similarity = |one: &str, other: &str| {
        let pair = embedder.embed_now(&[one, other]).unwrap();
        embedder.calibration().similarity(pair[0].cosine(&pair[1])).get()
    };
    check_pairs("ko", &similarity, Promise { same: 0.7, falsely_same: 0.1, related: 0.5 });
    check_pairs("en", &similarity, Promise { same: 0.8, falsely_same: 0.05, related: 0.6 });
    check_pairs("both", &similarity, Promise { same: 0.1, falsely_same: 0.0, related: 0.0 });
}

fn check_broken(file: &[u8], what: &str) {
    match LocalEmbedder::from_bytes(file) {
        Err(ProviderError::Broken(words)) => assert!(words.contains("install it again"), "{what}: {words}"),
        Err(other) => panic!("{what}: {other}"),
        Ok(_) => panic!("{what} was not noticed"),
    }
}

#[test]
fn a_file_cut_short_anywhere_is_broken() {
    for end in (0..64).chain((64..MODEL.len()).step_by(MODEL.len() / 100)).chain(MODEL.len() - 16..MODEL.len()) {
        check_broken(&MODEL[..end], &format!("cut at {end}"));
    }
}

#[test]
fn a_flipped_bit_anywhere_is_broken() {
    let mut file = MODEL.to_vec();
    for place in (0..64).chain((64..MODEL.len()).step_by(MODEL.len() / 100)).chain(MODEL.len() - 8..MODEL.len()) {
        file[place] ^= 1 << (place % 8);
        check_broken(&file, &format!("byte {place}"));
        file[place] ^= 1 << (place % 8);
    }
}

#[test]
fn a_whole_file_loads_from_anywhere() {
    let path = std::env::temp_dir().join(format!("saegim-local-{}.bin", std::process::id()));
    std::fs::write(&path, MODEL).unwrap();
    let loaded = LocalEmbedder::from_path(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(loaded.unwrap().embed_now(&["커피"]).unwrap()[0], embed("커피"));
    assert!(matches!(LocalEmbedder::from_path(&path), Err(ProviderError::Down(_))));
}
