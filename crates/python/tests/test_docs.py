"""Runs the examples of all docstrings, with ``memory`` opened in an empty folder."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import doctest
import importlib
import inspect
import io
import pkgutil
import traceback
import types
from pathlib import Path
from typing import Any

import pytest
import saegim
from saegim import AsyncMemory, Memory

finder = doctest.DocTestFinder(exclude_empty=True)


def documented() -> list[doctest.DocTest]:
    """Returns the examples of the package, without those of classes that a module only imports."""
    names = ["saegim", *(found.name for found in pkgutil.walk_packages(saegim.__path__, "saegim.") if "_native" not in found.name)]
    optional = [name for name in names if name.count(".") == 1 and not name.split(".")[1].startswith("_")]
    optional.append("saegim.stellar._chain")
    modules = [importlib.import_module(name) for name in names if name not in optional]
    return [test for module in modules for test in finder.find(module) if test.examples]


def run(test: doctest.DocTest, scope: dict[str, Any], loop: asyncio.AbstractEventLoop) -> list[str]:
    """Runs the examples of a docstring, which may await. Returns the examples that answered something else."""
    checker, wrong = doctest.OutputChecker(), list[str]()
    for example in test.examples:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        code = compile(example.source, f"<{test.name}>", "single", flags)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                awaited = types.FunctionType(code, scope)()
                if inspect.iscoroutine(awaited):
                    loop.run_until_complete(awaited)
            except Exception:
                printed.write(traceback.format_exc())
        scope.pop("__builtins__", None)
        if not checker.check_output(example.want, printed.getvalue(), doctest.NORMALIZE_WHITESPACE):
            wrong.append(f"{test.name}: {example.source}expected {example.want!r}, got {printed.getvalue()!r}")
    return wrong


@pytest.mark.parametrize("test", documented(), ids=lambda test: str(test.name))
def test_an_example_of_a_docstring_runs(test: doctest.DocTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    loop = asyncio.new_event_loop()
    asynchronous = "sync" in test.name
    memory = (AsyncMemory if asynchronous else Memory)("example.db", user="minsu", character="luna")
    scope: dict[str, Any] = {"memory": memory, "saegim": saegim, "Path": Path, **vars(saegim)}
    try:
        assert run(test, scope, loop) == []
    finally:
        closed = memory.close()
        if closed is not None:
            loop.run_until_complete(closed)
        loop.close()


def methods(cls: type) -> dict[str, Any]:
    return {name: member for name, member in inspect.getmembers(cls, callable) if not name.startswith("_")}


def test_both_classes_have_the_same_methods() -> None:
    here, there = methods(Memory), methods(AsyncMemory)
    assert here.keys() == there.keys()
    for name, method in here.items():
        assert inspect.signature(method).parameters.keys() == inspect.signature(there[name]).parameters.keys(), name
        assert ">>> " in (method.__doc__ or ""), f"{name} has no example"
        assert ">>> " in (there[name].__doc__ or ""), f"{name} has no example"
