"""Trains the comparison of a message with an earlier statement: `python reader/train/relation.py OUT [options]`; with `--score` or
`--reference`, uses the finished OUT.

The first layers of the finished reader stay as they are, so its readings do not change. The layers behind them are copied and trained on
pairs (reader/CHANGES.md). OUT is the file that the program compiles in, beside reader.bin."""
import argparse, collections, dataclasses, json, pathlib, random, struct, time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import changes
import evaluate
import export
import model
import rows as corpus
import stored
from augment import Augment
from encoder import Image, encode, through

MAGIC = b"saegim-c"
VERSION = 1
KNOWN = 48  # pieces of the earlier statement
DROPOUT = 0.1

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("out")
options.add_argument("--reader", default="crates/language/model/reader.bin")
options.add_argument("--shared", type=int, default=3, help="layers of the reader that are used as they are")
options.add_argument("--epochs", type=float, default=3)
options.add_argument("--batch", type=int, default=32)
options.add_argument("--rate", type=float, default=2e-4)
options.add_argument("--authors", type=int, help="authors per language, for the learning curve")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--score", choices=("development", "test"), help="do not train; print the figures of the finished file on these authors")
options.add_argument("--reference", help="do not train; write to this folder what the finished file says about example pairs")


def features(row, image, cache):
    """Returns the pieces of a pair, and 1 for those of the message."""
    def tokens(text):
        if text not in cache:
            cache[text] = image.tokenize(text)[0]
        return cache[text]

    known = tokens(row.before)[-KNOWN:]
    own = tokens(row.text)[: model.LENGTH - 3 - len(known)]
    ids = [image.bos, *known, image.eos, *own, image.eos]
    return np.array(ids), np.array([0] * (len(known) + 2) + [1] * (len(own) + 1))


def padded(parts, fill=0):
    length = next(size for size in model.BUCKETS if size >= max(len(part) for part in parts))
    out = np.full((len(parts), length, *parts[0].shape[1:]), fill, parts[0].dtype)
    for place, part in enumerate(parts):
        out[place, : len(part)] = part
    return out


class Lower:
    """The shared layers of the reader, run once per pair."""

    def __init__(self, params, word, image, shared):
        weights = jax.tree.map(jnp.asarray, {**params["encoder"], "word": word, "layers": params["encoder"]["layers"][:shared]})
        self.image, self.cache, self.run = image, {}, jax.jit(lambda ids, mask, types: encode(weights, ids, mask, types))

    def __call__(self, rows, size=64):
        """Returns (vectors, types) of every pair."""
        pairs = [features(row, self.image, self.cache) for row in rows]
        order, found = sorted(range(len(pairs)), key=lambda at: len(pairs[at][0])), [None] * len(pairs)
        for at in range(0, len(order), size):
            part = order[at : at + size]
            filled = part + [part[-1]] * (size - len(part))
            ids, types = padded([pairs[place][0] for place in filled], self.image.pad), padded([pairs[place][1] for place in filled])
            mask = padded([np.ones(len(pairs[place][0]), np.float32) for place in filled])
            vectors = np.asarray(self.run(ids, mask, types)).astype(np.float16)
            for row, place in zip(vectors, part):
                found[place] = (row[: len(pairs[place][0])], pairs[place][1])
        return found


def batch(pairs):
    return {
        "x": padded([x for x, _ in pairs]).astype(np.float32), "types": padded([types for _, types in pairs]),
        "mask": padded([np.ones(len(types), np.float32) for _, types in pairs]),
    }


def forward(params, arrays, bits, key=None):
    matrix = lambda part, bits: {"w": model.quantised(part["w"], bits) if bits else part["w"], "b": part["b"]}
    layers = [{name: matrix(part, bits) if name in model.MATRICES else part for name, part in layer.items()} for layer in params["layers"]]
    x = through(layers, arrays["x"], arrays["mask"], key=key, dropout=DROPOUT)
    mean = lambda kept: (x * kept[..., None]).sum(1) / kept.sum(1)[:, None]
    both = jnp.concatenate([mean(arrays["mask"] * (1 - arrays["types"])), mean(arrays["mask"] * arrays["types"])], -1)
    head = matrix(params["head"], model.HEAD_BITS if bits else 0)
    return both @ head["w"] + head["b"]


