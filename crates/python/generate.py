"""Generates the methods of ``AsyncMemory`` from those of ``Memory``, so that both are always the same.

    python generate.py           writes the files
    python generate.py --check   fails if a file is not up to date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent / "python" / "saegim"
AREAS = ("memories", "talk", "places", "identity", "files")
METHOD = re.compile(r"^    def (\w+)\(", re.MULTILINE)


def end_of_call(text: str, opened: int) -> int:
    """Returns the position after the parenthesis that closes the one at ``opened``."""
    depth, quote = 0, ""
    for at in range(opened, len(text)):
        letter = text[at]
        if quote:
            quote = "" if letter == quote and text[at - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
    raise ValueError(f"a call is not closed: {text[opened : opened + 60]}")


def awaited(text: str, call: re.Pattern[str]) -> str:
    """Awaits every call of the pattern, innermost ones too."""
    found = list(call.finditer(text))
    for match in reversed(found):
        end = end_of_call(text, match.end() - 1)
        inside = f"await {text[match.start() : end]}"
        if end < len(text) and text[end] in ".[":
            inside = f"({inside})"
        text = text[: match.start()] + inside + text[end:]
    return text


def asynchronous(source: str, methods: set[str]) -> str:
    """Returns the asynchronous version of a module."""
    own = "|".join(sorted(methods | {"_run", "_pages", "_on_this_machine", "_anywhere", "_imported"}))
    text = METHOD.sub(r"    async def \1(", source)
    text = re.sub(r"\bclass (\w+)Calls\(Calls\)", r"class Async\1Calls(AsyncCalls)", text)
    text = text.replace("from .base import Calls", "from .base import AsyncCalls").replace("from .read import", "from .._calls.read import")
    text = awaited(text, re.compile(rf"\bself\.(?:{own})\("))
    return awaited(text, re.compile(rf"\b(?:memory|mina)\.(?:{own})\("))


def main() -> int:
    sources = {area: (PACKAGE / "_calls" / f"{area}.py").read_text(encoding="utf-8") for area in AREAS}
    methods = {name for source in sources.values() for name in METHOD.findall(source)}
    stale: list[str] = []
    for area, source in sources.items():
        target = PACKAGE / "_async_calls" / f"{area}.py"
        text = asynchronous(source, methods)
        if "--check" not in sys.argv:
            target.write_text(text, encoding="utf-8")
        elif not target.exists() or target.read_text(encoding="utf-8") != text:
            stale.append(target.name)
    if stale:
        print(f"not up to date: {', '.join(stale)}; run python generate.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
