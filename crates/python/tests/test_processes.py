"""Threads, processes, forks, signals, exits and leaks: nothing hangs and no acknowledged write is lost."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from saegim import AsyncMemory, Memory

WITHIN = 120
"""Maximum time of a program in seconds; a hang fails the test."""


def program(source: str, *arguments: object, expected: int = 0) -> str:
    """Runs a Python program to its end and returns what it prints."""
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(source), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WITHIN)
    assert done.returncode == expected, (done.returncode, done.stdout, done.stderr)
    assert "Fatal" not in done.stderr and "panicked" not in done.stderr, done.stderr
    return done.stdout


def stored(path: Path) -> set[str]:
    with Memory(path) as memory:
        return {found.content for found in memory.memories(limit=1000)}


def test_eight_threads_share_a_memory(memory: Memory) -> None:
    def work(thread: int) -> list[str]:
        texts = [f"thread {thread} wrote note {number}" for number in range(8)]
        for text in texts:
            memory.store(text)
            assert memory.recall(text, limit=1)
        return texts

    with ThreadPoolExecutor(8) as threads:
        written = {text for texts in threads.map(work, range(8)) for text in texts}
    assert {found.content for found in memory.memories(limit=1000)} == written


def test_four_processes_share_a_file(path: Path) -> None:
    source = """
        import sys
        from saegim import Memory
        with Memory(sys.argv[1]) as memory:
            for number in range(12):
                memory.store(f"process {sys.argv[2]} wrote note {number}")
                print(number, flush=True)
    """
    with ThreadPoolExecutor(4) as threads:
        printed = list(threads.map(lambda process: program(source, path, process), range(4)))
    assert all(lines.split() == [str(number) for number in range(12)] for lines in printed)
    assert stored(path) == {f"process {process} wrote note {number}" for process in range(4) for number in range(12)}


@pytest.mark.parametrize("transport", ["here", "http"])
def test_two_hundred_tasks(transport: str, path: Path, request: pytest.FixtureRequest) -> None:
    async def work() -> None:
        url = None if transport == "here" else request.getfixturevalue("server").url
        place = {"path": path} if url is None else {"url": url}
        async with AsyncMemory(**place, user=f"tasks-{transport}") as memory:
            await asyncio.gather(*(memory.store(f"task {number} wrote this") for number in range(200)))
            found = await asyncio.gather(*(memory.recall(f"what did task {number} write?") for number in range(200)))
            assert all(found)
            assert len(await memory.memories(limit=1000)) == 200
            assert await memory.verify_ledger()

    asyncio.run(asyncio.wait_for(work(), WITHIN))


def test_a_cancelled_task_leaves_the_memory_usable(path: Path) -> None:
    async def work() -> None:
        async with AsyncMemory(path) as memory:
            tasks = [asyncio.create_task(memory.store(f"note {number}")) for number in range(20)]
            await asyncio.sleep(0.01)
            for task in tasks[10:]:
                task.cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            kept = {item.id for item in done if not isinstance(item, BaseException)}
            assert len(kept) >= 10 and kept <= {item.id for item in await memory.memories(limit=100)}
            assert (await memory.verify_ledger()).whole

    asyncio.run(asyncio.wait_for(work(), WITHIN))


def test_a_fork_after_opening(path: Path) -> None:
    printed = program(
        """
        import os, sys, threading
        from saegim import Memory
        memory = Memory(sys.argv[1])
        memory.store("the parent wrote this first")
        busy = threading.Thread(target=lambda: [memory.store(f"the parent was busy with {number}") for number in range(20)])
        busy.start()
        children = []
        for child in range(3):
            process = os.fork()
            if process == 0:
                memory.store(f"child {child} wrote this")
                grandchild = os.fork()
                if grandchild == 0:
                    memory.store(f"the child of {child} wrote this")
                    memory.close()
                    os._exit(0)
                os._exit(os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]))
            children.append(process)
        print([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children])
        busy.join()
        memory.store("the parent wrote this last")
        memory.close()
        """,
        path,
    )
    assert printed.strip() == "[0, 0, 0]"
    expected = {"the parent wrote this first", "the parent wrote this last"}
    expected |= {f"the parent was busy with {number}" for number in range(20)}
    expected |= {text for child in range(3) for text in (f"child {child} wrote this", f"the child of {child} wrote this")}
    assert stored(path) == expected


def test_ctrl_c_stops_a_long_call(path: Path) -> None:
    # A shell starts background programs with the signal ignored; then Python does not handle it either.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with Memory(path) as memory:
            memory.store("before")
            timer.start()
            began = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                memory.simulate(days=20_000, turns_per_day=40, language="en")
            assert time.monotonic() - began < 20
            memory.store("after")
            assert memory.verify_ledger().whole
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("ending", ["sys.exit(0)", "raise SystemExit", "pass", "memory.close()", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_an_exit_with_work_under_way(path: Path, ending: str) -> None:
    printed = program(
        f"""
        import os, signal, sys, threading
        from saegim import Memory
        memory, some = Memory(sys.argv[1]), threading.Semaphore(0)
        def work(thread):
            for number in range(10_000):
                memory.store(f"thread {{thread}} wrote note {{number}}")
                os.write(1, f"thread {{thread}} wrote note {{number}}\\n".encode())
                some.release()
        for thread in range(4):
            threading.Thread(target=work, args=(thread,), daemon=True).start()
        for _ in range(8):
            some.acquire()
        threading.excepthook = lambda failure: None
        {ending}
        """,
        path,
        expected=-signal.SIGTERM if "SIGTERM" in ending else 0,
    )
    acknowledged = {line for line in printed.splitlines() if line}
    assert acknowledged and acknowledged <= stored(path)


def test_an_exit_with_tasks_under_way(path: Path) -> None:
    program(
        """
        import asyncio, sys
        from saegim import AsyncMemory
        async def work():
            memory = AsyncMemory(sys.argv[1])
            for number in range(50):
                asyncio.ensure_future(memory.store(f"note {number}"))
            await asyncio.sleep(0.05)
        asyncio.run(work())
        """,
        path,
    )
    with Memory(path) as memory:
        assert memory.verify_ledger().whole


def resident() -> int:
    """Returns the resident memory of this process in kB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def test_ten_thousand_calls_leak_nothing(path: Path) -> None:
    with Memory(path) as memory:
        stored = memory.store("I adopted a puppy called Mochi")
        calls = [lambda: memory.get(stored.id), lambda: memory.mood(), lambda: memory.stats(), lambda: memory.memories()]
        calls = calls * 5 + [lambda: memory.recall("puppy")]

        def rounds(count: int) -> tuple[int, int]:
            for number in range(count):
                calls[number % len(calls)]()
            gc.collect()
            return resident(), len(gc.get_objects())

        rounds(3_000)
        before, objects = rounds(2_000)
        after, objects_after = rounds(10_000)
    assert after - before < 6_000, f"{after - before} kB more after 10,000 calls"
    assert objects_after - objects < 500


def test_opening_and_closing_leaks_neither_threads_nor_files(path: Path) -> None:
    def opened(count: int) -> None:
        for _ in range(count):
            with Memory(path) as memory:
                memory.stats()

    def held() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))

    opened(3)
    files, threads = held()
    opened(30)
    # The threads of a closed database end shortly after.
    until = time.monotonic() + 20
    while (held()[0] > files + 2 or held()[1] > threads + 2) and time.monotonic() < until:
        time.sleep(0.05)
    assert held()[0] <= files + 2 and held()[1] <= threads + 2, (files, threads, held())
