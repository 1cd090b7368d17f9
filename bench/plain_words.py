"""Baseline for an evaluation set: keyword search with SQLite FTS5 and BM25.

    plain_words.py DATA SET TOKENIZER > run.jsonl

TOKENIZER is porter, trigram or bigrams. Bigrams are pairs of adjacent Hangul syllables, and whole words elsewhere.
"""

import json
import re
import sqlite3
import sys
import time
from pathlib import Path

TOKENIZERS = {"porter": "porter unicode61", "trigram": "trigram", "bigrams": "unicode61"}
WORD = re.compile(r"\w+")
HANGUL = re.compile(r"[가-힣]+|[^\W가-힣]+")
DEEP = 100


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def said(turn: dict) -> str:
    """A turn as text, with speaker and caption."""
    speaker = f"{turn['speaker']}: " if turn.get("speaker") else ""
    caption = f" [{turn['caption']}]" if turn.get("caption") else ""
    return f"{speaker}{turn['text']}{caption}"


def bigrams(text: str) -> list[str]:
    tokens = []
    for word in HANGUL.findall(text.lower()):
        if "가" <= word[0] <= "힣" and len(word) > 1:
            tokens += [word[start : start + 2] for start in range(len(word) - 1)]
        else:
            tokens.append(word)
    return tokens


def words(text: str, tokenizer: str) -> list[str]:
    """The query terms for this tokenizer."""
    if tokenizer == "bigrams":
        return bigrams(text)
    if tokenizer == "trigram":
        return [text[start : start + 3].lower() for start in range(len(text) - 2)]
    return WORD.findall(text)


def main() -> None:
    data, name, tokenizer = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    spaces = {}
    for turn in lines(data / name / "corpus.jsonl"):
        if turn["space"] not in spaces:
            spaces[turn["space"]] = sqlite3.connect(":memory:")
            spaces[turn["space"]].execute(
                f"CREATE VIRTUAL TABLE turns USING fts5 (id UNINDEXED, text, tokenize = '{TOKENIZERS[tokenizer]}')"
            )
        text = " ".join(bigrams(said(turn))) if tokenizer == "bigrams" else said(turn)
        spaces[turn["space"]].execute("INSERT INTO turns VALUES (?, ?)", (turn["id"], text))
    for query in lines(data / name / "queries.jsonl"):
        start = time.perf_counter()
        asked = list(dict.fromkeys(words(query["query"], tokenizer)))
        match = " OR ".join('"' + word.replace('"', '""') + '"' for word in asked)
        rows = []
        if match:
            rows = spaces[query["space"]].execute(
                f"SELECT id, -rank FROM turns WHERE text MATCH ? ORDER BY rank LIMIT {DEEP}", (match,)
            ).fetchall()
        print(json.dumps({
            "qid": query["qid"], "ranked": [row[0] for row in rows], "scores": [row[1] for row in rows],
            "ms": (time.perf_counter() - start) * 1000,
        }))


if __name__ == "__main__":
    main()
