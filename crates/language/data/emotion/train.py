#!/usr/bin/env python3
"""Trains the table of the feeling classifier.

    train.py DATA weights.bin [--rows 40000]

DATA holds `kote/val.tsv`, `goemotions/{train,dev}.tsv`, `goemotions_ko/{train,dev}.tsv` and, to be scored only, the `test.tsv`
of each. Needs numpy and scipy; the same data give the same file. NOTICE names the sources and their licences.

Logistic regression over hashed words and character n-grams: one head for each emotion the data know, and one for each
polarity. It is trained twice: on every feature seen often enough, and again on the few that carry most weight. The
reading of a text below (`features`) must be the one in `src/rules/feeling/table.rs`.
"""

import argparse
import collections
import math
import struct
import sys
import unicodedata

import numpy as np
import scipy.optimize
import scipy.sparse

HEADS = ["joy", "sadness", "anger", "fear", "disgust", "anxiety", "ennui", "positive", "negative", "ambiguous", "neutral"]
POLARITY = slice(7, 11)
EMOTIONS = slice(0, 7)

GO_LABELS = (
    "admiration amusement anger annoyance approval caring confusion curiosity desire disappointment disapproval disgust "
    "embarrassment excitement fear gratitude grief joy love nervousness optimism pride realization relief remorse sadness "
    "surprise neutral"
).split()
GO = {
    "joy": "joy amusement excitement love gratitude pride relief admiration optimism",
    "sadness": "sadness grief disappointment remorse",
    "anger": "anger annoyance",
    "fear": "fear",
    "disgust": "disgust",
    "anxiety": "nervousness",
    "positive": "amusement excitement joy love desire optimism caring pride admiration gratitude relief approval",
    "negative": "fear nervousness remorse embarrassment disappointment sadness grief disgust anger annoyance disapproval",
    "ambiguous": "realization surprise curiosity confusion",
    "neutral": "neutral",
}
# KOTE by the numbers of its 44 labels, which hold whatever any of five people felt.
KOTE = {
    "joy": {2, 4, 13, 14, 28, 32, 40, 42},
    "sadness": {5, 19, 25, 30, 36},
    "anger": {6, 22, 31},
    "fear": {18},
    "disgust": {21, 31},
    "anxiety": {41},
    "ennui": {3, 26, 27, 37},
    "positive": {1, 2, 4, 7, 8, 13, 14, 16, 28, 32, 40, 42, 43},
    "negative": {0, 3, 5, 6, 9, 10, 12, 18, 19, 20, 21, 22, 23, 25, 26, 27, 30, 31, 33, 34, 35, 36, 37, 41},
}
KOTE_NOTHING = {24}
UNKNOWN = -1.0


def normal(text):
    """Lower case, digits as 0, runs of white space as one space, runs of a letter as two."""
    out = []
    for letter in unicodedata.normalize("NFC", text).lower():
        letter = " " if letter.isspace() else "0" if letter in "0123456789" else "'" if letter == "’" else letter
        if letter == " " and (not out or out[-1] == " "):
            continue
        if len(out) >= 2 and out[-1] == letter == out[-2]:
            continue
        out.append(letter)
    return "".join(out).strip()


def features(text):
    """Words (w), neighbouring words (p) and the two to five letters in a row of each padded word (c)."""
    found = set()
    before = "^"
    for word in normal(text).split(" "):
        bare = "".join(letter for letter in word if letter.isalnum() or letter == "'") or word
        found.add("w" + bare)
        found.add("p" + before + " " + bare)
        before = bare
        padded = " " + word + " "
        most = 5 if word.isascii() else 4
        for length in range(2, most + 1):
            for start in range(len(padded) - length + 1):
                found.add("c" + padded[start : start + length])
    return found


def key(feature):
    """FNV-1a of the feature's bytes, folded to 24 bits."""
    code = 0x811C9DC5
    for byte in feature.encode():
        code = ((code ^ byte) * 0x01000193) & 0xFFFFFFFF
    return (code ^ (code >> 24)) & 0xFFFFFF


def go(path):
    """The rows of a GoEmotions file; it knows nothing of ennui."""
    for line in open(path, encoding="utf-8"):
        text, labels, *_ = line.rstrip("\n").split("\t")
        names = {GO_LABELS[int(label)] for label in labels.split(",")}
        target = [float(bool(names & set(GO[head].split()))) if head in GO else UNKNOWN for head in HEADS]
        yield text, one_sided(target)


def kote(path):
    """The rows of a KOTE file; it has no ambiguous polarity."""
    for line in open(path, encoding="utf-8"):
        _, text, labels = line.rstrip("\n").split("\t")
        numbers = {int(label) for label in labels.split(",")}
        target = [min(1.0, len(numbers & KOTE[head]) / 2) if head in KOTE else 0.0 for head in HEADS]
        target[7:9] = [float(bool(numbers & KOTE[head])) for head in ("positive", "negative")]
        target[10] = float(numbers <= KOTE_NOTHING)
        yield text, one_sided(target)


def one_sided(target):
    """A row of several polarities teaches no polarity."""
    if sum(target[POLARITY]) != 1.0:
        target[POLARITY] = [UNKNOWN] * 4
    return target


