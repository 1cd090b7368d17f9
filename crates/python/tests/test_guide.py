"""Runs what the documentation and the examples show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Server

HERE = Path(__file__).parent


def guide(name: str) -> str:
    """Returns a page of the documentation, next to the tests or in the repository."""
    places = (HERE.parent / name, HERE.parents[2] / name)
    return next(place for place in places if place.exists()).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_the_code_of_a_page_runs(page: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", guide(page), re.DOTALL | re.MULTILINE)
    assert blocks
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block.replace("http://127.0.0.1:7777", server.url), page, "exec"), scope)


def run(name: str, *arguments: str, text: str = "") -> str:
    command = [sys.executable, str(HERE.parent / "examples" / name), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_companion_remembers(tmp_path: Path) -> None:
    database = str(tmp_path / "luna.db")
    run("companion.py", database, text="I adopted a puppy called Mochi\n나는 부산에 살아\n/quit\n")
    said = run("companion.py", database, text="what is my puppy called?\n/facts\n/forget puppy\n/mood\n/quit\n")
    assert "Mochi" in said and "부산" in said and "forgotten for now" in said


def test_the_npc_keeps_what_matters() -> None:
    said = run("npc.py")
    assert "60 days later, 1 memory expired: ['the player gave me my lost wedding ring back']" in said
    assert "the save file: 2 memories" in said
