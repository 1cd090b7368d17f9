"""Memories and what is found about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .listing import Results
from .words import Category, Emotion, Kind, Knowledge, Source, Tier, Zone


@dataclass(frozen=True)
class StoredMemory:
    """A memory."""

    id: str
    content: str
    """Content, in its original language."""
    kind: Kind
    source: Source
    knowledge: Knowledge
    emotions: tuple[Emotion, ...]
    intensity: float
    """Intensity of the emotion, 0 to 1."""
    sentiment: float
    """Sentiment, -1 to 1."""
    emotion_keywords: tuple[str, ...]
    trust: float
    """Trust in the source, 0 to 1."""
    importance: float
    """Importance, 0 to 1."""
    strength: float
    """Current strength (vividness), 0 to 1."""
    recalls: int
    """Number of recalls."""
    mentions: int
    """Number of times it was mentioned again."""
    created_at: datetime
    tier: Tier
    pinned: bool
    remember_this: bool
    """Whether the user asked to remember it."""
    changed_behaviour: bool
    """Whether it changed the character's behaviour."""
    on_cliff: bool
    """Whether it is on the cliff, where it can be restored."""
    zone: Zone
    zone_score: float
    """Zone score at the last rebalance."""
    tags: tuple[str, ...]
    turns: tuple[str, ...]
    """Messages it was learned from."""
    coordinate: Mapping[str, Any]
    """Session, persona, project and place it belongs to."""
    external_id: str | None = None
    original_event: str | None = None
    interpretation: str | None = None
    summary: str | None = None
    category: Category | None = None
    appraisal: float | None = None
    last_recalled_at: datetime | None = None
    edited_at: datetime | None = None
    expires_at: datetime | None = None
    """Time it moves to the cliff; None for core memories."""
    promoted_from: str | None = None
    """Memory it is the essence of."""
    rating: int | None = None
    """Rating, 1 to 5 stars."""


@dataclass(frozen=True)
class Part:
    """Part of a score."""

    name: str
    weight: float
    value: float


@dataclass(frozen=True)
class _Found:
    score: float
    """Score used for ranking: the sum of weight times value of its parts."""
    relevance: float
    """Relevance to the query, 0 to 1."""
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class FoundMemory(StoredMemory, _Found):
    """A memory that matches a query."""


@dataclass(frozen=True)
class Recalled(Results[FoundMemory]):
    """Memories that match a query, best first."""

    confidence: float = 0.0
    """Confidence that the mind can answer the query at all, 0 to 1."""
    degraded: str | None = None
    """Reason why only keyword search was used, if so."""


@dataclass(frozen=True)
class _Fallen:
    entered_at: datetime
    gone_at: datetime
    """Time of permanent deletion."""
    seconds_left: int
    """Seconds left to restore it."""
    reason: str
    note: str


@dataclass(frozen=True)
class CliffMemory(StoredMemory, _Fallen):
    """A forgotten memory that can still be restored."""


@dataclass(frozen=True)
class Forgotten:
    """Result of forgetting or erasing a memory."""

    memory: str
    gone_at: datetime | None = None
    """Time of permanent deletion; None if it was erased."""
    erased: Mapping[str, Any] | None = None
    """Counts of what was erased with it."""


@dataclass(frozen=True)
class Nearness:
    """Zone score by part."""

    score: float
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Link:
    """Link between two memories."""

    from_: str
    to: str
    kind: str


@dataclass(frozen=True)
class LedgerEntry:
    """An entry of the ledger: what happened, never the text."""

    sequence: int
    """Position in the chain, from 1."""
    at: datetime
    principal: str
    operation: str
    previous: str
    """Hash of the previous entry."""
    memories: tuple[Mapping[str, Any], ...]
    """Memories of the entry, each with a salted hash of its content."""
    coordinate: Mapping[str, Any]
    judges: tuple[Mapping[str, Any], ...]
    session: str | None = None
    note: str | None = None
    evaluation: Mapping[str, Any] | None = None
    plan_adjustment: str | None = None
    hash: str | None = None
    """Hash of the entry itself."""


@dataclass(frozen=True)
class _Details:
    nearness: Nearness
    """Current zone score by part."""
    links: tuple[Link, ...]
    """Links from and to it."""
    fate: Mapping[str, Any]
    """Forecast."""
    history: tuple[LedgerEntry, ...]
    """Ledger entries about it, in order."""


@dataclass(frozen=True)
class MemoryDetails(StoredMemory, _Details):
    """A memory with its scores, links, history and forecast."""

    judged: Mapping[str, Any] | None = None
    """Judgement of its candidate."""
    cliff: Mapping[str, Any] | None = None
    """Entry on the cliff, if it is there."""


@dataclass(frozen=True)
class ZoneMemories:
    """A zone and its memories."""

    zone: Zone
    count: int
    memories: tuple[StoredMemory, ...]
    room: int | None = None
    """Capacity; None without a limit."""


@dataclass(frozen=True)
class Move:
    """A memory that moved between zones."""

    memory: str
    from_: Zone
    to: Zone
    score: float
    """Zone score after the move."""


@dataclass(frozen=True)
class Ticked:
    """What the due jobs did."""

    expired: int
    """Number of expired memories, now on the cliff."""
    gone: int
    """Number of deleted memories."""
    swept: bool
    """Whether all bytes of the deleted data are removed from the file."""
    promoted: int
    joined: int
    pruned: int
    displaced: int
    archived: int
    weighed: int
    embedded: int
    thought: int
    moved: int
    told: tuple[str, ...]
    """Messages for the owner."""
