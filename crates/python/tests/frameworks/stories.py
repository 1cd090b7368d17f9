"""What the tests of the adapters talk about, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from saegim import Memory


@dataclass(frozen=True)
class Story:
    """What is known, a question about it, the word that answers it, and something new."""

    known: str
    question: str
    answer: str
    news: str
    learned: str
    reply: str


STORIES = {
    "ko": Story("강아지 모찌를 입양했어", "우리 강아지 이름이 뭐였지?", "모찌", "나 부산에 살아", "부산", "바다가 가깝겠다!"),
    "en": Story("I adopted a puppy called Mochi", "what is my puppy called?", "Mochi", "I live in Busan.", "Busan", "Near the sea!"),
}


def learned(memory: Memory) -> list[str]:
    """Returns the values of the facts."""
    return [fact.value for fact in memory.facts()]
