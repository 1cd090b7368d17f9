"""Draws the progress of a long operation."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import Any, Optional, TextIO

Progress = Callable[[int, Optional[int]], object]
"""Receives the steps that are done, and their total if it is known."""

WIDTH = 30
"""Width of the bar on a terminal, in characters."""


class ProgressBar:
    """A progress callback that draws a bar: in a notebook as HTML, otherwise on standard error.

    >>> import io
    >>> bar = ProgressBar("import", stream=io.StringIO())
    >>> bar(50, 200)
    >>> bar.text
    'import ███████----------------------- 50/200'
    """

    def __init__(self, title: str = "", *, stream: TextIO | None = None) -> None:
        self.title = title
        self.text = ""
        """The bar as it was drawn last."""
        self._stream = stream
        self._handle: Any = None

    def __call__(self, done: int, total: int | None) -> None:
        share = done / total if total else 0.0
        bar = ("█" * int(share * WIDTH)).ljust(WIDTH, "-")
        self.text = f"{self.title} {bar} {done}/{total if total is not None else '?'}".strip()
        if self._stream is None and self._in_notebook(done, total):
            return
        stream = self._stream or sys.stderr
        stream.write(f"\r{self.text}" + ("\n" if total is not None and done >= total else ""))
        stream.flush()

    def _in_notebook(self, done: int, total: int | None) -> bool:
        """Draws in the notebook this runs in. Returns False if it runs elsewhere."""
        if "IPython" not in sys.modules or find_spec("IPython") is None:
            return False
        display: Any = sys.modules["IPython"].display
        shell: Any = sys.modules["IPython"].get_ipython()
        if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
            return False
        page = display.HTML(f'{escape(self.title)} <progress value="{done}" max="{total or 0}"></progress> {done}/{total or "?"}')
        if self._handle is None:
            self._handle = display.display(page, display_id=True)
        else:
            self._handle.update(page)
        return True
