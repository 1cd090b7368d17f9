"""Haystack: a retriever component, and hooks for agents. Needs ``haystack-ai``.

    from saegim.haystack import hooks
    memory = Memory("luna.db", user="minsu", character="luna")
    agent = Agent(chat_generator=generator, hooks=hooks(memory))
"""

# No postponed annotations: haystack reads the types of a component's inputs.
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.components.agents.state import State
from haystack.dataclasses import ChatMessage, ChatRole
from haystack.hooks import AFTER_RUN, BEFORE_LLM, Hook, HookPoint

from .._errors import InvalidError
from .._memory import Memory
from .._transport import LocalTransport


def _saved(memory: Memory) -> dict[str, str]:
    """Returns how to open a local memory again."""
    transport = memory._transport  # pyright: ignore[reportPrivateUsage]
    path = None
    if isinstance(transport, LocalTransport):
        path = transport._settings["database"]  # pyright: ignore[reportPrivateUsage]
    if path is None:
        raise InvalidError("a memory over HTTP is not saved in a pipeline", hint="its key is a secret; add the component after loading")
    user, character, work = (name.replace("%2F", "/").replace("%25", "%") for name in (*memory.key.split("/"), "default")[:3])
    return {"path": path, "user": user, "character": character, "work": work}


def _opened(data: dict[str, Any]) -> dict[str, Any]:
    """Opens the memory of a saved component."""
    given = data["init_parameters"]
    return {**data, "init_parameters": {**given, "memory": Memory(**given["memory"])}}


@component
class SaegimRetriever:
    """Retrieves memories as documents."""

    def __init__(self, memory: Memory, limit: int = 5) -> None:
        self.memory = memory
        self.limit = limit

    @component.output_types(documents=list[Document])
    def run(self, query: str, limit: int | None = None) -> dict[str, list[Document]]:
        """Returns the memories that match a query, best first."""
        found = self.memory.recall(query, limit=limit or self.limit, used=True)
        documents = [
            Document(
                id=hit.id,
                content=hit.content,
                score=hit.relevance,
                meta={"created_at": hit.created_at.isoformat(), "zone": hit.zone, "tags": list(hit.tags)},
            )
            for hit in found
        ]
        return {"documents": documents}

    def to_dict(self) -> dict[str, Any]:
        """Returns the component for a saved pipeline."""
        return default_to_dict(self, memory=_saved(self.memory), limit=self.limit)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "SaegimRetriever":
        """Returns the component of a saved pipeline."""
        return default_from_dict(cls, _opened(data))


class RememberHook:
    """Puts what is known about the user's message before it."""

    def __init__(self, memory: Memory, budget: int = 800) -> None:
        self.memory = memory
        self.budget = budget

    def run(self, state: State) -> None:
        """Adds the context once per user message."""
        messages: list[ChatMessage] = state.data["messages"]
        last = max((at for at, message in enumerate(messages) if message.is_from(ChatRole.USER)), default=None)
        if last is None or (last and messages[last - 1].meta.get("saegim")):
            return
        context = self.memory.context(messages[last].text or "", budget=self.budget).text
        messages.insert(last, ChatMessage.from_system(context, meta={"saegim": True}))

    def to_dict(self) -> dict[str, Any]:
        """Returns the hook for a saved agent."""
        return default_to_dict(self, memory=_saved(self.memory), budget=self.budget)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "RememberHook":
        """Returns the hook of a saved agent."""
        return default_from_dict(cls, _opened(data))


class LearnHook:
    """Learns from the user's message and the answer."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def run(self, state: State) -> None:
        """Learns after the run."""
        messages: list[ChatMessage] = state.data["messages"]
        last = max((at for at, message in enumerate(messages) if message.is_from(ChatRole.USER)), default=None)
        said = None if last is None else messages[last].text
        if last is None or not said:
            return
        answers = [message.text for message in messages[last:] if message.is_from(ChatRole.ASSISTANT) and message.text]
        self.memory.observe(user=said, assistant=answers[-1] if answers else None)

    def to_dict(self) -> dict[str, Any]:
        """Returns the hook for a saved agent."""
        return default_to_dict(self, memory=_saved(self.memory))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "LearnHook":
        """Returns the hook of a saved agent."""
        return default_from_dict(cls, _opened(data))


def hooks(memory: Memory, budget: int = 800) -> dict[HookPoint, list[Hook]]:
    """Returns the hooks of an agent with memory."""
    return {BEFORE_LLM: [RememberHook(memory, budget)], AFTER_RUN: [LearnHook(memory)]}


__all__ = ["LearnHook", "RememberHook", "SaegimRetriever", "hooks"]
