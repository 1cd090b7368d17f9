"""The published `langchain`, `langchain-core` and `langgraph` packages."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from saegim import Memory
from saegim.langchain import SaegimChatMessageHistory, SaegimMiddleware, SaegimRetriever, tools, with_memory
from saegim.langgraph import SaegimStore
from upstream import KNOWN


class Model(GenericFakeChatModel):
    """A scripted model that records what it is asked."""

    asked: list[Any] = []

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        self.asked.append(messages)
        return super()._generate(messages, *args, **kwargs)


def model(*answers: str | AIMessage) -> Model:
    return Model(messages=iter([AIMessage(answer) if isinstance(answer, str) else answer for answer in answers]), asked=[])


def turns(memory: Memory) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in memory.turns()]


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
def test_the_retriever_finds_documents(luna: Memory, told: str, asked: str, known: str) -> None:
    stored = luna.store(told, importance=0.8)
    documents = SaegimRetriever(memory=luna, limit=3).invoke(asked)
    assert documents[0].id == stored.id and known in documents[0].page_content
    assert documents[0].metadata["score"] > 0 and documents[0].metadata["importance"] == stored.importance
    assert asyncio.run(SaegimRetriever(memory=luna).ainvoke(asked))[0].id == stored.id


def test_a_history_keeps_every_message_and_learns(luna: Memory) -> None:
    history = SaegimChatMessageHistory(luna, "chat")
    call = {"name": "recall", "args": {"query": "강아지"}, "id": "1", "type": "tool_call"}
    messages = [
        HumanMessage("우리 강아지 이름은 모찌야"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("모찌", tool_call_id="1"),
        AIMessage(" 모찌라니! "),
    ]
    history.add_messages(messages)
    read = history.messages
    assert [(message.type, message.content) for message in read] == [(message.type, message.content) for message in messages]
    assert isinstance(read[1], AIMessage) and read[1].tool_calls == [call]
    assert [fact.value for fact in luna.facts()] == ["강아지 모찌"]
    assert SaegimChatMessageHistory(luna, "other").messages == []
    history.clear()
    assert history.messages == [] and len(luna.facts()) == 0


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
def test_a_runnable_remembers(luna: Memory, told: str, asked: str, known: str) -> None:
    inner = model("OK.", "네.", "again")
    chat = with_memory(inner, luna)
    assert chat.invoke(told).content == "OK."
    assert chat.invoke([SystemMessage("You are Luna."), HumanMessage(asked)]).content == "네."
    system, question = inner.asked[1]
    assert system.content.startswith("You are Luna.\n\n") and known in system.content and question.content == asked
    assert "".join(str(piece.content) for piece in chat.stream(asked)) == "again"
    assert turns(luna)[-2:] == [("user", asked), ("assistant", "again")] and len(turns(luna)) == 6


def test_a_chain_with_a_prompt_remembers(luna: Memory) -> None:
    inner = model("OK.", "모찌!", "again")
    prompt = ChatPromptTemplate.from_messages([("system", "You are Luna. {memory}"), ("user", "{input}")])
    chain = with_memory(prompt | inner | StrOutputParser(), luna)

    async def talk() -> None:
        assert await chain.ainvoke({"input": "우리 강아지 이름은 모찌야"}) == "OK."
        assert await chain.ainvoke({"input": "강아지 이름이 뭐지?"}) == "모찌!"
        assert "".join([piece async for piece in chain.astream({"input": "강아지?"})]) == "again"

    asyncio.run(talk())
    assert "모찌" in inner.asked[1][0].content and len(turns(luna)) == 6


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
def test_an_agent_remembers(luna: Memory, told: str, asked: str, known: str) -> None:
    call = {"name": "remember", "args": {"content": told}, "id": "1", "type": "tool_call"}
    inner = model(AIMessage("", tool_calls=[call]), "OK.", f"{known}!")
    agent: Any = create_agent(inner, system_prompt="You are Luna.", middleware=[SaegimMiddleware(luna, with_tools=True)])
    done = agent.invoke({"messages": [HumanMessage(told)]})
    assert done["messages"][2].name == "remember" and done["messages"][-1].content == "OK."
    asyncio.run(agent.ainvoke({"messages": [HumanMessage(asked)]}))
    system = inner.asked[-1][0]
    assert system.content.startswith("You are Luna.\n\n") and known in system.content
    assert turns(luna) == [("user", told), ("assistant", "OK."), ("user", asked), ("assistant", f"{known}!")]


def test_the_tools_run_and_refusals_are_answers(luna: Memory) -> None:
    named = {tool.name: tool for tool in tools(luna)}
    assert "Biscuit" in named["remember"].invoke({"content": "My puppy is called Biscuit"})
    assert "Biscuit" in asyncio.run(named["recall"].ainvoke({"query": "puppy name"}))
    assert str(named["forget"].invoke({"id": "nothing"})).startswith("error: ")


def test_items_of_the_store_expire(luna: Memory) -> None:
    now = datetime(2031, 3, 1, tzinfo=timezone.utc)
    luna.now = lambda: now
    store = SaegimStore(luna, ttl={"default_ttl": 10})
    store.put(("notes",), "default", {"text": "잠깐 기억할 것"})
    store.put(("notes",), "kept", {"text": "오래 기억할 것"}, ttl=None)
    now += timedelta(minutes=8)
    assert store.get(("notes",), "default") is not None, "a read extends the time"
    now += timedelta(minutes=8)
    assert store.get(("notes",), "default", refresh_ttl=False) is not None
    now += timedelta(minutes=3)
    assert store.get(("notes",), "default") is None
    assert [item.key for item in store.search(("notes",), query="기억할 것")] == ["kept"]
    assert store.sweep_ttl() == 1 and store.sweep_ttl() == 0
    store.put(("notes",), "default", {"text": "다시"})
    assert store.list_namespaces() == [("notes",)]


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
def test_the_store_searches_by_meaning_and_by_filter(luna: Memory, told: str, asked: str, known: str) -> None:
    store = SaegimStore(luna)
    store.put(("minsu", "notes"), "1", {"text": told})
    store.put(("minsu", "notes"), "2", {"text": "회의는 세 시", "place": {"floor": 3}, "tags": ["work", "일"]})
    assert [item.key for item in store.search(("minsu",), query=asked, limit=1)] == ["1"]
    for filter in ({"place": {"floor": {"$gte": 3, "$ne": 4}}}, {"tags": ["work", "일"]}):
        assert [item.key for item in store.search(("minsu",), filter=filter)] == ["2"]
    with pytest.raises(ValueError, match="operator"):
        store.search(("minsu",), filter={"place": {"$in": [1]}})
    assert known in luna.context(asked).text

    async def read() -> None:
        await store.aput(("minsu", "notes"), "1", {"text": told, "seen": True})
        item = await store.aget(("minsu", "notes"), "1")
        assert item is not None and item.value == {"text": told, "seen": True} and item.updated_at >= item.created_at
        await store.adelete(("minsu", "notes"), "1")
        assert await store.aget(("minsu", "notes"), "1") is None

    asyncio.run(read())
