"""stellar-memory's JSON export, version 0.3.0."""

from __future__ import annotations

import base64
import json
import struct
import time
from typing import Any

from .models import MemoryItem, MemorySnapshot

PLAIN = (
    "id", "content", "created_at", "last_recalled_at", "recall_count", "arbitrary_importance", "zone", "metadata", "total_score",
)  # fmt: skip
"""Fields that are written as they are."""


class MemorySerializer:
    """Writes and reads memories as JSON."""

    def __init__(self, embedder_dim: int = 384) -> None:
        self.embedder_dim = embedder_dim

    def export_json(self, items: list[MemoryItem], include_embeddings: bool = True) -> str:
        """Returns memories as JSON."""
        written = [_entry(item, include_embeddings) for item in items]
        file = {"version": "0.3.0", "exported_at": time.time(), "count": len(items), "items": written}
        return json.dumps(file, ensure_ascii=False, indent=2)

    def import_json(self, json_str: str) -> list[MemoryItem]:
        """Returns the memories of a JSON text."""
        return [_item(entry) for entry in json.loads(json_str)["items"]]

    def snapshot(self, items: list[MemoryItem]) -> MemorySnapshot:
        """Returns memories with their counts by zone."""
        zones: dict[int, int] = {}
        for item in items:
            zones[item.zone] = zones.get(item.zone, 0) + 1
        written = [_entry(item, True) for item in items]
        return MemorySnapshot(total_memories=len(items), zone_distribution=zones, items=written)


def _entry(item: MemoryItem, embeddings: bool) -> dict[str, Any]:
    entry = {name: getattr(item, name) for name in PLAIN}
    if embeddings and item.embedding is not None:
        entry["embedding_b64"] = base64.b64encode(struct.pack(f"<{len(item.embedding)}f", *item.embedding)).decode()
    return entry


def _item(entry: dict[str, Any]) -> MemoryItem:
    item = MemoryItem(**{name: entry[name] for name in PLAIN if name in entry})
    if "embedding_b64" in entry:
        blob = base64.b64decode(entry["embedding_b64"])
        item.embedding = list(struct.unpack(f"<{len(blob) // 4}f", blob))
    return item
