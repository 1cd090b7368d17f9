"""The memory of a character for asynchronous programs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from ._async_calls.files import AsyncFileCalls
from ._async_calls.identity import AsyncIdentityCalls
from ._async_calls.memories import AsyncMemoryCalls
from ._async_calls.places import AsyncPlaceCalls
from ._async_calls.talk import AsyncTalkCalls
from ._client import Client
from ._progress import Progress
from ._request import Request
from ._results.identity import Imported
from ._transport import LocalTransport

T = TypeVar("T")


class AsyncMemory(Client, AsyncMemoryCalls, AsyncTalkCalls, AsyncPlaceCalls, AsyncIdentityCalls, AsyncFileCalls):
    """The memory of a character about a user, for asynchronous programs: the methods of ``Memory``, awaited.

    A cancelled call stops; a change that is already committed stays.

    >>> from saegim import AsyncMemory
    >>> async with AsyncMemory("luna.db", user="minsu", character="luna") as memory:
    ...     stored = await memory.store("파이썬은 1991년에 만들어졌다", importance=0.8)
    ...     print((await memory.recall("파이썬 역사"))[0].content)
    파이썬은 1991년에 만들어졌다
    """

    async def close(self) -> None:
        """Closes the database or the connections. Everything that was stored stays.

        >>> await memory.close()
        """
        if self._owns:
            await asyncio.to_thread(self._transport.close)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    def mind(self, *, user: str | None = None, character: str | None = None, work: str | None = None) -> AsyncMemory:
        """Returns the memory of another character or user, over the same database or server.

        >>> mina = memory.mind(user="mina")
        >>> _ = await mina.store("Mina likes jazz")
        >>> len(await memory.recall("jazz"))
        0
        """
        return self._sibling(user, character, work)

    async def _run(self, request: Request[T]) -> T:
        await self._begin()
        return request.read(await self._transport.send_async(self._asked(request)))

    async def _begin(self) -> None:
        if self._new_mind is not None:
            # Several first calls may create the mind at once; only one of them does.
            await self._transport.send_async(self._new_mind)
            self._new_mind = None

    async def _on_this_machine(self, work: Callable[[LocalTransport], T]) -> T:
        return await asyncio.to_thread(work, self._local())

    async def _anywhere(self, work: Callable[[], T]) -> T:
        return await asyncio.to_thread(work)

    async def _imported(self, file: dict[str, str | None], progress: Progress | None) -> Imported:
        if isinstance(self._transport, LocalTransport):
            return await asyncio.to_thread(self._import_here, file, progress)
        return await self._run(self._import_there(file))


__all__ = ["AsyncMemory"]
