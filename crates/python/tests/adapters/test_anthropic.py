"""The published `anthropic` package."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from saegim import Memory
from saegim.anthropic import AsyncSaegimMemoryTool, SaegimMemoryTool, handle, tools
from upstream import Upstream, Use

COMMANDS: list[dict[str, Any]] = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/민수.md", "file_text": "이름: 민수\n사는 곳: 부산\n"},
    {"command": "create", "path": "/memories/민수.md", "file_text": "again"},
    {"command": "view", "path": "/memories/민수.md"},
    {"command": "view", "path": "/memories/민수.md", "view_range": [2, 2]},
    {"command": "str_replace", "path": "/memories/민수.md", "old_str": "부산", "new_str": "서울"},
    {"command": "str_replace", "path": "/memories/민수.md", "old_str": "없음", "new_str": "x"},
    {"command": "insert", "path": "/memories/민수.md", "insert_line": 1, "insert_text": "나이: 30\n"},
    {"command": "insert", "path": "/memories/민수.md", "insert_line": 99, "insert_text": "x"},
    {"command": "view", "path": "/memories/민수.md"},
    {"command": "create", "path": "/memories/notes/pets.md", "file_text": "puppy: Biscuit\npuppy: Mochi\n"},
    {"command": "str_replace", "path": "/memories/notes/pets.md", "old_str": "puppy", "new_str": "dog"},
    {"command": "rename", "old_path": "/memories/notes/pets.md", "new_path": "/memories/animals/dogs.md"},
    {"command": "rename", "old_path": "/memories/animals/dogs.md", "new_path": "/memories/민수.md"},
    {"command": "view", "path": "/memories/animals/dogs.md"},
    {"command": "view", "path": "/memories/none.md"},
    {"command": "delete", "path": "/memories/animals"},
    {"command": "delete", "path": "/memories/animals"},
    {"command": "view", "path": "/memories/animals/dogs.md"},
    {"command": "delete", "path": "/memories"},
]


def outcome(tool: Any, command: dict[str, Any]) -> str:
    try:
        return str(tool.call(command))
    except Exception as error:
        return f"error: {error}"


def test_the_memory_tool_answers_as_the_published_one(luna: Memory, tmp_path: Path) -> None:
    ours, theirs = SaegimMemoryTool(luna), BetaLocalFilesystemMemoryTool(str(tmp_path / "files"))
    assert ours.to_dict() == theirs.to_dict()
    for command in COMMANDS:
        expected = outcome(theirs, command)
        if command["command"] == "view" and command["path"] == "/memories":
            # The size of a folder depends on the disk.
            assert outcome(ours, command).split("\n")[0] == expected.split("\n")[0]
        else:
            assert outcome(ours, command) == expected, command
    assert "부산" not in outcome(ours, {"command": "view", "path": "/memories/민수.md"})


@pytest.mark.parametrize("path", ["/etc/passwd", "/memories/../x", "/memoriesx", "memories/a", "/memories/a/../../x"])
def test_no_path_leaves_the_folder(luna: Memory, path: str) -> None:
    assert outcome(SaegimMemoryTool(luna), {"command": "create", "path": path, "file_text": "x"}).startswith("error: ")
    assert len(luna.memories()) == 0


@pytest.mark.parametrize("text", ["", " \n", "\n앞\n\n", "  two spaces before, tab after\t"])
def test_a_file_keeps_its_exact_text(luna: Memory, text: str) -> None:
    tool = SaegimMemoryTool(luna)
    tool.call({"command": "create", "path": "/memories/a", "file_text": text})
    tool.call({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b/c"})
    shown = str(tool.call({"command": "view", "path": "/memories/b/c"})).split("\n")[1:]
    assert "\n".join(line.split("\t", 1)[1] for line in shown) == text


def test_files_can_be_recalled(luna: Memory) -> None:
    SaegimMemoryTool(luna).call({"command": "create", "path": "/memories/pets.md", "file_text": "The puppy is called Biscuit\n"})
    assert luna.recall("puppy name")[0].content == "The puppy is called Biscuit"
    assert "Biscuit" in luna.context("what is my puppy called?").text


def test_the_tool_runner_uses_the_memory_tool(luna: Memory, upstream: Upstream) -> None:
    upstream.answers = [Use("memory", COMMANDS[1]), "적어 두었어요."]
    question: Any = [{"role": "user", "content": "나 부산에 살아"}]
    runner = Anthropic().beta.messages.tool_runner(
        model="scripted", max_tokens=100, tools=[SaegimMemoryTool(luna)], messages=question
    )
    final = runner.until_done()
    assert final is not None and final.content[0].type == "text" and final.content[0].text == "적어 두었어요."
    assert upstream.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert "File created successfully" in str(upstream.asked[1]["messages"][-1])
    assert luna.recall("부산")[0].external_id == "/memories/민수.md"


def test_the_asynchronous_tool_runner(luna: Memory, upstream: Upstream) -> None:
    upstream.answers = [Use("memory", COMMANDS[1]), Use("memory", {"command": "view", "path": "/memories/no"}), "OK."]

    async def talk() -> None:
        question: Any = [{"role": "user", "content": "I live in Busan"}]
        client = AsyncAnthropic()
        runner = client.beta.messages.tool_runner(
            model="scripted", max_tokens=100, tools=[AsyncSaegimMemoryTool(luna)], messages=question
        )
        await runner.until_done()

    asyncio.run(talk())
    assert "does not exist" in str(upstream.asked[2]["messages"][-1]) and len(luna.memories()) == 1


def test_handle_answers_blocks(luna: Memory, upstream: Upstream) -> None:
    upstream.answers = [Use("remember", {"content": "My bicycle is red"}), Use("recall", {}), Use("memory", COMMANDS[15])]
    client, answers, given = Anthropic(), [], tools(luna)
    for _ in range(3):
        question: Any = [{"role": "user", "content": "hello"}]
        listed: Any = given
        answer = client.messages.create(model="scripted", max_tokens=100, tools=listed, messages=question)
        answers.append(handle(luna, answer.content[0]))
    assert luna.recall("bicycle")[0].content == "My bicycle is red"
    assert [answer.get("is_error", False) for answer in answers] == [False, True, True]
    assert all(answer["type"] == "tool_result" and answer["tool_use_id"] == "toolu_1" for answer in answers)
