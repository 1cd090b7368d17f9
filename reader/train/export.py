"""Writes the model file of the program: `python reader/train/export.py CHECKPOINT OUT [--reference FOLDER] [--temperatures FILE]`.

The file starts with `saegim-r`. Sections follow: a name padded with zeros to 24 bytes, the length as a u64, the bytes. A checksum over
everything before it ends the file. All numbers are little-endian. A matrix is stored per output in blocks of 32 inputs: a 16-bit scale,
then 16 bytes of 4-bit numbers plus 8 (the first half of the block in the low halves of the bytes) or 32 bytes of 8-bit numbers.
"""
import argparse, json, pathlib, pickle, struct

import numpy as np

import evaluate
import model
import rows as corpus
import vocabulary
from encoder import BLOCK, Image
from messages import MESSAGES

VERSION = 1
EPSILON = 1e-12
MAGIC = b"saegim-r"
check = model.check
LABELS = {
    "tags": check.SUBJECTS, "emotions": check.EMOTIONS, "effects": check.AXES, "face": check.FACES, **model.CLAUSE_HEADS,
}
HEADS = ("tags", "starts", "emotions", "effects", "face", "intensity", *model.CLAUSE_HEADS)

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("checkpoint", help="a finished model, or the .checkpoint of a run that still trains")
options.add_argument("out")
options.add_argument("--reference", help="folder for reference.jsonl and reference.f16: what this model says about example messages")
options.add_argument("--temperatures", help="JSON file: a number per head that its outputs are divided by; 1 if missing")
options.add_argument("--layers", type=int, default=6, help="layers of a run that still trains")
options.add_argument("--bits", type=int, default=4, help="bits per weight of a run that still trains")


def load(given, image):
    """Returns the model, with 16-bit numbers rounded as the file stores them."""
    with open(given.checkpoint, "rb") as file:
        found = pickle.load(file)
    if isinstance(found, tuple):  # step, parameters, state of the optimiser, (quality, best parameters)
        texts = [text for row in corpus.read("training") for text in (row.before, row.text)]
        found = {"params": found[3][1], "layers": given.layers, "bits": given.bits, "pieces": vocabulary.chosen(image, texts)}
    found |= {"layers": int(found["layers"]), "bits": int(found["bits"]), "pieces": [int(piece) for piece in found["pieces"]]}
    if found["bits"] not in (4, 8):
        raise SystemExit(f"the file stores matrices of 4 or 8 bits, not {found['bits']}")
    half = lambda tree: {name: half(part) if isinstance(part, dict) else np.asarray(part).astype("<f2").astype("<f4") for name, part in tree.items()}
    keep = lambda part: {"w": np.asarray(part["w"]), "b": half({"b": part["b"]})["b"]}
    encoder = found["params"]["encoder"]
    layers = [{name: keep(part) if name in model.MATRICES else half(part) for name, part in layer.items()} for layer in encoder["layers"]]
    encoder = {"position": half({"": encoder["position"][: model.LENGTH]})[""], "type": half({"": encoder["type"]})[""], "norm": half(encoder["norm"]), "layers": layers}
    return {**found, "params": {"encoder": encoder, "heads": {name: keep(part) for name, part in found["params"]["heads"].items()}}}


