"""Lists of results that a notebook shows as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from html import escape
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")

LONGEST = 120
"""Maximum number of characters of a cell."""


@dataclass(frozen=True)
class Results(Sequence[T], Generic[T]):
    """An immutable list of results.

    >>> from saegim import Results
    >>> found = Results((1, 2, 3))
    >>> found[0], len(found), list(found[1:])
    (1, 3, [2, 3])
    """

    items: tuple[T, ...]
    """The results."""

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def _repr_html_(self) -> str:
        """Returns a table for a notebook."""
        if not self.items:
            return "<p><em>0</em></p>"
        columns = _columns(self.items[0])
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = ("".join(f"<td>{_cell(getattr(item, name))}</td>" for name in columns) for item in self.items)
        return f"<table><tr>{head}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


SHOWN = (
    "content", "text", "subject", "value", "name", "relation", "description", "scenario", "statement", "kind", "status", "score",
    "zone", "tier", "strength", "importance", "seconds_left", "operation", "at", "created_at", "made_at",
)  # fmt: skip
"""Fields that a table shows, in this order."""


def _columns(item: Any) -> list[str]:
    known = {field.name for field in fields(item)}
    return [name for name in SHOWN if name in known]


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    text = "" if value is None else str(value)
    return escape(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
