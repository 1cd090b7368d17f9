"""A companion in the terminal that remembers you.  Run: python companion.py luna.db

It answers from memory alone, without a model. To use a model, send it `context` as the system message.
Commands: /facts, /people, /mood, /forget WORDS, /quit.
"""

from __future__ import annotations

import sys

from saegim import Memory


def answer(memory: Memory, said: str) -> str:
    """Answers from what is remembered."""
    found = memory.recall(said, limit=1)
    if said.endswith("?"):
        return f"{found[0].content}." if found else "I do not know yet. Tell me!"
    return "I will remember that."


def command(memory: Memory, line: str) -> str:
    name, _, words = line.partition(" ")
    if name == "/facts":
        return "\n".join(f"{fact.name}: {fact.value}" for fact in memory.facts()) or "nothing yet"
    if name == "/people":
        return "\n".join(f"{person.relation or '?'}: {person.name or '?'}" for person in memory.people()) or "no people yet"
    if name == "/mood":
        return str(dict(memory.mood().face))
    if name == "/forget":
        for found in memory.recall(words, limit=1):
            memory.forget(found.id)
            return f"forgotten for now: {found.content} (it can be restored for seven days)"
        return "nothing matches"
    return "commands: /facts /people /mood /forget WORDS /quit"


def main() -> None:
    with Memory(sys.argv[1] if len(sys.argv) > 1 else "luna.db", user="me", character="luna") as memory:
        for line in map(str.strip, sys.stdin):
            if line == "/quit":
                break
            if line.startswith("/"):
                print(command(memory, line))
            elif line:
                context, said = memory.context(line, budget=800), answer(memory, line)
                print(f"luna: {said}  [{context.tokens} tokens of context]")
                memory.observe(user=line, assistant=said)


if __name__ == "__main__":
    main()
