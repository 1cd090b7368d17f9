"""The two ways to ask a model of OpenAI: where the user's message is, where the context goes, where the answer comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field as data_field
from typing import Any, Protocol, cast

from .mind import briefing, field, learn
from .._memory import Memory


class Calls(Protocol):
    """One of the two interfaces."""

    def said(self, asked: Mapping[str, Any]) -> str:
        """Returns the text of the last user message."""
        ...

    def briefed(self, asked: Mapping[str, Any], context: str) -> dict[str, Any]:
        """Returns the request with the context."""
        ...

    def answer(self, result: object) -> tuple[str, bool]:
        """Returns the text of an answer, and whether the model called tools instead of ending its turn."""
        ...

    def piece(self, event: object) -> tuple[str, bool]:
        """Returns the same for an event of a stream."""
        ...


def text_of(content: object) -> str:
    """Returns the text of a message's content, which is a text or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = cast("Sequence[object]", content)
    texts = [field(part, "text") for part in parts if field(part, "type") in ("text", "input_text", "output_text")]
    return "\n".join(text for text in texts if isinstance(text, str))


def _last_said(messages: object) -> str:
    """Returns the text of the last message of the user."""
    if isinstance(messages, str):
        return messages
    if not isinstance(messages, Sequence):
        return ""
    listed = cast("Sequence[object]", messages)
    said = next((message for message in reversed(listed) if field(message, "role") == "user"), None)
    return text_of(field(said, "content"))


class _Chat:
    def said(self, asked: Mapping[str, Any]) -> str:
        return _last_said(asked.get("messages"))

    def briefed(self, asked: Mapping[str, Any], context: str) -> dict[str, Any]:
        messages: list[Any] = list(asked["messages"])
        # After the instructions of the program, so that those come first and stay cached.
        at = next((index for index, message in enumerate(messages) if field(message, "role") not in ("system", "developer")), len(messages))
        return {**asked, "messages": [*messages[:at], {"role": "system", "content": context}, *messages[at:]]}

    def answer(self, result: object) -> tuple[str, bool]:
        choices: Sequence[object] = field(result, "choices") or ()
        message = field(choices[0], "message") if choices else None
        return text_of(field(message, "content")), bool(field(message, "tool_calls"))

    def piece(self, event: object) -> tuple[str, bool]:
        choices: Sequence[object] = field(event, "choices") or ()
        first = next((choice for choice in choices if not field(choice, "index")), None)
        delta = field(first, "delta")
        return text_of(field(delta, "content")), bool(field(delta, "tool_calls"))


class _Responses:
    def said(self, asked: Mapping[str, Any]) -> str:
        return _last_said(asked.get("input"))

    def briefed(self, asked: Mapping[str, Any], context: str) -> dict[str, Any]:
        given = asked.get("instructions")
        return {**asked, "instructions": f"{given}\n\n{context}" if isinstance(given, str) and given else context}

    def answer(self, result: object) -> tuple[str, bool]:
        output: Sequence[object] = field(result, "output") or ()
        texts = [text_of(field(item, "content")) for item in output if field(item, "type") == "message"]
        return "\n".join(text for text in texts if text), any(field(item, "type") == "function_call" for item in output)

    def piece(self, event: object) -> tuple[str, bool]:
        kind = field(event, "type")
        if kind == "response.output_text.delta":
            return str(field(event, "delta") or ""), False
        return "", kind == "response.output_item.added" and field(field(event, "item"), "type") == "function_call"


CHAT: Calls = _Chat()
RESPONSES: Calls = _Responses()


@dataclass
class Exchange:
    """A question on its way to the model and back."""

    memory: Memory
    calls: Calls
    said: str
    asked: dict[str, Any]
    """The request, with the context."""
    session: str | None
    pieces: list[str] = data_field(default_factory=list[str])
    called: bool = False
    """Whether the model called a tool. Its final answer comes later and repeats the user's message."""

    @classmethod
    def start(cls, memory: Memory, calls: Calls, asked: dict[str, Any], settings: tuple[int, str | None]) -> Exchange:
        """Reads the request and adds the context. ``settings`` are budget and session."""
        said = calls.said(asked)
        context = briefing(memory, said, settings[0])
        return cls(memory, calls, said, calls.briefed(asked, context) if context else asked, settings[1])

    def add(self, event: object) -> None:
        """Takes an event of a stream."""
        text, called = self.calls.piece(event)
        self.pieces.append(text)
        self.called = self.called or called

    def finish(self, result: Any) -> None:
        """Takes a whole answer, parsed or raw."""
        headers = self.asked.get("extra_headers")
        raw = isinstance(headers, Mapping) and "X-Stainless-Raw-Response" in headers
        text, self.called = self.calls.answer(result.parse() if raw else result)
        self.pieces.append(text)
        self.learn()

    def learn(self) -> None:
        """Observes the exchange, unless the model only called tools."""
        if not self.called:
            learn(self.memory, self.said, "".join(self.pieces), self.session)
