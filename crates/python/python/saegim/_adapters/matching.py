"""Filters over JSON values, as LangGraph's stores evaluate them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from .._errors import InvalidError

_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def fits(value: Any, wanted: Any) -> bool:
    """Checks whether a value matches: equal, by operators, or field by field."""
    if isinstance(wanted, Mapping):
        fields = cast("Mapping[str, Any]", wanted)
        if any(name.startswith("$") for name in fields):
            return all(_passes(value, name, other) for name, other in fields.items())
        return isinstance(value, Mapping) and all(fits(cast("Mapping[str, Any]", value).get(name), other) for name, other in fields.items())
    if isinstance(wanted, (list, tuple)):
        parts = cast("Sequence[Any]", wanted)
        if not isinstance(value, (list, tuple)):
            return False
        known = cast("Sequence[Any]", value)
        return len(known) == len(parts) and all(fits(one, other) for one, other in zip(known, parts))
    return bool(value == wanted)


def _passes(value: Any, name: str, other: Any) -> bool:
    if name == "$eq":
        return bool(value == other)
    if name == "$ne":
        return bool(value != other)
    order = _ORDERS.get(name)
    if order is None:
        # Ignoring an operator would return more than was asked for.
        raise InvalidError(f"the filter operator `{name}` is not supported", hint=f"use $eq, $ne, {', '.join(_ORDERS)}")
    try:
        return order(float(value), float(other))
    except (TypeError, ValueError):
        return False
