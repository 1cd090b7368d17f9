"""Microsoft Agent Framework: a context provider. Needs ``agent-framework-core``.

    from saegim.agent_framework import SaegimProvider
    memory = Memory("luna.db", user="minsu", character="luna")
    agent = Agent(client=client, context_providers=[SaegimProvider(memory)])
"""

from __future__ import annotations

import asyncio
from typing import Any

from agent_framework import AgentSession, ContextProvider, Message, SessionContext, SupportsAgentRun

from .._memory import Memory


def _said(context: SessionContext) -> str:
    """Returns what the user said in this run."""
    return "\n".join(message.text for message in context.input_messages if message.role == "user" and message.text)


class SaegimProvider(ContextProvider):
    """Gives each run what is known about its input, and learns from the input and the answer."""

    def __init__(self, memory: Memory, *, budget: int = 800, source_id: str = "saegim") -> None:
        super().__init__(source_id)
        self._memory = memory
        self._budget = budget

    async def before_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Adds the context as a message before the input."""
        said = _said(context)
        if said.strip():
            remembered = await asyncio.to_thread(self._memory.context, said, budget=self._budget)
            context.extend_messages(self, [Message(role="user", contents=[remembered.text])])

    async def after_run(
        self, *, agent: SupportsAgentRun, session: AgentSession, context: SessionContext, state: dict[str, Any]
    ) -> None:
        """Learns from the exchange."""
        said = _said(context)
        if said.strip():
            answer = context.response.text if context.response else None
            await asyncio.to_thread(self._memory.observe, said, answer or None, session=session.session_id)


__all__ = ["SaegimProvider"]
