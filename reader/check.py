"""Parses and checks corpus files. `python reader/check.py FILE...` prints what is wrong and counts what is there."""
import re, sys, collections

GROUPS = "name place work people pet health food like dislike hobby thing trait love plan goal loss win limit promise other none".split()
ACTS = "fact pref plan promise limit feel event talk ask answer remember fix command".split()
HOLDERS = "user other unreal none".split()
STATUSES = "now not ended past planned wished".split()
KEEPS = "keep drop".split()
SUBJECTS = (
    "name nickname age birthday nationality height weight blood_type residence hometown living_with job workplace school major "
    "skill language mbti religion handedness rel pname status pet petname allergy illness medication diet food drink likes dislikes "
    "phobia hobby instrument possession car when"
).split()
EMOTIONS = "joy sadness anger fear disgust anxiety envy ennui nostalgia neutral".split()
FACES = "neutral sad happy angry".split()
AXES = "affection trust familiarity respect rivalry".split()


class Malformed(Exception):
    """A line that does not follow the guide."""


def spans(marked):
    """Splits `text with [subject:value]` into the text and its spans (start, end, subject)."""
    text, found, rest = "", [], marked
    while "[" in rest:
        match = re.match(r"([^\[\]]*)\[([a-z_]+):([^\[\]]+)\]", rest)
        if not match:
            raise Malformed(f"broken span in: {marked}")
        if match[2] not in SUBJECTS:
            raise Malformed(f"unknown subject {match[2]} in: {marked}")
        value = match[3].strip()
        text += match[1]
        found.append((len(text), len(text) + len(value), match[2]))
        text += value
        rest = rest[match.end() :]
    if "]" in rest:
        raise Malformed(f"stray bracket in: {marked}")
    return text + rest, found


def clause(line):
    """Parses one `- labels :: text` line."""
    if " :: " not in line:
        raise Malformed(f"no ' :: ' in: {line}")
    head, marked = line[2:].split(" :: ", 1)
    labels = head.split()
    if len(labels) == 2 and labels[0] == "none":
        labels += ["none", "now", "drop"]
    if len(labels) != 5:
        raise Malformed(f"five labels expected (group act holder status keep): {line}")
    for label, allowed in zip(labels, (GROUPS, ACTS, HOLDERS, STATUSES, KEEPS)):
        if label not in allowed:
            raise Malformed(f"unknown label {label}: {line}")
    text, found = spans(marked.strip())
    if not text:
        raise Malformed(f"empty clause: {line}")
    return dict(zip(("group", "act", "holder", "status", "keep"), labels), text=text, spans=found)


def header(line):
    """Parses the `! emotions intensity face effects` line."""
    parts = line[2:].split()
    if len(parts) < 3:
        raise Malformed(f"emotions, intensity and face expected: {line}")
    emotions = parts[0].split(",")
    effects = {}
    for effect in parts[3:]:
        match = re.fullmatch(r"([a-z]+)([+-][123]),?", effect)
        if not match or match[1] not in AXES:
            raise Malformed(f"unknown effect {effect}: {line}")
        effects[match[1]] = int(match[2])
    if any(emotion not in EMOTIONS for emotion in emotions) or parts[1] not in "0123" or parts[2] not in FACES:
        raise Malformed(f"unknown emotion, intensity or face: {line}")
    return dict(emotions=emotions, intensity=int(parts[1]), face=parts[2], effects=effects)


def parse(text):
    """Returns the messages of a file and the problems found, as (line number, problem)."""
    messages, problems = [], []
    block, start = [], 1
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.strip() and not line.startswith("#"):
            if not block:
                start = number
            block.append(line.rstrip())
            continue
        if not block:
            continue
        try:
            before = block.pop(0)[2:].strip() if block[0].startswith("@ ") else ""
            if not block or not block[0].startswith("! "):
                raise Malformed("a message needs a '! ' header line")
            message = header(block.pop(0))
            if not block or any(not line.startswith("- ") for line in block):
                raise Malformed("clause lines start with '- '")
            message.update(before=before, clauses=[clause(line) for line in block], line=start)
            message["text"] = " ".join(part["text"] for part in message["clauses"])
            messages.append(message)
        except Malformed as problem:
            problems.append((start, str(problem)))
        block = []
    return messages, problems


def trigrams(text):
    text = re.sub(r"\s+", " ", text.lower())
    return {text[i : i + 3] for i in range(len(text) - 2)} or {text}


def near_copies(messages, limit=0.5):
    """Pairs of messages whose character trigrams overlap by more than `limit` (Jaccard)."""
    grams = [trigrams(message["text"]) for message in messages]
    index, pairs = collections.defaultdict(list), []
    for i, mine in enumerate(grams):
        shared = collections.Counter(j for gram in mine for j in index[gram])
        for j, count in shared.items():
            if count / (len(mine) + len(grams[j]) - count) > limit and len(mine) > 8:
                pairs.append((j, i))
        for gram in mine:
            index[gram].append(i)
    return pairs


def main(paths):
    failed = False
    for path in paths:
        messages, problems = parse(open(path, encoding="utf-8").read())
        for line, problem in problems:
            print(f"{path}:{line}: {problem}")
        for first, second in near_copies(messages):
            print(f"{path}:{messages[second]['line']}: nearly the same as the message at line {messages[first]['line']}")
        failed |= bool(problems)
        count = collections.Counter
        clauses = [part for message in messages for part in message["clauses"]]
        print(f"{path}: {len(messages)} messages, {len(clauses)} clauses, {sum(len(part['spans']) for part in clauses)} spans")
        for label in ("group", "act", "holder", "status", "keep"):
            print(f"  {label}:", dict(count(part[label] for part in clauses).most_common()))
        print("  face:", dict(count(message["face"] for message in messages).most_common()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
