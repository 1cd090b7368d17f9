"""Lists what follows a Korean value within its word: `python reader/train/endings.py` writes crates/language/model/endings.txt.

Particles and endings as the training authors write them. A value that the model cuts within a word is grown until one of them follows."""
import collections, pathlib

import rows as corpus

FILE = corpus.ROOT.parent / "crates/language/model/endings.txt"
LEAST = 2  # values it must follow


def hangul(letter):
    return "가" <= letter <= "힣"


def rest_of_word(text, at):
    """Returns the letters and digits from `at` to the end of the word."""
    end = at
    while end < len(text) and text[end].isalnum():
        end += 1
    return text[at:end]


def main():
    counts = collections.Counter(
        rest_of_word(row.text, end) for row in corpus.read("training") for start, end, _ in row.spans if hangul(row.text[end - 1])
    )
    chosen = sorted(rest for rest, count in counts.items() if rest and count >= LEAST and all(map(hangul, rest)))
    FILE.write_text("".join(rest + "\n" for rest in chosen), encoding="utf-8")
    print(f"{len(chosen)} endings")


if __name__ == "__main__":
    main()
