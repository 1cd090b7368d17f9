"""A memory engine for AI characters and agents, in Korean and English: one file, no server, no key.

>>> from saegim import Memory
>>> memory = Memory("luna.db", user="minsu", character="luna")
>>> _ = memory.store("I adopted a puppy called Mochi")
>>> memory.recall("what is my puppy called?")[0].content
'I adopted a puppy called Mochi'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import (
    BrokenError,
    BusyError,
    ConfirmationError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    ModelDownError,
    NotFoundError,
    ProposedError,
    SaegimError,
    UnreachableError,
)
from ._memory import Memory
from ._progress import ProgressBar
from ._results.identity import (
    Backup,
    Belief,
    Decided,
    DiffLine,
    Erased,
    Imagination,
    Imported,
    Island,
    LedgerVerdict,
    LeftOut,
    Mind,
    Proposal,
    SelfState,
    SelfVersion,
    Simulation,
    Stats,
)
from ._results.listing import Results
from ._results.memories import (
    CliffMemory,
    Forgotten,
    FoundMemory,
    LedgerEntry,
    Link,
    MemoryDetails,
    Move,
    Nearness,
    Part,
    Recalled,
    StoredMemory,
    Ticked,
    ZoneMemories,
)
from ._results.talk import (
    Candidate,
    Context,
    Fact,
    FactNews,
    Facts,
    Felt,
    Moment,
    Mood,
    MoodNow,
    Observed,
    Person,
    Relationship,
    Section,
    Standing,
    Statement,
    Turn,
    Withdrawn,
)

if TYPE_CHECKING:
    from ._async_memory import AsyncMemory


def __getattr__(name: str) -> Any:
    """Imports ``AsyncMemory`` when it is first used, because it needs ``asyncio``."""
    if name == "AsyncMemory":
        from ._async_memory import AsyncMemory

        return AsyncMemory
    raise AttributeError(f"module 'saegim' has no attribute '{name}'")


__all__ = [
    "AsyncMemory",
    "Backup",
    "Belief",
    "BrokenError",
    "BusyError",
    "Candidate",
    "CliffMemory",
    "ConfirmationError",
    "ConflictError",
    "Context",
    "Decided",
    "DiffLine",
    "Erased",
    "Fact",
    "FactNews",
    "Facts",
    "Felt",
    "ForbiddenError",
    "Forgotten",
    "FoundMemory",
    "Imagination",
    "Imported",
    "InvalidError",
    "Island",
    "LedgerEntry",
    "LedgerVerdict",
    "LeftOut",
    "Link",
    "Memory",
    "MemoryDetails",
    "Mind",
    "ModelDownError",
    "Moment",
    "Mood",
    "MoodNow",
    "Move",
    "Nearness",
    "NotFoundError",
    "Observed",
    "Part",
    "Person",
    "ProgressBar",
    "Proposal",
    "ProposedError",
    "Recalled",
    "Relationship",
    "Results",
    "SaegimError",
    "Section",
    "SelfState",
    "SelfVersion",
    "Simulation",
    "Standing",
    "Statement",
    "Stats",
    "StoredMemory",
    "Ticked",
    "Turn",
    "UnreachableError",
    "Withdrawn",
    "ZoneMemories",
]
