"""Pairs of an earlier statement and a later message, with what the message means for the statement. See reader/CHANGES.md."""
import dataclasses, pathlib, sys

from rows import ROOT, Row

# What the later message means: the statement is unaffected, is over, is said again.
RELATIONS = ("holds", "over", "same")
# Author numbers of the development set, per language.
DEVELOPMENT = (105,)
# Author numbers of the test set. Nothing is chosen on these authors.
TEST = (108,)
FOLDER = ROOT / "changes"


def blocks(text):
    """Returns (statement, [(relation, message)]) for every block of a file, and what is wrong with it."""
    found, problems = [], []
    for number, line in enumerate(text.splitlines(), 1):
        kind, _, said = line.partition(":")
        said = said.strip()
        if not line.strip():
            continue
        if not said or kind not in ("S", *RELATIONS) or kind != "S" and not found:
            problems.append(f"line {number}: {line}")
        elif kind == "S":
            found.append((said, []))
        else:
            found[-1][1].append((kind, said))
    return found, problems


@dataclasses.dataclass
class Pair(Row):
    """An earlier statement (`before`) and a later message, with what the message means for the statement."""

    relation: str = "holds"


def read(part, authors=None):
    """Returns the pairs of "training", "development" or "test"; of training only the first `authors` authors per language."""
    rows = []
    for folder in sorted(FOLDER.iterdir()):
        part_of = lambda author: "development" if author in DEVELOPMENT else "test" if author in TEST else "training"
        files = [file for file in sorted(folder.glob("*.txt")) if part_of(int(file.stem)) == part]
        for file in files[:authors]:
            rows += pairs(file)
    return rows


def pairs(file):
    """Returns the pairs of one author."""
    found, problems = blocks(file.read_text(encoding="utf-8"))
    if problems:
        raise SystemExit(f"{file}: {problems[0]}")
    made = lambda known, relation, text: Pair(file.parent.name, int(file.stem), known, text, [], [], None, None, None, None, relation)
    return [made(known, relation, text) for known, messages in found for relation, text in messages]


if __name__ == "__main__":
    for file in sys.argv[1:]:
        found, problems = blocks(pathlib.Path(file).read_text(encoding="utf-8"))
        print(f"{file}: {len(found)} blocks, {sum(len(messages) for _, messages in found)} messages", *problems, sep="\n   ")