def blocks(weights, bits):
    """Returns the bytes of a matrix given as [input][output]."""
    numbers, scale = (np.asarray(part).transpose(2, 0, 1) for part in model.rounded(weights, bits))
    if bits == 4:
        codes = (numbers + 8).astype(np.uint8)
        packed = codes[..., : BLOCK // 2] | codes[..., BLOCK // 2 :] << 4
    else:
        packed = numbers.astype(np.int8).view(np.uint8)
    return np.concatenate([scale.astype("<f2").view(np.uint8), packed], -1).tobytes()


def normal_forms(image):
    """Returns the table of replaced characters: their number, then character, number of replacements, replacements."""
    rules = [struct.pack(f"<IB{len(new)}I", ord(old), len(new), *map(ord, new)) for old, new in sorted(image.normal.items())]
    return struct.pack("<I", len(rules)) + b"".join(rules)


def words(image, pieces):
    """Returns the rows of the word table as the original stores them."""
    offset, length = image.tensors["emb.word"]
    rows = image.data[offset : offset + length].reshape(image.pieces_all, -1)
    return rows[np.asarray(pieces)].tobytes()


def sections(found, image, temperatures):
    """Yields the name and the bytes of every section. `image` is cut to the pieces of the model."""
    encoder, heads = found["params"]["encoder"], found["params"]["heads"]
    names = [""] * len(found["pieces"])
    for name, number in image.piece_ids.items():
        names[number] = name
    marks = [image.bos, image.eos, image.unknown]
    inner = encoder["layers"][0]["fi"]["b"].size
    sizes = [VERSION, image.hidden, found["layers"], image.heads, inner, model.LENGTH, model.BEFORE, found["bits"], len(names), *marks]
    yield "sizes", struct.pack("<12I", *sizes)
    yield "epsilon", struct.pack("<f", EPSILON)
    yield "unknown.score", struct.pack("<f", image.unknown_score)
    yield "pieces", b"\0".join(name.encode() for name in names)
    yield "scores", image.scores.astype("<f4").tobytes()
    yield "normal", normal_forms(image)
    yield "words", words(image, found["pieces"])
    half = lambda numbers: np.asarray(numbers).astype("<f2").tobytes()
    yield "positions", half(encoder["position"])
    yield "types", half(encoder["type"])
    norms = {"norm": encoder["norm"]}
    for number, layer in enumerate(encoder["layers"]):
        norms[f"layer{number}.an"], norms[f"layer{number}.on"] = layer["attention_norm"], layer["output_norm"]
        for name in model.MATRICES:
            yield f"layer{number}.{name}.w", blocks(layer[name]["w"], found["bits"])
            yield f"layer{number}.{name}.b", half(layer[name]["b"])
    for name, norm in norms.items():
        yield f"{name}.w", half(norm["w"])
        yield f"{name}.b", half(norm["b"])
    for name in HEADS:
        yield f"{name}.w", blocks(heads[name]["w"], model.HEAD_BITS)
        yield f"{name}.b", half(heads[name]["b"])
        yield f"{name}.temperature", struct.pack("<f", temperatures.get(name, 1.0))
        if name in LABELS:
            yield f"{name}.labels", "\0".join(LABELS[name]).encode()


def checksum(data):
    """The sum of the running sums of the 32-bit words; the last word is padded with zeros."""
    numbers = np.frombuffer(data + bytes(-len(data) % 4), "<u4").astype(np.uint64)
    return int(np.cumsum(numbers).sum())


def write(found, image, temperatures, out):
    data = MAGIC
    for name, content in sections(found, image, temperatures):
        data += name.encode().ljust(24, b"\0") + struct.pack("<Q", len(content)) + content
    pathlib.Path(out).write_bytes(data + struct.pack("<Q", checksum(data)))
    print(f"{out}: {len(data) / 1e6:.2f} MB")


def reference(found, image, word, folder):
    """Writes what the model says about the example messages. Clauses are those of its own start head."""
    import jax

    run = jax.jit(lambda params, arrays: model.forward(params, word, arrays, bits=found["bits"]))
    lines, numbers = [], []
    for before, text in MESSAGES:
        row = corpus.Row("", 0, before, text, [], [], None, None, None, None)
        example = model.features(row, image, {})
        first, offsets = example["first"], example["offsets"]
        out = jax.tree.map(lambda part: np.asarray(part)[0], run(found["params"], model.batch([example], image.pad)))
        own = slice(first, first + len(offsets))
        ranges = evaluate.clauses(text, offsets, evaluate.softmax(out["starts"][own])[:, 1])
        if len(ranges) > model.CLAUSES:
            raise SystemExit(f"too many clauses: {text}")
        for number, (start, end) in enumerate(ranges):
            for at, (left, right) in enumerate(offsets):
                if left < end and right > start:
                    example["clause"][first + at] = number
        out = jax.tree.map(lambda part: np.asarray(part)[0], run(found["params"], model.batch([example], image.pad)))
        parts = [out["tags"][own], out["starts"][own]] + [out[name] for name in ("emotions", "effects", "face", "intensity")]
        parts += [out[name][: len(ranges)] for name in model.CLAUSE_HEADS]
        numbers += [np.ravel(part) for part in parts]
        values = evaluate.values(text, offsets, evaluate.softmax(out["tags"][own]))
        cut = lambda start, end: text[start:end]
        line = {"before": before, "text": text, "ids": example["ids"].tolist(), "first": first, "clauses": [cut(*part) for part in ranges]}
        lines.append(line | {"values": [[cut(start, end), subject, round(probability, 4)] for start, end, subject, probability in values]})
    folder = pathlib.Path(folder)
    (folder / "reference.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    (folder / "reference.f16").write_bytes(np.concatenate(numbers).astype("<f2").tobytes())
    print(f"{folder}: {len(lines)} messages")


def main(given):
    image = Image()
    found = load(given, image)
    temperatures = json.loads(pathlib.Path(given.temperatures).read_text()) if given.temperatures else {}
    word = image.weights(1, found["pieces"])["word"]
    image.cut(found["pieces"])
    write(found, image, temperatures, given.out)
    if given.reference:
        reference(found, image, word, given.reference)


if __name__ == "__main__":
    main(options.parse_args())
