"""Hooks into the calls of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .models import MemoryItem

if TYPE_CHECKING:
    from .stellar import StellarMemory


class MemoryPlugin:
    """Base class of plugins. Override the hooks you need."""

    name: str = "unnamed-plugin"

    def on_init(self, memory: StellarMemory) -> None:
        """Called by ``memory.use(plugin)``."""

    def on_store(self, item: MemoryItem) -> MemoryItem:
        """Called after a memory is stored. What it returns is the answer of ``store``; the database does not change."""
        return item

    def on_pre_recall(self, query: str, **_options: Any) -> str:
        """Called before a recall. Returns the query to use."""
        return query

    def on_recall(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
        """Called after a recall. Returns the results."""
        return results

    def on_reorbit(self, moves: list[tuple[str, int, int]]) -> None:
        """Called after a rebalance with ``(id, from zone, to zone)``."""

    def on_forget(self, memory_id: str) -> bool:
        """Called before a memory is forgotten. False keeps it."""
        return True

    def on_shutdown(self) -> None:
        """Called by ``memory.stop()``."""
