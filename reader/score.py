"""Scores what the program reads: `python reader/score.py development [--binary target/release/examples/read] [--show KIND]`.

Every message is read on its own, with the line before it. The figures are those of docs/reader.md."""
import argparse, collections, json, pathlib, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "train")]
import rows as corpus

# Fact subjects that a marked value may fill. Neighbouring subjects of one taste or one work place count as the same.
SAME = {
    "rel": {"family", "child", "partner", "best_friend", "relationship_status", "living_with"}, "pname": {"family", "child", "partner", "best_friend"},
    "petname": {"pet"}, "status": {"relationship_status", "partner"}, "residence": {"residence", "home"}, "living_with": {"living_with", "family", "partner", "child"},
    "job": {"job", "part_time_job", "workplace"}, "workplace": {"workplace", "job", "part_time_job"}, "school": {"school", "grade"},
    "skill": {"skill", "certification"}, "food": {"likes", "diet"}, "drink": {"likes"}, "likes": {"hobby"}, "hobby": {"exercise", "collection", "club", "likes", "habit"},
    "dislikes": {"phobia"}, "phobia": {"dislikes"}, "possession": {"vehicle", "phone", "computer", "car", "home"}, "car": {"vehicle"}, "allergy": {"intolerance", "dislikes"},
    "illness": {"health"}, "when": {"appointment", "anniversary", "due_date", "birthday", "wake_time", "bed_time"}, "diet": {"dislikes", "likes"}, "instrument": {"hobby"},
}


# Marked values that the user has, even if the clause is about somebody else: "my brother is a welder".
OWNED = ("rel", "pname", "pet", "petname")


def fits(subject, key):
    return key == subject or key in SAME.get(subject, ()) or key.startswith("favourite") and subject in ("likes", "food", "drink", "hobby")


def folded(text):
    return "".join(letter for letter in text.lower() if letter.isalnum())


# In a conversation something is always said before; the corpus holds the line only where the message needs it.
SAID_BEFORE = {"ko": ["그렇구나.", "오늘은 좀 어때?", "응응, 계속 얘기해 줘.", "수고 많았어!"], "en": ["I see.", "How are you doing today?", "Mhm, go on.", "You did great!"]}


