"""Second annotation: `python reader/annotate.py draw ko OUT` writes a twentieth of the messages without labels, for annotators who have
not seen them; `python reader/annotate.py compare` prints how far reader/annotated/*/*.txt agrees with the authors."""
import argparse, collections, pathlib, random, sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "train")]
import check
import rows as corpus

SHARE = 20


def messages(language):
    """Returns the messages of all authors but those of the test set."""
    for file in sorted((ROOT / "corpus" / language).glob("*.txt")):
        if int(file.stem) not in corpus.TEST:
            yield from check.parse(file.read_text(encoding="utf-8"))[0]


def draw(language, out):
    everything = list(messages(language))
    chosen = random.Random(24).sample(everything, len(everything) // SHARE)
    blocks = [(f"@ {message['before']}\n" if message["before"] else "") + f"= {message['text']}\n" for message in chosen]
    pathlib.Path(out).write_text("\n".join(blocks), encoding="utf-8")
    print(f"{out}: {len(blocks)} messages")


def words(message):
    """Yields the labels of every word, so that different clause borders can be compared."""
    for part in message["clauses"]:
        for at, _ in enumerate(part["text"].split()):
            yield {"start": at == 0, **{name: part[name] for name in ("group", "act", "holder", "status", "keep")}}


def kappa(pairs):
    """Returns agreement beyond chance (Cohen)."""
    same = sum(one == other for one, other in pairs) / len(pairs)
    first, second = (collections.Counter(pair[side] for pair in pairs) for side in (0, 1))
    chance = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return same, (same - chance) / (1 - chance)


def compare():
    for folder in sorted((ROOT / "annotated").iterdir()):
        known = {(message["before"], message["text"]): message for message in messages(folder.name)}
        pairs, apart, counts, missing = collections.defaultdict(list), collections.Counter(), collections.Counter(), 0
        for file in sorted(folder.glob("*.txt")):
            found, problems = check.parse(file.read_text(encoding="utf-8"))
            if problems:
                raise SystemExit(f"{file}: {problems[0]}")
            for message in found:
                author = known.get((message["before"], message["text"]))
                if author is None:
                    missing += 1
                    continue
                for one, other in zip(words(author), words(message)):
                    pairs["clause start"].append((one["start"], other["start"]))
                    pairs["group"].append((one["group"], other["group"]))
                    if one["group"] != other["group"]:
                        apart[tuple(sorted((one["group"], other["group"])))] += 1
                    if "none" not in (one["group"], other["group"]):
                        for name in ("act", "holder", "status", "keep"):
                            pairs[name].append((one[name], other[name]))
                pairs["face"].append((author["face"], message["face"]))
                values = [{(part["text"][start:end], subject) for part in of["clauses"] for start, end, subject in part["spans"]} for of in (author, message)]
                emotions = [set(of["emotions"]) for of in (author, message)]
                for name, (one, other) in {"values": values, "emotions": emotions}.items():
                    counts[name, "same"] += 2 * len(one & other)
                    counts[name, "all"] += len(one) + len(other)
        print(folder.name, len(pairs["face"]), "messages", f"({missing} changed by an annotator)" if missing else "")
        for name, of in pairs.items():
            same, beyond = kappa(of)
            print(f"   {name}: {100 * same:.1f} % the same, kappa {beyond:.2f}")
        for name in ("values", "emotions"):
            print(f"   {name}: F1 {100 * counts[name, 'same'] / counts[name, 'all']:.1f}")
        print("   groups confused most:", ", ".join(f"{one}/{other} {count}" for (one, other), count in apart.most_common(6)))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("task", choices=["draw", "compare"])
    options.add_argument("language", nargs="?")
    options.add_argument("out", nargs="?")
    given = options.parse_args()
    draw(given.language, given.out) if given.task == "draw" else compare()
