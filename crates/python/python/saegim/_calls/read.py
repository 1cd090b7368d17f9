"""Readers of answers and writers of bodies, the same for both kinds of memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

from .. import _native
from .._decode import build
from .._errors import InvalidError
from .._progress import Progress
from .._request import Request, moment, path
from .._results.identity import Mind, Simulation
from .._results.listing import Results
from .._results.memories import FoundMemory, Recalled
from .._results.talk import Fact, Statement
from .._transport import refusing

T = TypeVar("T")

FactsPage = tuple[tuple[tuple[Fact, ...], tuple[Statement, ...]], "str | None"]
"""Facts and statements, and the cursor of the next page."""


def page(cls: type[T], field: str) -> Callable[[bytes], tuple[tuple[T, ...], str | None]]:
    """Reads a page: its items and the cursor of the next one."""

    def read(answer: bytes) -> tuple[tuple[T, ...], str | None]:
        data = json.loads(answer)
        return tuple(build(cls, item) for item in data[field]), data.get("next_cursor")

    return read


def turned(
    cls: type[T], field: str, *parts: str, **query: object
) -> Callable[[str | None], Request[tuple[tuple[T, ...], str | None]]]:
    """Returns the request for the page after a cursor."""
    return lambda cursor: Request("GET", path(*parts, **query, cursor=cursor), page(cls, field))


def listed(cls: type[T], field: str) -> Callable[[bytes], Results[T]]:
    """Reads the objects in a field as a list of results."""
    read = page(cls, field)
    return lambda answer: Results(read(answer)[0])


def minds_page(cursor: str | None) -> Request[tuple[tuple[Mind, ...], str | None]]:
    """Returns the request for a page of minds."""
    return Request("GET", "/v1/minds" + path(cursor=cursor).removeprefix("./"), page(Mind, "minds"))


def recalled(answer: bytes) -> Recalled:
    """Reads search results."""
    data = json.loads(answer)
    items = tuple(build(FoundMemory, item) for item in data["results"])
    return Recalled(items, confidence=data["confidence"], degraded=data["degraded"])


def maybe_moment(when: date | str | None) -> str | None:
    """Returns a time as RFC 3339, if there is one."""
    return None if when is None else moment(when)


def facts_page(answer: bytes) -> FactsPage:
    """Reads a page of facts."""
    data = json.loads(answer)
    facts = tuple(build(Fact, item) for item in data["facts"])
    return (facts, tuple(build(Statement, item) for item in data["statements"])), data["next_cursor"]


def said_messages(user: str | None, assistant: str | None, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the messages of an exchange."""
    said = [dict(message) for message in messages]
    said += [{"role": role, "content": text} for role, text in (("user", user), ("assistant", assistant)) if text is not None]
    if not said:
        raise InvalidError("nothing was said", hint="pass user=, assistant= or messages=")
    for message in said:
        if isinstance(message.get("at"), date):
            message["at"] = moment(message["at"])
    return said


def soul_text(answer: bytes) -> str:
    """Reads SOUL.md."""
    text: str = json.loads(answer)["text"]
    return text


def text_of(answer: bytes) -> str:
    """Reads plain text."""
    return answer.decode()


def simulated(asked: dict[str, str | int | None], progress: Progress | None) -> Simulation:
    """Runs a simulation in this process."""
    report = json.loads(refusing(lambda: _native.simulate(asked, progress)))
    return Simulation(report=report, kept_in=report.pop("kept_in"))
