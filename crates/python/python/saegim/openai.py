"""OpenAI: memory tools, and a client that remembers.

    from openai import OpenAI
    from saegim import Memory
    client = wrap(OpenAI(), Memory("luna.db"))
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Literal, TypeVar, cast

from ._adapters.mind import BUDGET, AnyMemory, blocking, field
from ._adapters.openai_calls import CHAT, RESPONSES, Calls, Exchange
from ._adapters.tools import TOOLS, use

C = TypeVar("C")


def tools(memory: AnyMemory, *, api: Literal["chat", "responses"] = "chat") -> list[dict[str, Any]]:
    """Returns the tools for ``tools=`` of chat completions or of responses.

    The list is the same for every memory; the parameter is there so that every adapter is called alike.
    """
    found: list[dict[str, Any]] = []
    for tool in TOOLS:
        function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        found.append({"type": "function", "function": function} if api == "chat" else {"type": "function", **function})
    return found


def handle(memory: AnyMemory, call: object) -> dict[str, Any]:
    """Runs a tool call and returns the message that answers it: for chat completions, or the input item for responses."""
    function = field(call, "function")
    if function is not None:
        answer, _ = use(blocking(memory), str(field(function, "name")), field(function, "arguments"))
        return {"role": "tool", "tool_call_id": field(call, "id"), "content": answer}
    answer, _ = use(blocking(memory), str(field(call, "name")), field(call, "arguments"))
    return {"type": "function_call_output", "call_id": field(call, "call_id"), "output": answer}


class _Stream:
    """A stream of the client that is observed when it ends. Everything else is passed on."""

    def __init__(self, stream: Any, exchange: Exchange) -> None:
        self._stream = stream
        self._exchange = exchange
        self._open = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            event = next(self._stream)
        except StopIteration:
            if self._ended():
                self._exchange.learn()
            raise
        self._exchange.add(event)
        return event

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            event = await anext(self._stream)
        except StopAsyncIteration:
            if self._ended():
                await asyncio.to_thread(self._exchange.learn)
            raise
        self._exchange.add(event)
        return event

    def _ended(self) -> bool:
        """Returns whether this is the first time that the stream ends."""
        first, self._open = self._open, False
        return first

    def __enter__(self) -> _Stream:
        self._stream.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stream.__exit__(*error)

    async def __aenter__(self) -> _Stream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._stream.__aexit__(*error)


Start = Callable[[Calls, "dict[str, Any]"], Exchange]


def _remembering(create: Callable[..., Any], calls: Calls, start: Start) -> Callable[..., Any]:
    """Returns ``create`` with a context before and an observation after each call."""

    def remembering(**asked: Any) -> Any:
        exchange = start(calls, asked)
        result = create(**exchange.asked)
        if asked.get("stream") is True:
            return _Stream(result, exchange)
        exchange.finish(result)
        return result

    return remembering


def _awaiting(create: Callable[..., Awaitable[Any]], calls: Calls, start: Start) -> Callable[..., Awaitable[Any]]:
    async def remembering(**asked: Any) -> Any:
        exchange = await asyncio.to_thread(start, calls, asked)
        result = await create(**exchange.asked)
        if asked.get("stream") is True:
            return _Stream(result, exchange)
        await asyncio.to_thread(exchange.finish, result)
        return result

    return remembering


def wrap(client: C, memory: AnyMemory, *, budget: int = BUDGET, session: str | None = None) -> C:
    """Returns a copy of an ``OpenAI`` or ``AsyncOpenAI`` client that remembers.

    ``chat.completions.create``, ``responses.create`` and their ``parse`` give the model the context for the last user message, and
    observe the exchange when the final answer is there, also when it is streamed. Calls of tools in between are not observed.
    ``budget`` is the size of the context in tokens.
    """
    from openai import AsyncOpenAI

    mind = blocking(memory)
    adapt = _awaiting if isinstance(client, AsyncOpenAI) else _remembering

    def start(calls: Calls, asked: dict[str, Any]) -> Exchange:
        return Exchange.start(mind, calls, asked, (budget, session))

    copy: Any = cast(Any, client).copy()
    for calls, resource in ((CHAT, copy.chat.completions), (RESPONSES, copy.responses)):
        for name in ("create", "parse"):
            setattr(resource, name, adapt(getattr(resource, name), calls, start))
    return cast(C, copy)


__all__ = ["handle", "tools", "wrap"]
