"""Google ADK."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.adk.tools import preload_memory
from google.genai.types import Content, Part
from saegim import Memory

from .stories import Story, learned


class Scripted(BaseLlm):
    """Answers with one text, and keeps what it received."""

    model: str = "scripted"
    reply: str
    instructions: list[str] = []

    async def generate_content_async(self, llm_request: LlmRequest, stream: bool = False) -> AsyncGenerator[LlmResponse, None]:
        self.instructions.append(f"{llm_request.config.system_instruction} {llm_request.contents}")
        yield LlmResponse(content=Content(role="model", parts=[Part(text=self.reply)]))


def content(text: str) -> Content:
    return Content(role="user", parts=[Part(text=text)])


def test_the_documented_lines_learn_and_remember(memory: Memory, story: Story, documented: Any) -> None:
    model, sessions = Scripted(reply=story.reply, instructions=[]), InMemorySessionService()
    agent = LlmAgent(name="luna", model=model, tools=[preload_memory])
    made = documented("google_adk", {"memory": memory, "agent": agent, "sessions": sessions, "Runner": Runner})
    service, runner = made["service"], made["runner"]
    mind = memory.mind(user="minsu", work="app")

    async def talk(session: str, text: str) -> None:
        await sessions.create_session(app_name="app", user_id="minsu", session_id=session)
        async for _event in runner.run_async(user_id="minsu", session_id=session, new_message=content(text)):
            pass
        kept = await sessions.get_session(app_name="app", user_id="minsu", session_id=session)
        assert kept is not None
        await service.add_session_to_memory(kept)
        await service.add_session_to_memory(kept)

    async def used() -> None:
        await service.add_memory(app_name="app", user_id="minsu", memories=[MemoryEntry(id="1", content=content(story.known))] * 2)
        await talk("monday", story.news)
        await talk("tuesday", story.question)
        found = (await service.search_memory(app_name="app", user_id="minsu", query=story.question)).memories
        known = next(entry for entry in found if story.known in str(entry.content))
        await service.delete_memory(app_name="app", user_id="minsu", memory_id=known.id)
        assert not (await service.search_memory(app_name="app", user_id="mina", query=story.question)).memories

    asyncio.run(used())
    assert story.known in model.instructions[-1]
    assert learned(mind) == [story.learned]
    assert [turn.content for turn in mind.turns()] == [story.news, story.reply, story.question, story.reply]
    assert [entry.content for entry in mind.cliff()] == [story.known]
    assert not memory.mind(user="mina", work="app").turns()
