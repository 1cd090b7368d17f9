"""The self, and the owner's decisions about it."""

from __future__ import annotations

from .._request import Request, body, one, path
from .._results.identity import Decided, Imagination, Island, Proposal, SelfState, SelfVersion
from .._results.listing import Results
from .._results.words import ProposalStatus, Trigger
from .base import Calls
from .read import listed, soul_text, turned


class IdentityCalls(Calls):
    """Islands, self, proposals, imaginations."""

    def islands(self) -> Results[Island]:
        """Returns the islands: aspects of the personality, founded on core memories.

        >>> list(memory.islands())
        []
        """
        return Results(self._pages(turned(Island, "islands", "islands")))

    def self(self) -> SelfState:
        """Returns the self: the beliefs the owner approved, and how many proposals wait.

        >>> memory.self().waiting
        0
        """
        return self._run(Request("GET", path("self"), one(SelfState)))

    def self_versions(self) -> Results[SelfVersion]:
        """Returns all versions of the self.

        >>> len(memory.self_versions())
        0
        """
        return Results(self._pages(turned(SelfVersion, "versions", "self", "versions")))

    def soul(self) -> str:
        """Returns the self as the text of SOUL.md.

        >>> memory.soul().startswith("#")
        True
        """
        return self._run(Request("GET", path("soul"), soul_text))

    def proposals(self, *, status: ProposalStatus | None = None) -> Results[Proposal]:
        """Returns the proposals, newest first.

        >>> proof = memory.store("비 오는 날이 좋았다", tier="M365")
        >>> _ = memory.propose_belief("나는 비 오는 날을 좋아한다", evidence=[proof.id])
        >>> [proposal.kind for proposal in memory.proposals(status="pending")]
        ['belief']
        """
        return Results(self._pages(turned(Proposal, "proposals", "proposals", status=status)))

    def proposal(self, id: str) -> Proposal:
        """Returns a proposal.

        >>> proposed = memory.propose_core(memory.store("We met in Seoul").id)
        >>> memory.proposal(proposed.id).kind
        'core_promotion'
        """
        return self._run(Request("GET", path("proposals", id), one(Proposal)))

    def propose_core(self, id: str) -> Proposal:
        """Proposes to keep a memory permanently.

        >>> memory.propose_core(memory.store("We met in Seoul").id).status
        'pending'
        """
        return self._run(Request("POST", path("proposals"), one(Proposal), body(what="core", memory=id)))

    def propose_belief(self, text: str, *, evidence: list[str]) -> Proposal:
        """Proposes a belief that these core or long-term (M365) memories support.

        >>> proof = memory.store("I helped a stranger today", tier="M365")
        >>> memory.propose_belief("I am kind", evidence=[proof.id]).kind
        'belief'
        """
        return self._run(Request("POST", path("proposals"), one(Proposal), body(what="belief", text=text, evidence=evidence)))

    def approve(self, proposal: Proposal | str) -> Decided:
        """Approves a proposal. A ``Proposal`` approves exactly what it shows; an id approves the proposal as it is now.

        >>> proposed = memory.propose_core(memory.store("We met in Seoul").id)
        >>> memory.approve(proposed).proposal.status
        'approved'
        """
        seen = proposal if isinstance(proposal, Proposal) else self.proposal(proposal)
        return self._run(Request("POST", path("proposals", seen.id, "approve"), one(Decided), body(digest=seen.digest)))

    def reject(self, proposal: Proposal | str) -> Decided:
        """Rejects a proposal; the decision is stored.

        >>> proposed = memory.propose_core(memory.store("We met in Seoul").id)
        >>> memory.reject(proposed.id).proposal.status
        'rejected'
        """
        seen = proposal if isinstance(proposal, Proposal) else self.proposal(proposal)
        return self._run(Request("POST", path("proposals", seen.id, "reject"), one(Decided), body(digest=seen.digest)))

    def undo(self, proposal: Proposal | str) -> Decided:
        """Undoes an approval.

        >>> proposed = memory.propose_core(memory.store("We met in Seoul").id)
        >>> _ = memory.approve(proposed)
        >>> memory.undo(proposed).proposal.status
        'undone'
        """
        id = proposal.id if isinstance(proposal, Proposal) else proposal
        return self._run(Request("POST", path("proposals", id, "undo"), one(Decided)))

    def imagine(self, *, trigger: Trigger | None = None, context: str | None = None) -> Imagination:
        """Generates an imagination from memories; a few per day. ``context`` is the current situation.

        >>> _ = memory.store("We watched the sea in Busan", importance=0.9)
        >>> memory.imagine().scenario != ""
        True
        """
        return self._run(Request("POST", path("imaginations"), one(Imagination), body(trigger=trigger, context=context)))

    def imaginations(self, *, limit: int = 50) -> Results[Imagination]:
        """Returns the latest imaginations, newest first.

        >>> len(memory.imaginations())
        0
        """
        asked = path("imaginations", limit=limit)
        return self._run(Request("GET", asked, listed(Imagination, "imaginations")))

    def feedback(self, id: str, *, liked: bool) -> Imagination:
        """Rates an imagination; later ones follow what was liked.

        >>> _ = memory.store("We watched the sea in Busan", importance=0.9)
        >>> memory.feedback(memory.imagine().id, liked=True).liked
        True
        """
        return self._run(Request("POST", path("imaginations", id, "feedback"), one(Imagination), body(liked=liked)))
