"""The memory of a character: in this process, or behind a server."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from ._calls.files import FileCalls
from ._calls.identity import IdentityCalls
from ._calls.memories import MemoryCalls
from ._calls.places import PlaceCalls
from ._calls.talk import TalkCalls
from ._client import Client
from ._progress import Progress
from ._request import Request
from ._results.identity import Imported
from ._transport import LocalTransport

T = TypeVar("T")


class Memory(Client, MemoryCalls, TalkCalls, PlaceCalls, IdentityCalls, FileCalls):
    """The memory of a character about a user.

    ``Memory("luna.db")`` opens a database in this process and creates the file if it does not exist. ``Memory(url=..., key=...)``
    has the same methods and uses a server. A memory may be used by several threads at once. After a fork, the child opens the file
    again by itself.

    >>> from saegim import Memory
    >>> with Memory("luna.db", user="minsu", character="luna") as memory:
    ...     stored = memory.store("파이썬은 1991년에 만들어졌다", importance=0.8)
    ...     memory.recall("파이썬 역사")[0].content
    '파이썬은 1991년에 만들어졌다'
    """

    def close(self) -> None:
        """Closes the database or the connections. Everything that was stored stays.

        >>> memory.close()
        """
        if self._owns:
            self._transport.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def mind(self, *, user: str | None = None, character: str | None = None, work: str | None = None) -> Memory:
        """Returns the memory of another character or user, over the same database or server.

        >>> mina = memory.mind(user="mina")
        >>> _ = mina.store("Mina likes jazz")
        >>> len(memory.recall("jazz"))
        0
        """
        return self._sibling(user, character, work)

    def _run(self, request: Request[T]) -> T:
        self._begin()
        return request.read(self._transport.send(self._asked(request)))

    def _begin(self) -> None:
        if self._new_mind is not None:
            self._transport.send(self._new_mind)
            self._new_mind = None

    def _on_this_machine(self, work: Callable[[LocalTransport], T]) -> T:
        return work(self._local())

    def _anywhere(self, work: Callable[[], T]) -> T:
        return work()

    def _imported(self, file: dict[str, str | None], progress: Progress | None) -> Imported:
        if isinstance(self._transport, LocalTransport):
            return self._import_here(file, progress)
        return self._run(self._import_there(file))


__all__ = ["Memory"]
