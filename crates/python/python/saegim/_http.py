"""A server as the place of the engine."""

from __future__ import annotations

import asyncio
import http.client
import os
import ssl
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from urllib.parse import urlsplit

from ._errors import InvalidError, UnreachableError
from ._request import Asked
from ._transport import Transport, answered

READS = ("/recall", "/context")
"""Ends of paths that only read although they are sent with POST."""

AT_ONCE = 32
"""Maximum number of requests an asynchronous client sends at once."""


class HttpTransport(Transport):
    """A server, over kept-alive connections of the standard library."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidError(f"`{url}` is not an address", hint="use for example http://127.0.0.1:7777")
        self._address = (parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        self._prefix = parts.path.rstrip("/")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._key, self._timeout = key, timeout
        self._process, self._idle = os.getpid(), list[http.client.HTTPConnection]()
        self._threads: ThreadPoolExecutor | None = None

    def _connection(self) -> http.client.HTTPConnection:
        if self._process != os.getpid():
            # Connections and threads of the parent are of no use in a forked child.
            self._process, self._idle, self._threads = os.getpid(), [], None
        with suppress(IndexError):
            return self._idle.pop()
        host, port = self._address
        if self._tls is not None:
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _headers(self, asked: Asked) -> dict[str, str]:
        method, path, body, key = asked
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key}"
        if method != "GET" and not path.endswith(READS):
            # With a key, a write whose answer was lost can be sent again and is carried out once.
            headers["idempotency-key"] = key or uuid.uuid4().hex
        return headers

    def send(self, asked: Asked) -> bytes:
        began, headers = time.perf_counter(), self._headers(asked)
        for last in (False, True):
            connection = self._connection()
            fresh = connection.sock is None
            try:
                connection.request(asked[0], self._prefix + asked[1], body=asked[2], headers=headers)
                response = connection.getresponse()
                status, body = response.status, response.read()
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                # The server closes idle connections; the failure of a kept one says nothing, and the others are as old.
                self._forget_idle()
                if last or (fresh and not isinstance(error, http.client.RemoteDisconnected)):
                    raise UnreachableError(
                        f"no answer from {self._address[0]}:{self._address[1]}: {error}", hint="start it with: saegim serve"
                    ) from error
                continue
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)
            return answered(asked, status, body, began)
        raise AssertionError("the second attempt answers or raises")

    async def send_async(self, asked: Asked) -> bytes:
        if self._process != os.getpid() or self._threads is None:
            self._process, self._idle = os.getpid(), []
            self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="saegim")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.send, asked)

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None
        self._forget_idle()

    def _forget_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close()
