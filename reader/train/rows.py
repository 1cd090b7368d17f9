"""Reads the corpus into training rows and splits it by author."""
import dataclasses, pathlib, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
import check

# Author numbers of the development set, per language. Checkpoints and thresholds are chosen on these authors.
DEVELOPMENT = (*range(41, 47), 63)
# Author number of the direct statements that are trained on.
DIRECT = 62
# Author numbers of the test set. Nothing is chosen on these authors; they are looked at once.
TEST = range(51, 58)


@dataclasses.dataclass
class Clause:
    start: int
    end: int
    # `None` for a label means that it is unknown and not trained on.
    group: str | None
    act: str | None
    holder: str | None
    status: str | None
    keep: str | None


@dataclasses.dataclass
class Row:
    """One labelled message. `None` for a label means that it is unknown and not trained on."""

    language: str
    author: int
    before: str
    text: str
    clauses: list
    spans: list | None  # (start, end, subject)
    emotions: list | None
    intensity: int | None
    face: str | None
    effects: dict | None


def row(message, language, author):
    """Turns a parsed message into a row with offsets into its text."""
    clauses, spans, at = [], [], 0
    for part in message["clauses"]:
        end = at + len(part["text"])
        clauses.append(Clause(at, end, part["group"], part["act"], part["holder"], part["status"], part["keep"]))
        spans += [(at + start, at + stop, subject) for start, stop, subject in part["spans"]]
        at = end + 1
    return Row(
        language, author, message["before"], message["text"], clauses, spans,
        message["emotions"], message["intensity"], message["face"], message["effects"],
    )


def part_of(author):
    """Returns the part of the corpus an author belongs to."""
    return "development" if author in DEVELOPMENT else "test" if author in TEST else "training"


def read(part, authors=None):
    """Returns all rows of a part; at most `authors` authors per language, for learning curves."""
    rows = []
    for folder in sorted((ROOT / "corpus").iterdir()):
        files = sorted(file for file in folder.glob("*.txt") if part_of(int(file.stem)) == part)
        for file in files[:authors]:
            messages, problems = check.parse(file.read_text(encoding="utf-8"))
            if problems:
                raise SystemExit(f"{file}: {problems[0]}")
            rows += [row(message, folder.name, int(file.stem)) for message in messages]
    return rows


if __name__ == "__main__":
    for part in ("training", "development", "test"):
        rows = read(part)
        authors = {(row.language, row.author) for row in rows}
        print(f"{part}: {len(rows)} messages by {len(authors)} authors")
