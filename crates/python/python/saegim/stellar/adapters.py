"""The adapters of stellar-memory 3.0.0, and those of the celestial engine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .models import MemoryItem
from .stellar import StellarMemory

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable


def _tool(name: str, description: str, required: str, properties: dict[str, dict[str, Any]]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": [required]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


_CONTENT = {"type": "string", "description": "Memory content to store"}
_IMPORTANCE = {"type": "number", "minimum": 0, "maximum": 1, "description": "Importance score 0.0-1.0"}
_QUERY = {"type": "string", "description": "Search query"}
_LIMIT = {"type": "integer", "minimum": 1, "maximum": 20, "description": "Max results"}
_ID = {"type": "string", "description": "Memory UUID"}

STELLAR_TOOLS: list[dict[str, Any]] = [
    _tool("memory_store", "Store a new memory for future recall", "content", {"content": _CONTENT, "importance": _IMPORTANCE}),
    _tool("memory_recall", "Search memories by query", "query", {"query": _QUERY, "limit": _LIMIT}),
    _tool("memory_forget", "Delete a specific memory by ID", "memory_id", {"memory_id": _ID}),
]
"""Function tools with the names and arguments of stellar-memory."""

CELESTIAL_TOOLS: list[dict[str, Any]] = [
    _tool("celestial_store", "Store a memory for later recall", "content", {"content": _CONTENT, "importance": _IMPORTANCE}),
    _tool("celestial_recall", "Recall relevant memories by query", "query", {"query": _QUERY, "limit": _LIMIT}),
]
"""Function tools with the names and arguments of the celestial engine."""


class OpenAIMemoryPlugin:
    """Carries out the function calls of ``STELLAR_TOOLS``."""

    def __init__(self, stellar_memory: StellarMemory) -> None:
        self._memory = stellar_memory

    def get_tools(self) -> list[dict[str, Any]]:
        """Returns the tools for ``chat.completions.create(tools=...)``."""
        return STELLAR_TOOLS

    def handle_call(self, function_name: str, arguments: str) -> str:
        """Carries out a function call and returns its result as JSON."""
        return _json(self._answer(function_name, json.loads(arguments)))

    def _answer(self, name: str, given: Mapping[str, Any]) -> Any:
        if name == "memory_store":
            item = self._memory.store(given["content"], given.get("importance"))
            return {"id": item.id, "zone": item.zone}
        if name == "memory_recall":
            found = self._memory.recall(given["query"], limit=given.get("limit", 5))
            return [{"id": hit.id, "content": hit.content, "zone": hit.zone, "importance": hit.arbitrary_importance} for hit in found]
        if name == "memory_forget":
            return {"removed": self._memory.forget(given["memory_id"])}
        return {"error": f"Unknown function: {name}"}


class OpenAIAdapter:
    """Gives a memory to OpenAI function calling."""

    def __init__(self, memory: StellarMemory) -> None:
        self._memory = memory

    def as_tools(self) -> list[dict[str, Any]]:
        """Returns the tools for ``chat.completions.create(tools=...)``."""
        return CELESTIAL_TOOLS

    def handle_tool_call(self, name: str, arguments: Mapping[str, Any] | str) -> str:
        """Carries out a tool call and returns its result as JSON. ``arguments`` may be the JSON text of the call."""
        given: Mapping[str, Any] = json.loads(arguments) if isinstance(arguments, str) else arguments
        return _json(_celestial(self._memory, name, given))


class AnthropicAdapter:
    """Gives a memory to Claude as tools."""

    def __init__(self, memory: StellarMemory) -> None:
        self._memory = memory

    def as_mcp_tools(self) -> list[dict[str, Any]]:
        """Returns the tools for ``messages.create(tools=...)``."""
        tools = [tool["function"] for tool in CELESTIAL_TOOLS]
        return [{"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]} for tool in tools]

    def handle(self, tool_name: str, tool_input: Mapping[str, Any]) -> dict[str, Any]:
        """Carries out a tool call."""
        done = _celestial(self._memory, tool_name, tool_input)
        return {"memories": done} if isinstance(done, list) else done


class StellarLangChainMemory:
    """Memory variables in the form of LangChain's former ``BaseMemory``."""

    input_key: str = "input"
    output_key: str = "output"

    def __init__(self, stellar_memory: StellarMemory, recall_limit: int = 5, memory_key: str = "history") -> None:
        self._memory = stellar_memory
        self._recall_limit = recall_limit
        self.memory_key = memory_key

    @property
    def memory_variables(self) -> list[str]:
        """The names of the variables."""
        return [self.memory_key]

    def load_memory_variables(self, inputs: Mapping[str, Any]) -> dict[str, str]:
        """Returns the memories that match the input, one per line."""
        query = str(inputs.get(self.input_key, ""))
        found = self._memory.recall(query, limit=self._recall_limit) if query.strip() else []
        return {self.memory_key: "\n".join(f"- {item.content}" for item in found)}

    def save_context(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        """Stores an exchange as a memory."""
        said, answered = inputs.get(self.input_key, ""), outputs.get(self.output_key, "")
        if said or answered:
            self._memory.store(f"User: {said}\nAssistant: {answered}", auto_evaluate=True, metadata={"source": "langchain"})

    def clear(self) -> None:
        """Does nothing: the memory outlives the conversation."""


class LangChainAdapter:
    """Gives a memory to LangChain. Needs ``langchain-core``."""

    def __init__(self, memory: StellarMemory) -> None:
        self._memory = memory

    def wrap(self, chain: Runnable[Any, Any], *, budget: int = 800) -> Runnable[Any, Any]:
        """Returns the chain with memory: its input receives what is known, and each exchange is learned from.

        A text or a list of messages receives the context before it. A dictionary receives it under ``history``, and its ``input``,
        ``question`` or ``messages`` is the query.
        """
        from ._chain import wrapped

        return wrapped(self._memory.saegim, chain, budget)

    def as_retriever(self, k: int = 5) -> BaseRetriever:
        """Returns a retriever of at most ``k`` memories."""
        from ._chain import retriever

        return retriever(self._memory, k)

    def as_memory(self) -> StellarLangChainMemory:
        """Returns memory variables in the form of LangChain's former ``BaseMemory``."""
        return StellarLangChainMemory(self._memory)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _celestial(memory: StellarMemory, name: str, given: Mapping[str, Any]) -> Any:
    if name == "celestial_store":
        item = memory.store(given["content"], given.get("importance"))
        return {"id": item.id, "zone": item.zone, "score": item.total_score}
    if name == "celestial_recall":
        found: list[MemoryItem] = memory.recall(given["query"], limit=given.get("limit", 5))
        return [{"content": item.content, "zone": item.zone, "score": item.total_score} for item in found]
    return {"error": f"Unknown tool: {name}"}