def contrasts(training):
    """Pairs from the corpus: a value that an author gives as current in one message and as over in another."""
    said = collections.defaultdict(list)
    for row in training:
        for start, end, subject in row.spans or []:
            clause = next((clause for clause in row.clauses if clause.start <= start < clause.end), None)
            if clause and clause.status and clause.keep == "keep" and clause.holder in ("user", "other"):
                said[row.language, row.author, subject, row.text[start:end].lower(), clause.holder].append((clause, row))
    pairs = []
    for found in said.values():
        for clause, row in found:
            for other, later in found:
                if clause.status != "now" or later.text == row.text:
                    continue
                relation = {"ended": "over", "not": "over", "now": "same", "planned": "holds", "wished": "holds"}.get(other.status)
                if relation:
                    pairs.append(changes.Pair(later.language, later.author, row.text[clause.start : clause.end], later.text, [], [], None, None, None, None, relation))
    return pairs


def unrelated(pairs, draw, count):
    """Pairs of a statement with a message of another block, mostly one that ends its own statement: most of what is known has nothing
    to do with a message. Two of three come from the same author, whose blocks resemble each other."""
    by_author, made = collections.defaultdict(list), []
    for pair in pairs:
        by_author[pair.language, pair.author].append(pair)
    while len(made) < count:
        one = draw.choice(pairs)
        if one.relation == "holds" and draw.random() < 0.6:
            continue
        other = draw.choice(by_author[one.language, one.author] if draw.random() < 0.67 else pairs)
        if one.language == other.language and one.before != other.before:
            made.append(dataclasses.replace(one, before=other.before, relation="holds"))
    return made


def with_unrelated(pairs):
    """Returns pairs with as many unrelated ones."""
    return pairs + unrelated(pairs, random.Random(1), len(pairs))


def figures(shares, rows):
    """Returns average precision, and the share of ends that is found where nine of ten, and eight of ten, of the found are right."""
    out = {}
    for number, name in enumerate(changes.RELATIONS[1:], 1):
        scored = sorted(((share[number], row.relation == name) for share, row in zip(shares, rows)), reverse=True)
        right = np.cumsum([good for _, good in scored])
        precision, total = right / np.arange(1, len(scored) + 1), right[-1]
        out[name] = round(100 * float(np.mean([p for p, (_, good) in zip(precision, scored) if good])), 1)
        for least in (0.9, 0.8):
            out[f"{name} at {least}"] = round(100 * float(max(right[precision >= least], default=0)) / total, 1)
    return out


def predicted(params, pairs, bits, size=64):
    run, order = jax.jit(lambda params, arrays: jax.nn.softmax(forward(params, arrays, bits))), sorted(range(len(pairs)), key=lambda at: len(pairs[at][1]))
    shares = [None] * len(pairs)
    for at in range(0, len(order), size):
        part = order[at : at + size]
        out = np.asarray(run(params, batch([pairs[place] for place in part + [part[-1]] * (size - len(part))])))
        for row, place in zip(out, part):
            shares[place] = row
    return shares


