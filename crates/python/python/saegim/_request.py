"""What a method asks for: one description for every transport."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Generic, Optional, TypeVar
from urllib.parse import quote, urlencode

from ._decode import build

T = TypeVar("T")
Asked = tuple[str, str, Optional[bytes], Optional[str]]
"""Method, path, body and idempotency key."""


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request of the HTTP API and how its answer is read."""

    method: str
    path: str
    """Path below the mind if it starts with ``./``, otherwise the whole path."""
    read: Callable[[bytes], T]
    body: bytes | None = None
    idempotency_key: str | None = None
    only_reads: bool = False
    """Whether it only reads although it is not a GET."""

    @property
    def route(self) -> str:
        """Method and path without values, for logs."""
        return f"{self.method} {self.path.partition('?')[0]}"


def path(*parts: str, **query: object) -> str:
    """Returns the path below the mind, percent-encoded. Leaves out parameters that are None or False."""
    asked = [(name, _text(value)) for name, value in query.items() if value is not None and value is not False]
    joined = "./" + "/".join(quote(part, safe="") for part in parts)
    return f"{joined}?{urlencode(asked)}" if asked else joined


def _text(value: object) -> str:
    if value is True:
        return "true"
    return moment(value) if isinstance(value, date) else str(value)


def moment(when: date | str) -> str:
    """Returns a time as RFC 3339. A time without a zone is local time; a date is its midnight."""
    if isinstance(when, str):
        return when
    if not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day)
    return when.astimezone().isoformat()


def body(**fields: object) -> bytes:
    """Returns a JSON body without the fields that are None."""
    return json.dumps({name: value for name, value in fields.items() if value is not None}, ensure_ascii=False).encode()


def one(cls: type[T]) -> Callable[[bytes], T]:
    """Reads an object."""
    return lambda answer: build(cls, json.loads(answer))


def many(cls: type[T], field: str) -> Callable[[bytes], tuple[T, ...]]:
    """Reads the objects in a field."""

    def read(answer: bytes) -> tuple[T, ...]:
        data: Mapping[str, Any] = json.loads(answer)
        return tuple(build(cls, item) for item in data[field])

    return read
