#!/usr/bin/env python3
"""Writes the mean of a model's vectors: `mean.py ENGLISH KOREAN COMMAND... > FILE`, little-endian f32.

ENGLISH, KOREAN  text, one sentence per line, the part before the first tab (GoEmotions' train.tsv and its translation's)
COMMAND          what turns lines on standard input into vectors: the example `embed`, with the larger model's path or without

Every third of the first 6,000 sentences with more than 15 characters is taken from each. Standard library only.
"""

import json
import struct
import subprocess
import sys
from itertools import islice


def sentences(path):
    with open(path, encoding="utf-8") as lines:
        texts = (line.split("\t")[0].strip() for line in lines)
        return list(islice((text for text in texts if len(text) > 15), 0, 6000, 3))


def main(english, korean, *command):
    texts = sentences(english) + sentences(korean)
    run = subprocess.run(command, input="\n".join(texts), stdout=subprocess.PIPE, encoding="utf-8", check=True)
    vectors = [json.loads(line) for line in run.stdout.splitlines()]
    mean = [sum(column) / len(vectors) for column in zip(*vectors)]
    sys.stdout.buffer.write(struct.pack(f"<{len(mean)}f", *mean))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
