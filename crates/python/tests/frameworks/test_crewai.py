"""CrewAI: run by hand, because the package installs 823 MB."""

from __future__ import annotations

from typing import Any

import crewai
from crewai import BaseLLM
from saegim import Memory
from saegim.crewai import tools

from .stories import Story


class Scripted(BaseLLM):
    """Searches, then answers with what it found."""

    question: str = ""

    def call(self, messages: Any, *_given: Any, **_options: Any) -> str:
        text = messages if isinstance(messages, str) else "\n".join(str(message["content"]) for message in messages)
        _, found, answer = text.rpartition("Observation:")
        # The instructions of CrewAI end with an example of an observation.
        if found and "the result of the action" not in answer:
            return f"Thought: I know it.\nFinal Answer: {answer.strip().splitlines()[0]}"
        return f'Thought: I search.\nAction: search_memories\nAction Input: {{"query": "{self.question}"}}'


def test_the_documented_lines_remember(memory: Memory, story: Story, documented: Any) -> None:
    model = Scripted(model="scripted", question=story.question)
    scope = {"memory": memory, "question": story.question, "crewai": crewai, "model": model}
    assert story.known in documented("crewai", scope)["answer"]


def test_a_tool_stores(memory: Memory, story: Story) -> None:
    search, add = tools(memory)
    add.run(content=story.news)
    assert story.news in search.run(query=story.news)
