"""Runs the pages and the examples about other packages as they are written, against the scripted upstream."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from upstream import Upstream, Use

HERE = Path(__file__).parents[1]


def page(name: str) -> str:
    places = (HERE.parent / "docs" / name, HERE.parents[2] / "docs" / name)
    return next(place for place in places if place.exists()).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["langchain.md", "openai.md", "anthropic.md"])
def test_the_code_of_a_page_runs(name: str, upstream: Upstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 2
    scope: dict[str, object] = {}
    for block in blocks:
        if "handle(memory" in block or "for block in" in block:
            upstream.answers = [Use("remember", {"content": "민수는 바다를 좋아한다"})]
        exec(compile(block, name, "exec"), scope)


@pytest.mark.parametrize(("name", "known"), [("langgraph_agent.py", "모찌"), ("openai_assistant.py", "Mochi")])
def test_an_example_runs_offline(name: str, known: str, tmp_path: Path) -> None:
    text = (HERE.parent / "examples" / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    command = [sys.executable, str(HERE.parent / "examples" / name), str(tmp_path / "luna.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert done.returncode == 0, done.stderr
    assert known in done.stdout.splitlines()[-1]


def test_the_package_imports_none_of_them() -> None:
    wanted = "import saegim, sys; print([name for name in ('openai', 'anthropic', 'langchain_core', 'langgraph', 'agents') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", wanted], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["anthropic", "langchain", "langgraph", "openai", "openai_agents"])
def test_a_module_offers_what_it_says(name: str) -> None:
    module = importlib.import_module(f"saegim.{name}")
    assert all(getattr(module, offered).__doc__ for offered in module.__all__)
