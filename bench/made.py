"""Deterministic sentences and vectors: the same seed produces the same data on every machine.

The word tables are those of `crates/sim/src/made.rs`; only the random numbers differ.
"""

import hashlib

DIMENSIONS = 512
# Number of memories requested per recall.
LIMIT = 10
# Number of stored sentences that are queried verbatim.
OWN_SENTENCES = 50
# Days until the later rebalance.
MONTH_DAYS = 30

WHO = ["민수는", "지우가", "엄마는", "우리 팀은", "동생이", "Alice", "my boss", "the neighbour", "할머니께서", "룸메이트가"]
WHEN = ["어제", "지난주에", "아침마다", "작년 여름에", "요즘", "last night", "on Sundays", "퇴근하고", "비 오는 날", "in spring"]
WHERE = [
    "회사에서", "제주도에서", "동네 카페에서", "at the gym", "집 앞 공원에서",
    "in Busan", "지하철에서", "도서관에서", "바닷가에서", "online",
]
WHAT = [
    "라면을 먹었다", "달리기를 했다", "기타를 배운다", "got lost", "피아노를 연습한다", "영화를 봤다",
    "wrote a letter", "감기에 걸렸다", "책을 빌렸다", "planted tomatoes", "면접을 봤다", "지갑을 잃어버렸다",
    "사진을 찍었다", "won a prize", "새 신발을 샀다", "늦잠을 잤다",
]


class Numbers:
    """Reproducible pseudo-random numbers."""

    def __init__(self, seed: int):
        self.seed = seed
        self.drawn = 0

    def below(self, end: int) -> int:
        self.drawn += 1
        drawn = self.seed.to_bytes(8, "little") + self.drawn.to_bytes(8, "little")
        return int.from_bytes(hashlib.blake2b(drawn, digest_size=8).digest(), "little") % end

    def pick(self, choices: list[str]) -> str:
        return choices[self.below(len(choices))]


def sentence(numbers: Numbers) -> str:
    """A sentence about someone's life."""
    life = " ".join(numbers.pick(choices) for choices in (WHO, WHEN, WHERE, WHAT))
    return f"{life} ({numbers.below(100_000)})"


def question(numbers: Numbers) -> str:
    """The beginning of a sentence that may not be stored."""
    return " ".join(sentence(numbers).split(" ")[:4])


def importance(text: str) -> float:
    """Importance of a memory, 0 to 1, for the peers that require one."""
    return hashlib.blake2b(text.encode(), digest_size=1).digest()[0] / 255


def vector(text: str):
    """A unit vector derived from the hash of the text, so that no embedder is needed."""
    import numpy

    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
    drawn = numpy.random.default_rng(seed).random(DIMENSIONS, dtype=numpy.float32) - 0.5
    return drawn / numpy.linalg.norm(drawn)
