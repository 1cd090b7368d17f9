"""Single memories."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from .._request import Request, body, one, path
from .._results.listing import Results
from .._results.memories import Forgotten, MemoryDetails, Recalled, StoredMemory
from .._results.words import Category, Emotion, Kind, Tier, Zone
from .base import Calls
from .read import listed, maybe_moment, recalled


class MemoryCalls(Calls):
    """Store, recall, edit, forget."""

    def store(
        self,
        content: str,
        *,
        importance: float | None = None,
        emotions: Sequence[Emotion] = (),
        intensity: float | None = None,
        tags: Sequence[str] = (),
        tier: Tier | None = None,
        kind: Kind | None = None,
        category: Category | None = None,
        pinned: bool = False,
        session: str | None = None,
        external_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> StoredMemory:
        """Stores a memory durably. What is not given is judged from the text.

        >>> stored = memory.store("파이썬은 1991년에 만들어졌다", importance=0.8, tags=["python"])
        >>> stored.content, stored.tags
        ('파이썬은 1991년에 만들어졌다', ('python',))
        """
        asked = body(
            content=content,
            importance=importance,
            emotions=list(emotions),
            intensity=intensity,
            tags=list(tags),
            tier=tier,
            kind=kind,
            category=category,
            pinned=pinned,
            session=session,
            external_id=external_id,
        )
        return self._run(Request("POST", path("memories"), one(StoredMemory), asked, idempotency_key))

    def recall(
        self,
        query: str,
        *,
        limit: int = 5,
        since: date | str | None = None,
        until: date | str | None = None,
        session: str | None = None,
        kind: Kind | None = None,
        category: Category | None = None,
        tier: Tier | None = None,
        zone: Zone | None = None,
        emotion: Emotion | None = None,
        tag: str | None = None,
        least_importance: float | None = None,
        used: bool = False,
        everything: bool = False,
    ) -> Recalled:
        """Returns the memories that match a query, best first. An empty result means that nothing matches.

        ``used=True`` counts the results as recalled, which keeps them vivid. ``everything=True`` returns the whole ranking.

        >>> _ = memory.store("I adopted a puppy called Mochi")
        >>> memory.recall("what is my puppy's name?")[0].content
        'I adopted a puppy called Mochi'
        """
        wanted: dict[str, Any] = {
            "since": maybe_moment(since),
            "until": maybe_moment(until),
            "session": session,
            "kind": kind,
            "category": category,
            "tier": tier,
            "zone": zone,
            "emotion": emotion,
            "tag": tag,
            "least_importance": least_importance,
        }
        wanted = {name: value for name, value in wanted.items() if value is not None}
        asked = body(query=query, limit=limit, filter=wanted or None, used=used or None, everything=everything or None)
        return self._run(Request("POST", path("recall"), recalled, asked, only_reads=True))

    def get(self, id: str) -> MemoryDetails:
        """Returns a memory with its scores, links, history and forecast.

        >>> stored = memory.store("Minsu likes mint chocolate")
        >>> memory.get(stored.id).history[-1].operation
        'remember'
        """
        return self._run(Request("GET", path("memories", id), one(MemoryDetails)))

    def memories(
        self,
        *,
        limit: int = 50,
        before: str | None = None,
        since: date | str | None = None,
        until: date | str | None = None,
        session: str | None = None,
        kind: Kind | None = None,
        category: Category | None = None,
        tier: Tier | None = None,
        zone: Zone | None = None,
        emotion: Emotion | None = None,
        tag: str | None = None,
        least_importance: float | None = None,
    ) -> Results[StoredMemory]:
        """Lists memories, newest first. ``before`` is the id of the last memory of the previous page.

        >>> _ = memory.store("커피를 좋아한다", tags=["drink"]), memory.store("홍차는 싫어한다")
        >>> [found.content for found in memory.memories(tag="drink")]
        ['커피를 좋아한다']
        """
        asked = path(
            "memories",
            limit=limit,
            cursor=before,
            since=since,
            until=until,
            session=session,
            kind=kind,
            category=category,
            tier=tier,
            zone=zone,
            emotion=emotion,
            tag=tag,
            least_importance=least_importance,
        )
        return self._run(Request("GET", asked, listed(StoredMemory, "memories")))

    def edit(
        self,
        id: str,
        *,
        content: str | None = None,
        importance: float | None = None,
        emotions: Sequence[Emotion] | None = None,
        tags: Sequence[str] | None = None,
        tier: Tier | None = None,
        changed_behaviour: bool | None = None,
    ) -> StoredMemory:
        """Edits a memory. What is not given stays as it is.

        >>> stored = memory.store("Mochi is a cat")
        >>> memory.edit(stored.id, content="Mochi is a puppy").content
        'Mochi is a puppy'
        """
        asked = body(
            content=content,
            importance=importance,
            emotions=None if emotions is None else list(emotions),
            tags=None if tags is None else list(tags),
            tier=tier,
            changed_behaviour=changed_behaviour,
        )
        return self._run(Request("PATCH", path("memories", id), one(StoredMemory), asked))

    def rate(self, id: str, stars: int) -> StoredMemory:
        """Rates a memory with one to five stars.

        >>> memory.rate(memory.store("We met in Seoul").id, 5).rating
        5
        """
        return self._run(Request("PATCH", path("memories", id), one(StoredMemory), body(rating=stars)))

    def pin(self, id: str) -> StoredMemory:
        """Pins a memory, so that it neither fades nor expires.

        >>> memory.pin(memory.store("Minsu is allergic to peanuts").id).pinned
        True
        """
        return self._run(Request("PATCH", path("memories", id), one(StoredMemory), body(pinned=True)))

    def unpin(self, id: str) -> StoredMemory:
        """Unpins a memory.

        >>> memory.unpin(memory.store("Minsu has a cold", pinned=True).id).pinned
        False
        """
        return self._run(Request("PATCH", path("memories", id), one(StoredMemory), body(pinned=False)))

    def forget(self, id: str, *, core: bool = False, erase: bool = False) -> Forgotten:
        """Moves a memory to the cliff, where it can be restored for seven days.

        ``core=True`` confirms that a core memory is meant. ``erase=True`` erases it immediately and permanently, with the messages
        it was learned from.

        >>> forgotten = memory.forget(memory.store("어제 넘어졌다").id)
        >>> [entry.content for entry in memory.cliff()]
        ['어제 넘어졌다']
        """
        return self._run(Request("DELETE", path("memories", id, core=core, erase=erase), one(Forgotten)))

    def restore(self, id: str) -> StoredMemory:
        """Restores a memory from the cliff; its retention period restarts.

        >>> stored = memory.store("Minsu plays the guitar")
        >>> _ = memory.forget(stored.id)
        >>> memory.restore(stored.id).on_cliff
        False
        """
        return self._run(Request("POST", path("memories", id, "restore"), one(StoredMemory)))