def before(number, row):
    """Returns the line before a message: its own, or for three of four others one that has nothing to do with it."""
    return row.before or ("" if number % 4 == 0 else SAID_BEFORE[row.language][number // 4 % 4])


def read(rows, binary):
    lines = "".join(json.dumps({"text": row.text, "before": before(number, row)}, ensure_ascii=False) + "\n" for number, row in enumerate(rows))
    done = subprocess.run([binary], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def clause_at(row, start):
    return next((clause for clause in row.clauses if clause.start <= start < clause.end), None)


def holder(about):
    return about if about == "user" else "other"


def clauses_of(row, text):
    """Returns the labelled clauses that a piece of text covers, longest overlap first."""
    at = row.text.find(text)
    if at < 0:
        return []
    inside = [(min(at + len(text), c.end) - max(at, c.start), c) for c in row.clauses]
    return [c for overlap, c in sorted(inside, key=lambda pair: -pair[0]) if overlap > 0]


def fact_is_right(row, claim):
    """Whether a current fact about the user is right in subject, value, holder and status, and the labels the value meets."""
    met = [
        (subject, clause_at(row, start)) for start, end, subject in row.spans
        if folded(row.text[start:end]) and (folded(claim["value"]) in folded(row.text[start:end]) or folded(row.text[start:end]) in folded(claim["value"]))
    ]
    right = any(
        (clause.holder == "user" or clause.holder == "other" and subject in OWNED) and fits(subject, claim["subject"])
        and (clause.status in ("ended", "not", "past") if claim["ends"] else clause.status == "now" or subject in OWNED and clause.status == "past" or claim["subject"] in ("dislikes", "appointment"))
        for subject, clause in met
    )
    return right, met


def statement_is_right(row, said):
    """Whether a statement is true of its holder and lasting, and the labelled clause it covers most of."""
    covered = next(iter(clauses_of(row, said["text"])), None)
    return covered is not None and covered.holder == holder(said["about"]) and covered.keep == "keep", covered


def judge(row, reading):
    """Yields (kind, right, detail) for everything that counts in one message."""
    facts = [finding for finding in reading["findings"] if finding["claim"] and finding["about"] == "user" and finding["claim"]["value"]]
    sure = [said for said in reading["statements"] if said["sure"]]
    for start, end, subject in row.spans:
        clause, value = clause_at(row, start), row.text[start:end]
        if clause.holder not in ("user", "other") or clause.keep != "keep" or clause.status in ("not", "ended"):
            continue
        in_fact = clause.holder == "user" and any(folded(value) in folded(f["claim"]["value"]) or folded(f["claim"]["value"]) in folded(value) for f in facts if not f["claim"]["ends"])
        in_statement = any(folded(value) in folded(said["text"]) and holder(said["about"]) == clause.holder for said in sure)
        yield "recall", in_fact or in_statement, (subject, value, clause.group)
    for fact in facts:
        right, met = fact_is_right(row, fact["claim"])
        yield "fact", right, (fact["read_by"], fact["claim"], [(subject, clause.holder, clause.status) for subject, clause in met])
    for said in sure:
        right, covered = statement_is_right(row, said)
        yield "statement", right, (said, covered)
        if covered is not None and covered.group != "none":
            yield "statement group", covered.group == said["group"], (said, covered)
            yield "statement status", covered.status == said["status"], (said, covered)
    # A trap: nothing in the message is about the user or a person of theirs.
    if not any(c.group != "none" and c.holder in ("user", "other") for c in row.clauses) :
        yield "trap", bool(facts or sure), (facts, sure)
    if any(c.keep == "keep" and c.group in ("loss", "win", "promise", "limit") for c in row.clauses):
        moments = [c for c in row.clauses if c.keep == "keep" and c.group in ("loss", "win", "promise", "limit")]
        for clause in moments:
            text = folded(row.text[clause.start:clause.end])
            yield "moment", any(folded(f["content"]) in text or text in folded(f["content"]) or overlap(f["content"], row.text[clause.start:clause.end]) for f in reading["findings"]), clause
    if row.face:
        yield "face", reading["face"] == row.face, (reading["face"], row.face)


def overlap(one, other):
    words = lambda text: {folded(word) for word in text.split()} - {""}
    return len(words(one) & words(other)) * 2 >= len(words(other))


def score(rows, readings, show=None, limit=40):
    right, total = collections.Counter(), collections.Counter()
    emotions = collections.Counter()
    for row, reading in zip(rows, readings):
        for kind, good, detail in judge(row, reading):
            right[kind] += good
            total[kind] += 1
            if kind == show and good == (kind == "trap") and limit > 0:
                limit -= 1
                print("  ", row.text, "\n      ", detail)
        if row.emotions is not None:
            found, gold = set(reading["emotions"]), set(row.emotions)
            emotions.update(right=len(found & gold), found=len(found), gold=len(gold))
    figures = {kind: f"{100 * right[kind] / total[kind]:.1f} % of {total[kind]}" for kind in sorted(total)}
    figures["emotions F1"] = f"{200 * emotions['right'] / max(emotions['found'] + emotions['gold'], 1):.1f}"
    return figures


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("part", choices=["training", "development", "test"])
    options.add_argument("--binary", default="target/release/examples/read")
    options.add_argument("--show", help="print the failures of this figure")
    given = options.parse_args()
    rows = corpus.read(given.part)
    readings = read(rows, given.binary)
    for language in ("ko", "en"):
        chosen = [(row, reading) for row, reading in zip(rows, readings) if row.language == language]
        print(language, len(chosen), "messages", json.dumps(score(*zip(*chosen), show=given.show), indent=1))
