"""The adapters against the published packages. `check` installs them and sets SAEGIM_FRAMEWORKS to a list of names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from saegim import Memory

from .stories import STORIES, Story

INSTALLED = os.environ.get("SAEGIM_FRAMEWORKS", "").split()
collect_ignore = [file.name for file in Path(__file__).parent.glob("test_*.py") if file.stem.removeprefix("test_") not in INSTALLED]


@pytest.fixture(params=STORIES)
def story(request: pytest.FixtureRequest) -> Story:
    return STORIES[request.param]


@pytest.fixture
def memory(tmp_path: Path, story: Story) -> Iterator[Memory]:
    """A memory that knows one thing."""
    with Memory(tmp_path / "luna.db", user="minsu", character="luna") as made:
        made.store(story.known, importance=0.8)
        yield made


@pytest.fixture
def documented() -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    """Runs the block of a framework as the documentation prints it."""
    page = os.environ.get("SAEGIM_DOCS") or str(Path(__file__).parents[4] / "docs")
    blocks = dict(re.findall(r"^```python (\w+)\n(.*?)^```", (Path(page) / "frameworks.md").read_text(encoding="utf-8"), re.M | re.S))

    def run(name: str, scope: dict[str, Any]) -> dict[str, Any]:
        lines = blocks[name].strip().splitlines()
        assert len(lines) == 3, f"the block of {name} has {len(lines)} lines"
        exec(blocks[name], scope)
        return scope

    return run
