"""Fits the calibration on the development authors: `python reader/calibrate.py`. Builds the example `read` twice.

Writes crates/language/model/calibration.tsv: probabilities from scores, per statement group and per source of a fact, and the
thresholds above which a statement or a fact is shown as current."""
import argparse, collections, pathlib, subprocess, sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "train")]
import check
import rows as corpus
import score

TABLE = ROOT.parent / "crates/language/model/calibration.tsv"
HEAD = "# what\twhich\tslope\tintercept\tkept from\tsure from\n"
OPEN = HEAD + "".join(f"{what}\t*\t1\t0\t0\t0\n" for what in ("statement", "fact", "memory", "emotion"))


def build():
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "saegim-language", "--example", "read"], check=True, cwd=ROOT.parent)


def fitted(scores, right, prior=(1.0, 0.0), weight=4.0):
    """Returns slope and intercept of a logistic regression on the logit of the score, pulled towards `prior`."""
    scores, right = np.clip(np.array(scores, float), 1e-4, 1 - 1e-4), np.array(right, float)
    x, at = np.stack([np.log(scores / (1 - scores)), np.ones(len(scores))], 1), np.array(prior, float)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ at))
        gradient = x.T @ (right - p) - weight * (at - prior)
        at = at + np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + weight * np.eye(2), gradient)
    return max(at[0], 0.05), at[1]


def probability(scores, line):
    scores = np.clip(np.array(scores, float), 1e-4, 1 - 1e-4)
    return 1 / (1 + np.exp(-(line[0] * np.log(scores / (1 - scores)) + line[1])))


def threshold(probabilities, right, wanted):
    """Returns the lowest probability above which at least `wanted` of the items are right."""
    order = np.argsort(-probabilities)
    precision = np.cumsum(np.array(right, float)[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(precision >= wanted)[0]
    return float(probabilities[order][good[-1]]) if len(good) else 1.0


def main(given):
    TABLE.write_text(OPEN, encoding="utf-8")
    build()
    rows = corpus.read("development")
    readings = score.read(rows, given.binary)
    statements, facts, memories = collections.defaultdict(list), collections.defaultdict(list), []
    emotions = {name: [] for name in check.EMOTIONS}
    for row, reading in zip(rows, readings):
        for said in reading["statements"]:
            statements[said["group"]].append((said["probability"], score.statement_is_right(row, said)[0]))
        for finding in reading["findings"]:
            if finding["claim"] and finding["about"] == "user" and finding["claim"]["value"]:
                facts[finding["read_by"]].append((finding["confidence"], score.fact_is_right(row, finding["claim"])[0]))
    lines = [HEAD]

    def part(what, items, wanted, kept):
        everything = [item for of in items.values() for item in of]
        general = fitted(*zip(*everything))
        each = {which: fitted(*zip(*of), prior=general, weight=10.0) for which, of in items.items()}
        p = np.concatenate([probability([s for s, _ in of], each[which]) for which, of in items.items()])
        right = [r for of in items.values() for _, r in of]
        sure = threshold(p, right, wanted)
        print(f"{what}: {len(p)} found, {np.mean(right):.2f} right; sure from {sure:.3f}: {int((p >= sure).sum())} kept")
        for low in np.arange(0.0, 1.0, 0.1):
            inside = (p >= low) & (p < low + 0.1)
            if inside.any():
                print(f"   {low:.1f} to {low + 0.1:.1f}: {inside.sum():5d} items, predicted {p[inside].mean():.2f}, right {np.array(right)[inside].mean():.2f}")
        for which, line in sorted({"*": general, **each}.items()):
            lines.append(f"{what}\t{which}\t{line[0]:.4f}\t{line[1]:.4f}\t{min(kept, sure):.3f}\t{sure:.3f}\n")

    part("statement", statements, given.statements, 0.4)
    part("fact", facts, given.facts, 0.0)
    lines.append("memory\t*\t1\t0\t0.3\t0.3\n")
    lines.append(f"emotion\t*\t1\t0\t{given.emotions}\t{given.emotions}\n")
    TABLE.write_text("".join(lines), encoding="utf-8")
    build()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", default="target/release/examples/read")
    options.add_argument("--statements", type=float, default=0.91, help="wanted precision of statements shown as current")
    options.add_argument("--facts", type=float, default=0.95, help="wanted precision of current facts")
    options.add_argument("--emotions", type=float, default=0.4, help="least probability of a further emotion")
    main(options.parse_args())
