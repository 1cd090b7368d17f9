"""Haystack."""

from __future__ import annotations

from typing import Any

import pytest
from haystack import Pipeline
from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage
from saegim import InvalidError, Memory
from saegim.haystack import LearnHook, RememberHook, SaegimRetriever, hooks

from .stories import Story, learned


def test_the_documented_lines_remember(memory: Memory, story: Story, documented: Any) -> None:
    seen: list[str] = []

    def reply(messages: list[ChatMessage]) -> str:
        seen.append("\n".join(message.text or "" for message in messages))
        return story.reply

    scope = {"memory": memory, "question": story.question, "Agent": Agent, "model": MockChatGenerator(response_fn=reply)}
    made = documented("haystack", scope)
    assert story.known == made["documents"][0].content and made["documents"][0].score > 0
    made["agent"].run(messages=[ChatMessage.from_user(story.question)])
    assert seen[0].count(story.known) == 1 and seen[0].endswith(story.question)


def test_a_run_is_learned_from(memory: Memory, story: Story) -> None:
    agent = Agent(chat_generator=MockChatGenerator(responses=story.reply), hooks=hooks(memory))
    agent.run(messages=[ChatMessage.from_user(story.news)])
    assert learned(memory) == [story.learned]
    assert [turn.content for turn in memory.turns()] == [story.news, story.reply]


def test_a_pipeline_is_saved_and_loaded(memory: Memory, story: Story) -> None:
    pipeline = Pipeline()
    pipeline.add_component("memory", SaegimRetriever(memory, limit=2))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=["saegim.haystack"])
    assert loaded.run({"memory": {"query": story.question}})["memory"]["documents"][0].content == story.known
    assert RememberHook.from_dict(RememberHook(memory, 300).to_dict()).budget == 300
    assert LearnHook.from_dict(LearnHook(memory).to_dict()).memory.key == memory.key


def test_a_key_is_never_saved() -> None:
    remote = SaegimRetriever(Memory(url="http://127.0.0.1:9", key="secret"))
    with pytest.raises(InvalidError):
        remote.to_dict()
