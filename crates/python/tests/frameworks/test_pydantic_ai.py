"""Pydantic AI."""

from __future__ import annotations

from typing import Any

import pydantic_ai
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from saegim import Memory
from saegim.pydantic_ai import SaegimCapability, toolset

from .stories import Story, learned


def received(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Answers with the instructions it received."""
    request = messages[-1]
    assert isinstance(request, ModelRequest)
    return ModelResponse([TextPart(info.instructions or "")])


def test_the_documented_lines_remember(memory: Memory, story: Story, documented: Any) -> None:
    made = documented("pydantic_ai", {"memory": memory, "question": story.question, "pydantic_ai": pydantic_ai, "model": FunctionModel(received)})
    assert story.known in made["answer"]


def test_a_run_is_learned_from(memory: Memory, story: Story) -> None:
    model = FunctionModel(lambda _messages, _info: ModelResponse([TextPart(story.reply)]))
    agent = pydantic_ai.Agent(model, capabilities=[SaegimCapability(memory)])
    agent.run_sync(story.news)
    assert learned(memory) == [story.learned]
    assert [turn.content for turn in memory.turns()] == [story.news, story.reply]


def test_the_model_searches_and_adds(memory: Memory, story: Story) -> None:
    returned: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == {"search_memories", "add_memory"}
        parts = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if parts:
            returned.extend(str(part.content) for part in parts)
            return ModelResponse([TextPart("done")])
        calls = [("search_memories", {"query": story.question}), ("add_memory", {"content": story.news})]
        return ModelResponse([ToolCallPart(name, given) for name, given in calls])

    pydantic_ai.Agent(FunctionModel(model), toolsets=[toolset(memory)]).run_sync("hello")
    assert story.known in returned[0]
    assert story.news in [stored.content for stored in memory.memories()]
