"""Turns the tables of everyday sentences in crates/language/tests/cases into training rows with partial labels.

The sentences are short and direct; the corpus is not. A table names a subject and a value, so whatever it does not say stays
unlabelled (`None`)."""
import pathlib

from rows import ROOT, Clause, Row

FOLDER = ROOT.parent / "crates/language/tests/cases"
TABLES = ("rules_cases.tsv", "rules_voices.tsv")

# Fact subject: subject of the marked value, and group of the clause.
SUBJECTS = {
    "name": ("name", "name"), "nickname": ("nickname", "name"), "age": ("age", "name"), "birthday": ("birthday", "name"), "nationality": ("nationality", "name"),
    "height": ("height", "name"), "weight": ("weight", "name"), "blood_type": ("blood_type", "name"), "residence": ("residence", "place"), "hometown": ("hometown", "place"),
    "living_with": ("living_with", None), "job": ("job", "work"), "part_time_job": ("job", "work"), "workplace": ("workplace", "work"), "school": ("school", "work"),
    "grade": ("school", "work"), "major": ("major", "work"), "skill": ("skill", "trait"), "certification": ("skill", "trait"), "language": ("language", "trait"),
    "mbti": ("mbti", "trait"), "religion": ("religion", "trait"), "handedness": ("handedness", "trait"), "family": ("rel", "people"), "child": ("rel", "people"),
    "best_friend": ("rel", "people"), "partner": ("rel", "love"), "relationship_status": ("status", "love"), "pet": ("pet", "pet"), "allergy": ("allergy", None),
    "intolerance": ("allergy", "food"), "illness": ("illness", "health"), "medication": ("medication", "health"), "diet": ("diet", "food"), "likes": ("likes", "like"),
    "dislikes": ("dislikes", "dislike"), "phobia": ("phobia", "dislike"), "hobby": ("hobby", "hobby"), "exercise": ("hobby", "hobby"), "collection": ("hobby", "hobby"),
    "club": ("hobby", "hobby"), "instrument": ("instrument", "hobby"), "car": ("car", "thing"), "favourite_food": ("food", None), "favourite_drink": ("drink", None),
    "dream": (None, "goal"), "smoking": (None, "health"), "drinking": (None, None), "phone": ("possession", "thing"), "computer": ("possession", "thing"),
    **{f"favourite_{what}": ("likes", "like") for what in "colour season weather film book singer song music actor team game animal flower number place subject dessert fruit drama author".split()},
}


def is_korean(text):
    return any("가" <= letter <= "힣" for letter in text)


def row(expected, text, before):
    """Returns a row, or `None` if the line says too little to learn from."""
    text = " ".join(text.split())
    language = "ko" if is_korean(text) else "en"
    spans, groups, statuses = [], set(), set()
    for one in expected.split(" & "):
        if one.startswith("!question"):
            return Row(language, 0, before, text, [Clause(0, len(text), "none", "ask", None, None, "drop")], [], None, None, None, None)
        if one.startswith("!hypothetical") or one.startswith("!joke"):
            return Row(language, 0, before, text, [Clause(0, len(text), None, None, "unreal", None, "drop")], None, None, None, None, None)
        key, _, values = one.partition("=")
        ends, key = key.startswith("-"), key.lstrip("-~")
        if ">" in key or key not in SUBJECTS or not values:
            return None
        subject, group = SUBJECTS[key]
        place = next((text.lower().find(value.lower()) for value in sorted(values.split("|"), key=len, reverse=True) if value and value.lower() in text.lower()), -1)
        value = next((value for value in sorted(values.split("|"), key=len, reverse=True) if value and value.lower() in text.lower()), "")
        if place < 0 or subject is None:
            return None
        spans.append((place, place + len(value), subject))
        groups.add(group)
        statuses.add("ended" if ends else "now")
    one = lambda found: next(iter(found)) if len(found) == 1 else None
    return Row(language, 0, before, text, [Clause(0, len(text), one(groups), None, "user", one(statuses), "keep")], spans, None, None, None, None)


def read():
    rows = []
    for table in TABLES:
        for line in (FOLDER / table).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                expected, text, *before = line.split("\t")
                rows.append(row(expected, text, before[0] if before else ""))
    return [found for found in rows if found]


if __name__ == "__main__":
    for found in read():
        print(found.text, found.clauses, found.spans)
