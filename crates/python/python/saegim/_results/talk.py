"""What a conversation leaves: candidates, facts, people, relationship, mood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .listing import Results
from .memories import StoredMemory
from .words import Emotion, Role


@dataclass(frozen=True)
class Turn:
    """A message of a conversation."""

    id: str
    session: str
    sequence: int
    role: Role
    content: str
    at: datetime
    injected: tuple[str, ...]
    """Memories the answer was based on."""
    speaker: str | None = None
    face: str | None = None
    withdrawn_at: datetime | None = None


@dataclass(frozen=True)
class Candidate:
    """Something a message said, and whether it was stored."""

    id: str
    turn: str
    content: str
    type: str
    score: float
    factors: Mapping[str, Any]
    verdict: str
    """``stored``, ``merged``, ``reinforced``, ``skipped``, ``held`` or ``rejected``."""
    reason: str
    """Why."""
    memory_id: str | None = None


@dataclass(frozen=True)
class FactNews:
    """A fact that is new, was mentioned again or replaced an earlier value."""

    subject: str
    name: str
    value: str
    change: str
    before: tuple[str, ...]


@dataclass(frozen=True)
class Relationship:
    """The relationship between the character and the user."""

    level: str
    speech_style: str
    trust: float
    affection: float
    respect: float
    intimacy: float
    familiarity: float
    rivalry: float


@dataclass(frozen=True)
class Mood:
    """The character's mood."""

    levels: Mapping[Emotion, float]
    """Level of each emotion, 0 to 1; emotions at 0 are omitted."""
    as_of: datetime


@dataclass(frozen=True)
class MoodNow(Mood):
    """The character's current mood and face."""

    face: Mapping[str, int]
    """``neutral``, ``sad``, ``happy`` and ``angry``."""


@dataclass(frozen=True)
class Observed:
    """Result of an exchange."""

    turns: tuple[Turn, ...]
    candidates: tuple[Candidate, ...]
    facts: tuple[FactNews, ...]
    relationship: Relationship
    changes: tuple[Mapping[str, Any], ...]
    """Changes of the relationship."""
    mood: Mood
    face: Mapping[str, int]
    context_used: tuple[str, ...]
    """Memories the answer used."""
    repeated: bool
    """Whether the same exchange was already processed under this idempotency key."""
    degraded: str | None = None


@dataclass(frozen=True)
class Section:
    """Section of a context."""

    name: str
    text: str
    memory_ids: tuple[str, ...]


@dataclass(frozen=True)
class Context:
    """The context a model receives. ``str(context)`` is its text.

    >>> from saegim import Context
    >>> str(Context(text="Mochi is a puppy.", sections=(), tokens=5))
    'Mochi is a puppy.'
    """

    text: str
    sections: tuple[Section, ...]
    tokens: int
    degraded: str | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Fact:
    """A fact about the user."""

    id: str
    subject: str
    """Canonical key of the subject, such as ``residence``."""
    name: str
    value: str
    canonical: str
    category: str
    current: bool
    single: bool
    """Whether the subject has one value at a time."""
    valid_from: datetime
    mentions: int
    confidence: float
    importance: float
    emotions: tuple[Emotion, ...]
    turns: tuple[str, ...]
    holder: str | None = None
    """Person the fact is about, if it is not the user."""
    valid_to: datetime | None = None
    superseded_by: str | None = None


@dataclass(frozen=True)
class Statement:
    """What the user said in their own words."""

    id: str
    group: str
    text: str
    status: str
    confirmed: bool
    current: bool
    probability: float
    turn: str
    valid_from: datetime
    valid_to: datetime | None = None
    holder: str | None = None


@dataclass(frozen=True)
class Facts(Results[Fact]):
    """Facts about the user, and what they said in their own words."""

    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Person:
    """A person or pet in the user's life."""

    id: str
    facts: tuple[Fact, ...]
    statements: tuple[Statement, ...]
    name: str | None = None
    relation: str | None = None


@dataclass(frozen=True)
class Felt:
    """Emotion of a message."""

    at: datetime
    face: Mapping[str, int]


@dataclass(frozen=True)
class Standing(Relationship):
    """The relationship with its history."""

    style_is_set: bool
    """Whether the owner set the speech style."""
    changes: tuple[Mapping[str, Any], ...]
    shared: tuple[StoredMemory, ...]
    feelings: tuple[Felt, ...]


@dataclass(frozen=True)
class Moment:
    """An event of the timeline."""

    type: str
    """``turn``, ``memory``, ``fact``, ``over`` (a fact ended) or ``scene``."""
    at: datetime
    turn: Turn | None = None
    memory: StoredMemory | None = None
    fact: Fact | None = None
    scene: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Withdrawn:
    """What followed from changing or withdrawing a message."""

    turns: tuple[str, ...]
    memories: int
    facts: int
