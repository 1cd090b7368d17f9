"""Ways to reach an engine, and the one in this process."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TypeVar, Union

from . import _native
from ._errors import BrokenError, InvalidError, problem
from ._progress import Progress
from ._request import Asked

T = TypeVar("T")

log = logging.getLogger("saegim")

Now = Union[datetime, Callable[[], datetime], None]

# Runs before the interpreter is finalized: threads of the engine must not enter Python after that.
atexit.register(_native.shutdown)


class Transport(ABC):
    """Sends requests. Every method may be called from several threads at once."""

    local = False
    """Whether the database is opened by this process."""

    @abstractmethod
    def send(self, asked: Asked) -> bytes:
        """Sends a request and returns the body of its answer."""

    @abstractmethod
    async def send_async(self, asked: Asked) -> bytes:
        """Sends a request without blocking the event loop."""

    @abstractmethod
    def close(self) -> None:
        """Releases everything."""


def answered(asked: Asked, status: int, body: bytes, began: float) -> bytes:
    """Logs an answer without its content, and raises the error it describes, if it does."""
    if log.isEnabledFor(logging.DEBUG):
        took = (time.perf_counter() - began) * 1000
        log.debug("%s %s: %d in %.2f ms", asked[0], route(asked[1]), status, took)
    error = problem(status, body)
    if error is not None:
        raise error
    return body


def route(path: str) -> str:
    """Returns the path without the mind, ids and query, which may name people."""
    parts = path.partition("?")[0].split("/")
    return "/".join(parts[:3] + ["{mind}"] + parts[4:5]) if len(parts) > 3 else path.partition("?")[0]


_opening = threading.Lock()


def _new_lock() -> None:
    global _opening
    # Another thread of the parent may have held the old lock when the process forked.
    _opening = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)


class LocalTransport(Transport):
    """The engine in this process. After a fork, the child opens the file again."""

    local = True

    def __init__(self, settings: Mapping[str, str | None], now: Now) -> None:
        self._settings = settings
        self._closed = False
        self.now = now
        self._engine = self._opened()

    def _opened(self) -> _native.Engine:
        return refusing(lambda: _native.Engine.open(self._settings))

    def engine(self) -> _native.Engine:
        """Returns the engine of this process."""
        if self._closed:
            raise InvalidError("this memory is closed", hint="open it again")
        if not self._engine.is_own():
            with _opening:
                if not self._engine.is_own():
                    self._engine = self._opened()
        if self.now is not None:
            now = self.now() if callable(self.now) else self.now
            self._engine.set_time(round(now.timestamp() * 1000))
        return self._engine

    def set_now(self, now: Now) -> None:
        """Sets the clock; None is the system clock."""
        self.now = now
        if now is None:
            self.engine().set_time(None)

    def send(self, asked: Asked) -> bytes:
        began = time.perf_counter()
        status, body = self.engine().request(asked)
        return answered(asked, status, body, began)

    async def send_async(self, asked: Asked) -> bytes:
        # Imported here, because most programs do not need it and it takes 20 ms.
        import asyncio

        began, loop = time.perf_counter(), asyncio.get_running_loop()
        future: asyncio.Future[tuple[int, bytes]] = loop.create_future()

        def settle(status: int, body: bytes) -> None:
            if not future.done():
                future.set_result((status, body))

        def done(status: int, body: bytes) -> None:
            # The loop is closed if the program ended before the answer came.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, status, body)

        call = self.engine().start(asked, done)
        try:
            status, body = await future
        except asyncio.CancelledError:
            call.cancel()
            raise
        return answered(asked, status, body, began)

    def import_file(self, file: Mapping[str, str | None], progress: Progress | None) -> bytes:
        """Imports a file of this machine."""
        return refusing(lambda: self.engine().import_file(file, progress))

    def backup(self, path: str) -> bytes:
        """Copies the database."""
        return refusing(lambda: self.engine().backup(path))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            refusing(self._engine.close)


def refusing(call: Callable[[], T]) -> T:
    """Runs a native call and converts its failure."""
    try:
        return call()
    except _native.Refused as refused:
        status, body = refused.args
        raise problem(status, body) or BrokenError("the database could not be used") from None
