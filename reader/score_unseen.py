"""Hit rate on messages by somebody who knew neither rules nor corpus: `python reader/score_unseen.py [--binary target/release/examples/read]`.

A line of reader/unseen/*.jsonl holds a message and what must be known afterwards. It counts if the words stand in a current fact or
statement of the right holder."""
import argparse, collections, json, pathlib, subprocess

from score import folded, holder

ROOT = pathlib.Path(__file__).resolve().parent


def main(given):
    for file in sorted((ROOT / "unseen").glob("*.jsonl")):
        messages = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        lines = "".join(json.dumps({"text": message["text"], "before": ""}, ensure_ascii=False) + "\n" for message in messages)
        done = subprocess.run([given.binary], input=lines, capture_output=True, text=True, check=True)
        count = collections.Counter()
        for message, reading in zip(messages, map(json.loads, done.stdout.splitlines())):
            sure = [said for said in reading["statements"] if said["sure"]]
            facts = [finding["claim"]["value"] for finding in reading["findings"] if finding["claim"] and finding["about"] == "user"]
            found = []
            for known in message["known"]:
                words, who = folded(known["words"]), "user" if known["who"] == "user" else "other"
                in_statement = any(words in folded(said["text"]) and holder(said["about"]) == who for said in sure)
                in_fact = who == "user" and any(words in folded(value) or folded(value) in words for value in facts)
                found.append(in_statement or in_fact)
            count.update(messages=1, pieces=len(found), known=sum(found), all=all(found), something=bool(sure or facts))
            if given.show and not all(found):
                print("  ", message["text"], [known for known, good in zip(message["known"], found) if not good])
        print(f"{file.stem}: {count['known']} of {count['pieces']} pieces known, everything in {count['all']} and something in {count['something']} of {count['messages']} messages")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", default="target/release/examples/read")
    options.add_argument("--show", action="store_true", help="print what is missing")
    main(options.parse_args())
