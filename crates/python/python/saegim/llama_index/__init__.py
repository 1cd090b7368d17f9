"""LlamaIndex: a memory block that learns and remembers, and a retriever. Needs ``llama-index-core``.

    from saegim.llama_index import SaegimMemoryBlock
    block = SaegimMemoryBlock(memory=Memory("luna.db", user="minsu", character="luna"))
    chat = llama_index.core.memory.Memory.from_defaults(memory_blocks=[block])
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pydantic import Field

from .._memory import Memory

SPOKEN = (MessageRole.USER, MessageRole.ASSISTANT)


def _messages(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """Returns what was said, without tool calls and system messages."""
    return [
        {"role": message.role.value, "content": message.content} for message in messages if message.role in SPOKEN and message.content
    ]


class SaegimMemoryBlock(BaseMemoryBlock[str]):
    """Puts what is known about the last user message into the conversation, and learns from messages.

    LlamaIndex hands over a message when it leaves the short-term memory. ``observe`` learns from a message at once.
    """

    name: str = "saegim"
    memory: Any
    """A ``saegim.Memory``."""
    budget: int = Field(default=800, description="Size of the context in tokens.")

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [message.content for message in messages or [] if message.role == MessageRole.USER and message.content]
        if not asked:
            return ""
        context = await asyncio.to_thread(self._memory().context, asked[-1] or "", budget=self.budget)
        return context.text

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await asyncio.to_thread(self.observe, messages)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Removes whole lines from the end, at least as many tokens as asked."""
        lines, removed = content.splitlines(), 0
        while lines and removed < tokens_to_truncate:
            # A Korean letter is at most about one token, so a line is never counted too large.
            removed += max(1, len(lines.pop()) // 4)
        return "\n".join(lines) or None

    def observe(self, messages: Iterable[ChatMessage]) -> None:
        """Learns from messages."""
        messages = list(messages)
        said = _messages(messages)
        session = messages[-1].additional_kwargs.get("session_id") if messages else None
        if said:
            self._memory().observe(messages=said, session=session)

    def _memory(self) -> Memory:
        memory: Memory = self.memory
        return memory


class SaegimRetriever(BaseRetriever):
    """Retrieves memories as nodes."""

    def __init__(self, memory: Memory, limit: int = 5) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self._memory = memory
        self._limit = limit

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._memory.recall(query_bundle.query_str, limit=self._limit, used=True)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=hit.id,
                    text=hit.content,
                    metadata={"created_at": hit.created_at.isoformat(), "zone": hit.zone, "tags": list(hit.tags)},
                ),
                score=hit.relevance,
            )
            for hit in found
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


__all__ = ["SaegimMemoryBlock", "SaegimRetriever"]
