"""Where memories are, what the ledger says, and the work that is due."""

from __future__ import annotations

from .._request import Request, body, one, path
from .._results.identity import LedgerVerdict, Mind, Stats
from .._results.listing import Results
from .._results.memories import CliffMemory, LedgerEntry, Move, Ticked, ZoneMemories
from .base import Calls
from .read import listed, minds_page, turned


class PlaceCalls(Calls):
    """Zones, cliff, due jobs, ledger, counts."""

    def zones(self, *, limit: int = 100) -> Results[ZoneMemories]:
        """Returns the zones from core to cloud, each with at most ``limit`` memories.

        >>> [zone.zone for zone in memory.zones()]
        ['core', 'inner', 'outer', 'belt', 'cloud']
        """
        return self._run(Request("GET", path("zones", limit=limit), listed(ZoneMemories, "zones")))

    def cliff(self) -> Results[CliffMemory]:
        """Returns the forgotten memories that can still be restored, the next to be deleted first.

        >>> _ = memory.forget(memory.store("I lost my umbrella").id)
        >>> memory.cliff()[0].seconds_left > 600_000
        True
        """
        return Results(self._pages(turned(CliffMemory, "entries", "cliff")))

    def rebalance(self, context: str | None = None) -> Results[Move]:
        """Computes the zone of every memory again. ``context`` is the topic, in place of what was said last.

        >>> len(memory.rebalance("music"))
        0
        """
        asked = body(context=context)
        return self._run(Request("POST", path("rebalance"), listed(Move, "moved"), asked))

    def tick(self) -> Ticked:
        """Runs the due jobs of this mind: expire, promote, merge, delete. A server does it by itself.

        >>> memory.tick().expired
        0
        """
        return self._run(Request("POST", path("tick"), one(Ticked)))

    def ledger(self, *, after: int = 0, limit: int = 100) -> Results[LedgerEntry]:
        """Returns ledger entries in order, after a sequence number.

        >>> _ = memory.store("We met in Seoul")
        >>> [entry.operation for entry in memory.ledger()]
        ['begin', 'remember']
        """
        asked = path("ledger", after=after, limit=limit)
        return self._run(Request("GET", asked, listed(LedgerEntry, "entries")))

    def verify_ledger(self) -> LedgerVerdict:
        """Verifies the hash chain of the ledger.

        >>> memory.verify_ledger().whole
        True
        """
        return self._run(Request("GET", path("ledger", "verify"), one(LedgerVerdict)))

    def stats(self) -> Stats:
        """Returns the counts of this mind.

        >>> _ = memory.store("We met in Seoul")
        >>> memory.stats().memories
        1
        """
        return self._run(Request("GET", path(), one(Stats)))

    def minds(self) -> Results[Mind]:
        """Returns all minds this memory has access to.

        >>> [(mind.user, mind.character) for mind in memory.minds()]
        [('minsu', 'luna')]
        """
        return Results(self._pages(minds_page))
