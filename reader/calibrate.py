"""Fits the calibration on the development authors: `python reader/calibrate.py`. Builds the example `read` twice.

Writes crates/language/model/calibration.tsv: the weights of the factors of a statement, probabilities from scores, per statement group
and per source of a fact, and the thresholds above which a statement or a fact is shown as current."""
import argparse, collections, pathlib, subprocess, sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "train")]
import check
import rows as corpus
import score

TABLE = ROOT.parent / "crates/language/model/calibration.tsv"
SHORT = 6  # most words of a short message, as in crates/language/src/reader/combine.rs
HEAD = "# what\twhich\tslope\tintercept\tkept from\tsure from\n"
UNMEANT = "unmeant\t*\t1\t0\t0.7\t0.7\n"
EVEN = ["factor\tlife\t1\t0\t0\t0\n"]


def open_table(factors):
    """Returns a calibration that lets everything pass with its score."""
    return HEAD + "".join(factors) + "".join(f"{what}\t*\t1\t0\t0\t0\n" for what in ("statement", "fact", "emotion")) + UNMEANT


def build():
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "saegim-language", "--example", "read"], check=True, cwd=ROOT.parent)


def regression(inputs, right, prior, weight):
    """Returns the weights of a logistic regression, pulled towards `prior`."""
    at = prior = np.array(prior, float)
    for _ in range(50):
        p = 1 / (1 + np.exp(-inputs @ at))
        gradient = inputs.T @ (right - p) - weight * (at - prior)
        step = np.linalg.solve((inputs * (p * (1 - p))[:, None]).T @ inputs + weight * np.eye(len(at)), gradient)
        at = at + step / max(1.0, np.abs(step).max())
    return at


def logit(scores):
    scores = np.clip(np.array(scores, float), 1e-4, 1 - 1e-4)
    return np.log(scores / (1 - scores))


def fitted(scores, right, prior=(1.0, 0.0), weight=4.0):
    """Returns slope and intercept of the probability of a score."""
    x = logit(scores)
    slope, intercept = regression(np.stack([x, np.ones(len(x))], 1), np.array(right, float), prior, weight)
    return max(slope, 0.05), intercept


def factor_lines(statements):
    """Returns the lines that combine the factors of a statement. A factor that counts against its own meaning is left out."""
    names = list(statements[0][0]["factors"])
    inputs, right = logit([[said["factors"][name] for name in names] for said, _ in statements]), np.array([good for _, good in statements], float)
    chosen = list(range(len(names)))
    while True:
        found = regression(np.column_stack([inputs[:, chosen], np.ones(len(inputs))]), right, [0.3] * len(chosen) + [0.0], 2.0)
        wrong = [at for at, weight in enumerate(found[:-1]) if weight < 0]
        if not wrong:
            break
        chosen.pop(min(wrong, key=lambda at: found[at]))
    lines = [f"factor\t{names[at]}\t{weight:.4f}\t0\t0\t0\n" for at, weight in zip(chosen, found)]
    print("factors:", {names[at]: round(float(weight), 2) for at, weight in zip(chosen, found)})
    return lines


def probability(scores, line):
    return 1 / (1 + np.exp(-(line[0] * logit(scores) + line[1])))


def threshold(probabilities, wanted):
    """Returns the lowest probability above which `wanted` of the items are expected to be right. The calibrated probabilities decide,
    because the few items at the top make a counted precision jump."""
    order = np.argsort(-probabilities)
    precision = np.cumsum(probabilities[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(precision >= wanted)[0]
    return float(probabilities[order][good[-1]]) if len(good) else 1.0


def read_with(table, rows, binary):
    TABLE.write_text(table, encoding="utf-8")
    build()
    return score.read(rows, binary)


def main(given):
    rows = corpus.read("development")
    even = read_with(open_table(EVEN), rows, given.binary)
    judged = [(said, score.statement_is_right(row, said)[0]) for row, reading in zip(rows, even) for said in reading["statements"]]
    factors = factor_lines(judged)
    readings = read_with(open_table(factors), rows, given.binary)
    statements, facts = collections.defaultdict(list), collections.defaultdict(list)
    for row, reading in zip(rows, readings):
        for said in reading["statements"]:
            statements[said["group"]].append((said["probability"], score.statement_is_right(row, said)[0]))
        for finding in reading["findings"]:
            if finding["claim"] and finding["about"] == "user" and finding["claim"]["value"]:
                source = finding["read_by"] + (", short" if len(row.text.split()) <= SHORT else "")
                facts[source].append((finding["confidence"], score.fact_is_right(row, finding["claim"])[0]))
    lines = [HEAD, *factors]

    def part(what, items, wanted, kept, weight):
        """Fits the lines of `what`. What both rules and reader found has a threshold of its own, because it is right more often."""
        everything = [item for of in items.values() for item in of]
        general = fitted(*zip(*everything))
        each = {which: fitted(*zip(*of), prior=general, weight=weight) for which, of in items.items()}
        p = np.concatenate([probability([s for s, _ in of], each[which]) for which, of in items.items()])
        right = [r for of in items.values() for _, r in of]
        pool = np.array(["both" if which.startswith("both") else "one" for which, of in items.items() for _ in of])
        sure_of = {name: threshold(p[pool == name], least) for name, least in {"both": min(wanted, 0.92), "one": wanted}.items() if (pool == name).any()}
        sure = np.array([sure_of[name] for name in pool])
        for which, of in sorted(items.items()):
            print(f"   {which}: {len(of)} items, {np.mean([r for _, r in of]):.2f} right")
        print(f"{what}: {len(p)} found, {np.mean(right):.2f} right; sure from {sure_of}: {int((p >= sure).sum())} kept")
        for low in np.arange(0.0, 1.0, 0.1):
            inside = (p >= low) & (p < low + 0.1)
            if inside.any():
                print(f"   {low:.1f} to {low + 0.1:.1f}: {inside.sum():5d} items, predicted {p[inside].mean():.2f}, right {np.array(right)[inside].mean():.2f}")
        for which, line in sorted({"*": general, **each}.items()):
            least = sure_of.get("both" if which.startswith("both") else "one", 1.0)
            lines.append(f"{what}\t{which}\t{line[0]:.4f}\t{line[1]:.4f}\t{min(kept, least):.3f}\t{least:.3f}\n")

    part("statement", statements, given.statements, 0.4, 10.0)
    part("fact", facts, given.facts, 0.0, 1.0)
    lines.append(UNMEANT)
    lines.append(f"emotion\t*\t1\t0\t{given.emotions}\t{given.emotions}\n")
    TABLE.write_text("".join(lines), encoding="utf-8")
    build()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", default="target/release/examples/read")
    options.add_argument("--statements", type=float, default=0.91, help="wanted precision of statements shown as current")
    options.add_argument("--facts", type=float, default=0.92, help="wanted precision of current facts")
    options.add_argument("--emotions", type=float, default=0.4, help="least probability of a further emotion")
    main(options.parse_args())
