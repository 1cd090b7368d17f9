"""Parses and checks conversation files. `python reader/conversations.py FILE...` prints what is wrong."""
import dataclasses, pathlib, re, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check


@dataclasses.dataclass
class Conversation:
    turns: list  # (day, "HH:MM", "user" or "assistant", text)
    true: list  # (who, group, value)
    false: list  # (who, group, value)
    questions: list  # (question, [answers])


def parse(text):
    """Returns the conversations of a file and a list of problems."""
    found, problems, current, day, time, ended = [], [], None, 0, "", True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        begun = re.fullmatch(r"== day (\d+) (\d\d:\d\d)", line)
        if begun:
            if ended:
                current, ended, day = Conversation([], [], [], []), False, 0
                found.append(current)
            if int(begun[1]) < day:
                problems.append(f"line {number}: day {begun[1]} comes after day {day}")
            day, time = int(begun[1]), begun[2]
        elif current is None:
            problems.append(f"line {number}: a conversation begins with `== day 1 HH:MM`")
        elif line == "== end":
            ended = True
        elif line[:3] in ("U: ", "A: ") and not ended:
            current.turns.append((day, time, "user" if line[0] == "U" else "assistant", line[3:]))
        elif line[:2] in ("+ ", "- ") and ended:
            parts = [part.strip() for part in line[2:].split("|")]
            if len(parts) != 3 or not all(parts) or parts[1] not in check.GROUPS:
                problems.append(f"line {number}: wanted `who | group | value` with a known group")
                continue
            said = " ".join(turn[3] for turn in current.turns if turn[2] == "user").lower()
            if parts[2].lower() not in said:
                problems.append(f"line {number}: {parts[2]!r} occurs in no message of the person")
            (current.true if line[0] == "+" else current.false).append(tuple(parts))
        elif line[:2] == "? " and ended:
            question, _, answers = line[2:].partition("|")
            answers = [answer.strip() for answer in answers.split("/") if answer.strip()]
            if not answers:
                problems.append(f"line {number}: the question has no answer")
            current.questions.append((question.strip(), answers))
        else:
            problems.append(f"line {number}: not understood: {line[:60]}")
    for number, conversation in enumerate(found, 1):
        counts = {
            "messages of the person": (sum(turn[2] == "user" for turn in conversation.turns), 30, 60), "`+` lines": (len(conversation.true), 12, 25),
            "`-` lines": (len(conversation.false), 5, 12), "questions": (len(conversation.questions), 8, 14),
        }
        problems += [f"conversation {number}: {count} {what}, wanted {low} to {high}" for what, (count, low, high) in counts.items() if not low <= count <= high]
    return found, problems


if __name__ == "__main__":
    wrong = 0
    for name in sys.argv[1:]:
        found, problems = parse(pathlib.Path(name).read_text(encoding="utf-8"))
        wrong += len(problems)
        print(f"{name}: {len(found)} conversations, {len(problems)} problems")
        for problem in problems:
            print("  ", problem)
    sys.exit(wrong > 0)
