"""Converts JSON to the result classes. Unknown fields of a newer server are ignored."""

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

    def _moment(text: str) -> datetime:
        return datetime.fromisoformat(text)

else:

    def _moment(text: str) -> datetime:
        # Python 3.10 reads neither "Z" nor a fraction of other than 3 or 6 digits.
        main, _, fraction = text.removesuffix("Z").partition(".")
        return datetime.fromisoformat(f"{main}.{fraction:0<6.6}+00:00")


def build(cls: type[T], data: Mapping[str, Any]) -> T:
    """Creates an object of a result class from a JSON object."""
    names, fields = _plan(typing.cast(Any, cls))
    values = {name: data.get(key, default) for name, key, default in names}
    for name, convert in fields:
        value = values[name]
        if value is not None:
            values[name] = convert(value)
    made = object.__new__(cls)
    # The classes are frozen, and their generated constructor sets one field at a time, which takes ten times as long.
    made.__dict__.update(values)
    return made


@cache
def _plan(cls: type[Any]) -> tuple[tuple[tuple[str, str, Any], ...], tuple[tuple[str, Convert], ...]]:
    """Returns all fields with their names in JSON and their defaults, and the fields that must be converted."""
    hints = typing.get_type_hints(cls)
    names: list[tuple[str, str, Any]] = []
    converts: list[tuple[str, Convert]] = []
    for field in dataclasses.fields(cls):
        default = None if field.default is dataclasses.MISSING else field.default
        # `from_` stands for `from`, which is a word of Python.
        names.append((field.name, field.name.rstrip("_"), default))
        convert = converter(hints[field.name])
        if convert is not None:
            converts.append((field.name, convert))
    return tuple(names), tuple(converts)


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
