"""Measures what the Python package adds to a recall.

    python bench/overhead.py [MEMORIES]

Three times, in turns: the whole call, the same request in the native module (bridge, routes, engine, JSON), and a request that no route
answers (bridge and routes alone). The best of many calls is shown, because other work on the machine can only slow a call down.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from saegim import Memory, _native

QUERY = "what did I drink with Minsu?"
CALLS = 100
ROUNDS = 5


def best(call: Callable[[], object]) -> float:
    """Returns the best time of a call in microseconds."""
    times: list[float] = []
    for _ in range(CALLS):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1e6)
    return min(times)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "overhead.db")
        with Memory(database) as memory:
            for number in range(count):
                memory.store(f"On day {number} I drank tea number {number % 97} with friend {number % 13} in town {number % 31}")
        settings = {"database": database, "config": None, "embedder": None, "model": None, "principal": "owner"}
        engine, body = _native.Engine.open(settings), f'{{"query":"{QUERY}","limit":5}}'.encode()
        with Memory(database) as memory:
            calls: list[Callable[[], object]] = [
                lambda: memory.recall(QUERY, limit=5),
                lambda: engine.request(("POST", "/v1/minds/me%2Fassistant/recall", body, None)),
                lambda: engine.request(("GET", "/v1/nothing", None, None)),
            ]
            rounds = [[best(call) for call in calls] for _ in range(ROUNDS)]
        engine.close()
    whole, native, floor = (min(times) for times in zip(*rounds, strict=True))
    print(f"recall of 5 from {count} memories: {whole:.0f} µs in Python, {native:.0f} µs in the native module")
    print(f"Python adds {whole - native:.0f} µs ({(whole / native - 1) * 100:.0f} %); bridge and routes take {floor:.0f} µs of the rest")


if __name__ == "__main__":
    main()
