"""What the methods stand on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .._request import Request
from .._transport import LocalTransport

T = TypeVar("T")


class Calls:
    """Carries out requests, one after another."""

    def _run(self, request: Request[T]) -> T:
        """Carries out a request."""
        raise NotImplementedError

    def _name(self) -> None:
        """Prepares the paths of the mind, which is created before the next call."""
        raise NotImplementedError

    def _pages(self, request: Callable[[str | None], Request[tuple[tuple[T, ...], str | None]]]) -> tuple[T, ...]:
        """Reads all pages of a list."""
        items, cursor = self._run(request(None))
        while cursor is not None:
            page, cursor = self._run(request(cursor))
            items += page
        return items

    def _on_this_machine(self, work: Callable[[LocalTransport], T]) -> T:
        """Carries out an operation on files of this machine. Over HTTP, it is invalid."""
        raise NotImplementedError

    def _anywhere(self, work: Callable[[], T]) -> T:
        """Carries out an operation that needs no database."""
        raise NotImplementedError