class Rows:
    """Texts as sets of keys, with their targets and the set they come from."""

    def __init__(self, sources, memo):
        self.keys, targets, self.source = [], [], []
        for number, rows in enumerate(sources):
            for text, target in rows:
                keys = set()
                for feature in features(text):
                    if feature not in memo:
                        memo[feature] = key(feature)
                    keys.add(memo[feature])
                self.keys.append(sorted(keys))
                targets.append(target)
                self.source.append(number)
        self.targets = np.array(targets)

    def matrix(self, columns, sources):
        """One row a text, 1/sqrt(known features) each, and a column for the set it comes from."""
        starts, places, values = [0], [], []
        for keys, source in zip(self.keys, self.source):
            known = [columns[one] for one in keys if one in columns]
            places += known + [len(columns) + source]
            values += [1 / math.sqrt(len(known) or 1)] * len(known) + [1.0]
            starts.append(len(places))
        shape = (len(self.keys), len(columns) + sources)
        return scipy.sparse.csr_matrix((np.array(values, dtype=np.float32), places, starts), shape=shape)


def fit(matrix, targets, weights, penalty, rounds):
    """Minimises the masked logistic loss of all heads at once."""
    shape = (matrix.shape[1], len(HEADS))
    known = (targets >= 0).astype(np.float32) * weights[:, None]
    wanted = np.where(targets >= 0, targets, 0).astype(np.float32)
    back = matrix.T.tocsr()

    def loss(flat):
        weight = flat.reshape(shape).astype(np.float32)
        score = np.clip(matrix @ weight, -30, 30)
        chance = 1 / (1 + np.exp(-score))
        chance[:, POLARITY] = softmax(score[:, POLARITY])
        bits = -wanted * np.log(chance + 1e-9)
        bits[:, EMOTIONS] -= ((1 - wanted) * np.log(1 - chance + 1e-9))[:, EMOTIONS]
        value = float((bits * known).sum()) + penalty / 2 * float((weight.astype(np.float64) ** 2).sum())
        slope = back @ ((chance - wanted) * known) + penalty * weight
        return value, slope.ravel().astype(np.float64)

    options = {"maxiter": rounds, "maxcor": 6}
    return scipy.optimize.minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=options).x.reshape(shape)


def softmax(score):
    raised = np.exp(score - score.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def report(name, score, targets):
    """Accuracy of the polarity, of positive against negative alone, and the area under the curve of each emotion."""
    judged = targets[:, 7] >= 0
    wanted = targets[judged, POLARITY].argmax(1)
    sides = wanted < 2
    both = score[judged][:, 7] - score[judged][:, 8]
    line = f"{name}: polarity {100 * (score[judged, POLARITY].argmax(1) == wanted).mean():.1f}"
    line += f", positive or negative {100 * ((both < 0) == (wanted == 1))[sides].mean():.1f}"
    for place, head in enumerate(HEADS[EMOTIONS]):
        yes = targets[:, place] >= 0.5
        if yes.any() and (targets[:, place] >= 0).all():
            ranks = score[:, place].argsort().argsort() + 1
            area = (ranks[yes].sum() - yes.sum() * (yes.sum() + 1) / 2) / (yes.sum() * (~yes).sum())
            line += f", {head} {100 * area:.1f}"
    print(line, file=sys.stderr)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data")
    options.add_argument("out")
    options.add_argument("--rows", type=int, default=40_000)
    options.add_argument("--least", type=int, default=4, help="texts a feature must be in")
    options.add_argument("--penalty", type=float, default=0.25)
    options.add_argument("--rounds", type=int, default=60)
    options = options.parse_args()

    memo = {}
    files = [("kote", kote, "val", "test"), ("goemotions", go, "train", "test"), ("goemotions_ko", go, "train", "test")]
    train = Rows([read(f"{options.data}/{name}/{split}.tsv") for name, read, split, _ in files], memo)
    test = {name: Rows([read(f"{options.data}/{name}/{split}.tsv")], memo) for name, read, _, split in files}
    for number, (name, *_) in enumerate(files):
        test[name].source = [number] * len(test[name].keys)
    counts = collections.Counter(one for keys in train.keys for one in keys)
    # KOTE is small but was written in Korean, where the other Korean set was translated by a machine.
    weights = np.array([3.0, 1.0, 0.7])[train.source]

    columns = {one: place for place, one in enumerate(sorted(one for one, count in counts.items() if count >= options.least))}
    print(f"{len(train.keys)} texts, {len(columns)} features", file=sys.stderr)
    for last in (False, True):
        matrix = train.matrix(columns, len(files))
        weight = fit(matrix, train.targets, weights, options.penalty, options.rounds)
        for name, rows in test.items():
            report(f"{name} ({len(columns)} features)", rows.matrix(columns, len(files)) @ weight, rows.targets)
        if not last:
            worth = {one: np.abs(weight[place]).sum() * math.sqrt(counts[one]) for one, place in columns.items()}
            kept = sorted(sorted(worth, key=lambda one: (-worth[one], one))[: options.rows])
            columns = {one: place for place, one in enumerate(kept)}

    # A message belongs to none of the sets: it starts from the mean of the conversations', not of the comments'.
    bias = weight[len(columns) + 1 :].mean(axis=0)
    body = weight[: len(columns)]
    scale = np.abs(body).max(axis=0) / 127
    small = np.rint(body / scale).astype(np.int8)
    with open(options.out, "wb") as out:
        out.write(struct.pack("<4sII", b"feel", len(columns), len(HEADS)))
        out.write(scale.astype("<f4").tobytes() + bias.astype("<f4").tobytes())
        out.write(b"".join(one.to_bytes(3, "little") for one in sorted(columns)))
        out.write(small.tobytes())


if __name__ == "__main__":
    main()
