"""Converts JSON to the result classes. Fields that a newer server adds are no part of them, but do no harm."""

from __future__ import annotations

import dataclasses
import sys
import types
import typing
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
Convert = Callable[[Any], Any]

if sys.version_info >= (3, 11):
    _moment: Convert = datetime.fromisoformat

else:

    def _moment(text: str) -> datetime:
        # Python 3.10 reads neither "Z" nor a fraction of other than 3 or 6 digits.
        main, _, fraction = text.removesuffix("Z").partition(".")
        return datetime.fromisoformat(f"{main}.{fraction:0<6.6}+00:00")


def build(cls: type[T], data: Mapping[str, Any]) -> T:
    """Creates an object of a result class from a JSON object."""
    defaults, renamed, fields = _plan(typing.cast(Any, cls))
    made = object.__new__(cls)
    # The classes are frozen, and their generated constructor sets one field at a time, which takes ten times as long.
    values = made.__dict__
    values.update(defaults)
    values.update(data)
    for name, key in renamed:
        values[name] = values.pop(key, None)
    for name, convert in fields:
        value = values[name]
        if value is not None:
            values[name] = convert(value)
    return made


@cache
def _plan(cls: type[Any]) -> tuple[dict[str, Any], tuple[tuple[str, str], ...], tuple[tuple[str, Convert], ...]]:
    """Returns the defaults of all fields, the fields with another name in JSON, and the fields that must be converted."""
    hints = typing.get_type_hints(cls)
    defaults: dict[str, Any] = {}
    renamed: list[tuple[str, str]] = []
    converts: list[tuple[str, Convert]] = []
    for field in dataclasses.fields(cls):
        defaults[field.name] = None if field.default is dataclasses.MISSING else field.default
        if field.name.endswith("_"):
            # `from_` stands for `from`, which is a word of Python.
            renamed.append((field.name, field.name.rstrip("_")))
        convert = converter(hints[field.name])
        if convert is not None:
            converts.append((field.name, convert))
    return defaults, tuple(renamed), tuple(converts)


def converter(hint: Any) -> Convert | None:
    """Returns the function that converts a JSON value to this type, or None if it stays as it is."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        known = [argument for argument in arguments if argument is not type(None)]
        return converter(known[0]) if len(known) == 1 else None
    if hint is datetime:
        return _moment
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return lambda value, cls=hint: build(cls, value)  # type: ignore[misc]
    if origin is tuple:
        inner = converter(arguments[0])
        return tuple if inner is None else lambda value, inner=inner: tuple(map(inner, value))  # type: ignore[misc]
    if origin in (dict, Mapping):
        inner = converter(arguments[1])
        return None if inner is None else lambda value, inner=inner: {key: inner(item) for key, item in value.items()}  # type: ignore[misc]
    return None
