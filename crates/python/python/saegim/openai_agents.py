"""OpenAI Agents SDK: a session, and memory tools.

    from saegim import Memory
    from saegim.openai_agents import SaegimSession
    Runner.run_sync(agent, "안녕", session=SaegimSession("chat", Memory("luna.db")))
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

from agents import FunctionTool, RunContextWrapper, Tool, TResponseInputItem
from agents.memory.session import SessionABC

from ._adapters.mind import AnyMemory, blocking
from ._adapters.openai_calls import text_of
from ._adapters.tools import TOOLS, use
from ._adapters.transcript import Kept, Plain, Transcript


class SaegimSession(SessionABC):
    """The history of a conversation. What the user and the agent say is learned from; calls of tools are only stored."""

    def __init__(self, session_id: str, memory: AnyMemory) -> None:
        self.session_id = session_id
        self._transcript = Transcript(blocking(memory), session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        items = await asyncio.to_thread(self._transcript.items, limit)
        return [_read(item) for item in items]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        await asyncio.to_thread(self._transcript.add, [_written(cast("dict[str, Any]", item)) for item in items])

    async def pop_item(self) -> TResponseInputItem | None:
        item = await asyncio.to_thread(self._transcript.pop)
        return None if item is None else _read(item)

    async def clear_session(self) -> None:
        await asyncio.to_thread(self._transcript.clear)


def _written(item: dict[str, Any]) -> Plain | Kept:
    role, content = item.get("role"), item.get("content")
    if role == "user" and isinstance(content, str):
        return Plain("user", content)
    parts: list[Any] = content if isinstance(content, list) else []  # pyright: ignore[reportUnknownVariableType]
    # The answer of a model has an id and a list of parts; its text is what a later request needs.
    if role == "assistant" and (isinstance(content, str) or (parts and all(part.get("type") == "output_text" for part in parts))):
        return Plain("assistant", text_of(cast(object, content)))
    return Kept(json.loads(json.dumps(item)))


def _read(item: Plain | Kept) -> TResponseInputItem:
    read = item.item if isinstance(item, Kept) else {"role": item.role, "content": item.text}
    return cast("TResponseInputItem", read)


def tools(memory: AnyMemory) -> list[Tool]:
    """Returns the memory tools of an agent."""
    mind = blocking(memory)

    def made(name: str, description: str, parameters: dict[str, Any]) -> FunctionTool:
        async def run(context: RunContextWrapper[Any], arguments: str) -> str:
            answer, _ = await asyncio.to_thread(use, mind, name, arguments)
            return answer

        return FunctionTool(
            name=name, description=description, params_json_schema=parameters, on_invoke_tool=run, strict_json_schema=False
        )

    return [made(tool.name, tool.description, tool.parameters) for tool in TOOLS]


__all__ = ["SaegimSession", "tools"]
