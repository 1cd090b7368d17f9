"""The calls of stellar-memory 3.0.0 over saegim."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, TypeVar

from .._errors import InvalidError, NotFoundError
from .._memory import Memory
from .._results.identity import Imported
from .._results.memories import MemoryDetails, StoredMemory
from .._results.words import Emotion
from .config import MemoryFunctionConfig, StellarConfig, ZoneConfig
from .files import Place
from .models import ZONES, MemoryItem, MemorySnapshot, MemoryStats, ReorbitResult, item_of, labels_of
from .plugin import MemoryPlugin
from .serializer import MemorySerializer

log = logging.getLogger("saegim.stellar")

EVENTS = ("on_store", "on_recall", "on_forget", "on_reorbit")
"""Events that ``on`` accepts."""

PAGE = 1000
LINKS = {"derived_from": "distilled_from", "contradicts": "contradicts", "sequence": "parent"}
"""Relations with a kind of link of their own; all others are ``related``."""

Own = TypeVar("Own", bound="StellarMemory")


class StellarMemory:
    """A memory with the calls of stellar-memory.

    A file that stellar-memory wrote is imported once, into ``NAME.saegim.db`` beside it; the file itself is not changed.
    """

    def __init__(self, config: StellarConfig | None = None, namespace: str | None = None) -> None:
        self.config = config or StellarConfig()
        self._place = Place(self.config, namespace)
        self._minds: dict[str | None, Memory] = {None: self._place.memory}
        self._names: dict[str, str] = {}
        self._named_at = -1
        self._handlers: dict[str, list[Callable[..., None]]] = defaultdict(list)
        self._plugins: list[MemoryPlugin] = []
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        if self.config.auto_start_scheduler:
            self.start()

    @property
    def saegim(self) -> Memory:
        """The memory with all calls of saegim, on the same database."""
        return self._place.memory

    def store(
        self,
        content: str,
        importance: float | None = 0.5,
        metadata: dict[str, Any] | None = None,
        auto_evaluate: bool = False,
        *,
        emotion: Emotion | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """Stores a memory durably. ``auto_evaluate`` judges the importance from the text."""
        labels = labels_of(metadata or {})
        stored = self._mind(user_id).store(
            content,
            importance=None if auto_evaluate or importance is None else min(1.0, max(0.0, importance)),
            emotions=(emotion,) if emotion else (),
            tags=labels.tags,
            session=labels.session,
        )
        item = item_of(stored, user_id)
        for plugin in self._plugins:
            item = plugin.on_store(item)
        self._emit("on_store", item)
        return item

    def recall(self, query: str, limit: int = 5, *, emotion: Emotion | None = None, user_id: str | None = None) -> list[MemoryItem]:
        """Returns the memories that match a query, best first, and counts them as recalled.

        With ``user_id``, these are the memories of this user and those without a user.
        """
        for plugin in self._plugins:
            query = plugin.on_pre_recall(query)
        found: list[tuple[float, MemoryItem]] = []
        for user in (None,) if user_id is None else (user_id, None):
            for hit in self._mind(user).recall(query, limit=limit, emotion=emotion, used=True):
                item = item_of(hit, user)
                item.recall_count, item.last_recalled_at = hit.recalls + 1, time.time()
                found.append((hit.score, item))
        results = [item for _, item in sorted(found, key=lambda pair: -pair[0])][:limit]
        for plugin in self._plugins:
            results = plugin.on_recall(query, results)
        self._emit("on_recall", results, query)
        return results

    def get(self, memory_id: str) -> MemoryItem | None:
        """Returns a memory, also by the id it had in stellar-memory. None if it does not exist or is forgotten."""
        found = self._find(memory_id)
        return None if found is None else item_of(found[1], found[0])

    def forget(self, memory_id: str, user_id: str | None = None) -> bool:
        """Forgets a memory; ``saegim.restore`` restores it within seven days. Returns False if there is none."""
        if not all(plugin.on_forget(memory_id) for plugin in self._plugins):
            return False
        found = self._find(memory_id)
        if found is None or (user_id and found[0] and found[0] != user_id):
            return False
        self._mind(found[0]).forget(found[1].id)
        self._emit("on_forget", memory_id)
        return True

    def reorbit(self) -> ReorbitResult:
        """Computes the zone of every memory again."""
        begun = time.perf_counter()
        moves = [
            (move.memory, ZONES.index(move.from_), ZONES.index(move.to)) for mind in self._minds.values() for move in mind.rebalance()
        ]
        result = ReorbitResult(len(moves), sum(new > old for _, old, new in moves), self.stats().total_memories)
        result.duration = time.perf_counter() - begun
        for plugin in self._plugins:
            plugin.on_reorbit(moves)
        self._emit("on_reorbit", result)
        return result

    def rebalance(self) -> ReorbitResult:
        """The same as ``reorbit``: the name of the celestial engine."""
        return self.reorbit()

    def stats(self) -> MemoryStats:
        """Returns the counts by zone. Memories of users count, too."""
        result = MemoryStats(dict.fromkeys(range(5), 0), {zone: None for zone in range(5)})
        for user in self._users():
            for zone in self._mind(user).zones(limit=1):
                number = ZONES.index(zone.zone)
                result.zone_counts[number] += zone.count
                result.zone_capacities[number] = zone.room
                result.total_memories += zone.count
        return result

    def link(self, source_id: str, target_id: str, relation: str = "related") -> None:
        """Links two memories."""
        ends = [self._find(id) for id in (source_id, target_id)]
        source, target = ends
        if source is None or target is None:
            missing = source_id if source is None else target_id
            raise NotFoundError(f"there is no memory `{missing}`", hint="links connect stored memories")
        if source[0] != target[0]:
            raise InvalidError("the memories belong to different users", hint="link memories of one user")
        mind = self._mind(source[0])
        line = {"type": "link", "from": source[1].id, "to": target[1].id, "kind": LINKS.get(relation, "related")}
        header = {"type": "bundle", "version": 1, "mind": mind.key, "written_at": "1970-01-01T00:00:00Z"}
        file = self._place.write("link.jsonl", (json.dumps(header), json.dumps(line)))
        mind.import_(file, "bundle")

    def related(self, memory_id: str, depth: int = 2) -> list[MemoryItem]:
        """Returns the memories that links connect with a memory, the closest first."""
        start = self._find(memory_id)
        if start is None:
            return []
        user, mind = start[0], self._mind(start[0])
        seen, edge, found = {start[1].id}, [start[1]], list[MemoryItem]()
        for _ in range(depth):
            ids = [end for memory in edge for link in memory.links for end in (link.from_, link.to)]
            new = [id for id in dict.fromkeys(ids) if id not in seen]
            seen.update(new)
            edge = [memory for memory in (mind.get(id) for id in new) if not memory.on_cliff]
            found += [item_of(memory, user) for memory in edge]
        return found

    def export_json(self, include_embeddings: bool = True) -> str:
        """Returns all memories in stellar-memory's format. Embeddings are never part of it: saegim computes them again."""
        return MemorySerializer().export_json(list(self._items()))

    def import_json(self, json_str: str) -> int:
        """Imports memories in stellar-memory's format. Returns how many are new."""
        return self._import(json_str).imported

    def snapshot(self) -> MemorySnapshot:
        """Returns all memories with their counts by zone."""
        return MemorySerializer().snapshot(list(self._items()))

    def use(self, plugin: MemoryPlugin) -> None:
        """Adds a plugin."""
        self._plugins.append(plugin)
        plugin.on_init(self)

    def on(self, event: str, callback: Callable[..., None]) -> None:
        """Calls a function after each event: ``on_store``, ``on_recall``, ``on_forget`` or ``on_reorbit``."""
        if event not in EVENTS:
            raise InvalidError(f"`{event}` is not an event", hint=f"use one of {', '.join(EVENTS)}")
        self._handlers[event].append(callback)

    def start(self) -> None:
        """Rebalances in the background, every ``config.reorbit_interval`` seconds."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._run, name="saegim-reorbit", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the work in the background. The memory can still be used."""
        for plugin in self._plugins:
            plugin.on_shutdown()
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def close(self) -> None:
        """Stops and closes the database."""
        self.stop()
        self._place.close()

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stopped.wait(self.config.reorbit_interval):
            try:
                self.reorbit()
                for mind in list(self._minds.values()):
                    mind.tick()
            except Exception:
                log.exception("the rebalance failed; it is tried again in %s seconds", self.config.reorbit_interval)

    def _mind(self, user: str | None) -> Memory:
        """Returns the memory of a user; memories without a user have one of their own."""
        if user not in self._minds:
            self._minds[user] = self.saegim.mind(user=user)
        return self._minds[user]

    def _users(self) -> list[str | None]:
        """Returns all users that have memories, and None."""
        own = self.saegim.stats()
        known = {mind.user for mind in self.saegim.minds() if (mind.character, mind.work) == (own.character, own.work)}
        return [None, *sorted(known - {own.user})]

    def _find(self, id: str) -> tuple[str | None, MemoryDetails] | None:
        for user in self._users():
            mind = self._mind(user)
            for name in (id, self._names.get(id)):
                try:
                    found = mind.get(name) if name else None
                except (NotFoundError, InvalidError):
                    continue
                if found is not None:
                    return None if found.on_cliff else (user, found)
        return self._find(id) if self._renamed() and id in self._names else None

    def _renamed(self) -> bool:
        """Reads the ids that memories have in other programs, if something was stored since. Returns whether it did."""
        entries = sum(self._mind(user).stats().entries for user in self._users())
        if entries == self._named_at:
            return False
        self._named_at = entries
        self._names = {memory.external_id: memory.id for _, memory in self._stored() if memory.external_id}
        return True

    def _stored(self) -> Iterator[tuple[str | None, StoredMemory]]:
        for user in self._users():
            before: str | None = None
            while page := self._mind(user).memories(limit=PAGE, before=before):
                yield from ((user, memory) for memory in page)
                before = page[-1].id

    def _items(self) -> Iterator[MemoryItem]:
        return (item_of(memory, user) for user, memory in self._stored() if not memory.on_cliff)

    def _import(self, text: str) -> Imported:
        done = self.saegim.import_(self._place.write("import.json", (text,)), "stellar")
        for left_out in done.left_out:
            log.warning("not imported: %s: %s", left_out.what, left_out.why)
        return done

    def _emit(self, event: str, *values: object) -> None:
        for handler in self._handlers[event]:
            try:
                handler(*values)
            except Exception:
                log.exception("a handler of `%s` failed", event)


class CelestialMemory(StellarMemory):
    """A memory with the calls of the celestial engine: what is not given is judged, and rebalances run in the background."""

    def __init__(
        self,
        db_path: str = "celestial_memory.db",
        zones: list[ZoneConfig] | None = None,
        memory_fn_config: MemoryFunctionConfig | None = None,
        *,
        rebalance_interval: float = 300,
        auto_forget_days: int = 90,
    ) -> None:
        config = StellarConfig(db_path=db_path, reorbit_interval=rebalance_interval, auto_start_scheduler=True)
        config.auto_forget_days = auto_forget_days
        config.zones = zones or config.zones
        config.memory_function = memory_fn_config or config.memory_function
        super().__init__(config)

    def store(
        self,
        content: str,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        auto_evaluate: bool = False,
        *,
        emotion: Emotion | None = None,
        user_id: str | None = None,
    ) -> MemoryItem:
        """Stores a memory durably. Without ``importance``, it is judged from the text."""
        return super().store(content, importance, metadata, auto_evaluate, emotion=emotion, user_id=user_id)
