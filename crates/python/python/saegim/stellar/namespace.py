"""Namespaces: one database each."""

from __future__ import annotations

import shutil
from pathlib import Path


class NamespaceManager:
    """The databases below a folder."""

    def __init__(self, base_path: str = "stellar_data") -> None:
        self._base = Path(base_path)
        self._base.mkdir(parents=True, exist_ok=True)

    def get_db_path(self, namespace: str) -> str:
        """Returns the database of a namespace and creates its folder."""
        folder = self._base / self._sanitize(namespace)
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder / "memory.db")

    def list_namespaces(self) -> list[str]:
        """Returns the namespaces that have a database."""
        return sorted(folder.name for folder in self._base.iterdir() if (folder / "memory.db").is_file())

    def delete_namespace(self, namespace: str) -> bool:
        """Deletes a namespace permanently. Returns False if it does not exist."""
        folder = self._base / self._sanitize(namespace)
        if not folder.is_dir():
            return False
        shutil.rmtree(folder)
        return True

    def _sanitize(self, name: str) -> str:
        return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
