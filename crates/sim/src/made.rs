//! Texts and vectors generated from numbers, reproducible on every machine.

use async_trait::async_trait;
use saegim_core::{Calibration, Embedding, Hash};
use saegim_provider::{Embedder, ProviderError, Purpose};

/// A reproducible sequence of pseudorandom numbers.
pub(crate) struct Numbers {
    seed: u64,
    drawn: u64,
}

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, drawn: 0 }
    }

    /// Returns the next number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.drawn += 1;
        let hash = Hash::of(&[self.seed.to_le_bytes(), self.drawn.to_le_bytes()].concat());
        let bytes: [u8; 8] = hash.bytes()[..8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes) % end
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

const WHO: &[&str] =
    &["민수는", "지우가", "엄마는", "우리 팀은", "동생이", "Alice", "my boss", "the neighbour", "할머니께서", "룸메이트가"];
const WHEN: &[&str] =
    &["어제", "지난주에", "아침마다", "작년 여름에", "요즘", "last night", "on Sundays", "퇴근하고", "비 오는 날", "in spring"];
const WHERE: &[&str] = &[
    "회사에서",
    "제주도에서",
    "동네 카페에서",
    "at the gym",
    "집 앞 공원에서",
    "in Busan",
    "지하철에서",
    "도서관에서",
    "바닷가에서",
    "online",
];
const WHAT: &[&str] = &[
    "라면을 먹었다",
    "달리기를 했다",
    "기타를 배운다",
    "got lost",
    "피아노를 연습한다",
    "영화를 봤다",
    "wrote a letter",
    "감기에 걸렸다",
    "책을 빌렸다",
    "planted tomatoes",
    "면접을 봤다",
    "지갑을 잃어버렸다",
    "사진을 찍었다",
    "won a prize",
    "새 신발을 샀다",
    "늦잠을 잤다",
];

/// Generates a sentence about someone's life.
pub(crate) fn sentence(numbers: &mut Numbers) -> String {
    let (who, when, place, what) = (numbers.pick(WHO), numbers.pick(WHEN), numbers.pick(WHERE), numbers.pick(WHAT));
    format!("{who} {when} {place} {what} ({})", numbers.below(100_000))
}

/// An embedder without cost: derives a vector from the hash of the text. For tests of the store, not of meaning.
pub(crate) struct HashEmbedder(Calibration);

impl HashEmbedder {
    pub(crate) fn new() -> Self {
        Self(Calibration::new(vec![(0.0, 0.0), (1.0, 1.0)]).expect("the knots rise"))
    }

    pub(crate) fn vector(text: &str, dims: usize) -> Embedding {
        let mut numbers = Numbers::new(u64::from_le_bytes(Hash::of(text.as_bytes()).bytes()[..8].try_into().expect("eight bytes")));
        let mut state = numbers.below(u64::MAX) | 1;
        let components = (0..dims).map(|_| {
            // xorshift is random enough for directions.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        });
        Embedding::new(components.collect()).expect("a drawn direction is usable")
    }
}

#[async_trait]
impl Embedder for HashEmbedder {
    fn id(&self) -> &str {
        "hash-512@1"
    }

    fn dims(&self) -> usize {
        512
    }

    fn calibration(&self) -> &Calibration {
        &self.0
    }

    fn knows(&self, _: &str) -> bool {
        true
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Embedding>, ProviderError> {
        Ok(texts.iter().map(|text| Self::vector(text, 512)).collect())
    }
}
