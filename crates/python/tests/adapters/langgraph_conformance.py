"""Runs the tests of LangGraph's own store against ``SaegimStore``: tests/test_store.py of the sdist of langgraph-checkpoint.

    python langgraph_conformance.py FOLDER_OF_THE_UNPACKED_SDIST

The name ``InMemoryStore`` is replaced. Cases that test the embedder that is passed to ``InMemoryStore``, and not a store, are listed
with the reason; every other case must pass.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

import langgraph.store.memory
import pytest
from saegim import Memory
from saegim.langgraph import SaegimStore

EXPECTED = {
    "test_embed_with_path": "compares scores of the embedder it passes in, field by field; a memory searches whole items with its own",
}


class Cases:
    """Counts results."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed += 1
        elif report.failed:
            self.failed.append(report.nodeid.rpartition("::")[2])


def main(folder: Path) -> int:
    with tempfile.TemporaryDirectory() as place:
        memory, numbers = Memory(Path(place) / "store.db"), count()

        class Store(SaegimStore):
            """An empty store, made like ``InMemoryStore``."""

            def __init__(self, **settings: Any) -> None:
                super().__init__(memory.mind(user=f"case{next(numbers)}"), **settings)

        langgraph.store.memory.InMemoryStore = Store  # type: ignore[assignment, misc, unused-ignore]
        cases = Cases()
        sys.path.insert(0, str(folder))
        options = ["-p", "no:cacheprovider", "-q", "--no-header", "--tb=line", "-c", str(folder / "pyproject.toml"), "--rootdir", str(folder)]
        pytest.main([*options, "-o", "asyncio_mode=auto", "-o", "addopts=", str(folder / "tests" / "test_store.py")], plugins=[cases])
        memory.close()
    new = sorted(set(cases.failed) - set(EXPECTED))
    gone = sorted(set(EXPECTED) - set(cases.failed))
    print(f"{cases.passed} passed, {len(cases.failed)} without meaning here")
    for name in cases.failed:
        print(f"  {name}: {EXPECTED.get(name, 'NOT EXPECTED')}")
    for name in gone:
        print(f"  {name} passes now; take it off the list")
    return 1 if new or gone or cases.passed < 100 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
