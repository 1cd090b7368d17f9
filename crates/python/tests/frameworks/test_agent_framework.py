"""Microsoft Agent Framework."""

from __future__ import annotations

import asyncio
from typing import Any

import agent_framework
from agent_framework import BaseChatClient, ChatResponse, Message
from saegim import Memory
from saegim.agent_framework import SaegimProvider

from .stories import Story, learned


class Scripted(BaseChatClient[Any]):
    """Answers with one text, or with what it received."""

    def __init__(self, reply: str | None = None) -> None:
        super().__init__()
        self.reply = reply

    async def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **given: Any) -> Any:
        text = self.reply or "\n".join(message.text for message in messages)
        return ChatResponse(messages=[Message(role="assistant", contents=[text])])


def test_the_documented_lines_remember(memory: Memory, story: Story, documented: Any) -> None:
    scope = {"memory": memory, "question": story.question, "agent_framework": agent_framework, "asyncio": asyncio, "model": Scripted()}
    assert story.known in documented("agent_framework", scope)["answer"]


def test_a_run_is_learned_from(memory: Memory, story: Story) -> None:
    agent = agent_framework.Agent(client=Scripted(story.reply), context_providers=[SaegimProvider(memory)])
    asyncio.run(agent.run(story.news))
    assert learned(memory) == [story.learned]
    assert [turn.content for turn in memory.turns()] == [story.news, story.reply]
