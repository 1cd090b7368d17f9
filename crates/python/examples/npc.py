"""A village character with a story clock and save files.  Run: python npc.py

The game decides what time it is. What the character does not need fades, a gift is never forgotten, and a save file is a copy of
the whole memory.
"""

from __future__ import annotations

import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

from saegim import Memory


class Story:
    """The clock of the game."""

    def __init__(self) -> None:
        self.now = datetime(1024, 3, 1, 8, tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        return self.now

    def days(self, days: int) -> None:
        self.now += timedelta(days=days)


def play(folder: Path) -> None:
    story = Story()
    with Memory(folder / "game.db", user="player", character="baker", work="village", now=story) as baker:
        baker.store("the player bought two loaves of bread", importance=0.2)
        baker.store("the player gave me my lost wedding ring back", importance=1.0, emotions=["joy"], pinned=True)
        print("today:", [found.content for found in baker.memories()])

        baker.backup(folder / "save.db")
        story.days(60)
        done = baker.tick()
        print(f"60 days later, {done.expired} memory expired:", [found.content for found in baker.memories()])
        print("asked about the ring:", baker.recall("what did I do for your wedding ring?")[0].content)

    story.days(-60)
    with Memory(folder / "save.db", user="player", character="baker", work="village", now=story) as loaded:
        print("the save file:", len(loaded.memories()), "memories")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        play(Path(name))
