"""Writes `bench.md` and `bench.svg` from the figures of a run."""

from pathlib import Path

from chart import Bar, Panel, decades, draw

US, THEM = "saegim", "did not run"

BUSY = """
> **The machine was busy during this run.** The systems were measured one after another, minutes apart, under different loads, and
> the reference measurements varied as stated above. Ratios below about three are not significant.
"""


def time_words(seconds: float) -> str:
    """A time in a readable unit, with three significant digits."""
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= scale or unit == "µs":
            value = seconds / scale
            return f"{value:.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def size_words(amount: int) -> str:
    return f"{amount / 1e6:.1f} MB" if amount else "none"


def ratio_words(theirs: float, ours: float) -> str:
    ratio = theirs / ours
    return f"{ratio:,.0f} x" if ratio >= 10 else f"{ratio:.2g} x"


def microseconds(times: dict) -> str:
    return f"{time_words(times['p50_us'] / 1e6)} ({time_words(times['p95_us'] / 1e6)})"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def middle(speeds: list[dict], what: str) -> dict:
    """Our median run for this measurement."""
    return sorted((speed[what] for speed in speeds), key=lambda times: times["p50_us"])[len(speeds) // 2]


def commits_of_ours(speeds: list[dict]) -> float:
    """Cost of one of our stores, in bare SQLite commits."""
    return sorted(speed["store_over_bare_commit"] for speed in speeds)[len(speeds) // 2]


def commits_of(peer: dict) -> float:
    """Cost of one of the peer's stores, in bare SQLite commits measured in the same process."""
    return peer["store"]["p50_us"] / peer["bare_commit"]["p50_us"]


def missing(peer: dict, part: str) -> str | None:
    """The reason why a peer has no figures for this part, or None."""
    return None if part in peer else f"{THEM}: {peer.get('did_not_run', 'no figures')}"


def store_table(told: dict) -> str:
    speeds, peers = told["ours"]["speeds"], told["peers"]
    ours, bare = middle(speeds, "store_one_durable"), middle(speeds, "bare_sqlite_commit")
    commits, kept = commits_of_ours(speeds), fsync_words(told["ours"]["promises"]["fsyncs_per_store"])
    rows = [
        [f"**{US}**", f"**{microseconds(ours)}**", f"**{commits:.2g}**", "1", kept],
        ["one bare SQLite commit of a row", microseconds(bare), "1", ratio_words(1, commits), "–"],
    ]
    for peer in peers.values():
        if why := missing(peer, "store"):
            rows.append([peer["title"], why, "", "", ""])
            continue
        theirs = commits_of(peer)
        rows.append([
            peer["title"], microseconds(peer["store"]), f"{theirs:.2g}", ratio_words(theirs, commits),
            fsync_words(peer["fsyncs_per_store"]),
        ])
    return table(["", "store one, p50 (p95)", "in bare commits", f"to {US}", "fsyncs per store"], rows)


def fsync_words(count: float | None) -> str:
    if count is None:
        return "not counted"
    return "0: not durable" if count == 0 else f"{count:.2g}" if count >= 0.95 else f"{count:.2g}: not every one is durable"


def recall_table(told: dict) -> str:
    speeds, peers = told["ours"]["speeds"], told["peers"]
    ours = middle(speeds, "recall_embedded")
    own, results = told["ours"]["promises"]["own_sentence"], told["ours"]["promises"]["results_per_recall"]
    rows = [
        [f"**{US}**", "words and vectors", f"**{microseconds(ours)}**", "1", f"{results:.1f}", own_words(own)],
        aside(f"{US}, filtered by kind and time", "words and vectors", middle(speeds, "recall_filtered"), ours),
        aside(f"{US}, embedding of the question included", "words and vectors", middle(speeds, "recall_with_embedder"), ours),
        aside("sqlite-vec's brute force from Rust, in memory", "vectors", middle(speeds, "sqlite_vec_brute_force"), ours),
    ]
    for peer in peers.values():
        if why := missing(peer, "recall"):
            rows.append([peer["title"], peer["looks_at"], why, "", "", ""])
            continue
        rows.append([
            peer["title"], peer["looks_at"], microseconds(peer["recall"]),
            ratio_words(peer["recall"]["p50_us"], ours["p50_us"]), f"{peer['results_per_recall']:.1f}",
            own_words(peer["own_sentence"]),
        ])
    return table(["", "searches", "recall 10, p50 (p95)", f"to {US}", "results", "finds a stored sentence"], rows)


def aside(title: str, looks_at: str, times: dict, ours: dict) -> list[str]:
    return [title, looks_at, microseconds(times), ratio_words(times["p50_us"], ours["p50_us"]), "", ""]


def own_words(own: dict) -> str:
    return f"{own['found']} of {own['asked']}"


def rebalance_table(told: dict) -> str:
    ours, memories = told["ours"], told["memories"]
    again = middle(ours["speeds"], "rebalance")["p50_us"] / 1e6
    promised = ours["promises"]["rebalance"]
    large = ours.get("rebalance_at")
    month = promised["a_month_later"]
    head = ["", "first time", "again", "a month later", f"a month later, to {US}"]
    nothing_new = f"{time_words(again)} ({promised['again']['moved']:,})"
    rows = [[f"**{US}**", moved_words(promised["first"]), nothing_new, f"**{moved_words(month)}**", "1"]]
    if large:
        head.append(f"again at {large['memories']:,}")
        rows[0].append(time_words(large["rebalance"]["p50_us"] / 1e6))
    for peer in told["peers"].values():
        if "rebalance" not in peer:
            continue
        parts = peer["rebalance"]
        row = [peer["title"], moved_words(parts.get("first"))]
        row.append(moved_words(parts.get("again")))
        later = parts.get("a_month_later", {})
        row.append(moved_words(later))
        row.append(ratio_words(later["seconds"], month["seconds"]) if "seconds" in later else "")
        if large:
            at = peer.get("rebalance_at", {})
            row.append(moved_words(at.get("rebalance", {}).get("again") or at))
        rows.append(row)
    return f"At {memories:,} memories; in brackets how many moved.\n\n" + table(head, rows)


def moved_words(part: dict | None) -> str:
    if not part:
        return "–"
    if "seconds" not in part:
        return f"{THEM}: {part.get('did_not_run', 'no figures')}"
    return f"{time_words(part['seconds'])} ({part['moved']:,})"


def keeping_table(told: dict) -> str:
    rows = [keeping_row(f"**{US}**", told["ours"]["promises"])]
    rows += [keeping_row(peer["title"], peer) for peer in told["peers"].values()]
    return table(["", "on disk", "per memory", "held after reopening", "held after kill -9"], rows)


def keeping_row(title: str, one: dict) -> list[str]:
    if "reopened" not in one:
        return [title, f"{THEM}: {one.get('did_not_run', 'no figures')}", "", "", ""]
    reopened, killed = one["reopened"], one.get("killed", {})
    size = reopened.get("bytes", 0)
    return [
        title, size_words(size), f"{size / one['stored']:,.0f} bytes" if size else "–",
        kept_words(reopened, one["stored"]), kept_words(killed, killed.get("acknowledged", 0)),
    ]


def kept_words(counted: dict, told: int) -> str:
    if "held" not in counted:
        return f"{THEM}: {counted.get('did_not_run', 'no figures')}"
    # A store in flight when the process was killed may or may not be present; it was not acknowledged.
    held = min(counted["held"], told)
    return f"all {told:,}" if held == told else f"**{held:,} of {told:,}**"


def spread(told: dict) -> str:
    """Spread of our own runs, which is the error of every ratio."""
    speeds = told["ours"]["speeds"]

    def between(what, words):
        values = [speed[what] if isinstance(speed[what], float) else speed[what]["p50_us"] / 1e6 for speed in speeds]
        return f"{words(min(values))} to {words(max(values))}"

    return (
        f"{US}'s runs gave {between('store_over_bare_commit', '{:.2g}'.format)} bare commits per store, "
        f"{between('recall_embedded', time_words)} per recall and {between('rebalance', time_words)} per rebalance"
    )


def drift(told: dict) -> str:
    """Variation of the machine, measured by the baselines of every process."""
    commits = [peer["bare_commit"]["p50_us"] for peer in told["peers"].values() if "bare_commit" in peer]
    commits += [speed["bare_sqlite_commit"]["p50_us"] for speed in told["ours"]["speeds"]]
    scans = [peer["scan"]["p50_us"] for peer in told["peers"].values() if "scan" in peer]
    words = f"a bare SQLite commit took {time_words(min(commits) / 1e6)} to {time_words(max(commits) / 1e6)} (p50)"
    if scans:
        words += f", a bare scan of the vectors {time_words(min(scans) / 1e6)} to {time_words(max(scans) / 1e6)}"
    return words


def runs_words(runs: int) -> str:
    return "one run" if runs == 1 else f"{runs} runs, before, between and after the peers"


def write(told: dict, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    memories, computer, loads, ours = told["memories"], told["machine"], told["loads"], told["ours"]
    grouped = sorted(speed["grouped_per_second"] for speed in ours["speeds"])[len(ours["speeds"]) // 2]
    embed = middle(ours["speeds"], "embed_one")
    judged = f" ({microseconds(middle(ours['speeds'], 'judge_one'))} more)" if "judge_one" in ours["speeds"][0] else ""
    notes = [f"- **{peer['title']}**: {peer['note']}" for peer in told["peers"].values() if peer["note"]]
    cut = [
        f"- {peer['title']} was filled with {peer['filled']:,} memories only, where its time ran out."
        for peer in told["peers"].values() if peer.get("filled", memories) < memories
    ]
    failed = [f"- {peer['title']}: {peer['did_not_run']}" for peer in told["peers"].values() if "did_not_run" in peer]
    versions = sorted({
        f"{name} {version}" for peer in told["peers"].values() for name, version in peer.get("versions", {}).items()
    })
    busy = max(loads) > computer["cores"]
    text = f"""# Speed compared with other systems

Generated by `bench/run` from one run on one machine. Ratios are more comparable between machines than times. For sizes up to a
million memories see [growth.md](growth.md).

![Store, recall and rebalance at {memories:,} memories](bench.svg)

{computer['day']}, {computer['cores']} cores of {computer['processor']}, {computer['memory_gb']} GB, {computer['file_system']}, \
{computer['system']}. Load averages during the run: {', '.join(f'{load:.1f}' for load in loads)}. In between, {drift(told)}; \
{spread(told)}.
{BUSY if busy else ""}

## Store one memory, {memories:,} held
{store_table(told)}

"In bare commits" divides by a bare commit measured in the same process, alternating with the stores; "to {US}" is the ratio of \
these values. It depends less on the load of the machine than the times do. With 64 concurrent writers {US} stores \
{grouped:,.0f} memories per second, each durable when acknowledged.

## Recall ten among {memories:,}
{recall_table(told)}

Embedding one question with the built-in model adds {microseconds(embed)}; only the third row includes it.

## Rebalance all memories
{rebalance_table(told)}

For {US}, "first time" and "a month later" are the whole `saegim rebalance` command including its start; "again" is the median \
of twenty runs in one process in which nothing moves. For the peers each figure is one call inside their process; they move the \
same memories back and forth every time, so "again" is not the same work, and the ratio uses "a month later".

## Durability
{keeping_table(told)}

The process is killed without warning while it stores memories, after at least two hundred were acknowledged.

## Method
- Texts: sentences of four phrases in Korean, English or both, with a number, from the same tables with fixed seeds. Questions \
are the first four words of such a sentence. {US} and the peers get different samples.
- Embedding is excluded: every system that takes vectors gets 512 numbers derived from a hash. They have no meaning, so this \
page says nothing about quality; `bench/quality` measures that.
- {US} searches words **and** vectors, ranks, and loads ten complete memories with their score parts. The others, as configured \
here, search one of the two.
- Stores of {US} exclude the analysis of a text for importance and emotion{judged}, as they exclude embedding; the peers are \
given an importance or use none.
- The size on disk of {US} includes its hash-chained ledger of every change and its write-ahead log.
- Stores are timed one by one after filling. p50 is the median, p95 the 95th percentile; for {US} the median of \
{runs_words(len(ours['speeds']))}. The peers' linear algebra uses one thread.
- {US} runs in Rust, the peers in Python as their users run them; sqlite-vec from Rust and the numpy scan show the cost of the \
language.
- fsyncs are counted by a preloaded library. A memory needs at least one to survive a power cut.
- "Finds a stored sentence": {MEANING_OF_OWN}
{chr(10).join(notes + cut)}

## Not run
{chr(10).join(failed) or "All systems ran."}

## Repeat
```
bench/run
```
Needs Python 3.11 or newer, a C compiler and cargo; every peer gets its own environment under `bench/.venv-*`. This run: Python \
{computer['python']} with SQLite {computer['sqlite']}, {US} {ours['version']} ({ours['revision']}), {', '.join(versions)}.
"""
    (folder / "bench.md").write_text(text)
    chart(told, folder / "bench.svg")


MEANING_OF_OWN = (
    "fifty of the stored sentences are searched verbatim and should be among the ten results; a fast recall that misses them is "
    f"useless. For this and for the number of results {US} is called through its command line, whose embedder differs from the "
    "simulator's, so it searches by words alone. It returns only what fits, ten at most; the vector searches always return ten."
)


def chart(told: dict, path: Path) -> None:
    speeds, peers = told["ours"]["speeds"], list(told["peers"].values())

    def bar(label, times, kind="other"):
        return Bar(label, times["p50_us"] / 1e6, "", kind, times["p95_us"] / 1e6)

    def kind_of(peer):
        return "limit" if peer["title"].startswith("exact") else "other"

    def finished(heading, bars, words=time_words):
        ours, others = bars[0], sorted(bars[1:], key=lambda bar: bar.value)
        ours.words = words(ours.value)
        for other in others:
            other.words = f"{words(other.value)} · {ratio_words(other.value, ours.value)}{other.words}"
        return Panel(heading, [ours, *others], decades(bars, words))

    stores = [Bar(US, commits_of_ours(speeds), "", "ours"), Bar("bare SQLite commit", 1, "", "limit")]
    stores += [
        Bar(peer["title"], commits_of(peer), " · not durable" if peer["fsyncs_per_store"] == 0 else "", kind_of(peer))
        for peer in peers if "store" in peer
    ]
    recalls = [
        bar(US, middle(speeds, "recall_embedded"), "ours"),
        bar("sqlite-vec from Rust, in memory", middle(speeds, "sqlite_vec_brute_force"), "limit"),
    ]
    for peer in peers:
        if "recall" in peer:
            recalls.append(bar(peer["title"], peer["recall"], kind_of(peer)))
            own = peer["own_sentence"]
            if own["found"] < own["asked"]:
                recalls[-1].words = f" · finds {own_words(own)}"
    panels = [
        finished("Store one memory, in bare SQLite commits", stores, lambda commits: f"{commits:.2g}" if commits < 100 else f"{commits:.0f}"),
        finished("Recall ten", recalls),
    ]
    months = [Bar(US, told["ours"]["promises"]["rebalance"]["a_month_later"]["seconds"], "", "ours")]
    months += [
        Bar(peer["title"], peer["rebalance"]["a_month_later"]["seconds"], "")
        for peer in peers if "seconds" in peer.get("rebalance", {}).get("a_month_later", {})
    ]
    if len(months) > 1:
        panels.append(finished("Rebalance everything a month later", months))
    draw(
        path, f"{told['memories']:,} memories in one mind",
        "Median, thin line to the 95th percentile; logarithmic, shorter is faster; embedding left out", panels,
    )
