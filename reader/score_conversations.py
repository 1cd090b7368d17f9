"""Scores the whole program on conversations: `python reader/score_conversations.py FILE... [--binary target/release/saegim] [--show]`.

Every conversation is observed by a fresh mind with the times of its sessions. Then it is asked what is true (facts and statements),
and a context of 800 tokens is built for every question."""
import argparse, collections, datetime, json, os, pathlib, re, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT), str(ROOT / "train")]
import conversations

BUDGET = 800
FIRST_DAY = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
# Sections of a context that quote the conversation itself instead of what was learned from it.
QUOTED = ("recent turns", "past turns")
# Sections that say what is true now.
CURRENT = ("identity facts", "facts", "statements", "profile")
# A line that names a value only to say that it is over or was never so, in the program's words or the person's.
OVER = re.compile(
    r"^- (formerly|예전) |\((지난 일|끝난 일|happened|ended|past)|(?<!\w)(안|못) |않|끊|그만|관두|때려치|헤어|이별|이전|예전|더 이상|아니|아님|돌아가|하늘나라|떠났|죽었|접었|끝났|취소|팔았|말고|바꿨|바꿧|바꾸|짐 빼|대신"
    r"|\b(no longer|not|never|stopped|quit|gave up|used to|former(ly)?|previous(ly)?|ex|died|passed away|ended|broke up|split up|cancell?ed|sold|instead|was|were|left|leaving|traded|switched|swapped|done|moved)\b|n.?t\b",
    re.IGNORECASE,
)


def folded(text):
    return "".join(letter for letter in text.lower() if letter.isalnum())


class Mind:
    def __init__(self, binary, folder):
        self.binary, self.db = binary, os.path.join(folder, "mind.db")
        self.environment = {**os.environ, "XDG_CONFIG_HOME": folder}

    def run(self, command, *arguments, given=None):
        done = subprocess.run([self.binary, command, "--db", self.db, "--json", *arguments], input=given, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise SystemExit(f"{command}: {done.stderr.strip()}")
        return done.stdout

    def ask(self, command, *arguments):
        return json.loads(self.run(command, *arguments))


def lines(conversation):
    """Returns the turns as JSON lines, half a minute apart within a session, and the time of the last one."""
    out, at, session = [], FIRST_DAY, None
    for day, time, role, text in conversation.turns:
        if (day, time) != session:
            session, (hours, minutes) = (day, time), time.split(":")
            at = max(at, FIRST_DAY + datetime.timedelta(days=day - 1, hours=int(hours), minutes=int(minutes)))
        at += datetime.timedelta(seconds=30)
        out.append({"session": f"day-{day}-{time}", "role": role, "content": text, "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), "speaker": role})
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in out), out[-1]["at"]


def judge(conversation, binary, show):
    """Yields (kind, right) for everything that counts in one conversation."""
    said, end = lines(conversation)
    with tempfile.TemporaryDirectory() as folder:
        mind = Mind(binary, folder)
        mind.run("observe", "--file", "-", given=said)
        known = mind.ask("facts", "--now", end)
        facts = [fact["value"] for fact in known["facts"] if fact["current"]]
        statements = [said for said in known["statements"] if said["current"]]

        def stands(who, value):
            texts = [said["text"] for said in statements if (who == "user") == ("holder" not in said)] + facts
            return any(folded(value) in folded(text) for text in texts)

        for who, group, value in conversation.true:
            good = stands(who, value)
            yield "true at the end", good
            if show and not good:
                print("   not known:", who, group, value)
        false = [value for _, _, value in conversation.false if not any(folded(value) in folded(other) or folded(other) in folded(value) for _, _, other in conversation.true)]
        for question, answers in conversation.questions:
            context = mind.ask("context", "--budget", str(BUDGET), "--now", end, question)
            sections = {section["name"]: section["text"] for section in context["sections"]}
            shown = lambda names: folded(" ".join(text for name, text in sections.items() if name in names))
            has = lambda text: any(folded(answer) in text for answer in answers)
            answered = has(folded(context["text"]))
            yield "answered", answered
            if answered:
                yield "answered from what was learned", has(shown([name for name in sections if name not in QUOTED]))
            elif show:
                print("   not answered:", question, answers)
            current = [line for name in CURRENT for line in sections.get(name, "").splitlines() if not OVER.search(line)]
            wrong = [(value, line) for value in false for line in current if folded(value) in folded(line)]
            yield "wrong contexts", bool(wrong)
            if show and wrong:
                print("   wrong:", wrong[0])


def main(given):
    right, total = collections.Counter(), collections.Counter()
    for name in given.files:
        found, problems = conversations.parse(pathlib.Path(name).read_text(encoding="utf-8"))
        if problems:
            raise SystemExit(f"{name}: {problems[0]}")
        for number, conversation in enumerate(found, 1):
            if given.show:
                print(f"{name} {number}")
            for kind, good in judge(conversation, given.binary, given.show):
                right[kind] += good
                total[kind] += 1
    for kind in total:
        print(f"{kind}: {100 * right[kind] / total[kind]:.1f} % of {total[kind]}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("files", nargs="+")
    options.add_argument("--binary", default="target/release/saegim")
    options.add_argument("--show", action="store_true", help="print what is not known, not answered, or wrong")
    main(options.parse_args())
