"""Reads a model file of the program back into weights to train on: the counterpart of export.py."""
import struct

import jax
import numpy as np

import model
from encoder import BLOCK


def sections(data, magic=b"saegim-r"):
    """Returns the sections of a model file by name."""
    if data[:8] != magic:
        raise SystemExit("this is no model file of the reader")
    found, at = {}, 8
    while at < len(data) - 8:
        name, (length,) = data[at : at + 24].rstrip(b"\0").decode(), struct.unpack_from("<Q", data, at + 24)
        found[name] = data[at + 32 : at + 32 + length]
        at += 32 + length
    return found


def matrix(data, outputs, inputs, bits):
    """Returns a matrix as [input][output]."""
    width = BLOCK // 2 if bits == 4 else BLOCK
    blocks = np.frombuffer(data, np.uint8).reshape(outputs, inputs // BLOCK, 2 + width)
    scale, packed = blocks[..., :2].copy().view("<f2").astype(np.float32), blocks[..., 2:]
    numbers = np.concatenate([packed & 15, packed >> 4], -1).astype(np.float32) - 8 if bits == 4 else packed.copy().view(np.int8).astype(np.float32)
    return (numbers * scale).reshape(outputs, inputs).T.copy()


def read(path, image):
    """Returns what train.py saves at the end of a run."""
    with open(path, "rb") as file:
        found = sections(file.read())
    _, hidden, layers, _, inner, _, _, bits, pieces, *_ = struct.unpack("<12I", found["sizes"])
    half = lambda name: np.frombuffer(found[name], "<f2").astype(np.float32)
    norm = lambda name: {"w": half(name + ".w"), "b": half(name + ".b")}
    shapes = {name: (hidden, hidden) for name in model.MATRICES} | {"fi": (inner, hidden), "fo": (hidden, inner)}
    encoder = {"position": half("positions").reshape(-1, hidden), "type": half("types").reshape(-1, hidden), "norm": norm("norm"), "layers": []}
    for number in range(layers):
        layer = {name: {"w": matrix(found[f"layer{number}.{name}.w"], *shape, bits), "b": half(f"layer{number}.{name}.b")} for name, shape in shapes.items()}
        encoder["layers"].append(layer | {"attention_norm": norm(f"layer{number}.an"), "output_norm": norm(f"layer{number}.on")})
    heads = {}
    for name, head in model.heads(jax.random.PRNGKey(0), hidden).items():
        inputs, outputs = head["w"].shape
        heads[name] = {"w": matrix(found[name + ".w"], outputs, inputs, model.HEAD_BITS), "b": half(name + ".b")}
    names = found["pieces"].decode().split("\0")
    marks = struct.unpack("<12I", found["sizes"])[9:12]
    special = dict(zip(marks, (image.bos, image.eos, image.unknown)))
    ids = [special[number] if number in special else image.piece_ids.get(name, image.pad) for number, name in enumerate(names)]
    return {"params": {"encoder": encoder, "heads": heads}, "layers": layers, "bits": bits, "pieces": ids}
