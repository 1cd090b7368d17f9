"""The reader: one encoder with heads for clauses, spans and the whole message."""
import sys, pathlib

import jax
import jax.numpy as jnp
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check
from encoder import encode

LENGTH = 128  # pieces of a message with its previous line
BEFORE = 24  # pieces of the previous line
BUCKETS = (16, 24, 32, 48, 64, 96, LENGTH)
CLAUSES = 12  # clauses of one message; later ones are not trained on

CLAUSE_HEADS = {"group": check.GROUPS, "act": check.ACTS, "holder": check.HOLDERS, "status": check.STATUSES, "keep": check.KEEPS}
SPAN_TAGS = 1 + 2 * len(check.SUBJECTS)  # outside, then begin and inside of every subject


def features(row, image, cache):
    """Returns the arrays of one row: piece ids, types, tags per piece, clause of every piece, labels."""
    def tokens(text):
        if text not in cache:
            cache[text] = image.tokenize(text)
        return cache[text]

    before = tokens(row.before)[0][-BEFORE:] if row.before else []
    pieces, offsets = tokens(row.text)
    room = LENGTH - 3 - len(before)
    pieces, offsets = pieces[:room], offsets[:room]
    ids = [image.bos] + before + [image.eos] + pieces + [image.eos]
    first, count = len(before) + 2, len(ids)
    types = np.zeros(count, int)
    types[first:] = 1
    tags, starts, clause = np.full(count, -1), np.full(count, -1), np.full(count, -1)
    tags[first : first + len(pieces)] = starts[first : first + len(pieces)] = 0
    for number, part in enumerate(row.clauses[:CLAUSES]):
        begun = False
        for at, (start, end) in enumerate(offsets):
            if start < part.end and end > part.start:
                clause[first + at] = number
                if not begun:
                    starts[first + at], begun = 1, True
    if row.spans is None:
        tags[:] = -1
    for start, end, subject in row.spans or []:
        begun = False
        for at, (left, right) in enumerate(offsets):
            if left < end and right > start and right > left:
                tags[first + at] = 1 + 2 * check.SUBJECTS.index(subject) + int(begun)
                begun = True
    labels = {name: np.full(CLAUSES, -1) for name in CLAUSE_HEADS}
    for number, part in enumerate(row.clauses[:CLAUSES]):
        if (clause == number).any():
            for name, words in CLAUSE_HEADS.items():
                labels[name][number] = words.index(getattr(part, name)) if getattr(part, name) else -1
    emotions = np.full(len(check.EMOTIONS), -1.0)
    if row.emotions is not None:
        emotions = np.array([float(name in row.emotions) for name in check.EMOTIONS])
    effects = np.full(len(check.AXES), np.nan)
    if row.effects is not None:
        effects = np.array([row.effects.get(axis, 0) / 3 for axis in check.AXES])
    face = -1 if row.face is None else check.FACES.index(row.face)
    intensity = -1 if row.intensity is None else row.intensity
    return dict(ids=np.array(ids), types=types, tags=tags, starts=starts, clause=clause, emotions=emotions, effects=effects,
                face=face, intensity=intensity, offsets=offsets, first=first, **labels)


def batch(examples, pad):
    """Pads examples to one of a few lengths, so that few shapes are compiled."""
    longest = max(len(example["ids"]) for example in examples)
    length = next(size for size in BUCKETS if longest <= size)
    def padded(name, fill):
        return np.stack([np.pad(example[name], (0, length - len(example[name])), constant_values=fill) for example in examples])
    arrays = {"ids": padded("ids", pad), "types": padded("types", 0)}
    arrays["mask"] = np.stack([np.arange(length) < len(example["ids"]) for example in examples]).astype(np.float32)
    for name in ("tags", "starts", "clause"):
        arrays[name] = padded(name, -1)
    for name in ("emotions", "effects", "face", "intensity", *CLAUSE_HEADS):
        arrays[name] = np.stack([example[name] for example in examples])
    return arrays


def heads(key, hidden):
    """Returns randomly initialised heads."""
    sizes = {"tags": SPAN_TAGS, "starts": 2, "emotions": len(check.EMOTIONS), "effects": len(check.AXES), "face": len(check.FACES), "intensity": 4}
    made = {}
    for number, (name, size) in enumerate({**sizes, **{name: len(words) for name, words in CLAUSE_HEADS.items()}}.items()):
        inputs = 2 * hidden if name in CLAUSE_HEADS else hidden
        made[name] = {"w": jax.random.normal(jax.random.fold_in(key, number), (inputs, size)) * 0.02, "b": jnp.zeros(size)}
    return made


