//! Tests with a synthetic model in the real format, written by `model/reference_e5.py`.

use std::path::PathBuf;

use super::*;

const TINY: &[u8] = include_bytes!("../../../../tests/local_larger_tiny.bin");
const DIMS: usize = 32;

/// A file in the temporary directory, deleted on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("saegim-{}-{name}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn the_made_up_model_gives_the_vectors_of_plain_numpy() {
    let file = Scratch::new("vectors.bin", TINY);
    let embedder = LargerEmbedder::open_verified(&file.0).unwrap();
    assert_eq!(embedder.dims(), DIMS);
    let (numbers, _) = include_bytes!("../../../../tests/local_larger_tiny.f32").as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
    let mut texts = vec![];
    for (line, vector) in include_str!("../../../../tests/local_larger_tiny.tsv").lines().zip(numbers.chunks_exact(DIMS)) {
        let (text, pieces) = line.split_once('\t').unwrap();
        let pieces: Vec<u32> = pieces.split(' ').map(|piece| piece.parse().unwrap()).collect();
        assert_eq!(embedder.pieces(text).unwrap(), pieces, "{text}");
        let cosine = embedder.embed_now(&[text]).unwrap()[0].cosine(&Embedding::new(vector.to_vec()).unwrap());
        assert!(cosine > 0.99999, "{text}: {cosine}");
        texts.push(text);
    }
    assert_eq!(texts.len(), 6);
    let together = embedder.embed_now(&texts).unwrap();
    for (text, embedding) in texts.iter().zip(together) {
        assert_eq!(embedder.embed_now(&[text]).unwrap()[0], embedding, "{text}");
    }
}

#[test]
fn blank_text_is_refused_and_marks_cannot_be_forged() {
    let file = Scratch::new("blank.bin", TINY);
    let embedder = LargerEmbedder::open_verified(&file.0).unwrap();
    for text in ["", "  ", "\t\n", "\u{3000}"] {
        assert!(matches!(embedder.embed_now(&[text]), Err(ProviderError::Invalid(_))), "{text:?}");
    }
    let pieces = embedder.pieces("</s>").unwrap();
    assert_eq!(pieces.iter().filter(|&&piece| piece == 2).count(), 1, "{pieces:?}");
}

#[test]
fn a_file_cut_short_anywhere_is_broken() {
    for end in (0..2000).chain((2000..TINY.len()).step_by(97)) {
        let file = Scratch::new("cut.bin", &TINY[..end]);
        assert!(matches!(LargerEmbedder::open_verified(&file.0), Err(ProviderError::Broken(_))), "cut at {end}");
    }
}

#[test]
fn a_changed_byte_anywhere_ends_in_a_vector_or_a_word_and_never_in_a_panic() {
    // The header contains all sizes, offsets and names; only weights follow it.
    for place in (0..2300).chain((2300..TINY.len()).step_by(61)) {
        for change in [0x01, 0x80, 0xFF] {
            let mut bytes = TINY.to_vec();
            bytes[place] ^= change;
            let file = Scratch::new("changed.bin", &bytes);
            let result = LargerEmbedder::open_verified(&file.0).and_then(|embedder| embedder.embed_now(&["커피를 좋아해 ㉿"]));
            assert!(matches!(result, Ok(_) | Err(ProviderError::Broken(_))), "byte {place}");
        }
    }
}

#[test]
fn a_file_that_shrinks_while_in_use_is_an_error() {
    let file = Scratch::new("shrinks.bin", TINY);
    let embedder = LargerEmbedder::open_verified(&file.0).unwrap();
    fs::File::options().write(true).open(&file.0).unwrap().set_len(100).unwrap();
    assert!(matches!(embedder.embed_now(&["커피"]), Err(ProviderError::Down(_))));
}

#[test]
fn another_file_than_the_real_one_is_not_opened() {
    let file = Scratch::new("other.bin", TINY);
    assert!(matches!(LargerEmbedder::open(&file.0), Err(ProviderError::Broken(_))));
    let missing = file.0.with_extension("missing");
    assert!(matches!(LargerEmbedder::open(&missing), Err(ProviderError::Down(_))));
}
