"""A memory, and an upstream that the published clients talk to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from saegim import Memory
from upstream import Upstream, started


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[Upstream]:
    made, server = started()
    for name, value in {
        "OPENAI_BASE_URL": f"{made.url}/v1",
        "OPENAI_API_KEY": "none",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "ANTHROPIC_BASE_URL": made.url,
        "ANTHROPIC_API_KEY": "none",
    }.items():
        monkeypatch.setenv(name, value)
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def luna(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "luna.db", user="minsu", character="luna") as memory:
        yield memory
