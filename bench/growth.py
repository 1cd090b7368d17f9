"""Writes `growth.md` and `growth.svg` from the output of `saegim-sim growth`."""

from pathlib import Path

from chart import Bar, Panel, decades, draw
from report import microseconds, ratio_words, table, time_words

MILLION = 1e6


def megabytes(amount: float) -> str:
    return f"{amount / MILLION:,.0f} MB" if amount >= 10 * MILLION else f"{amount / MILLION:.1f} MB"


def one_mind_table(rows: list[dict]) -> str:
    head = ["memories", "recall 10, p50 (p95)", "bare scan, p50 (p95)", "to the scan", "after a new memory", "rebalance (in talk)",
            "first answer", "read into memory", "resident", "on disk", "a memory on disk"]
    return table(head, [
        [
            f"{row['memories']:,}", f"**{microseconds(row['recall'])}**", microseconds(row["scan"]),
            f"**{row['recall_over_scan']:.2g} x**", time_words(row["after_a_new_memory"]["p50_us"] / MILLION),
            f"{time_words(row['rebalance']['p50_us'] / MILLION)} ({time_words(row['rebalance_in_talk']['p50_us'] / MILLION)})",
            time_words(row["first_answer_seconds"]),
            time_words(row["read_seconds"]), megabytes(row["resident_bytes"]), megabytes(row["disk_bytes"]),
            f"{row['disk_bytes'] / row['memories']:,.0f} bytes",
        ]
        for row in rows
    ])


def many_minds_words(told: dict) -> str:
    memories = told["minds"] * told["memories_each"]
    return (
        f"{told['minds']:,} minds of {told['memories_each']} in one file: the first question to a mind drawn at random takes "
        f"{microseconds(told['first_question'])}, its reading into memory included, the next one {microseconds(told['recall'])}. "
        f"The file has {megabytes(told['disk_bytes'])}, {told['disk_bytes'] / memories:,.0f} bytes a memory. Opened and not yet "
        f"asked the process holds {megabytes(told['resident_bytes_opened'])} (after filling them in the same process); after "
        f"{told['first_question']['runs']:,} questions to minds drawn at random, the small ones unused longest let go, {megabytes(told['resident_bytes'])}. "
        f"A caretaker that looks after all {told['looked_after']:,} once takes {time_words(told['look_after_all_seconds'])}; one that "
        f"finds nothing due {microseconds(told['sweep_of_nothing'])}, and one that finds ten {microseconds(told['sweep_of_ten'])}."
    )


def write(told: dict, folder: Path) -> None:
    computer, loads, rows = told["machine"], told["loads"], told["one_mind"]
    busy = max(loads) > computer["cores"]
    warning = (
        "\n> **This run was taken on a busy machine**: times are several times what they are on an idle one. What is to be read here "
        "is the ratio to the scan, which was asked in turn with us in the same process, and how everything grows.\n"
    ) if busy else ""
    text = f"""# How it grows

Written by `bench/run --growth` from one run of `saegim-sim growth` on one machine; every size in a process of its own.

![Recall beside a bare scan of the vectors](growth.svg)

{computer['day']}, {computer['cores']} cores of {computer['processor']}, {computer['memory_gb']} GB, {computer['file_system']}, \
{computer['system']}; {told['revision']}. Load averages through the run: {', '.join(f'{load:.1f}' for load in loads)}.
{warning}
## One mind
{one_mind_table(rows)}

- "Bare scan": the same eight-bit vectors side by side in memory, every one compared with the question by the same wide \
instructions and as many threads, the ten nearest kept. No words, no ranking, nothing loaded: the limit for an exact search.
- "Recall" searches words and vectors of every memory, ranks, and loads ten whole memories.
- "After a new memory": the question that follows a `remember`, when the index takes the new one in first.
- "First answer" is opening the file and the first question. Up to 30,000 memories that question waits until the mind is in \
memory; a larger mind is read in the background, and until then questions go to the file.
- "Rebalance" places everything anew where nothing is left to move (each memory that moves is one row written more); in talk, every memory is also compared with what the \
conversation is about.
- "Resident" is all the process holds once the mind is in memory.

## Many minds
{many_minds_words(told['many_minds'])}

## Again
```
bench/run --growth
```
"""
    (folder / "growth.md").write_text(text)
    chart(rows, folder / "growth.svg")


def chart(rows: list[dict], path: Path) -> None:
    panels = []
    for row in rows:
        def bar(label, times, kind):
            return Bar(label, times["p50_us"] / MILLION, time_words(times["p50_us"] / MILLION), kind, times["p95_us"] / MILLION)

        ours, scan = bar("saegim", row["recall"], "ours"), bar("bare scan of the vectors", row["scan"], "limit")
        ours.words += f" · {ratio_words(ours.value, scan.value)}"
        panels.append(Panel(f"{row['memories']:,} memories", [ours, scan], decades([ours, scan], time_words)))
    draw(path, "Recall of ten memories in one mind", "p50, the thin line to p95; logarithmic", panels)