def write(params, given, sizes, out):
    hidden, inner, bits = sizes
    half = lambda numbers: np.asarray(numbers).astype("<f2").tobytes()
    parts = {"sizes": struct.pack("<7I", VERSION, hidden, inner, bits, given.shared, len(params["layers"]), KNOWN)}
    parts["epsilon"] = struct.pack("<f", export.EPSILON)
    for number, layer in enumerate(params["layers"]):
        for name in model.MATRICES:
            parts[f"layer{number}.{name}.w"], parts[f"layer{number}.{name}.b"] = export.blocks(layer[name]["w"], bits), half(layer[name]["b"])
        for name, norm in {"an": layer["attention_norm"], "on": layer["output_norm"]}.items():
            parts[f"layer{number}.{name}.w"], parts[f"layer{number}.{name}.b"] = half(norm["w"]), half(norm["b"])
    parts["relation.w"], parts["relation.b"] = export.blocks(params["head"]["w"], model.HEAD_BITS), half(params["head"]["b"])
    parts["relation.labels"] = "\0".join(changes.RELATIONS).encode()
    data = MAGIC
    for name, content in parts.items():
        data += name.encode().ljust(24, b"\0") + struct.pack("<Q", len(content)) + content
    pathlib.Path(out).write_bytes(data + struct.pack("<Q", export.checksum(data)))
    print(f"{out}: {len(data) / 1e6:.2f} MB")


def read(path, hidden):
    """Returns the weights of a finished file, and how many layers of the reader come before them."""
    found = stored.sections(pathlib.Path(path).read_bytes(), MAGIC)
    _, _, inner, bits, shared, layers, _ = struct.unpack("<7I", found["sizes"])
    half = lambda name: np.frombuffer(found[name], "<f2").astype(np.float32)
    norm = lambda name: {"w": half(name + ".w"), "b": half(name + ".b")}
    shapes = {name: (hidden, hidden) for name in model.MATRICES} | {"fi": (inner, hidden), "fo": (hidden, inner)}
    matrix = lambda name, shape: {"w": stored.matrix(found[name + ".w"], *shape, bits), "b": half(name + ".b")}
    layer = lambda number: {name: matrix(f"layer{number}.{name}", shape) for name, shape in shapes.items()}
    norms = lambda number: {"attention_norm": norm(f"layer{number}.an"), "output_norm": norm(f"layer{number}.on")}
    head = {"w": stored.matrix(found["relation.w"], len(changes.RELATIONS), 2 * hidden, model.HEAD_BITS), "b": half("relation.b")}
    return {"layers": [layer(number) | norms(number) for number in range(layers)], "head": head}, shared


def calibrated(shares, rows):
    """Returns slope and intercept of the probability that a statement is over, and prints how well they fit."""
    scores, right = np.array([share[1] for share in shares]), np.array([row.relation == "over" for row in rows], float)
    x = np.log(np.clip(scores, 1e-4, 1 - 1e-4) / (1 - np.clip(scores, 1e-4, 1 - 1e-4)))
    at = np.array([1.0, 0.0])
    for _ in range(50):
        inputs = np.stack([x, np.ones(len(x))], 1)
        p = 1 / (1 + np.exp(-inputs @ at))
        step = np.linalg.solve((inputs * (p * (1 - p))[:, None]).T @ inputs + 0.1 * np.eye(2), inputs.T @ (right - p) - 0.1 * (at - [1.0, 0.0]))
        at = at + step / max(1.0, np.abs(step).max())
    p = 1 / (1 + np.exp(-(at[0] * x + at[1])))
    for low in np.arange(0.0, 1.0, 0.1):
        inside = (p >= low) & (p < low + 0.1)
        if inside.any():
            print(f"   {low:.1f} to {low + 0.1:.1f}: {inside.sum():5d} pairs, predicted {p[inside].mean():.2f}, right {right[inside].mean():.2f}")
    return at


def finished(given):
    """Scores the finished file, or writes what it says about pairs of the development authors."""
    image = Image()
    found = stored.read(given.reader, image)
    word = image.weights(1, found["pieces"])["word"]
    image.cut(found["pieces"])
    params, shared = read(given.out, image.hidden)
    rows = with_unrelated(changes.read(given.score or "development"))
    rows = rows if given.score else rows[::16]
    shares = predicted(params, Lower(found["params"], word, image, shared)(rows), 0)
    if given.score:
        for language in ("ko", "en", None):
            part = [(share, row) for share, row in zip(shares, rows) if language in (None, row.language)]
            print(language or "both", figures(*zip(*part)))
        print("slope and intercept:", calibrated(shares, rows))
        return
    lines = [{"known": row.before, "text": row.text, "over": round(float(share[1]), 4), "same": round(float(share[2]), 4)} for share, row in zip(shares, rows)]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (pathlib.Path(given.reference) / "comparison.jsonl").write_text(text, encoding="utf-8")


