"""Where memories are, what the ledger says, and the work that is due."""

from __future__ import annotations

from .._request import Request, body, one, path
from .._results.identity import LedgerVerdict, Mind, Stats
from .._results.listing import Results
from .._results.memories import CliffMemory, LedgerEntry, Move, Ticked, ZoneMemories
from .base import AsyncCalls
from .._calls.read import listed, minds_page, turned


class AsyncPlaceCalls(AsyncCalls):
    """Zones, cliff, due jobs, ledger, counts."""

    async def zones(self, *, limit: int = 100) -> Results[ZoneMemories]:
        """Returns the zones from core to cloud, each with at most ``limit`` memories.

        >>> [zone.zone for zone in await memory.zones()]
        ['core', 'inner', 'outer', 'belt', 'cloud']
        """
        return await self._run(Request("GET", path("zones", limit=limit), listed(ZoneMemories, "zones")))

    async def cliff(self) -> Results[CliffMemory]:
        """Returns the forgotten memories that can still be restored, the next to be deleted first.

        >>> _ = await memory.forget((await memory.store("I lost my umbrella")).id)
        >>> (await memory.cliff())[0].seconds_left > 600_000
        True
        """
        return Results(await self._pages(turned(CliffMemory, "entries", "cliff")))

    async def rebalance(self, context: str | None = None) -> Results[Move]:
        """Computes the zone of every memory again. ``context`` is the topic, in place of what was said last.

        >>> len(await memory.rebalance("music"))
        0
        """
        asked = body(context=context)
        return await self._run(Request("POST", path("rebalance"), listed(Move, "moved"), asked))

    async def tick(self) -> Ticked:
        """Runs the due jobs of this mind: expire, promote, merge, delete. A server does it by itself.

        >>> (await memory.tick()).expired
        0
        """
        return await self._run(Request("POST", path("tick"), one(Ticked)))

    async def ledger(self, *, after: int = 0, limit: int = 100) -> Results[LedgerEntry]:
        """Returns ledger entries in order, after a sequence number.

        >>> _ = await memory.store("We met in Seoul")
        >>> [entry.operation for entry in await memory.ledger()]
        ['begin', 'remember']
        """
        asked = path("ledger", after=after, limit=limit)
        return await self._run(Request("GET", asked, listed(LedgerEntry, "entries")))

    async def verify_ledger(self) -> LedgerVerdict:
        """Verifies the hash chain of the ledger.

        >>> (await memory.verify_ledger()).whole
        True
        """
        return await self._run(Request("GET", path("ledger", "verify"), one(LedgerVerdict)))

    async def stats(self) -> Stats:
        """Returns the counts of this mind.

        >>> _ = await memory.store("We met in Seoul")
        >>> (await memory.stats()).memories
        1
        """
        return await self._run(Request("GET", path(), one(Stats)))

    async def minds(self) -> Results[Mind]:
        """Returns all minds this memory has access to.

        >>> [(mind.user, mind.character) for mind in await memory.minds()]
        [('minsu', 'luna')]
        """
        return Results(await self._pages(minds_page))
