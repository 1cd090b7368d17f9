"""Histories of conversations as messages of a memory, one after another."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .._memory import Memory

_KEPT = "saegim_item"


@dataclass(frozen=True)
class Plain:
    """What the user or the assistant said. It is learned from."""

    role: str
    text: str


@dataclass(frozen=True)
class Kept:
    """Something else, such as a call of a tool. It is stored as it is, and not learned from."""

    item: dict[str, Any]


class Transcript:
    """The messages of a session."""

    def __init__(self, memory: Memory, session: str) -> None:
        self._memory = memory
        self._session = session

    def items(self, limit: int | None = None) -> list[Plain | Kept]:
        """Returns the latest items, in order."""
        return [item for _, item in self._latest(limit)]

    def add(self, items: Iterable[Plain | Kept]) -> None:
        """Appends items."""
        messages = [_message(item) for item in items]
        if messages:
            self._memory.observe(messages=messages, session=self._session)

    def pop(self) -> Plain | Kept | None:
        """Removes the last item, with what was learned only from it."""
        latest = self._latest(1)
        if not latest:
            return None
        self._memory.withdraw(latest[0][0])
        return latest[0][1]

    def clear(self) -> None:
        """Removes all items, with what was learned only from them."""
        for id, _ in self._latest(None):
            self._memory.withdraw(id)

    def _latest(self, limit: int | None) -> list[tuple[str, Plain | Kept]]:
        found: list[tuple[str, Plain | Kept]] = []
        before: str | None = None
        while limit is None or len(found) < limit:
            wanted = 200 if limit is None else min(200, limit - len(found))
            page = self._memory.turns(session=self._session, limit=wanted, before=before)
            if not page:
                break
            found[:0] = [(turn.id, _item(turn.role, turn.content)) for turn in page]
            before = page[0].id
        return found


def _message(item: Plain | Kept) -> dict[str, Any]:
    # A message has at least one letter and no whitespace at its ends. Other texts are stored as they are, like tool calls.
    if isinstance(item, Plain) and item.text and item.text == item.text.strip():
        return {"role": item.role, "content": item.text}
    kept = {"role": item.role, "content": item.text} if isinstance(item, Plain) else item.item
    return {"role": "system", "content": json.dumps({_KEPT: kept}, ensure_ascii=False)}


def _item(role: str, content: str) -> Plain | Kept:
    if role == "system" and content.startswith(f'{{"{_KEPT}"'):
        item: dict[str, Any] = json.loads(content)[_KEPT]
        return Kept(item)
    return Plain(role, content)
