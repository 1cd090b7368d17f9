"""Exceptions. The class says who must act."""

from __future__ import annotations

import json
from typing import Any


class SaegimError(Exception):
    """Base of all errors.

    >>> from saegim import SaegimError
    >>> str(SaegimError("the memory does not exist", hint="list the memories first"))
    'the memory does not exist (list the memories first)'
    """

    def __init__(self, detail: str, *, hint: str | None = None, status: int = 0, kind: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
        """What is wrong."""
        self.hint = hint
        """What to do next, if it is known."""
        self.status = status
        """HTTP status of the answer; 0 if there was none."""
        self.kind = kind
        """Kind of the problem, for example ``changed``."""

    def __str__(self) -> str:
        return f"{self.detail} ({self.hint})" if self.hint else self.detail


class InvalidError(SaegimError, ValueError):
    """The caller must correct the request."""


class NotFoundError(SaegimError, LookupError):
    """The caller named something that does not exist."""


class ConflictError(SaegimError):
    """The caller must read the current state and decide again."""


class ConfirmationError(ConflictError):
    """The caller must confirm, for example that a core memory is meant: ``forget(id, core=True)``."""


class ForbiddenError(SaegimError, PermissionError):
    """The owner must grant permission or do it."""


class ProposedError(SaegimError):
    """The owner must decide: the change was stored as a proposal and not carried out."""


class BusyError(SaegimError):
    """The caller should try again later."""


class UnreachableError(BusyError, ConnectionError):
    """The server did not answer. The operator must start it, or the caller must correct the address."""


class ModelDownError(SaegimError):
    """The operator must check the configured model: it is not available."""


class BrokenError(SaegimError):
    """The operator must check the database or the server."""


_BY_STATUS: dict[int, type[SaegimError]] = {
    202: ProposedError,
    401: ForbiddenError,
    403: ForbiddenError,
    404: NotFoundError,
    408: BusyError,
    409: ConflictError,
    412: ConflictError,
    429: BusyError,
    502: ModelDownError,
    503: BusyError,
    504: BusyError,
}

_PROBLEM = "urn:saegim:problem:"


def problem(status: int, body: bytes) -> SaegimError | None:
    """Returns the error an answer describes, or None if it succeeded."""
    if status < 400 and not (status == 202 and _PROBLEM.encode() in body):
        return None
    try:
        document: dict[str, Any] = json.loads(body)
    except ValueError:
        document = {}
    kind = str(document.get("type", "")).removeprefix(_PROBLEM)
    default = InvalidError if status < 500 else BrokenError
    raised = ConfirmationError if kind == "unsure" else _BY_STATUS.get(status, default)
    detail = str(document.get("detail") or f"the server answered with status {status}")
    return raised(detail, hint=document.get("hint"), status=status, kind=kind)
