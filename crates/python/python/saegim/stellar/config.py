"""Settings of stellar-memory that have a meaning here."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


@dataclass
class ZoneConfig:
    """A zone: its capacity and its lowest score."""

    zone_id: int
    name: str
    max_slots: int | None
    importance_min: float
    importance_max: float = float("inf")


def default_zones() -> list[ZoneConfig]:
    """Returns the zones with saegim's limits, which are those of the celestial engine."""
    return [
        ZoneConfig(0, "core", 20, 0.5),
        ZoneConfig(1, "inner", 100, 0.3, 0.5),
        ZoneConfig(2, "outer", 1000, 0.1, 0.3),
        ZoneConfig(3, "belt", None, -0.1, 0.1),
        ZoneConfig(4, "cloud", None, float("-inf"), -0.1),
    ]


@dataclass
class MemoryFunctionConfig:
    """Weights of the zone score. The limits of the zones are on a scale that these weights make."""

    w_recall: float = 0.25
    w_freshness: float = 0.30
    w_arbitrary: float = 0.25
    w_context: float = 0.20
    max_recall: int = 1000
    decay_alpha: float | None = None
    """Loss of freshness per second; freshness ends at -1. None: 30 days to -1."""


@dataclass
class NamespaceConfig:
    """Where namespaces are."""

    enabled: bool = True
    base_path: str = "stellar_data"


@dataclass
class StellarConfig:
    """Settings. Embeddings, emotions, sessions, links and the ledger are always there and need none."""

    memory_function: MemoryFunctionConfig = field(default_factory=MemoryFunctionConfig)
    zones: list[ZoneConfig] = field(default_factory=default_zones)
    reorbit_interval: float = 300
    db_path: str = "stellar_memory.db"
    auto_start_scheduler: bool = False
    auto_forget_days: int = 90
    """Days without a recall after which a memory of the cloud is forgotten."""
    namespace: NamespaceConfig = field(default_factory=NamespaceConfig)


def policy(config: StellarConfig) -> str:
    """Returns saegim's configuration for the settings, as TOML."""
    function, slots = config.memory_function, {zone.zone_id: zone.max_slots for zone in config.zones}
    lines = [
        "[zone]",
        f"recall_weight = {float(function.w_recall)}",
        f"freshness_weight = {float(function.w_freshness)}",
        f"appraisal_weight = {float(function.w_arbitrary)}",
        f"context_weight = {float(function.w_context)}",
        f"recall_cap = {int(function.max_recall)}",
        f"auto_forget_days = {int(config.auto_forget_days)}",
        f"rebalance_seconds = {max(1, int(config.reorbit_interval))}",
    ]
    if function.decay_alpha:
        lines.append(f"floor_days = {min(36500.0, max(0.01, 1.0 / function.decay_alpha / 86_400)):.4f}")
    names = ("core", "inner", "outer", "belt")
    lines += [f"{name}_room = {slots[number]}" for number, name in enumerate(names[:3]) if slots.get(number) is not None]
    lowest = {zone.zone_id: zone.importance_min for zone in config.zones if math.isfinite(zone.importance_min)}
    lines += [f"{name}_from = {float(lowest[number])}" for number, name in enumerate(names) if number in lowest]
    return "\n".join(lines) + "\n"
