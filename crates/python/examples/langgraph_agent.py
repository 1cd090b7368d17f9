"""A LangGraph agent with a long-term store and a middleware that remembers.  Run: python langgraph_agent.py luna.db

The model is a script, so that this runs offline. Replace `Scripted()` by any chat model of LangChain.
"""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from saegim import Memory
from saegim.langchain import SaegimMiddleware
from saegim.langgraph import SaegimStore


class Scripted(BaseChatModel):
    """Answers with the line of its instructions that mentions the puppy."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        known = next((line for line in str(messages[0].text).splitlines() if "강아지" in line), "아직 몰라요.")
        return ChatResult(generations=[ChatGeneration(message=AIMessage(known))])


def main() -> None:
    with Memory(sys.argv[1] if len(sys.argv) > 1 else "luna.db", user="minsu", character="luna") as memory:
        store = SaegimStore(memory)
        store.put(("minsu", "settings"), "voice", {"style": "반말"})
        agent: Any = create_agent(Scripted(), system_prompt="You are Luna.", middleware=[SaegimMiddleware(memory)], store=store)
        for said in ("우리 강아지 이름은 모찌야", "우리 강아지 이름이 뭐였지?"):
            # Every question is a new conversation: what the agent knows comes from the memory.
            done = agent.invoke({"messages": [HumanMessage(said)]})
            print(f"minsu: {said}\nluna: {done['messages'][-1].content}")


if __name__ == "__main__":
    main()
