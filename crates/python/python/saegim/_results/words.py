"""The words of enumerations."""

from __future__ import annotations

from typing import Literal

Tier = Literal["M30", "M90", "M365", "M0"]
Zone = Literal["core", "inner", "outer", "belt", "cloud"]
Kind = Literal["episodic", "semantic", "emotional"]
Category = Literal["identity", "people", "preferences", "caution", "shared_events", "requests", "situation"]
Emotion = Literal["joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral"]
Source = Literal["conversation", "observation", "distillation", "user", "imagination", "import"]
Knowledge = Literal["witnessed", "told", "inferred", "imagined"]
Role = Literal["user", "assistant", "system", "persona", "event"]
Trigger = Literal["idle", "context", "time"]
Principal = Literal["owner", "agent", "admin"]
ProposalStatus = Literal["pending", "approved", "rejected", "lapsed", "undone"]
ImportFormat = Literal["bundle", "coordinates", "stellar", "mem0", "mcp-memory"]
