"""A LangChain chain with memory. Imports ``langchain-core``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.prompt_values import PromptValue
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda

from .._errors import InvalidError
from .._memory import Memory
from .stellar import StellarMemory

QUERIES = ("input", "question", "query", "messages")
"""Keys of a dictionary that may hold what the user said, the first one counts."""


def _text(value: object) -> str:
    """Returns the text of a message, of the last one of a list, or of a chain's output."""
    if isinstance(value, BaseMessage):
        return str(value.text)
    if isinstance(value, PromptValue):
        return _text(value.to_messages())
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        for name in (*QUERIES, "output", "answer", "text", "content"):
            if name in fields:
                return _text(fields[name])
        return ""
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        items = cast("Sequence[object]", value)
        return _text(items[-1]) if items else ""
    return str(value)


def _with_context(given: object, context: str) -> object:
    """Returns the input of a chain with the context in it."""
    if isinstance(given, Mapping):
        fields = dict(cast("Mapping[str, object]", given))
        if "messages" in fields:
            fields["messages"] = _with_context(fields["messages"], context)
        return {**fields, "history": context}
    if not context:
        return given
    if isinstance(given, str):
        return f"{context}\n\n{given}"
    if isinstance(given, PromptValue):
        given = given.to_messages()
    if isinstance(given, Sequence):
        messages = list(cast("Sequence[object]", given))
        return [*messages[:-1], SystemMessage(context), *messages[-1:]]
    raise InvalidError(f"a chain with memory takes a text, messages or a dictionary, not {type(given).__name__}")


def wrapped(memory: Memory, chain: Runnable[Any, Any], budget: int) -> Runnable[Any, Any]:
    """Returns a chain with memory."""

    def prepared(given: object) -> tuple[str, object]:
        said = _text(given)
        context = memory.context(said, budget=budget).text if said.strip() else ""
        return said, _with_context(given, context)

    def learn(said: str, answer: object) -> None:
        if said.strip():
            memory.observe(user=said, assistant=_text(answer) or None)

    def call(given: object, config: RunnableConfig) -> object:
        said, asked = prepared(given)
        answer: object = chain.invoke(asked, config)
        learn(said, answer)
        return answer

    async def acall(given: object, config: RunnableConfig) -> object:
        said, asked = await asyncio.to_thread(prepared, given)
        answer: object = await chain.ainvoke(asked, config)
        await asyncio.to_thread(learn, said, answer)
        return answer

    return RunnableLambda(call, acall, name="saegim")


class StellarRetriever(BaseRetriever):
    """Retrieves memories as documents."""

    memory: Any
    k: int = 5

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = cast(StellarMemory, self.memory).recall(query, limit=self.k)
        return [Document(page_content=item.content, id=item.id, metadata={**item.metadata, "zone": item.zone}) for item in found]


def retriever(memory: StellarMemory, k: int) -> BaseRetriever:
    """Returns a retriever."""
    return StellarRetriever(memory=memory, k=k)
