"""Trains the reader: `python reader/train/train.py OUT [options]`. Resumable; figures are those of the development authors."""
import argparse, os, pickle, random, time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import cases
import evaluate
import model
import rows as corpus
import stored
import vocabulary
from augment import Augment
from encoder import Image

options = argparse.ArgumentParser(description=__doc__)
options.add_argument("out")
options.add_argument("--layers", type=int, default=6)
options.add_argument("--steps", type=int, default=3000)
options.add_argument("--bits", type=int, default=4, help="bits of a weight in the encoder")
options.add_argument("--batch", type=int, default=24)
options.add_argument("--rate", type=float, default=2e-4, help="peak learning rate of the encoder; the heads use ten times as much")
options.add_argument("--authors", type=int, help="authors per language, for the learning curve")
options.add_argument("--seed", type=int, default=0)
options.add_argument("--minutes", type=float, default=170, help="stop after this time and keep a checkpoint")
options.add_argument("--start", help="take the weights of this file (of a run or of the program) instead of the pre-trained ones; its pieces stay")
options.add_argument("--resume", action="store_true")


def save(path, value):
    with open(path + ".part", "wb") as file:
        pickle.dump(jax.tree.map(np.asarray, value), file)
    os.replace(path + ".part", path)


def batches(training, augment, image, cache, size, draw):
    """Yields batches without end. Sixteen are drawn together and sorted by length, so that little is padding."""
    order = []
    while True:
        pool = []
        for _ in range(16 * size):
            order = order or draw.sample(range(len(training)), len(training))
            pool.append(model.features(augment(training[order.pop()]), image, cache))
        pool.sort(key=lambda example: len(example["ids"]) + 4 * draw.random())
        drawn = [pool[at : at + size] for at in range(0, len(pool), size)]
        draw.shuffle(drawn)
        for examples in drawn:
            yield model.batch(examples, image.pad)


def predict(params, word, rows, image, cache, bits, size=32):
    """Returns a reading for every row."""
    readings, run = [], jax.jit(lambda params, word, arrays: model.forward(params, word, arrays, bits=bits))
    for at in range(0, len(rows), size):
        part = rows[at : at + size]
        examples = [model.features(row, image, cache) for row in part]
        arrays = model.batch(examples + [examples[-1]] * (size - len(part)), image.pad)
        out = jax.tree.map(np.asarray, run(params, word, arrays))
        readings += [evaluate.read(row, example, out, place) for place, (row, example) in enumerate(zip(part, examples))]
    return readings


def main(given):
    image, cache, began = Image(), {}, time.time()
    training, development = corpus.read("training", given.authors), corpus.read("development")
    # Short, direct statements are rare in the corpus and frequent in use, so they count twice.
    training += 2 * cases.read() + [row for row in training if row.author == corpus.DIRECT]
    print(f"{len(training)} messages to train on, {len(development)} to choose on", flush=True)
    started = None
    if given.start:
        if given.start.endswith(".bin"):
            started = stored.read(given.start, image)
        else:
            with open(given.start, "rb") as file:
                started = pickle.load(file)
        given.layers, given.bits = int(started["layers"]), int(started["bits"])
    pieces = [int(piece) for piece in started["pieces"]] if started else vocabulary.chosen(image, [text for row in training for text in (row.before, row.text)])
    key, draw = jax.random.PRNGKey(given.seed), random.Random(given.seed)
    weights = image.weights(given.layers, pieces)
    image.cut(pieces)
    print(f"{len(pieces)} pieces", flush=True)
    word = weights.pop("word")  # stays as it is: rare pieces keep their meaning
    params = {"encoder": weights, "heads": model.heads(key, image.hidden)}
    if started:
        params = jax.tree.map(jnp.asarray, started["params"])

    def schedule(peak):
        return optax.warmup_cosine_decay_schedule(0, peak, given.steps // 10, given.steps, peak * 0.02)

    groups = {"encoder": optax.adamw(schedule(given.rate), weight_decay=0.01), "heads": optax.adamw(schedule(given.rate * 10), weight_decay=0.01)}
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.multi_transform(groups, {"encoder": "encoder", "heads": "heads"}))
    state, step, best = optimiser.init(params), 0, (-1.0, params)
    checkpoint = given.out + ".checkpoint"
    if given.resume and os.path.exists(checkpoint):
        with open(checkpoint, "rb") as file:
            step, params, state, best = pickle.load(file)
        params, state = jax.tree.map(jnp.asarray, (params, state))
        draw.seed(given.seed + step)
        print(f"resumed at step {step}", flush=True)

    @jax.jit
    def update(params, state, arrays, key):
        value, gradients = jax.value_and_grad(model.loss)(params, word, arrays, key, given.bits)
        updates, state = optimiser.update(gradients, state, params)
        return optax.apply_updates(params, updates), state, value

    losses = []
    for arrays in batches(training, Augment(training, given.seed), image, cache, given.batch, draw):
        params, state, value = update(params, state, arrays, jax.random.fold_in(key, step))
        step += 1
        losses.append(float(value))
        over = step >= given.steps or time.time() - began > given.minutes * 60
        if step % 250 == 0 or over:
            figures = evaluate.score(development, predict(params, word, development, image, cache, given.bits)) if development else {}
            print(step, f"{time.time() - began:.0f} s", f"loss {np.mean(losses[-250:]):.3f}", figures, flush=True)
            quality = figures.get("value", 0) + figures.get("group", 0) + figures.get("holder", 0)
            if quality >= best[0]:
                best = (quality, params)
            save(checkpoint, (step, params, state, best))
        if over:
            break
    save(given.out, {"params": best[1], "layers": given.layers, "bits": given.bits, "pieces": pieces})


if __name__ == "__main__":
    main(options.parse_args())
