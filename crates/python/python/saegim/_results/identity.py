"""The self: islands, beliefs, proposals and imaginations. And the mind itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from .words import Emotion, ProposalStatus, Trigger


@dataclass(frozen=True)
class Island:
    """An aspect of the personality, founded on core memories."""

    id: str
    name: str
    emoji: str
    description: str
    founding: tuple[str, ...]
    rebuilding: tuple[str, ...]
    status: str
    status_since: datetime
    strength: float
    made_at: datetime
    in_context: bool
    collapses_at: datetime | None = None
    """Time when the island collapses if no founding memory is restored."""


@dataclass(frozen=True)
class Belief:
    """Something the character believes about itself."""

    id: str
    statement: str
    confidence: float
    formed_at: datetime
    supporting: tuple[str, ...]
    island: str | None = None


@dataclass(frozen=True)
class SelfVersion:
    """A version of the self."""

    version: int
    beliefs: tuple[Belief, ...]
    made_at: datetime
    reason: str
    proposal: str | None = None


@dataclass(frozen=True)
class SelfState:
    """The self and the number of proposals that wait for the owner."""

    waiting: int
    current: SelfVersion | None = None


@dataclass(frozen=True)
class DiffLine:
    """A line of a diff: ``+``, ``-`` or a space, and its text."""

    sign: str
    text: str


@dataclass(frozen=True)
class Proposal:
    """A change of the self that the owner approves or rejects."""

    id: str
    kind: str
    status: ProposalStatus
    digest: str
    """Identifies exactly this change; a decision repeats it."""
    change: Mapping[str, Any]
    diff: tuple[DiffLine, ...]
    reasons: tuple[str, ...]
    evidence: tuple[str, ...]
    made_by: str
    made_at: datetime
    lapses_at: datetime
    decided_at: datetime | None = None
    memory: str | None = None


@dataclass(frozen=True)
class Decided:
    """Result of a decision about a proposal."""

    proposal: Proposal
    told: tuple[str, ...]
    """Messages for the owner."""
    version: int | None = None
    """New version of the self, if there is one."""


@dataclass(frozen=True)
class Imagination:
    """An imagination of the character. Never a fact."""

    id: str
    trigger: Trigger
    theme: str
    scenario: str
    memories: tuple[str, ...]
    emotions: tuple[Emotion, ...]
    at: datetime
    ignored: bool
    action: str | None = None
    liked: bool | None = None
    memory: str | None = None


@dataclass(frozen=True)
class Mind:
    """A mind: what one character remembers about one user in one work."""

    id: str
    key: str
    user: str
    character: str
    work: str
    made_at: datetime
    turns: int
    """Number of exchanges."""


@dataclass(frozen=True)
class Stats(Mind):
    """A mind and its counts."""

    zones: Mapping[str, int]
    tiers: Mapping[str, int]
    on_cliff: int
    links: int
    entries: int
    """Number of ledger entries."""

    @property
    def memories(self) -> int:
        """Number of memories that are not on the cliff."""
        return sum(self.zones.values())


@dataclass(frozen=True)
class Erased:
    """Counts of what was erased."""

    memories: int
    turns: int
    facts: int
    links: int
    vectors: int
    swept: bool
    """Whether all bytes are removed from the file; False while another process still reads an old page."""


@dataclass(frozen=True)
class LedgerVerdict:
    """Result of verifying the hash chain of the ledger."""

    whole: bool
    entries: int | None = None
    head: str | None = None
    broken_at: int | None = None
    problem: str | None = None


@dataclass(frozen=True)
class LeftOut:
    """Something that was not imported, and why."""

    what: str
    why: str


@dataclass(frozen=True)
class Imported:
    """Result of an import."""

    imported: int
    known: int
    """Number of memories that were there already."""
    on_cliff: int
    links: int
    turns: int
    facts: int
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Backup:
    """A copy of the database."""

    backup: str
    """Path of the copy."""
    signing_key_left_at: str | None = None
    """File of the key that signs the ledger; it is not part of the copy."""


@dataclass(frozen=True)
class Simulation:
    """Report of a simulation; ``report`` is the whole of it, as ``saegim simulate --json`` prints it."""

    report: Mapping[str, Any]
    kept_in: str | None = None
