"""The published `openai` and `openai-agents` packages."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from agents import Agent, Runner
from openai import AsyncOpenAI, OpenAI
from saegim import AsyncMemory, Memory
from saegim.openai import handle, tools, wrap
from saegim.openai_agents import SaegimSession
from saegim.openai_agents import tools as agent_tools
from upstream import KNOWN, Upstream, Use


def said(text: str) -> list[Any]:
    return [{"role": "system", "content": "You are Luna."}, {"role": "user", "content": text}]


def turns(memory: Memory) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in memory.turns()]


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
@pytest.mark.parametrize("stream", [False, True])
def test_chat_completions_remember(luna: Memory, upstream: Upstream, told: str, asked: str, known: str, stream: bool) -> None:
    client = wrap(OpenAI(), luna)
    assert isinstance(client, OpenAI)
    upstream.answers = ["네, 기억할게요!", "OK."]
    for text in (told, asked):
        answer: Any = client.chat.completions.create(model="scripted", messages=said(text), stream=stream)
        if stream:
            pieces = [chunk.choices[0].delta.content or "" for chunk in answer]
            assert "".join(pieces) in ("네, 기억할게요!", "OK.")
    instructions, context, question = upstream.asked[1]["messages"]
    assert (instructions["content"], question["content"]) == ("You are Luna.", asked)
    assert known in context["content"]
    assert turns(luna) == [("user", told), ("assistant", "네, 기억할게요!"), ("user", asked), ("assistant", "OK.")]


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
@pytest.mark.parametrize("stream", [False, True])
def test_responses_remember(luna: Memory, upstream: Upstream, told: str, asked: str, known: str, stream: bool) -> None:
    client = wrap(OpenAI(), luna)
    for text in (told, asked):
        answer: Any = client.responses.create(model="scripted", instructions="You are Luna.", input=text, stream=stream)
        if stream:
            assert [event.type for event in answer][-1] == "response.completed"
    assert upstream.asked[1]["instructions"].startswith("You are Luna.\n\n")
    assert known in upstream.asked[1]["instructions"]
    assert turns(luna) == [("user", told), ("assistant", "OK."), ("user", asked), ("assistant", "OK.")]


def test_an_asynchronous_client_remembers(luna: Memory, upstream: Upstream, tmp_path: Any) -> None:
    async def talk() -> None:
        async with AsyncMemory(tmp_path / "async.db", user="minsu", character="luna") as memory:
            client = wrap(AsyncOpenAI(), memory)
            await client.chat.completions.create(model="scripted", messages=said("우리 강아지 이름은 모찌야"))
            stream = await client.chat.completions.create(model="scripted", messages=said("강아지 이름이 뭐지?"), stream=True)
            async for _ in stream:
                pass
            events = await client.responses.create(model="scripted", input="강아지 이름이 뭐지?", stream=True)
            async for _ in events:
                pass
            assert "모찌" in upstream.asked[1]["messages"][1]["content"]
            assert "모찌" in upstream.asked[2]["instructions"]
            assert len(await memory.turns()) == 6

    asyncio.run(talk())


def test_the_client_that_was_wrapped_stays_as_it_was(luna: Memory, upstream: Upstream) -> None:
    client = OpenAI()
    wrap(client, luna)
    client.chat.completions.create(model="scripted", messages=said("우리 강아지 이름은 모찌야"))
    assert turns(luna) == [] and len(upstream.asked[0]["messages"]) == 2


def test_a_raw_response_is_observed_too(luna: Memory, upstream: Upstream) -> None:
    raw = wrap(OpenAI(), luna).chat.completions.with_raw_response.create(model="scripted", messages=said("나 부산에 살아"))
    assert raw.parse().choices[0].message.content == "OK."
    assert turns(luna) == [("user", "나 부산에 살아"), ("assistant", "OK.")]


def test_a_failure_to_observe_does_not_lose_the_answer(luna: Memory, upstream: Upstream, caplog: pytest.LogCaptureFixture) -> None:
    client = wrap(OpenAI(), luna, session="x" * 1000)
    answer = client.chat.completions.create(model="scripted", messages=said("나 부산에 살아"))
    assert answer.choices[0].message.content == "OK."
    assert "an exchange was not stored" in caplog.text and "부산" not in caplog.records[-1].getMessage()


@pytest.mark.parametrize("stream", [False, True])
def test_chat_tools_run_and_the_exchange_is_observed_once(luna: Memory, upstream: Upstream, stream: bool) -> None:
    client, messages = wrap(OpenAI(), luna), said("내 자전거는 빨간색이야. 기억해 줘")
    upstream.answers = [Use("remember", {"content": "민수의 자전거는 빨간색이다"}), "기억했어요."]
    first: Any = client.chat.completions.create(model="scripted", messages=messages, tools=tools(luna), stream=stream)  # type: ignore[call-overload, arg-type, unused-ignore]
    if stream:
        call = next(chunk.choices[0].delta.tool_calls[0] for chunk in first if chunk.choices[0].delta.tool_calls)
        list(first)
    else:
        call = first.choices[0].message.tool_calls[0]
    answered = handle(luna, call)
    assert answered["role"] == "tool" and "빨간색" in answered["content"]
    called = {"role": "assistant", "tool_calls": [call.model_dump(exclude={"index"})]}
    client.chat.completions.create(model="scripted", messages=[*messages, called, answered])
    assert "민수의 자전거는 빨간색이다" in [found.content for found in luna.recall("자전거 색")]
    assert turns(luna) == [("user", "내 자전거는 빨간색이야. 기억해 줘"), ("assistant", "기억했어요.")]


def test_responses_tools_run(luna: Memory, upstream: Upstream) -> None:
    luna.store("My bicycle is red")
    upstream.answers = [Use("recall", {"query": "bicycle"})]
    asked: Any = tools(luna, api="responses")
    output = wrap(OpenAI(), luna).responses.create(model="scripted", input="what colour is my bicycle?", tools=asked).output
    answered = handle(luna, output[0])
    assert (answered["type"], answered["call_id"]) == ("function_call_output", "call_1")
    assert json.loads(answered["output"])[0]["content"] == "My bicycle is red"
    assert turns(luna) == []


@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("recall", "{", "error: "),
        ("recall", "[]", "the arguments must be a JSON object"),
        ("recall", "{}", "the argument `query` is missing"),
        ("recall", '{"query": "a", "limit": "many"}', "error: "),
        ("forget", '{"id": "nothing"}', "error: "),
        ("explode", "{}", "unknown tool `explode`"),
    ],
)
def test_a_wrong_call_is_answered(luna: Memory, name: str, arguments: str, answer: str) -> None:
    call = {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
    assert handle(luna, call)["content"].startswith(answer)


@pytest.mark.parametrize(("told", "asked", "known"), KNOWN)
def test_a_session_of_the_agents_sdk(luna: Memory, upstream: Upstream, told: str, asked: str, known: str) -> None:
    agent = Agent(name="Luna", instructions="You are Luna.", model="scripted", tools=agent_tools(luna))
    upstream.answers = ["OK.", Use("recall", {"query": asked}), f"{known}!"]

    async def talk() -> None:
        session = SaegimSession("chat", luna)
        await Runner.run(agent, told, session=session)
        result = await Runner.run(agent, asked, session=session)
        assert result.final_output == f"{known}!"
        items: list[Any] = await session.get_items()
        kinds = [item.get("type") or item["role"] for item in items]
        assert kinds == ["user", "assistant", "user", "function_call", "function_call_output", "assistant"]
        assert known in items[4]["output"] and items[0]["content"] == told
        assert (await session.get_items(2)) == items[-2:]
        assert await session.pop_item() == items[-1]
        assert await session.get_items() == items[:-1]
        assert len(await SaegimSession("other", luna).get_items()) == 0
        await session.clear_session()
        assert await session.get_items() == [] and await session.pop_item() is None

    asyncio.run(talk())
    assert [item.get("role") for item in upstream.asked[1]["input"]][:3] == ["user", "assistant", "user"]
