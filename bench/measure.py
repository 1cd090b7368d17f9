"""Measures one peer inside its own environment. Started by `bench/run`.

    measure.py PEER life    FOLDER --report FILE --memories N     fill, store, recall, rebalance, count
    measure.py PEER write   FOLDER --memories N                   store and acknowledge each on standard output
    measure.py PEER count   FOLDER --report FILE                  open the existing data and count it
    measure.py PEER later   FOLDER --report FILE                  open the existing data and rebalance it a month later

The report is rewritten after every part, so a peer stopped by its time limit still reports the finished parts.
"""

import argparse
import ctypes
import json
import logging
import os
import sqlite3
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy
from made import LIMIT, MONTH_DAYS, OWN_SENTENCES, Numbers, question, sentence, vector
from peers import PEERS

SEED = 7
# The same values as in `crates/sim/src/bench.rs`.
STORES, QUESTIONS, WARM_UP = 300, 400, 20


def percentiles(seconds: list[float]) -> dict:
    """Median and 95th percentile, in microseconds."""
    ordered = sorted(seconds)
    at = lambda share: ordered[int((len(ordered) - 1) * share)] * 1e6
    return {"p50_us": at(0.5), "p95_us": at(0.95), "runs": len(ordered)}


def timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fsyncs() -> int | None:
    """Number of fsync calls of this process; None if they are not counted."""
    counter = getattr(ctypes.CDLL(None), "fsyncs_so_far", None)
    return counter() if counter else None


def bare_file(folder: Path) -> sqlite3.Connection:
    """Baseline for a commit: a durable SQLite file with one plain table."""
    file = sqlite3.connect(folder / "bare.db", isolation_level=None)
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = FULL")
    file.execute("CREATE TABLE memory (key INTEGER PRIMARY KEY, content TEXT, at INTEGER)")
    return file


def bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Report:
    def __init__(self, path: Path):
        self.path = path
        self.parts = {}

    def tell(self, **parts) -> None:
        self.parts |= parts
        self.path.write_text(json.dumps(self.parts, indent=1, ensure_ascii=False))


def life(peer_class, folder: Path, report: Report, options) -> None:
    numbers = Numbers(SEED)
    texts = [sentence(numbers) for _ in range(options.memories + STORES)]
    questions = [question(numbers) for _ in range(QUESTIONS)]
    vectors = {text: vector(text) for text in texts + questions}
    report.tell(
        versions={name: version(name) for name in (package.split("==")[0] for package in peer_class.packages)},
        load_before=os.getloadavg()[0],
    )
    yardsticks = folder.with_name(folder.name + "-yardstick")
    yardsticks.mkdir()
    bare = bare_file(yardsticks)
    peer = peer_class(folder, vectors)

    def say(what):
        print(f"  {what}", file=sys.stderr, flush=True)

    say(f"storing {options.memories}")
    start = time.perf_counter()
    stored = peer.fill(texts[: options.memories], options.patience)
    report.tell(filled=stored, fill_seconds=time.perf_counter() - start)

    say("storing one at a time, beside one bare SQLite commit of a row")
    ours, theirs, kept = [], [], 0
    for text in texts[stored : stored + STORES]:
        before = fsyncs()
        theirs.append(timed(lambda: peer.store(stored, text)))
        if before is not None:
            kept += fsyncs() - before
        stored += 1
        ours.append(timed(lambda: bare.execute("INSERT INTO memory (content, at) VALUES (?, ?)", (text, stored))))
        if sum(theirs) > options.patience:
            break
    report.tell(
        store=percentiles(theirs), bare_commit=percentiles(ours),
        fsyncs_per_store=kept / len(theirs) if fsyncs() is not None else None,
    )

    if not options.rebalance_only:
        say("recalling")
        report.tell(**recalls(peer, texts[:stored], questions, vectors, options.patience / 4))

    if peer_class.rebalances:
        rebalances = {}
        for name in ("first", "again"):
            say(f"rebalancing: {name}")
            rebalances[name] = rebalance(peer)
            report.tell(rebalance=rebalances)

    held = peer.count()
    peer.close()
    report.tell(stored=stored, held=held, load_after=os.getloadavg()[0])


def recalls(peer, texts, questions, vectors, patience) -> dict:
    """Measures recall, and every eighth query a bare scan of the same vectors as the baseline."""
    matrix = numpy.array([vectors[text] for text in texts])
    scans, times, found = [], [], []
    for asked in questions:
        times.append(timed(lambda: found.append(len(peer.recall(asked, LIMIT)))))
        if len(times) % 8 == 0:
            scans.append(timed(lambda: numpy.argpartition(matrix @ vectors[asked], -LIMIT)[-LIMIT:]))
        if len(times) > WARM_UP and sum(times) > patience:
            break
    own = texts[:: max(1, len(texts) // OWN_SENTENCES)][:OWN_SENTENCES]
    return {
        "recall": percentiles(times[WARM_UP:]),
        "scan": percentiles(scans),
        "results_per_recall": sum(found) / len(found),
        "own_sentence": {"asked": len(own), "found": sum(text in peer.recall(text, LIMIT) for text in own)},
    }


def rebalance(peer) -> dict:
    moved = []
    seconds = timed(lambda: moved.append(peer.rebalance()))
    return {"seconds": seconds, "moved": moved[0], "memories": peer.count()}


def later(peer_class, folder: Path, report: Report) -> None:
    peer = peer_class(folder, {})
    today = time.time
    time.time = lambda: today() + MONTH_DAYS * 86_400
    report.tell(**rebalance(peer))
    peer.close()


def write(peer_class, folder: Path, options) -> None:
    """Stores memories until the process is killed, and acknowledges each on standard output."""
    numbers = Numbers(SEED + 1)
    texts = [sentence(numbers) for _ in range(options.memories)]
    peer = peer_class(folder, {text: vector(text) for text in texts})
    for number, text in enumerate(texts):
        peer.store(number, text)
        os.write(1, b".")
    time.sleep(60)


def count(peer_class, folder: Path, report: Report) -> None:
    report.tell(bytes=bytes_in(folder))
    peer = peer_class(folder, {})
    report.tell(held=peer.count())
    peer.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("stage", choices=["life", "write", "count", "later"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--memories", type=int, default=5000)
    parser.add_argument("--patience", type=float, default=420, help="seconds filling may take before it is cut short; recall gets a quarter")
    parser.add_argument("--rebalance-only", action="store_true", help="leave recall out")
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(options.report.resolve()) if options.report else None
    # Some peers write logs to the working directory.
    os.chdir(folder)
    peer_class = PEERS[options.peer]
    if options.stage == "life":
        life(peer_class, folder, report, options)
    elif options.stage == "write":
        write(peer_class, folder, options)
    elif options.stage == "count":
        count(peer_class, folder, report)
    else:
        later(peer_class, folder, report)


if __name__ == "__main__":
    main()
