"""Turns head outputs into readings and scores them against labelled rows."""
import collections

import numpy as np

import rows  # makes `check` importable
import check
import endings
from model import CLAUSE_HEADS


ENDINGS = set(endings.FILE.read_text(encoding="utf-8").split())


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def clauses(text, offsets, starts):
    """Returns the (start, end) of every clause. A clause starts at the first piece of a word if the start head says so."""
    begun = [left for (left, right), start in zip(offsets, starts) if start > 0.5 and right > left and (left == 0 or text[left - 1].isspace())]
    borders = sorted({0, *begun}) + [len(text)]
    trimmed = [(end - len(text[start:end].lstrip()), start + len(text[start:end].rstrip())) for start, end in zip(borders, borders[1:])]
    return [(start, end) for start, end in trimmed if start < end]


def word_bounds(text, start, end):
    """Grows a span to whole words for Latin letters and digits and to a Korean ending, and trims quotes and punctuation."""
    latin = lambda at: 0 <= at < len(text) and text[at].isascii() and text[at].isalnum()
    while start > 0 and latin(start - 1) and latin(start):
        start -= 1
    while end < len(text) and latin(end) and latin(end - 1):
        end += 1
    while start > 0 and text[start - 1].isalnum() and endings.hangul(text[start]):
        start -= 1
    rest = endings.rest_of_word(text, end)
    if end > start and rest and endings.hangul(text[end - 1]):
        end += next((at for at in range(len(rest)) if rest[at:] in ENDINGS), len(rest))
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return start, end


def values(text, offsets, tags):
    """Returns (start, end, subject, probability) of the marked values."""
    found, current = [], None
    for at, (left, right) in enumerate(offsets):
        best = int(tags[at].argmax())
        if best == 0 or right == left:
            current = None if right > left else current
            continue
        subject, inside = (best - 1) // 2, best % 2 == 0
        probability = float(tags[at][1 + 2 * subject] + tags[at][2 + 2 * subject])
        if current is not None and inside and current[2] == subject:
            current[1], current[3] = right, min(current[3], probability)
        else:
            current = [left, right, subject, probability]
            found.append(current)
    grown = [(*word_bounds(text, start, end), check.SUBJECTS[subject], probability) for start, end, subject, probability in found]
    kept = []
    for value in sorted(value for value in grown if value[1] > value[0]):
        if kept and value[0] < kept[-1][1]:  # grown into each other: one word has one value
            value = max(kept.pop(), value, key=lambda value: value[3])
        kept.append(value)
    return kept


def read(row, example, out, place):
    """Returns what the model reads in one row, with gold clause borders for the clause heads."""
    first, offsets = example["first"], example["offsets"]
    count = len(offsets)
    tags = softmax(out["tags"][place][first : first + count])
    clauses = []
    for number, part in enumerate(row.clauses):
        if number >= out["group"].shape[1] or example["group"][number] < 0:
            continue
        chosen = {name: softmax(out[name][place][number]) for name in CLAUSE_HEADS}
        clauses.append((part, {name: (words[chosen[name].argmax()], float(chosen[name].max())) for name, words in CLAUSE_HEADS.items()}))
    return dict(
        values=values(row.text, offsets, tags),
        starts=softmax(out["starts"][place][first : first + count])[:, 1],
        clauses=clauses,
        face=check.FACES[int(out["face"][place].argmax())],
        emotions=[name for name, logit in zip(check.EMOTIONS, out["emotions"][place]) if logit > 0],
    )


def f1(right, found, expected):
    precision, recall = right / max(found, 1), right / max(expected, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def score(rows, readings):
    """Returns the figures of docs/reader.md that do not need the whole program."""
    counts = collections.Counter()
    for row, reading in zip(rows, readings):
        gold = {(row.text[start:end], subject) for start, end, subject in row.spans}
        found = {(row.text[start:end], subject) for start, end, subject, _ in reading["values"]}
        counts["value right"] += len(gold & found)
        counts["value found"] += len(found)
        counts["value gold"] += len(gold)
        for part, chosen in reading["clauses"]:
            for name in ("holder", "status", "act"):
                if part.group != "none":
                    counts[name, "right"] += chosen[name][0] == getattr(part, name)
                    counts[name, "all"] += 1
            counts["group right"] += part.group != "none" and chosen["group"][0] == part.group
            counts["group found"] += chosen["group"][0] != "none"
            counts["group gold"] += part.group != "none"
            keep = chosen["keep"][0] == "keep"
            counts["keep right"] += keep and part.keep == "keep"
            counts["keep found"] += keep
            counts["keep gold"] += part.keep == "keep"
        if row.face is not None:
            counts["face", "right"] += reading["face"] == row.face
            counts["face", "all"] += 1
        if row.emotions is not None:
            counts["emotions right"] += len(set(reading["emotions"]) & set(row.emotions))
            counts["emotions found"] += len(reading["emotions"])
            counts["emotions gold"] += len(row.emotions)
    figures = {name: f1(counts[f"{name} right"], counts[f"{name} found"], counts[f"{name} gold"]) for name in ("value", "group", "keep", "emotions")}
    figures.update({name: counts[name, "right"] / max(counts[name, "all"], 1) for name in ("holder", "status", "act", "face")})
    return {name: round(100 * figure, 1) for name, figure in figures.items()}
