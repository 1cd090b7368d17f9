"""The tools a model is given, the same for every client package."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .._errors import SaegimError
from .._memory import Memory


@dataclass(frozen=True)
class Tool:
    """A tool: what the model reads, and what runs."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of the arguments."""
    run: Callable[[Memory, Mapping[str, Any]], object]


def _schema(required: list[str], **properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _remember(memory: Memory, given: Mapping[str, Any]) -> object:
    stored = memory.store(str(given["content"]), importance=given.get("importance"), tags=list(given.get("tags") or ()))
    return {"id": stored.id, "stored": stored.content}


def _recall(memory: Memory, given: Mapping[str, Any]) -> object:
    found = memory.recall(str(given["query"]), limit=int(given.get("limit") or 5), used=True)
    return [{"id": one.id, "content": one.content, "when": one.created_at.date().isoformat()} for one in found]


def _facts(memory: Memory, given: Mapping[str, Any]) -> object:
    return {fact.name: fact.value for fact in memory.facts()}


def _forget(memory: Memory, given: Mapping[str, Any]) -> object:
    gone = memory.forget(str(given["id"]))
    return {"id": gone.memory, "restorable_until": None if gone.gone_at is None else gone.gone_at.isoformat()}


TOOLS = (
    Tool(
        "remember",
        "Store something worth remembering about the user or the conversation, in the user's language.",
        _schema(
            ["content"],
            content={"type": "string", "description": "One complete sentence."},
            importance={"type": "number", "minimum": 0, "maximum": 1, "description": "Judged from the text if not given."},
            tags={"type": "array", "items": {"type": "string"}},
        ),
        _remember,
    ),
    Tool(
        "recall",
        "Search the memories for what is known about a topic. Use it before you say that you do not know.",
        _schema(
            ["query"],
            query={"type": "string", "description": "A question or a few words."},
            limit={"type": "integer", "minimum": 1, "maximum": 50, "description": "Maximum number of memories; 5 if not given."},
        ),
        _recall,
    ),
    Tool("facts", "List the known facts about the user, such as name, home and preferences.", _schema([]), _facts),
    Tool(
        "forget",
        "Forget a memory, when the user asks for it. It can be restored for seven days.",
        _schema(["id"], id={"type": "string", "description": "The id that `recall` or `remember` returned."}),
        _forget,
    ),
)


def named(name: str) -> Tool | None:
    """Returns the tool with a name."""
    return next((tool for tool in TOOLS if tool.name == name), None)


def use(memory: Memory, name: str, arguments: object) -> tuple[str, bool]:
    """Runs a tool. Returns its answer for the model, and whether it succeeded.

    A model can correct wrong arguments, so they are answered instead of raised, as are refusals of the memory.
    """
    tool = named(name)
    if tool is None:
        return f"unknown tool `{name}`; known are: {', '.join(known.name for known in TOOLS)}", False
    try:
        given: object = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        if not isinstance(given, Mapping):
            return "the arguments must be a JSON object", False
        checked = cast("Mapping[str, Any]", given)
        missing = [name for name in tool.parameters["required"] if name not in checked]
        if missing:
            return f"the argument `{missing[0]}` is missing", False
        return json.dumps(tool.run(memory, checked), ensure_ascii=False), True
    except (ValueError, TypeError, SaegimError) as error:
        return f"error: {error}", False
