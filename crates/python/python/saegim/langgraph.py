"""LangGraph: a long-term store.

    from saegim import Memory
    from saegim.langgraph import SaegimStore
    graph = builder.compile(store=SaegimStore(Memory("luna.db")))
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from ._adapters.mind import AnyMemory, blocking
from ._adapters.documents import Document, Shelf, tagged, text_of
from ._adapters.matching import fits
from ._results.memories import StoredMemory

_ITEMS, _BETWEEN, _LABEL = "store:", "\x1f", "store-item"
_TTL, _UNTIL, _FIELD, _UNSEARCHED = "ttl=", "until=", "field=", "unsearched"
_MOST = 1000


class SaegimStore(BaseStore):
    """A LangGraph store in a memory. Its items can be recalled like everything else the character knows.

    ``ttl`` is LangGraph's configuration: ``default_ttl`` in minutes and ``refresh_on_read``. Expired items are never returned;
    ``sweep_ttl`` forgets them. Search uses the memory's own embedder, so an ``embed`` in ``index`` is not called.
    """

    supports_ttl = True

    def __init__(self, memory: AnyMemory, *, ttl: TTLConfig | None = None, index: IndexConfig | None = None) -> None:
        self._memory = blocking(memory)
        self._shelf = Shelf(self._memory, _LABEL, _ITEMS)
        self.ttl_config = ttl
        self.index_config = index

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carries out operations: all reads, then the last write of each item, as LangGraph's own stores do."""
        results: list[Result] = []
        writes: dict[str, PutOp] = {}
        for op in ops:
            if isinstance(op, PutOp):
                writes[_name(op.namespace, op.key)] = op
                results.append(None)
            else:
                results.append(self._read(op))
        for name, op in writes.items():
            self._write(name, op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Forgets expired items and returns their number."""
        expired = [memory for memory in self._shelf.under(_ITEMS) if not self._alive(memory)]
        for memory in expired:
            self._shelf.remove(memory)
        return len(expired)

    def _read(self, op: GetOp | SearchOp | ListNamespacesOp) -> Result:
        if isinstance(op, GetOp):
            memory = self._shelf.find(_name(op.namespace, op.key))
            if memory is None or not self._alive(memory):
                return None
            self._refresh([memory], op.refresh_ttl)
            return Item(**_item(memory))
        return self._search(op) if isinstance(op, SearchOp) else self._namespaces(op)

    def _write(self, name: str, op: PutOp) -> None:
        if op.value is None:
            memory = self._shelf.find(name)
            if memory is not None:
                self._shelf.remove(memory)
            return
        text, tags = _text(op.value)
        if op.index is False:
            tags.append(_UNSEARCHED)
        if op.ttl is not None:
            tags += [f"{_TTL}{op.ttl}", f"{_UNTIL}{self._now() + round(op.ttl * 60_000)}"]
        self._shelf.put(Document(name, text, tuple(tags)))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        prefix = _ITEMS + "".join(part + _BETWEEN for part in op.namespace_prefix)
        ranked: list[tuple[StoredMemory, float | None]] = []
        if op.query and op.query.strip():
            found = self._memory.recall(op.query, tag=_LABEL, limit=_MOST, everything=True)
            ranked = [(memory, memory.score) for memory in found if _UNSEARCHED not in memory.tags]
        # What the ranking does not contain follows without a score.
        scored = {memory.id for memory, _ in ranked}
        ranked += [(memory, None) for memory in self._shelf.under(prefix) if memory.id not in scored]
        within = [pair for pair in ranked if (pair[0].external_id or "").startswith(prefix) and self._alive(pair[0])]
        wanted = op.filter or {}
        fitting = [pair for pair in within if all(fits(_value(pair[0]).get(name), value) for name, value in wanted.items())]
        page = fitting[op.offset : op.offset + op.limit]
        self._refresh([memory for memory, _ in page], op.refresh_ttl)
        return [SearchItem(**_item(memory), score=score) for memory, score in page]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        found = {_parts(memory)[:-1] for memory in self._shelf.under(_ITEMS) if self._alive(memory)}
        wanted = op.match_conditions or ()
        matching = {names[: op.max_depth] for names in found if all(_matches(condition, names) for condition in wanted)}
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _now(self) -> int:
        """Milliseconds since 1970, by the clock of the memory."""
        now = self._memory.now
        now = now() if callable(now) else now
        return round((now.timestamp() if isinstance(now, datetime) else time.time()) * 1000)

    def _alive(self, memory: StoredMemory) -> bool:
        until = tagged(memory, _UNTIL)
        return until is None or int(until) > self._now()

    def _refresh(self, memories: list[StoredMemory], wanted: bool) -> None:
        """Extends the time of items that were read."""
        if not wanted:
            return
        for memory in memories:
            minutes, until = tagged(memory, _TTL), tagged(memory, _UNTIL)
            if minutes is None or until is None:
                continue
            term = round(float(minutes) * 60_000)
            end = self._now() + term
            # Skips small extensions, so that reading in a loop does not write in a loop.
            if int(until) < end - min(term // 10, 60_000):
                tags = [tag for tag in memory.tags if not tag.startswith(_UNTIL)]
                self._memory.edit(memory.id, tags=[*tags, f"{_UNTIL}{end}"])


def _name(namespace: tuple[str, ...], key: str) -> str:
    return _ITEMS + _BETWEEN.join([*namespace, str(key)])


def _parts(memory: StoredMemory) -> tuple[str, ...]:
    """Returns the namespace, followed by the key."""
    return tuple((memory.external_id or "").removeprefix(_ITEMS).split(_BETWEEN))


def _text(value: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Returns a value as readable text: that of its only field, or JSON."""
    if len(value) == 1:
        name, text = next(iter(value.items()))
        if isinstance(text, str) and text.strip() and len(name) <= 100:
            return text, [_FIELD + name]
    return json.dumps(dict(value), ensure_ascii=False), []


def _value(memory: StoredMemory) -> dict[str, Any]:
    name = tagged(memory, _FIELD)
    if name is not None:
        return {name: text_of(memory)}
    value: dict[str, Any] = json.loads(memory.content)
    return value


def _item(memory: StoredMemory) -> dict[str, Any]:
    *namespace, key = _parts(memory)
    edited = memory.edited_at or memory.created_at
    return {"value": _value(memory), "key": key, "namespace": tuple(namespace), "created_at": memory.created_at, "updated_at": edited}


def _matches(condition: MatchCondition, names: tuple[str, ...]) -> bool:
    """Compares the start or the end of a namespace; ``*`` matches any name."""
    wanted = condition.path
    if len(wanted) > len(names):
        return False
    compared = names[: len(wanted)] if condition.match_type == "prefix" else names[len(names) - len(wanted) :]
    return all(want in ("*", name) for want, name in zip(wanted, compared))


__all__ = ["SaegimStore"]
