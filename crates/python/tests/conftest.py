"""A memory over each transport: in this process, and over HTTP against the real server."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from saegim import Memory


class Server:
    """A running ``saegim serve`` with its own database."""

    def __init__(self, folder: Path) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SAEGIM_")}
        environment["XDG_CONFIG_HOME"] = str(folder)
        command = [os.environ["SAEGIM_BINARY"], "--db", str(folder / "server.db"), "serve", "--addr", "127.0.0.1:0", "--rate", "100000"]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url = self._address()

    def _address(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                return found[0]
        raise AssertionError("the server did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(params=["here", "http"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """A memory without contents."""
    if request.param == "http":
        running: Server = request.getfixturevalue("server")
        made = Memory(url=running.url, user=f"minsu{os.urandom(6).hex()}", character="luna")
    else:
        made = Memory(tmp_path / "luna.db", user="minsu", character="luna")
    with made:
        yield made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "luna.db"