def main(given):
    image, began, draw = Image(), time.time(), random.Random(given.seed)
    found = stored.read(given.reader, image)
    word = image.weights(1, found["pieces"])["word"]
    image.cut(found["pieces"])
    bits, params = found["bits"], found["params"]
    lower = Lower(params, word, image, given.shared)
    training, development = changes.read("training", given.authors), with_unrelated(changes.read("development"))
    messages = corpus.read("training")
    augment = Augment(messages, given.seed)
    extra = contrasts(messages)
    draw.shuffle(extra)
    extra = extra[: len(training) // 3]
    print(f"{len(training)} pairs, {len(extra)} from the corpus, {len(development)} to choose on", flush=True)
    noisy = lambda rows: [augment.with_noise(dataclasses.replace(row, clauses=[], spans=[])) for row in rows]
    pool_rows = training + extra + unrelated(training, draw, len(training)) + noisy(training) + noisy(unrelated(training, draw, len(training) // 2))
    pool, chosen_on = lower(pool_rows), lower(development)
    labels = [changes.RELATIONS.index(row.relation) for row in pool_rows]
    print(f"{len(pool)} pairs in all, {time.time() - began:.0f} s", flush=True)

    key = jax.random.PRNGKey(given.seed)
    own = jax.tree.map(jnp.asarray, params["encoder"]["layers"][given.shared :])
    params = {"layers": own, "head": {"w": jax.random.normal(key, (2 * image.hidden, len(changes.RELATIONS))) * 0.02, "b": jnp.zeros(len(changes.RELATIONS))}}
    steps = int(given.epochs * len(pool) / given.batch)
    rate = lambda peak: optax.warmup_cosine_decay_schedule(0, peak, steps // 10, steps, peak * 0.02)
    groups = {"layers": optax.adamw(rate(given.rate), weight_decay=0.01), "head": optax.adamw(rate(given.rate * 10), weight_decay=0.01)}
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(groups, {"layers": "layers", "head": "head"}))
    state, best = optimiser.init(params), (-1.0, params)

    @jax.jit
    def update(params, state, arrays, wanted, key):
        loss = lambda params: optax.softmax_cross_entropy_with_integer_labels(forward(params, arrays, bits, key), wanted).mean()
        value, gradients = jax.value_and_grad(loss)(params)
        updates, state = optimiser.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value

    order, losses = [], []
    for step in range(1, steps + 1):
        if not order:
            places = draw.sample(range(len(pool)), len(pool))
            sixteen = [sorted(places[at : at + 16 * given.batch], key=lambda place: len(pool[place][1])) for at in range(0, len(places), 16 * given.batch)]
            order = [part[at : at + given.batch] for part in sixteen for at in range(0, len(part) - given.batch + 1, given.batch)]
            draw.shuffle(order)
        part = order.pop()
        params, state, value = update(params, state, batch([pool[place] for place in part]), jnp.array([labels[place] for place in part]), jax.random.fold_in(key, step))
        losses.append(float(value))
        if step % 200 == 0 or step == steps:
            scored = figures(predicted(params, chosen_on, bits), development)
            print(step, f"{time.time() - began:.0f} s", f"loss {np.mean(losses[-200:]):.3f}", scored, flush=True)
            if scored["over"] >= best[0]:
                best = (scored["over"], params)
                write(params, given, (image.hidden, params["layers"][0]["fi"]["b"].size, bits), given.out)


if __name__ == "__main__":
    given = options.parse_args()
    finished(given) if given.score or given.reference else main(given)
