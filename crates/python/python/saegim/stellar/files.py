"""Opens the database of a memory: a file, a temporary one, or one that is made from a file of stellar-memory."""

from __future__ import annotations

import logging
import sqlite3
import weakref
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .._memory import Memory
from .config import StellarConfig, policy
from .namespace import NamespaceManager

log = logging.getLogger("saegim.stellar")

SQLITE = b"SQLite format 3\0"


def is_stellar(path: Path) -> bool:
    """Returns whether a file was written by stellar-memory or the celestial engine."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        if file.read(len(SQLITE)) != SQLITE:
            return False
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        found = database.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE 'memories_zone_%'").fetchone()
    return bool(found[0])


class Place:
    """The database of a memory and the temporary files that belong to it."""

    def __init__(self, config: StellarConfig, namespace: str | None) -> None:
        path = config.db_path
        if namespace and config.namespace.enabled:
            path = NamespaceManager(config.namespace.base_path).get_db_path(namespace)
        self._folder = TemporaryDirectory(prefix="saegim-")
        self.path = Path(self._folder.name) / "memory.db" if path == ":memory:" else Path(path)
        self.memory = self._opened(config)
        # A memory that is not closed is closed before its temporary files are deleted.
        self.close = weakref.finalize(self, _close, self.memory, self._folder)

    def _opened(self, config: StellarConfig) -> Memory:
        settings = None
        if policy(config) != policy(StellarConfig()):
            settings = Path(self._folder.name) / "saegim.toml"
            settings.write_text(policy(config), encoding="utf-8")
        if not is_stellar(self.path):
            return Memory(self.path, config=settings)
        # The file of stellar-memory stays as it is, so that both programs can be used side by side.
        old, self.path = self.path, self.path.with_name(f"{self.path.stem}.saegim{self.path.suffix}")
        new = not self.path.exists()
        memory = Memory(self.path, config=settings)
        if new:
            done = memory.import_(old, "stellar")
            log.info("imported %d memories and %d links of %s into %s", done.imported, done.links, old, self.path)
            for left_out in done.left_out:
                log.warning("not imported from %s: %s: %s", old, left_out.what, left_out.why)
        return memory

    def write(self, name: str, lines: Iterable[str]) -> Path:
        """Writes a temporary file."""
        file = Path(self._folder.name) / name
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file


def _close(memory: Memory, folder: TemporaryDirectory[Any]) -> None:
    memory.close()
    folder.cleanup()
