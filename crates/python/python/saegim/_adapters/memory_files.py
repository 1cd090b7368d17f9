"""The files of Anthropic's memory tool. Behaviour and messages are those of the published reference, which models know."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping
from typing import Any

from .documents import Document, Shelf, text_of
from .._memory import Memory
from .._results.memories import StoredMemory

ROOT = "/memories"
_FOLDER = "4K"


class FileError(Exception):
    """A command was refused. The text is for the model."""


class MemoryFiles:
    """Files under ``/memories``. A folder exists while it has files; an empty folder is a document whose name ends with ``/``."""

    def __init__(self, memory: Memory) -> None:
        self._shelf = Shelf(memory, "memory-tool", ROOT)

    def run(self, command: Mapping[str, Any]) -> str:
        """Carries out a command of the model."""
        commands: dict[str, Callable[[Mapping[str, Any]], str]] = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }
        carried_out = commands.get(str(command.get("command")))
        if carried_out is None:
            raise FileError(f"Unknown command: {command.get('command')}")
        try:
            return carried_out(command)
        except KeyError as error:
            raise FileError(f"The parameter {error} is missing.") from error

    def _view(self, command: Mapping[str, Any]) -> str:
        path, place = command["path"], _place(command["path"])
        file = self._file(place)
        if file is not None:
            lines = text_of(file).split("\n")
            first, last = _shown(len(lines), command.get("view_range"))
            return f"Here's the content of {path} with line numbers:\n{_numbered(lines, first, last)}"
        below = self._below(place)
        if not below and place != ROOT:
            raise _missing(path)
        files = [((memory.external_id or "")[len(place) + 1 :], len(text_of(memory).encode())) for memory in below]
        head = [f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:", f"{_FOLDER}\t{path}"]
        return "\n".join(head + [f"{size}\t{path}/{name}" for size, name in _tree(files)])

    def _create(self, command: Mapping[str, Any]) -> str:
        path, place = command["path"], _place(command["path"])
        if self._exists(place):
            raise FileError(f"File {path} already exists")
        self._check_parents(path, place)
        self._write(place, command["file_text"])
        return f"File created successfully at: {path}"

    def _replace(self, command: Mapping[str, Any]) -> str:
        path, old, new = command["path"], command["old_str"], command.get("new_str") or ""
        place, text = self._read(path)
        times = text.count(old) if old else 0
        if times == 0:
            raise FileError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        if times > 1:
            places = [at for at in range(len(text)) if text.startswith(old, at)]
            lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in places)
            raise FileError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please ensure it is unique"
            )
        changed, line = text.replace(old, new), text.count("\n", 0, text.index(old)) + 1
        self._write(place, changed)
        snippet = _numbered(changed.split("\n"), max(line - 3, 0), line + 2)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"

    def _insert(self, command: Mapping[str, Any]) -> str:
        place, text = self._read(command["path"])
        lines, after = text.split("\n"), command["insert_line"]
        if lines[-1] == "":
            lines.pop()
        if not 0 <= after <= len(lines):
            raise FileError(f"Invalid `insert_line` parameter: {after}. It should be within the range [0, {len(lines)}].")
        lines.insert(after, command["insert_text"].rstrip("\n"))
        joined = "\n".join(lines)
        self._write(place, joined if joined.endswith("\n") else joined + "\n")
        return f"The file {command['path']} has been edited."

    def _delete(self, command: Mapping[str, Any]) -> str:
        path, place = command["path"], _place(command["path"])
        if place == ROOT:
            raise FileError(f"Cannot delete the {ROOT} directory itself")
        file = self._file(place)
        gone = [file] if file is not None else self._below(place)
        if not gone:
            raise FileError(f"The path {path} does not exist")
        self._keep_folder(place, gone)
        for memory in gone:
            self._shelf.remove(memory)
        return f"Successfully deleted {path}"

    def _rename(self, command: Mapping[str, Any]) -> str:
        old_path, new_path = command["old_path"], command["new_path"]
        old, new = _place(old_path), _place(new_path)
        if old == ROOT:
            raise FileError(f"Cannot rename the {ROOT} directory itself")
        if self._exists(new):
            raise FileError(f"The destination {new_path} already exists")
        file = self._file(old)
        moved = [file] if file is not None else self._below(old)
        if not moved:
            raise FileError(f"The path {old_path} does not exist")
        if new.startswith(old + "/"):
            raise FileError(f"The path {old_path} cannot be moved into itself: {new_path}")
        self._check_parents(new_path, new)
        # All copies first, so that a failure loses nothing.
        for memory in moved:
            self._write(new + (memory.external_id or "")[len(old) :], text_of(memory))
        if not new.startswith(posixpath.dirname(old) + "/"):
            self._keep_folder(old, moved)
        for memory in moved:
            self._shelf.remove(memory)
        return f"Successfully renamed {old_path} to {new_path}"

    def _file(self, place: str) -> StoredMemory | None:
        return self._shelf.find(place) or next((one for one in self._shelf.under(place) if one.external_id == place), None)

    def _below(self, place: str) -> list[StoredMemory]:
        return self._shelf.under(place + "/")

    def _exists(self, place: str) -> bool:
        return place == ROOT or self._file(place) is not None or bool(self._below(place))

    def _read(self, path: str) -> tuple[str, str]:
        place = _place(path)
        file = self._file(place)
        if file is None:
            raise FileError(f"The path {path} is not a file.") if self._exists(place) else _missing(path)
        return place, text_of(file)

    def _write(self, place: str, text: str) -> None:
        self._shelf.put(Document(place, text))

    def _check_parents(self, path: str, place: str) -> None:
        above = posixpath.dirname(place)
        while len(above) > len(ROOT):
            if self._file(above) is not None:
                raise FileError(f"The path {path} lies below {above}, which is a file and not a directory.")
            above = posixpath.dirname(above)

    def _keep_folder(self, leaving: str, gone: list[StoredMemory]) -> None:
        """Keeps a folder whose last content leaves."""
        folder = posixpath.dirname(leaving)
        ids = {memory.id for memory in gone}
        if folder != ROOT and all(memory.id in ids for memory in self._below(folder)):
            self._write(folder + "/", "")


def _place(path: str) -> str:
    """Returns the normal form of a path, which must stay below the root."""
    if path != ROOT and not path.startswith(ROOT + "/"):
        raise FileError(f"Path must start with {ROOT}, got: {path}")
    parts: list[str] = []
    for part in path[len(ROOT) :].split("/"):
        if part == ".." and not parts:
            raise FileError(f"Path {path} would escape {ROOT} directory")
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    place = "/".join([ROOT, *parts])
    if "\0" in place or len(place) > 200:
        raise FileError(f"Path {path} cannot be used; name one of at most 200 characters")
    return place


def _missing(path: str) -> FileError:
    return FileError(f"The path {path} does not exist. Please provide a valid path.")


def _shown(count: int, wanted: Any) -> tuple[int, int]:
    """Returns the zero-based range of ``[first, last]``, which count from 1; -1 is the end."""
    if not wanted:
        return 0, count
    first, last = wanted
    start = min(max(first, 1) - 1, count)
    return start, max(start, count if last == -1 else count + last if last < 0 else min(last, count))


def _numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines[first:last], first + 1))


def _tree(files: list[tuple[str, int]]) -> list[tuple[str, str]]:
    """Returns size and name of files and folders, two levels deep, without hidden ones."""
    found: dict[tuple[str, ...], int | None] = {}
    for name, size in files:
        parts = tuple(part for part in name.split("/") if part)
        for depth in range(1, min(len(parts), 2) + 1):
            if not any(part.startswith(".") for part in parts[:depth]):
                whole = depth == len(parts) and not name.endswith("/")
                found.setdefault(parts[:depth], size if whole else None)
    return [(_FOLDER, "/".join(parts) + "/") if size is None else (_size(size), "/".join(parts)) for parts, size in sorted(found.items())]


def _size(size: int) -> str:
    power = min((size.bit_length() - 1) // 10, 3) if size else 0
    scaled = size / 1024**power
    return f"{scaled:.0f}{'BKMG'[power]}" if scaled == int(scaled) else f"{scaled:.1f}{'BKMG'[power]}"
