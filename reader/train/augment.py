"""Multiplies the rows: joined messages, replaced values, typing noise. Offsets follow every change."""
import collections, copy, dataclasses, random

from rows import Clause

# Subjects whose values can be exchanged without making the sentence wrong.
REPLACEABLE = (
    "name nickname pname petname residence hometown job workplace school major allergy illness medication food drink likes dislikes "
    "hobby instrument possession car when"
).split()

# What a companion says that asks for nothing in particular.
FILLERS = {
    "ko": "그렇구나.|그랬구나!|응, 듣고 있어.|그러게.|맞아.|알겠어!|오, 정말?|저런.|좋네요.|그랬군요.|네, 말씀하세요.|오늘 하루 어땠어?|무슨 일 있어?|안녕! 반가워.|다녀왔어?|"
    "또 얘기하자.|고생했어.|축하해!|힘들었겠다.|ㅎㅎ 웃기다.|잘 자.|그래서?|괜찮아요.|뭐 하고 있었어?".split("|"),
    "en": "I see.|Oh really?|That makes sense.|Got it!|Tell me more.|Sounds good.|Hmm, okay.|Hi! Good to see you.|How was your day?|What's up?|I'm listening.|Haha, nice.|"
    "Oh no.|Congratulations!|That sounds hard.|Sure thing.|Anything else?|Good night!|And then?|Welcome back.|You're welcome.|No worries.".split("|"),
}


def is_korean(text):
    return any("가" <= letter <= "힣" for letter in text)


def ends_in_consonant(text):
    """Whether a Korean particle after `text` takes its form for a final consonant."""
    last = text[-1]
    if "가" <= last <= "힣":
        return (ord(last) - 0xAC00) % 28 > 0
    return last in "013678lmnr"


class Augment:
    """Draws changed copies of rows. The same seed gives the same copies."""

    def __init__(self, rows, seed):
        self.draw = random.Random(seed)
        self.by_author = collections.defaultdict(list)
        self.values = collections.defaultdict(list)
        self.before = {language: sorted({row.before for row in rows if row.before and row.language == language}) for language in ("ko", "en")}
        for row in rows:
            self.by_author[row.language, row.author].append(row)
            for start, end, subject in row.spans or []:
                if subject in REPLACEABLE:
                    value = row.text[start:end]
                    self.values[subject, is_korean(value)].append(value)

    def __call__(self, row):
        row = copy.deepcopy(row)
        if self.draw.random() < 0.15:
            row = self.joined(row)
        if not row.before and self.draw.random() < 0.6:
            row = self.after_something(row)
        if self.draw.random() < 0.5:
            row = self.with_other_values(row)
        if self.draw.random() < 0.3:
            row = self.with_noise(row)
        return row

    def joined(self, row):
        """Appends another message of the same author. The labels of the whole message become unknown."""
        other = self.draw.choice(self.by_author[row.language, row.author])
        if row.spans is None or other.spans is None or other.before or other.text == row.text or len(row.text) + len(other.text) > 240:
            return row
        shift = len(row.text) + 1
        clauses = [dataclasses.replace(clause, start=clause.start + shift, end=clause.end + shift) for clause in other.clauses]
        spans = [(start + shift, end + shift, subject) for start, end, subject in other.spans]
        return dataclasses.replace(
            row, text=row.text + " " + other.text, clauses=row.clauses + clauses, spans=row.spans + spans,
            emotions=None, intensity=None, face=None, effects=None,
        )

    def after_something(self, row):
        """Puts a line of the assistant in front that has nothing to do with the message, as in any conversation."""
        line = self.draw.choice(FILLERS[row.language] if self.draw.random() < 0.4 else self.before[row.language])
        return dataclasses.replace(row, before=line)

    def with_other_values(self, row):
        for place in range(len(row.spans or [])):
            start, end, subject = row.spans[place]
            value = row.text[start:end]
            choices = self.values.get((subject, is_korean(value)))
            if not choices or self.draw.random() < 0.4:
                continue
            other = self.draw.choice(choices)
            if is_korean(value) and ends_in_consonant(other) != ends_in_consonant(value):
                continue
            row = replaced(row, start, end, other)
        return row

    def with_noise(self, row):
        """Drops a punctuation mark or a space, doubles or swaps letters, or lowers the case."""
        kind = self.draw.choice(["lower", "mark", "space", "double", "swap"])
        if kind == "lower":
            return dataclasses.replace(row, text="".join(low if len(low := letter.lower()) == 1 else letter for letter in row.text))
        inside = {at for start, end, _ in row.spans or [] for at in range(start, end)}
        edges = {clause.start for clause in row.clauses} | {clause.end for clause in row.clauses}
        wanted = {"mark": ".,!?~", "space": " "}.get(kind)
        places = [
            at for at, letter in enumerate(row.text[:-1])
            if at not in inside and at not in edges and (letter in wanted if wanted else letter.isalpha() and row.text[at + 1].isalpha() and at + 1 not in inside)
        ]
        if not places or kind == "space" and row.language == "en":
            return row
        at = self.draw.choice(places)
        if kind in ("mark", "space"):
            return replaced(row, at, at + 1, "")
        pair = row.text[at] * 2 if kind == "double" else row.text[at + 1] + row.text[at]
        return replaced(row, at, at + (1 if kind == "double" else 2), pair)


def replaced(row, start, end, new):
    """Replaces text[start:end] and moves all offsets behind it."""
    shift = len(new) - (end - start)
    move = lambda at: at + shift if at >= end else at
    clauses = [dataclasses.replace(clause, start=move(clause.start), end=move(clause.end)) for clause in row.clauses]
    spans = row.spans and [(s if s <= start else move(s), move(e), subject) for s, e, subject in row.spans]
    return dataclasses.replace(row, text=row.text[:start] + new + row.text[end:], clauses=clauses, spans=spans)
