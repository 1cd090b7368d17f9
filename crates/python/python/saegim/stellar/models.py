"""The results of stellar-memory's calls."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from .._errors import InvalidError
from .._results.memories import StoredMemory
from .._results.words import Zone

ZONES: tuple[Zone, ...] = ("core", "inner", "outer", "belt", "cloud")
"""Zones by stellar-memory's number."""

LONGEST_LABEL = 200
"""Maximum number of characters of a metadata entry, with its name."""


@dataclass
class MemoryItem:
    """A memory, as stellar-memory describes it. Times are Unix seconds."""

    id: str
    content: str
    created_at: float
    last_recalled_at: float
    recall_count: int = 0
    arbitrary_importance: float = 0.5
    zone: int = -1
    """0 is the core, 4 the cloud, -1 not placed."""
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    embedding: list[float] | None = None
    """Only in files of stellar-memory; saegim keeps its vectors in the database."""
    total_score: float = 0.0
    emotion: str | None = None
    """The strongest emotion."""
    user_id: str | None = None


@dataclass
class MemoryStats:
    """Counts by zone."""

    zone_counts: dict[int, int] = field(default_factory=dict[int, int])
    zone_capacities: dict[int, int | None] = field(default_factory=dict[int, "int | None"])
    total_memories: int = 0


@dataclass
class ReorbitResult:
    """What a rebalance did."""

    moved: int = 0
    evicted: int = 0
    """Number of moves to a zone farther from the core."""
    total_items: int = 0
    duration: float = 0.0
    """Seconds."""


@dataclass
class MemorySnapshot:
    """All memories at one time."""

    timestamp: float = field(default_factory=time.time)
    total_memories: int = 0
    zone_distribution: dict[int, int] = field(default_factory=dict[int, int])
    items: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    version: str = "0.3.0"


@dataclass(frozen=True)
class Labels:
    """Metadata in the form saegim stores it: a session, and tags that filter a recall."""

    tags: list[str]
    session: str | None


def labels_of(metadata: dict[str, Any]) -> Labels:
    """Returns the labels of metadata: ``{"topic": "food"}`` is the tag ``topic:food``."""
    tags: list[str] = []
    session: str | None = None
    for name, value in metadata.items():
        if name == "session_id" and isinstance(value, str) and value:
            session = value
        elif name == "tags" and isinstance(value, list):
            tags += [str(tag) for tag in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        elif value is not None:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            tags.append(f"{name}:{text}")
    long = [tag for tag in tags if len(tag) > LONGEST_LABEL]
    if long:
        name = long[0].partition(":")[0][:40]
        raise InvalidError(f"metadata `{name}` is longer than {LONGEST_LABEL} characters", hint="put long texts into the content")
    return Labels(tags, session)


def _value(text: str) -> Any:
    """Returns the JSON value that a label contains, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def item_of(memory: StoredMemory, user_id: str | None) -> MemoryItem:
    """Returns a memory as stellar-memory describes it."""
    metadata: dict[str, Any] = {}
    plain: list[str] = []
    for tag in memory.tags:
        name, colon, value = tag.partition(":")
        if colon and name:
            metadata[name] = _value(value)
        else:
            plain.append(tag)
    if plain:
        metadata["tags"] = plain
    if memory.coordinate.get("session"):
        metadata["session_id"] = memory.coordinate["session"]
    created = memory.created_at.timestamp()
    return MemoryItem(
        id=memory.external_id or memory.id,
        content=memory.content,
        created_at=created,
        last_recalled_at=memory.last_recalled_at.timestamp() if memory.last_recalled_at else created,
        recall_count=memory.recalls,
        arbitrary_importance=round(memory.importance if memory.appraisal is None else memory.appraisal, 6),
        zone=ZONES.index(memory.zone),
        metadata=metadata,
        total_score=memory.zone_score,
        emotion=memory.emotions[0] if memory.emotions else None,
        user_id=user_id,
    )
