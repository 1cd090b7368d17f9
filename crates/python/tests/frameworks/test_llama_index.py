"""LlamaIndex."""

from __future__ import annotations

import asyncio
from typing import Any

import llama_index.core.memory
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from saegim import Memory
from saegim.llama_index import SaegimMemoryBlock

from .stories import Story, learned


def test_the_documented_lines_remember(memory: Memory, story: Story, documented: Any) -> None:
    made = documented("llama_index", {"memory": memory, "question": story.question, "llama_index": llama_index})
    assert story.answer in made["nodes"][0].node.get_content() and made["nodes"][0].score > 0
    chat = made["chat"]

    async def asked() -> str:
        await chat.aput(ChatMessage(role=MessageRole.USER, content=story.question))
        return "\n".join(message.content or "" for message in await chat.aget())

    assert story.known in asyncio.run(asked())


def test_messages_that_leave_the_chat_are_learned(memory: Memory, story: Story) -> None:
    block = SaegimMemoryBlock(memory=memory)
    chat = llama_index.core.memory.Memory.from_defaults(memory_blocks=[block], token_limit=60, token_flush_size=20)

    async def talked() -> None:
        await chat.aput(ChatMessage(role=MessageRole.USER, content=story.news))
        await chat.aput(ChatMessage(role=MessageRole.ASSISTANT, content=story.reply))
        for number in range(6):
            await chat.aput(ChatMessage(role=MessageRole.USER, content=f"and then {number} other things happened to us on the way"))
            await chat.aput(ChatMessage(role=MessageRole.ASSISTANT, content=f"tell me more about all {number} of them, please"))

    asyncio.run(talked())
    assert learned(memory) == [story.learned]
    assert story.reply in [turn.content for turn in memory.turns()]


def test_a_context_is_cut_at_whole_lines(memory: Memory) -> None:
    block = SaegimMemoryBlock(memory=memory)
    text = "\n".join(f"line {number} of the context" for number in range(10))
    cut = asyncio.run(block.atruncate(text, 20))
    assert cut is not None and text.startswith(cut) and 0 < len(cut.splitlines()) < 10
    assert asyncio.run(block.atruncate(text, 10_000)) is None
    assert asyncio.run(block.aget([])) == ""
