"""The calls of stellar-memory 3.0.0 and of the celestial engine: change the import and keep the rest.

    from saegim.stellar import StellarMemory                    # from stellar_memory import StellarMemory
    from saegim.stellar import CelestialMemory                  # from celestial_engine import CelestialMemory
    from saegim.stellar.adapters import LangChainAdapter        # from celestial_engine.adapters import LangChainAdapter
"""

from .adapters import STELLAR_TOOLS, AnthropicAdapter, LangChainAdapter, OpenAIAdapter, OpenAIMemoryPlugin, StellarLangChainMemory
from .builder import Preset, StellarBuilder
from .config import MemoryFunctionConfig, NamespaceConfig, StellarConfig, ZoneConfig
from .models import MemoryItem, MemorySnapshot, MemoryStats, ReorbitResult
from .plugin import MemoryPlugin
from .stellar import CelestialMemory, StellarMemory

__all__ = [
    "STELLAR_TOOLS",
    "AnthropicAdapter",
    "CelestialMemory",
    "LangChainAdapter",
    "MemoryFunctionConfig",
    "MemoryItem",
    "MemoryPlugin",
    "MemorySnapshot",
    "MemoryStats",
    "NamespaceConfig",
    "OpenAIAdapter",
    "OpenAIMemoryPlugin",
    "Preset",
    "ReorbitResult",
    "StellarBuilder",
    "StellarConfig",
    "StellarLangChainMemory",
    "StellarMemory",
    "ZoneConfig",
]
