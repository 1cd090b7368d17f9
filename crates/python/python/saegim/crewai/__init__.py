"""CrewAI: tools. Its memory interface passes an embedding and not the text of a query, so it cannot use saegim's recall.

    from saegim.crewai import tools
    memory = Memory("luna.db", user="minsu", character="luna")
    agent = Agent(role="companion", goal="remember", backstory="a friend", tools=tools(memory))
"""

from __future__ import annotations

from typing import Any

from crewai.tools import BaseTool
from pydantic import BaseModel, Field

from .._memory import Memory


class Searched(BaseModel):
    """Arguments of the search."""

    query: str = Field(description="What to look for, in the user's language.")
    limit: int = Field(default=5, ge=1, le=20, description="Maximum number of memories.")


class Added(BaseModel):
    """Arguments of a new memory."""

    content: str = Field(description="One sentence that is understood without this conversation.")


class SearchMemories(BaseTool):
    """Searches memories."""

    name: str = "search_memories"
    description: str = "Search the long-term memory."
    args_schema: type[BaseModel] = Searched
    memory: Any

    def _run(self, query: str, limit: int = 5) -> str:
        found = self.memory.recall(query, limit=limit, used=True)
        return "\n".join(f"{hit.created_at:%Y-%m-%d}: {hit.content}" for hit in found) or "no memory matches"


class AddMemory(BaseTool):
    """Stores a memory."""

    name: str = "add_memory"
    description: str = "Store something worth remembering for later conversations."
    args_schema: type[BaseModel] = Added
    memory: Any

    def _run(self, content: str) -> str:
        return str(self.memory.store(content).id)


def tools(memory: Memory) -> list[BaseTool]:
    """Returns the tools for an agent or a task."""
    return [SearchMemories(memory=memory), AddMemory(memory=memory)]


__all__ = ["AddMemory", "SearchMemories", "tools"]
