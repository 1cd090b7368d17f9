"""What both kinds of memory share: how they are opened, and the mind they use."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from ._errors import InvalidError
from ._progress import Progress
from ._request import Asked, Request, body, one
from ._results.identity import Imported
from ._results.words import Principal
from ._transport import LocalTransport, Now, Transport

T = TypeVar("T")
Own = TypeVar("Own", bound="Client")

LARGEST_IMPORT = 1_900_000
"""Maximum size in bytes of a file that is imported over HTTP; a request may have 2 MiB."""


def _whole(path: str | PathLike[str] | None) -> str | None:
    """Returns an absolute path."""
    return None if path is None else os.path.abspath(os.fspath(path))


class Client:
    """A mind behind a transport."""

    def __init__(
        self,
        path: str | PathLike[str] | None = None,
        *,
        user: str = "me",
        character: str = "assistant",
        work: str = "default",
        url: str | None = None,
        key: str | None = None,
        timeout: float = 60.0,
        now: Now = None,
        config: str | PathLike[str] | None = None,
        embedder: str | None = None,
        model: str | None = None,
        principal: Principal = "owner",
    ) -> None:
        """Opens a memory: a database file, or a server with ``url``.

        ``now`` replaces the clock of a local database: a time, or a function that returns one. ``config``, ``embedder`` and
        ``model`` are the options of the same names of the command line; without them, everything runs offline.
        ``principal="agent"`` has the rights of the character's program. A server takes all of this from its own settings.
        """
        if (path is None) == (url is None):
            raise InvalidError("a memory needs either a path or a url", hint='for example Memory("luna.db")')
        self._owns = True
        self._user, self._character, self._work = user, character, work
        self._transport: Transport
        if url is not None:
            given = {"now": now, "config": config, "embedder": embedder, "model": model}
            wrong = [name for name, value in given.items() if value is not None] + (["principal"] if principal != "owner" else [])
            if wrong:
                raise InvalidError(f"`{wrong[0]}` needs a local database", hint="set it where the server starts")
            # Imported here, because a local memory needs no network.
            from ._http import HttpTransport

            self._transport = HttpTransport(url, key, timeout)
        else:
            settings: dict[str, str | None] = {
                # The child of a fork opens the file again, maybe in another folder.
                "database": _whole(path),
                "config": _whole(config),
                "embedder": embedder,
                "model": model,
                "principal": principal,
            }
            self._transport = LocalTransport(settings, now)
        self._name()

    def _name(self) -> None:
        """Prepares the paths of the mind."""
        names = [self._user, self._character] + ([self._work] if self._work != "default" else [])
        self._key = "/".join(name.replace("%", "%25").replace("/", "%2F") for name in names)
        self._root = f"/v1/minds/{quote(self._key, safe='')}"
        fields = body(user=self._user, character=self._character, work=self._work)
        # Sent before the first request, because only a mind that exists can be read.
        self._new_mind: Asked | None = ("POST", "/v1/minds", fields, None)

    @property
    def key(self) -> str:
        """Key of the mind: ``user/character``, and ``/work`` if it is not the default.

        >>> memory.key
        'minsu/luna'
        """
        return self._key

    @property
    def now(self) -> Now:
        """The clock of a local database: None is the system clock. Assign a time or a function to change it.

        >>> from datetime import datetime, timezone
        >>> memory.now = datetime(2030, 5, 1, tzinfo=timezone.utc)
        >>> memory.now.year
        2030
        """
        return self._transport.now if isinstance(self._transport, LocalTransport) else None

    @now.setter
    def now(self, now: Now) -> None:
        self._local().set_now(now)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._key}>"

    @classmethod
    def _of(cls: type[Own], memory: Client) -> Own:
        other = cls.__new__(cls)
        other._transport, other._owns = memory._transport, False
        other._user, other._character, other._work = memory._user, memory._character, memory._work
        other._name()
        return other

    def _sibling(self: Own, user: str | None, character: str | None, work: str | None) -> Own:
        other = type(self).__new__(type(self))
        other._transport, other._owns = self._transport, False
        other._user = self._user if user is None else user
        other._character = self._character if character is None else character
        other._work = self._work if work is None else work
        other._name()
        return other

    def _local(self) -> LocalTransport:
        if isinstance(self._transport, LocalTransport):
            return self._transport
        raise InvalidError("this needs a local database", hint="run it on the machine of the server, with the command line")

    def _asked(self, request: Request[T]) -> Asked:
        path = request.path
        if path.startswith("./"):
            path = self._root + ("/" + path[2:] if path[2:] and path[2] != "?" else path[2:])
        return request.method, path, request.body, request.idempotency_key

    def _import_here(self, file: dict[str, str | None], progress: Progress | None) -> Imported:
        return one(Imported)(self._local().import_file({**file, "mind": self._key}, progress))

    def _import_there(self, file: dict[str, str | None]) -> Request[Imported]:
        """Returns the request that imports a text file over HTTP."""
        text = Path(file["path"] or "").read_text(encoding="utf-8")
        if len(text.encode()) > LARGEST_IMPORT:
            raise InvalidError("this file is too large for a request", hint="run on the server's machine: saegim import")
        fields = body(format=file["format"], text=text, tier=file["tier"])
        return Request("POST", "./import", one(Imported), fields)


def in_kind(memory: Client, kind: type[Own]) -> Own:
    """Returns the same mind as another kind of memory, over the same database or server."""
    return kind._of(memory)  # pyright: ignore[reportPrivateUsage]