def rounded(weights, bits):
    """Returns the whole numbers and the 16-bit scales of blocks of 32 inputs: (blocks, 32, outputs) and (blocks, 1, outputs)."""
    rows, columns = weights.shape
    blocks, most = weights.reshape(rows // 32, 32, columns), 2 ** (bits - 1) - 1
    scale = jnp.maximum(jnp.abs(blocks).max(1, keepdims=True) / most, 2.0**-14).astype(jnp.float16).astype(jnp.float32)
    return jnp.clip(jnp.round(blocks / scale), -most, most), scale


def quantised(weights, bits):
    """Rounds a matrix as the model file stores it in the forward pass; gradients pass unchanged."""
    numbers, scale = rounded(weights, bits)
    return weights + jax.lax.stop_gradient((numbers * scale).reshape(weights.shape) - weights)


MATRICES = ("q", "k", "v", "ao", "fi", "fo")
HEAD_BITS = 8


def stored(params, bits):
    """Rounds the matrices of the encoder to `bits` bits and those of the heads to 8."""
    matrix = lambda part, bits: {"w": quantised(part["w"], bits), "b": part["b"]}
    layers = [{name: matrix(part, bits) if name in MATRICES else part for name, part in layer.items()} for layer in params["encoder"]["layers"]]
    return {"encoder": {**params["encoder"], "layers": layers}, "heads": {name: matrix(part, HEAD_BITS) for name, part in params["heads"].items()}}


def forward(params, word, arrays, key=None, bits=0):
    """Returns the logits of all heads. `key` turns dropout on; `bits` rounds the matrices as the model file stores them."""
    params = stored(params, bits) if bits else params
    encoder = params["encoder"]
    pieces = encode({**encoder, "word": word}, arrays["ids"], arrays["mask"], arrays["types"], key=key, dropout=0.1)
    linear = lambda name, x: x @ params["heads"][name]["w"] + params["heads"][name]["b"]
    own = (arrays["mask"] * arrays["types"])[..., None]
    message = (pieces * own).sum(1) / own.sum(1)
    members = jax.nn.one_hot(arrays["clause"], CLAUSES)  # pieces of no clause (-1) become zeros
    sums = jnp.einsum("blc,blh->bch", members, pieces)
    clauses = sums / jnp.maximum(members.sum(1)[..., None], 1)
    clauses = jnp.concatenate([clauses, jnp.broadcast_to(message[:, None], clauses.shape)], -1)
    out = {name: linear(name, pieces) for name in ("tags", "starts")}
    out.update({name: linear(name, message) for name in ("emotions", "effects", "face", "intensity")})
    out.update({name: linear(name, clauses) for name in CLAUSE_HEADS})
    alone = jnp.concatenate([pieces, jnp.broadcast_to(message[:, None], pieces.shape)], -1)
    out["alone"] = {name: linear(name, alone) for name in CLAUSE_HEADS}
    return out


def cross_entropy(logits, labels, weight_of_zero=1.0):
    """Mean over the labelled places; class 0 counts `weight_of_zero`."""
    counted = (labels >= 0) * jnp.where(labels == 0, weight_of_zero, 1.0)
    losses = -jnp.take_along_axis(jax.nn.log_softmax(logits), jnp.maximum(labels, 0)[..., None], -1)[..., 0]
    return (losses * counted).sum() / jnp.maximum(counted.sum(), 1)


WEIGHTS = {"tags": 3.0, "starts": 1.0, "group": 1.5, "act": 0.5, "holder": 1.0, "status": 1.0, "keep": 0.7, "face": 0.4, "intensity": 0.2}


# Weight of the labels that every piece must show on its own: a clause with wrong borders is then still read right.
ALONE = 0.5


def of_pieces(labels, clause):
    """Returns the label of every piece's clause; -1 for pieces of no clause."""
    return jnp.where(clause >= 0, jnp.take_along_axis(labels, jnp.maximum(clause, 0), 1), -1)


def loss(params, word, arrays, key, bits):
    out = forward(params, word, arrays, key, bits)
    total = sum(weight * cross_entropy(out[name], arrays[name]) for name, weight in WEIGHTS.items())
    for name in CLAUSE_HEADS:
        total += ALONE * WEIGHTS[name] * cross_entropy(out["alone"][name], of_pieces(arrays[name], arrays["clause"]))
    known = arrays["emotions"] >= 0
    logits = out["emotions"]
    binary = jnp.maximum(logits, 0) - logits * arrays["emotions"] + jnp.log1p(jnp.exp(-jnp.abs(logits)))
    total += 0.5 * (binary * known).sum() / jnp.maximum(known.sum(), 1)
    known = ~jnp.isnan(arrays["effects"])
    difference = jnp.where(known, out["effects"] - jnp.nan_to_num(arrays["effects"]), 0)
    return total + 0.5 * (difference**2).sum() / jnp.maximum(known.sum(), 1)
