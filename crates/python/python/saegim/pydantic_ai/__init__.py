"""Pydantic AI: a capability that remembers and learns, and a toolset. Needs ``pydantic-ai-slim``.

    from saegim.pydantic_ai import SaegimCapability
    memory = Memory("luna.db", user="minsu", character="luna")
    agent = Agent("openai:gpt-5", capabilities=[SaegimCapability(memory)])
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.run import AgentRunResult
from pydantic_ai.toolsets import FunctionToolset

from .._memory import Memory


def _said(ctx: RunContext[Any]) -> str:
    """Returns the text of the user's prompt."""
    prompt = ctx.prompt
    if prompt is None or isinstance(prompt, str):
        return prompt or ""
    return "\n".join(part for part in prompt if isinstance(part, str))


def toolset(memory: Memory) -> FunctionToolset[Any]:
    """Returns tools that search and add memories."""

    async def search_memories(query: str, limit: int = 5) -> list[str]:
        """Search the long-term memory.

        Args:
            query: What to look for, in the user's language.
            limit: Maximum number of memories.
        """
        found = await asyncio.to_thread(memory.recall, query, limit=limit, used=True)
        return [f"{hit.created_at:%Y-%m-%d}: {hit.content}" for hit in found]

    async def add_memory(content: str) -> str:
        """Store something worth remembering for later conversations.

        Args:
            content: One sentence that is understood without this conversation.
        """
        return (await asyncio.to_thread(memory.store, content)).id

    return FunctionToolset([search_memories, add_memory], id="saegim")


@dataclass
class SaegimCapability(AbstractCapability[Any]):
    """Gives each run what is known about its prompt, and learns from the prompt and the answer."""

    memory: Memory
    budget: int = 800
    """Size of the context in tokens."""

    def get_instructions(self) -> Any:
        """Returns the function that computes the context of a run."""

        async def remembered(ctx: RunContext[Any]) -> str:
            said = _said(ctx)
            return (await asyncio.to_thread(self.memory.context, said, budget=self.budget)).text if said.strip() else ""

        return remembered

    def get_toolset(self) -> FunctionToolset[Any]:
        """Returns the tools."""
        return toolset(self.memory)

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Learns from the exchange."""
        said = _said(ctx)
        if said.strip():
            answer = result.output if isinstance(result.output, str) else None
            await asyncio.to_thread(self.memory.observe, said, answer or None)
        return result


__all__ = ["SaegimCapability", "toolset"]
