"""Anthropic: memory tools, and a backend of the memory tool.

    from anthropic import Anthropic
    from saegim import Memory
    Anthropic().beta.messages.tool_runner(tools=[SaegimMemoryTool(Memory("luna.db"))], model="...", max_tokens=1000, messages=[])
"""

from __future__ import annotations

import asyncio
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, BetaFunctionToolResultType, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from pydantic import BaseModel

from ._adapters.mind import AnyMemory, blocking, field
from ._errors import SaegimError
from ._adapters.memory_files import FileError, MemoryFiles
from ._adapters.tools import TOOLS, use


def tools(memory: AnyMemory) -> list[dict[str, Any]]:
    """Returns the tools for ``tools=`` of ``messages.create``.

    The list is the same for every memory; the parameter is there so that every adapter is called alike.
    """
    return [{"name": tool.name, "description": tool.description, "input_schema": tool.parameters} for tool in TOOLS]


def handle(memory: AnyMemory, block: object) -> dict[str, Any]:
    """Runs a ``tool_use`` block and returns the ``tool_result`` block: our tools, or a command of the memory tool."""
    name, given = str(field(block, "name")), field(block, "input")
    if name == "memory":
        try:
            answer, done = MemoryFiles(blocking(memory)).run(given), True
        except (FileError, SaegimError) as error:
            answer, done = str(error), False
    else:
        answer, done = use(blocking(memory), name, given)
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": field(block, "id"), "content": answer}
    return result if done else {**result, "is_error": True}


def _run(files: MemoryFiles, command: BaseModel) -> str:
    try:
        return files.run(command.model_dump())
    except (FileError, SaegimError) as error:
        raise ToolError(str(error)) from error


class SaegimMemoryTool(BetaAbstractMemoryTool):
    """Stores the files of the memory tool (``memory_20250818``) in a memory, where they can be recalled."""

    def __init__(self, memory: AnyMemory) -> None:
        super().__init__()
        self._files = MemoryFiles(blocking(memory))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> BetaFunctionToolResultType:
        return _run(self._files, command)


class AsyncSaegimMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for ``AsyncAnthropic``."""

    def __init__(self, memory: AnyMemory) -> None:
        super().__init__()
        self._files = MemoryFiles(blocking(memory))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> BetaFunctionToolResultType:
        return await asyncio.to_thread(_run, self._files, command)


__all__ = ["AsyncSaegimMemoryTool", "SaegimMemoryTool", "handle", "tools"]
