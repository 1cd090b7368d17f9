"""Named texts in a mind: files of the memory tool and items of LangGraph. They are ordinary memories, so they can be recalled.

The form is that of the server's own routes for both: the name is the external id, and tags keep what a content cannot, such as
whitespace at its ends.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from .._errors import ConflictError, ForbiddenError, NotFoundError
from .._memory import Memory
from .._results.memories import StoredMemory

_BEFORE, _AFTER, _BLANK = "blanks_before=", "blanks_after=", "blank="
_NAME = "name="
_TRIES = 16


@dataclass(frozen=True)
class Document:
    """A text and its name."""

    name: str
    text: str
    tags: tuple[str, ...] = ()


class Shelf:
    """The documents of a mind that carry a label as tag."""

    def __init__(self, memory: Memory, label: str, prefix: str) -> None:
        self.memory = memory
        self.label = label
        self.prefix = prefix
        """Start of all names, which keeps other memories with this tag out."""

    def find(self, name: str) -> StoredMemory | None:
        """Returns the memory with a name."""
        found = self.memory.memories(tag=_tag(name), limit=10)
        return next((memory for memory in found if memory.external_id == name), None)

    def find_any(self, name: str) -> StoredMemory | None:
        """Returns the memory with a name, also one that another program wrote, without our tags. Reads the whole mind."""
        return next((memory for memory in _all(self.memory, None) if memory.external_id == name), None)

    def under(self, prefix: str) -> list[StoredMemory]:
        """Returns the documents whose name starts with a prefix, by name."""
        found = [memory for memory in _all(self.memory, self.label) if (memory.external_id or "").startswith(prefix)]
        return sorted(found, key=lambda memory: memory.external_id or "")

    def put(self, document: Document) -> None:
        """Stores a document over the current one."""
        content, blanks = _split(document)
        tags = [self.label, _tag(document.name), *document.tags, *blanks]
        known = self.find(document.name)
        for attempt in range(_TRIES):
            try:
                if known is not None:
                    self.memory.edit(known.id, content=content, tags=tags)
                else:
                    self._create(document.name, content, tags)
                return
            except (ConflictError, NotFoundError):
                # Another writer was faster: it created the document, or deleted it.
                if attempt == _TRIES - 1:
                    raise
                known = self.find(document.name) or self.find_any(document.name)

    def _create(self, name: str, content: str, tags: list[str]) -> None:
        try:
            # Pinned, because a document stays until it is deleted.
            self.memory.store(content, tags=tags, tier="M365", pinned=True, external_id=name)
        except ForbiddenError:
            # The rights of an agent do not include pinning; the document expires after a year.
            self.memory.store(content, tags=tags, tier="M365", external_id=name)

    def remove(self, memory: StoredMemory) -> None:
        """Forgets a document. It can be restored for seven days."""
        try:
            self.memory.forget(memory.id)
        except NotFoundError:
            # Another writer was faster.
            pass


def _all(memory: Memory, tag: str | None) -> Iterator[StoredMemory]:
    """Returns all memories with a tag, page by page."""
    before: str | None = None
    while page := memory.memories(tag=tag, limit=1000, before=before):
        yield from page
        before = page[-1].id


def _tag(name: str) -> str:
    """Returns the tag that finds a name. A name may be longer than a tag."""
    return _NAME + hashlib.sha256(name.encode()).hexdigest()[:32]


def _split(document: Document) -> tuple[str, list[str]]:
    """Returns the content of a text, which is trimmed and not empty, and tags for the rest."""
    text, inner = document.text, document.text.strip()
    if not inner:
        return document.name, [_BLANK + json.dumps(text)]
    at = text.index(inner)
    ends = ((_BEFORE, text[:at]), (_AFTER, text[at + len(inner) :]))
    return inner, [kind + json.dumps(blanks) for kind, blanks in ends if blanks]


def tagged(memory: StoredMemory, kind: str) -> str | None:
    """Returns the value of a tag such as ``ttl=5``."""
    return next((tag[len(kind) :] for tag in memory.tags if tag.startswith(kind)), None)


def text_of(memory: StoredMemory) -> str:
    """Returns the exact text of a document."""

    def blanks(kind: str) -> str | None:
        kept = tagged(memory, kind)
        return None if kept is None else str(json.loads(kept))

    blank = blanks(_BLANK)
    return blank if blank is not None else (blanks(_BEFORE) or "") + memory.content + (blanks(_AFTER) or "")
