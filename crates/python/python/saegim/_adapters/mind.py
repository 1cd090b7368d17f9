"""What the adapters share: the kind of memory they use, and how a failed write is reported."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Union, cast

from .._async_memory import AsyncMemory
from .._client import in_kind
from .._errors import SaegimError
from .._memory import Memory

AnyMemory = Union[Memory, AsyncMemory]
"""Adapters accept both kinds."""

BUDGET = 800
"""Default size of a context in tokens."""

log = logging.getLogger("saegim")


def blocking(memory: AnyMemory) -> Memory:
    """Returns the same mind as ``Memory``. Asynchronous adapters call it in a thread, which does not block the event loop."""
    return memory if isinstance(memory, Memory) else in_kind(memory, Memory)


def field(value: object, name: str) -> Any:
    """Returns a field of an object of a client package, or of the dictionary that stands for it."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(name)
    return getattr(value, name, None)


def briefing(memory: Memory, said: str, budget: int) -> str:
    """Returns the context for an answer to ``said``; empty if there is nothing to say."""
    return memory.context(said, budget=budget).text.strip() if said.strip() else ""


def learn(memory: Memory, said: str, answer: str, session: str | None) -> None:
    """Observes an exchange. A failure is logged and not raised, because the caller would lose the model's answer."""
    if not said.strip() and not answer.strip():
        return
    try:
        memory.observe(user=said if said.strip() else None, assistant=answer if answer.strip() else None, session=session)
    except SaegimError:
        log.exception("an exchange was not stored")
