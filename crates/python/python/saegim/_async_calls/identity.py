"""The self, and the owner's decisions about it."""

from __future__ import annotations

from .._request import Request, body, one, path
from .._results.identity import Decided, Imagination, Island, Proposal, SelfState, SelfVersion
from .._results.listing import Results
from .._results.words import ProposalStatus, Trigger
from .base import AsyncCalls
from .._calls.read import listed, soul_text, turned


class AsyncIdentityCalls(AsyncCalls):
    """Islands, self, proposals, imaginations."""

    async def islands(self) -> Results[Island]:
        """Returns the islands: aspects of the personality, founded on core memories.

        >>> list(await memory.islands())
        []
        """
        return Results(await self._pages(turned(Island, "islands", "islands")))

    async def self(self) -> SelfState:
        """Returns the self: the beliefs the owner approved, and how many proposals wait.

        >>> (await memory.self()).waiting
        0
        """
        return await self._run(Request("GET", path("self"), one(SelfState)))

    async def self_versions(self) -> Results[SelfVersion]:
        """Returns all versions of the self.

        >>> len(await memory.self_versions())
        0
        """
        return Results(await self._pages(turned(SelfVersion, "versions", "self", "versions")))

    async def soul(self) -> str:
        """Returns the self as the text of SOUL.md.

        >>> (await memory.soul()).startswith("#")
        True
        """
        return await self._run(Request("GET", path("soul"), soul_text))

    async def proposals(self, *, status: ProposalStatus | None = None) -> Results[Proposal]:
        """Returns the proposals, newest first.

        >>> proof = await memory.store("비 오는 날이 좋았다", tier="M365")
        >>> _ = await memory.propose_belief("나는 비 오는 날을 좋아한다", evidence=[proof.id])
        >>> [proposal.kind for proposal in await memory.proposals(status="pending")]
        ['belief']
        """
        return Results(await self._pages(turned(Proposal, "proposals", "proposals", status=status)))

    async def proposal(self, id: str) -> Proposal:
        """Returns a proposal.

        >>> proposed = await memory.propose_core((await memory.store("We met in Seoul")).id)
        >>> (await memory.proposal(proposed.id)).kind
        'core_promotion'
        """
        return await self._run(Request("GET", path("proposals", id), one(Proposal)))

    async def propose_core(self, id: str) -> Proposal:
        """Proposes to keep a memory permanently.

        >>> (await memory.propose_core((await memory.store("We met in Seoul")).id)).status
        'pending'
        """
        return await self._run(Request("POST", path("proposals"), one(Proposal), body(what="core", memory=id)))

    async def propose_belief(self, text: str, *, evidence: list[str]) -> Proposal:
        """Proposes a belief that these core or long-term (M365) memories support.

        >>> proof = await memory.store("I helped a stranger today", tier="M365")
        >>> (await memory.propose_belief("I am kind", evidence=[proof.id])).kind
        'belief'
        """
        return await self._run(Request("POST", path("proposals"), one(Proposal), body(what="belief", text=text, evidence=evidence)))

    async def approve(self, proposal: Proposal | str) -> Decided:
        """Approves a proposal. A ``Proposal`` approves exactly what it shows; an id approves the proposal as it is now.

        >>> proposed = await memory.propose_core((await memory.store("We met in Seoul")).id)
        >>> (await memory.approve(proposed)).proposal.status
        'approved'
        """
        seen = proposal if isinstance(proposal, Proposal) else await self.proposal(proposal)
        return await self._run(Request("POST", path("proposals", seen.id, "approve"), one(Decided), body(digest=seen.digest)))

    async def reject(self, proposal: Proposal | str) -> Decided:
        """Rejects a proposal; the decision is stored.

        >>> proposed = await memory.propose_core((await memory.store("We met in Seoul")).id)
        >>> (await memory.reject(proposed.id)).proposal.status
        'rejected'
        """
        seen = proposal if isinstance(proposal, Proposal) else await self.proposal(proposal)
        return await self._run(Request("POST", path("proposals", seen.id, "reject"), one(Decided), body(digest=seen.digest)))

    async def undo(self, proposal: Proposal | str) -> Decided:
        """Undoes an approval.

        >>> proposed = await memory.propose_core((await memory.store("We met in Seoul")).id)
        >>> _ = await memory.approve(proposed)
        >>> (await memory.undo(proposed)).proposal.status
        'undone'
        """
        id = proposal.id if isinstance(proposal, Proposal) else proposal
        return await self._run(Request("POST", path("proposals", id, "undo"), one(Decided)))

    async def imagine(self, *, trigger: Trigger | None = None, context: str | None = None) -> Imagination:
        """Generates an imagination from memories; a few per day. ``context`` is the current situation.

        >>> _ = await memory.store("We watched the sea in Busan", importance=0.9)
        >>> (await memory.imagine()).scenario != ""
        True
        """
        return await self._run(Request("POST", path("imaginations"), one(Imagination), body(trigger=trigger, context=context)))

    async def imaginations(self, *, limit: int = 50) -> Results[Imagination]:
        """Returns the latest imaginations, newest first.

        >>> len(await memory.imaginations())
        0
        """
        asked = path("imaginations", limit=limit)
        return await self._run(Request("GET", asked, listed(Imagination, "imaginations")))

    async def feedback(self, id: str, *, liked: bool) -> Imagination:
        """Rates an imagination; later ones follow what was liked.

        >>> _ = await memory.store("We watched the sea in Busan", importance=0.9)
        >>> (await memory.feedback((await memory.imagine()).id, liked=True)).liked
        True
        """
        return await self._run(Request("POST", path("imaginations", id, "feedback"), one(Imagination), body(liked=liked)))
