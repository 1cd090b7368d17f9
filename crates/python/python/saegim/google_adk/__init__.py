"""Google ADK: a memory service. Needs ``google-adk``.

    from saegim.google_adk import SaegimMemoryService
    service = SaegimMemoryService(Memory("luna.db", character="luna"))
    runner = Runner(app_name="app", agent=agent, session_service=sessions, memory_service=service)
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone

from google.adk.events import Event
from google.adk.memory import BaseMemoryService
from google.adk.memory.base_memory_service import SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai.types import Content, Part

from .._memory import Memory


def _text(content: Content | None) -> str:
    """Returns the text of a content, without thoughts and function calls."""
    parts = (content.parts if content else None) or []
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()


class SaegimMemoryService(BaseMemoryService):
    """Learns from sessions and finds memories. Each user of each app has a mind: ``user_id`` is the user, ``app_name`` the work."""

    def __init__(self, memory: Memory, *, limit: int = 10) -> None:
        self._memory = memory
        self._limit = limit

    async def add_session_to_memory(self, session: Session) -> None:
        """Learns from a session. A session may be added again when it has grown: each event is learned from once."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Learns from events."""
        await asyncio.to_thread(self._observe, self._mind(app_name, user_id), events, session_id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores memories. An entry with an id is stored once."""
        mind = self._mind(app_name, user_id)
        for entry in memories:
            if text := _text(entry.content):
                await asyncio.to_thread(mind.store, text, external_id=entry.id, idempotency_key=entry.id)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Returns the memories that match a query, best first."""
        found = await asyncio.to_thread(self._mind(app_name, user_id).recall, query, limit=self._limit, used=True)
        entries = [
            MemoryEntry(
                content=Content(role="user", parts=[Part(text=hit.content)]),
                id=hit.id,
                author="user",
                timestamp=hit.created_at.isoformat(),
            )
            for hit in found
        ]
        return SearchMemoryResponse(memories=entries)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forgets a memory; it can be restored within seven days."""
        if memory_id is not None:
            await asyncio.to_thread(self._mind(app_name, user_id).forget, memory_id)

    def _mind(self, app_name: str, user_id: str) -> Memory:
        return self._memory.mind(user=user_id, work=app_name)

    def _observe(self, mind: Memory, events: Sequence[Event], session: str | None) -> None:
        for event in events:
            if text := _text(event.content):
                role = "user" if event.author == "user" else "assistant"
                said = {"role": role, "content": text, "at": datetime.fromtimestamp(event.timestamp, timezone.utc).isoformat()}
                mind.observe(messages=[said], session=session, idempotency_key=event.id)


__all__ = ["SaegimMemoryService"]
