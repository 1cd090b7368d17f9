"""Builds a memory step by step."""

from __future__ import annotations

import logging
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

from .._errors import InvalidError
from .config import StellarConfig
from .plugin import MemoryPlugin
from .stellar import StellarMemory

log = logging.getLogger("saegim.stellar")


class Preset(Enum):
    """Profiles of stellar-memory. Here, all of them have everything."""

    MINIMAL = "minimal"
    CHAT = "chat"
    AGENT = "agent"
    KNOWLEDGE = "knowledge"
    RESEARCH = "research"


class StellarBuilder:
    """Builds a ``StellarMemory``. Steps that turn on what saegim always has change nothing."""

    def __init__(self, preset: Preset = Preset.MINIMAL) -> None:
        self._preset = preset
        self._config = StellarConfig()
        self._plugins: list[MemoryPlugin] = []
        self._namespace: str | None = None

    def with_sqlite(self, path: str) -> StellarBuilder:
        """Uses a database file."""
        self._config.db_path = path
        return self

    def with_memory(self) -> StellarBuilder:
        """Uses a temporary database."""
        return self.with_sqlite(":memory:")

    def with_namespace(self, namespace: str) -> StellarBuilder:
        """Uses a database of its own for this namespace."""
        self._namespace = namespace
        return self

    def with_decay(self, rate: float = 0.0001, auto_forget_days: int = 90) -> StellarBuilder:
        """Sets the loss of freshness per second, and when memories of the cloud are forgotten."""
        self._config.memory_function.decay_alpha = rate
        self._config.auto_forget_days = auto_forget_days
        return self

    def with_zones(self, core: int = 20, inner: int = 100, outer: int = 1000) -> StellarBuilder:
        """Sets the capacities of the zones that have one."""
        for zone, slots in zip(self._config.zones, (core, inner, outer)):
            zone.max_slots = slots
        return self

    def with_plugin(self, plugin: MemoryPlugin) -> StellarBuilder:
        """Adds a plugin."""
        self._plugins.append(plugin)
        return self

    def with_embeddings(self, **_options: Any) -> StellarBuilder:
        """Changes nothing: the embedder is built in."""
        return self

    def with_emotions(self, **_options: Any) -> StellarBuilder:
        """Changes nothing: emotions are always read from the text."""
        return self

    def with_graph(self, **_options: Any) -> StellarBuilder:
        """Changes nothing: memories are always linked."""
        return self

    def with_sessions(self, **_options: Any) -> StellarBuilder:
        """Changes nothing: sessions are always there."""
        return self

    def with_consolidation(self, **_options: Any) -> StellarBuilder:
        """Changes nothing: repetitions are always merged."""
        return self

    def with_llm(self, **_options: Any) -> StellarBuilder:
        """Fails: a language model is configured in saegim's own configuration."""
        raise InvalidError("a model is not set here", hint="set it in the configuration of saegim; everything works without one")

    def with_postgres(self, db_url: str) -> StellarBuilder:
        """Fails: over PostgreSQL, saegim runs as a server."""
        raise InvalidError("this is a memory in a file", hint="use saegim.Memory(url=...) with a server over PostgreSQL")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> StellarBuilder:
        """Returns a builder for settings. An unknown preset is ``minimal``."""
        name = data.get("preset", "minimal")
        builder = cls(next((preset for preset in Preset if preset.value == name), Preset.MINIMAL))
        if "db_path" in data:
            builder.with_sqlite(str(data["db_path"]))
        if "namespace" in data:
            builder.with_namespace(str(data["namespace"]))
        unused = sorted(data.keys() - {"preset", "db_path", "namespace", "embeddings", "emotions", "graph"})
        if unused:
            log.warning("settings without a meaning here: %s", ", ".join(unused))
        return builder

    @classmethod
    def from_toml(cls, path: str) -> StellarBuilder:
        """Returns a builder for a TOML file. Needs Python 3.11."""
        settings: dict[str, Any] = import_module("tomllib").loads(Path(path).read_text(encoding="utf-8"))
        return cls.from_dict(settings.get("stellar-memory", settings))

    def build(self) -> StellarMemory:
        """Opens the memory."""
        memory = StellarMemory(self._config, self._namespace)
        for plugin in self._plugins:
            memory.use(plugin)
        return memory
