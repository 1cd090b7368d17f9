"""Files: export, import, backup, erasure, simulation."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from .._errors import ConfirmationError
from .._progress import Progress
from .._request import Request, one, path
from .._results.identity import Backup, Erased, Imported, Simulation, Stats
from .._results.words import ImportFormat, Tier
from .base import Calls
from .read import simulated, text_of


class FileCalls(Calls):
    """Export, import, backup, erase, simulate."""

    def export(self, file: str | PathLike[str] | None = None) -> str:
        """Returns this mind as a bundle of JSON lines, and writes it to ``file``, if one is given.

        >>> _ = memory.store("We met in Seoul")
        >>> "We met in Seoul" in memory.export()
        True
        """
        text = self._run(Request("GET", path("export"), text_of))
        if file is not None:
            Path(file).write_text(text, encoding="utf-8")
        return text

    def import_(
        self,
        file: str | PathLike[str],
        format: ImportFormat = "bundle",
        *,
        tier: Tier | None = None,
        progress: Progress | None = None,
    ) -> Imported:
        """Imports a file of this machine. Existing memories stay unchanged, so it can be repeated.

        ``tier`` is the tier of memories from other programs. ``progress(done, total)`` is called after each batch of a local
        database; see ``ProgressBar``.

        >>> _ = Path("old.json").write_text('[{"id": "1", "memory": "Minsu likes tea", "user_id": "minsu"}]')
        >>> memory.import_("old.json", "mem0").imported
        1
        """
        return self._imported({"mind": "", "format": format, "path": fspath(file), "tier": tier}, progress)

    def _imported(self, file: dict[str, str | None], progress: Progress | None) -> Imported:
        raise NotImplementedError

    def backup(self, file: str | PathLike[str]) -> Backup:
        """Writes a copy of the whole local database to a new file, also while it is in use.

        >>> memory.backup("copy.db").backup
        'copy.db'
        """
        return self._on_this_machine(lambda local: one(Backup)(local.backup(fspath(file))))

    def erase(self, *, yes: str) -> Erased:
        """Erases this mind except its ledger, immediately and permanently. ``yes`` repeats its key, as ``user/character``.

        >>> _ = memory.store("We met in Seoul")
        >>> memory.erase(yes="minsu/luna").memories
        1
        """
        key = self._run(Request("GET", path(), one(Stats))).key
        if yes != key:
            raise ConfirmationError(f"`{yes}` is not the key of this mind", hint=f'confirm with yes="{key}"')
        erased = self._run(Request("DELETE", path(), one(Erased)))
        self._name()  # The next call creates the mind again.
        return erased

    def simulate(
        self,
        *,
        days: int | None = None,
        story: str | None = None,
        seed: int = 0,
        turns_per_day: int | None = None,
        language: Literal["ko", "en"] | None = None,
        keep: str | PathLike[str] | None = None,
        progress: Progress | None = None,
    ) -> Simulation:
        """Simulates a life of ``days``, or a ``story``, on a temporary database of this machine. This mind is not touched.

        ``keep`` is a file that receives the simulated mind.

        >>> memory.simulate(days=3, turns_per_day=6, language="en").report["days"]
        3
        """
        asked: dict[str, str | int | None] = {
            "story": story,
            "days": days,
            "turns_per_day": turns_per_day,
            "seed": seed,
            "language": language,
            "keep": None if keep is None else fspath(keep),
        }
        return self._anywhere(lambda: simulated(asked, progress))
