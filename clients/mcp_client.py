"""Tests the official Python MCP SDK over both transports.

    mcp_client.py URL BINARY DATABASE
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

URL, BINARY, DATABASE = sys.argv[1:4]


def value(result):
    return json.loads(result.content[0].text)


async def use(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert {"add_memory", "search_memories", "get_context", "observe_turns", "forget_memory"} <= set(tools), sorted(tools)
    assert len(tools) == 10, sorted(tools)
    assert tools["search_memories"].annotations.read_only_hint and tools["forget_memory"].annotations.destructive_hint
    kept = value(await client.call_tool("add_memory", {"content": "우리 강아지 이름은 모찌야", "emotions": ["joy"]}))
    found = value(await client.call_tool("search_memories", {"query": "강아지 이름이 뭐지?"}))
    assert found["results"][0]["content"] == "우리 강아지 이름은 모찌야", found
    observed = value(await client.call_tool("observe_turns", {"messages": [
        {"role": "user", "content": "나 부산으로 이사했어"}, {"role": "assistant", "content": "바다가 가깝겠다!"}]}))
    assert observed["facts"][0]["value"] == "부산", observed
    context = value(await client.call_tool("get_context", {"message": "내가 어디 살지?", "budget": 400}))
    assert "부산" in context["text"]
    refused = await client.call_tool("add_memory", {"content": ""})
    assert refused.is_error and refused.content[0].text
    refused = await client.call_tool("update_memory", {"id": kept["id"], "tier": "M0"})
    assert refused.is_error, "an agent makes nothing core"
    facts = await client.read_resource("saegim://facts")
    assert "부산" in facts.contents[0].text
    prompt = await client.get_prompt("with_memory", {"message": "내가 어디 살지?"})
    assert "부산" in prompt.messages[0].content.text
    gone = value(await client.call_tool("forget_memory", {"id": kept["id"]}))
    assert gone["gone_at"]
    back = value(await client.call_tool("restore_memory", {"id": kept["id"]}))
    assert back["content"] == "우리 강아지 이름은 모찌야", back


async def main():
    async with Client(f"{URL}/mcp/luna/mcp-http") as client:
        await use(client)
    print("python mcp over http: works unchanged")
    server = StdioServerParameters(command=BINARY, args=["--db", DATABASE, "--mind", "mcp-stdio/luna", "mcp"])
    async with Client(server) as client:
        await use(client)
    print("python mcp over stdio: works unchanged")


asyncio.run(main())
