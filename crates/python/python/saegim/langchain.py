"""LangChain: retriever, message history, tools, a runnable that remembers, and a middleware for agents.

    from saegim import Memory
    from saegim.langchain import SaegimMiddleware
    agent = create_agent(model, middleware=[SaegimMiddleware(Memory("luna.db"))])
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    convert_to_messages,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.prompt_values import PromptValue
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.runtime import Runtime

from ._adapters.mind import BUDGET, AnyMemory, blocking, briefing, learn
from ._adapters.tools import TOOLS, use
from ._adapters.transcript import Kept, Plain, Transcript
from ._memory import Memory

Output = TypeVar("Output")


class SaegimRetriever(BaseRetriever):
    """Retrieves memories as documents, best first, with score, time, zone and tags as metadata."""

    memory: Any
    """A ``Memory`` or an ``AsyncMemory``."""
    limit: int = 5
    """Maximum number of documents."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = blocking(self.memory).recall(query, limit=self.limit)
        return [
            Document(
                page_content=one.content,
                id=one.id,
                metadata={
                    "score": one.score,
                    "created_at": one.created_at.isoformat(),
                    "importance": one.importance,
                    "zone": one.zone,
                    "tags": list(one.tags),
                },
            )
            for one in found
        ]


class SaegimChatMessageHistory(BaseChatMessageHistory):
    """The messages of a session. What the user and the assistant say is learned from; calls of tools are only stored.

    ``clear`` withdraws the messages, with what was learned only from them.
    """

    def __init__(self, memory: AnyMemory, session_id: str) -> None:
        self._transcript = Transcript(blocking(memory), session_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        return [_message(item) for item in self._transcript.items()]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._transcript.add([_kept(message) for message in messages])

    def clear(self) -> None:
        self._transcript.clear()


def _kept(message: BaseMessage) -> Plain | Kept:
    content = cast(object, message.content)  # pyright: ignore[reportUnknownMemberType]
    if isinstance(content, str) and content:
        if isinstance(message, HumanMessage) and not message.name:
            return Plain("user", content)
        if isinstance(message, AIMessage) and not message.tool_calls and not message.name:
            return Plain("assistant", content)
    return Kept(message_to_dict(message))


def _message(item: Plain | Kept) -> BaseMessage:
    if isinstance(item, Kept):
        # A text with whitespace at its ends is kept with its role instead of a type.
        return convert_to_messages([item.item])[0] if "role" in item.item else messages_from_dict([item.item])[0]
    if item.role == "user":
        return HumanMessage(content=item.text)
    return AIMessage(content=item.text) if item.role == "assistant" else SystemMessage(content=item.text)


def tools(memory: AnyMemory) -> list[BaseTool]:
    """Returns the memory tools of an agent."""
    mind = blocking(memory)

    def made(name: str, description: str, parameters: dict[str, Any]) -> BaseTool:
        def run(**given: Any) -> str:
            answer, done = use(mind, name, given)
            if not done:
                raise ToolException(answer)
            return answer

        async def arun(**given: Any) -> str:
            return await asyncio.to_thread(run, **given)

        return StructuredTool(
            name=name, description=description, args_schema=parameters, func=run, coroutine=arun, handle_tool_error=True
        )

    return [made(tool.name, tool.description, tool.parameters) for tool in TOOLS]


def with_memory(
    runnable: Runnable[Any, Output], memory: AnyMemory, *, budget: int = BUDGET, session: str | None = None, input_key: str = "input"
) -> Runnable[Any, Output]:
    """Returns a runnable that remembers: it adds the context before each call and observes the exchange after it.

    A text or messages get the context as a system message. A dictionary, as a prompt template takes it, gets it as ``memory``;
    ``input_key`` names the user's message in it.
    """
    return _Remembering(runnable, blocking(memory), (budget, session, input_key))


class _Remembering(Runnable[Any, Output], Generic[Output]):
    """A runnable with a context before and an observation after each call."""

    def __init__(self, inner: Runnable[Any, Output], memory: Memory, settings: tuple[int, str | None, str]) -> None:
        self._inner = inner
        self._memory = memory
        self._budget, self._session, self._input_key = settings

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        said, briefed = self._start(input)
        answer = self._inner.invoke(briefed, config, **kwargs)
        self._learn(said, _text(answer))
        return answer

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        said, briefed = await asyncio.to_thread(self._start, input)
        answer = await self._inner.ainvoke(briefed, config, **kwargs)
        await asyncio.to_thread(self._learn, said, _text(answer))
        return answer

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Output]:
        said, briefed = self._start(input)
        pieces: list[str] = []
        for piece in self._inner.stream(briefed, config, **kwargs):
            pieces.append(_text(piece))
            yield piece
        self._learn(said, "".join(pieces))

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Output]:
        said, briefed = await asyncio.to_thread(self._start, input)
        pieces: list[str] = []
        async for piece in self._inner.astream(briefed, config, **kwargs):
            pieces.append(_text(piece))
            yield piece
        await asyncio.to_thread(self._learn, said, "".join(pieces))

    def _start(self, given: Any) -> tuple[str, Any]:
        """Returns what the user said, and the input with the context."""
        if isinstance(given, dict):
            fields = cast("dict[str, Any]", given)
            said = _said(fields.get(self._input_key))
            return said, {**fields, "memory": briefing(self._memory, said, self._budget)}
        messages = _messages(given)
        said = _said(messages)
        context = briefing(self._memory, said, self._budget)
        return said, _briefed(messages, context)

    def _learn(self, said: str, answer: str) -> None:
        learn(self._memory, said, answer, self._session)


class SaegimMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Gives an agent the context for the last user message, and observes the exchange when the agent is done.

    ``with_tools=True`` also gives it the memory tools. ``budget`` is the size of the context in tokens.
    """

    def __init__(self, memory: AnyMemory, *, budget: int = BUDGET, session: str | None = None, with_tools: bool = False) -> None:
        super().__init__()
        self._memory = blocking(memory)
        self._budget = budget
        self._session = session
        if with_tools:
            self.tools = tools(memory)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(self._briefed(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(await asyncio.to_thread(self._briefed, request))

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        messages: list[BaseMessage] = list(state["messages"])
        answer = messages[-1] if messages and isinstance(messages[-1], AIMessage) else None
        learn(self._memory, _said(messages), "" if answer is None else str(answer.text), self._session)

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _briefed(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        context = briefing(self._memory, _said(list(request.messages)), self._budget)
        if not context:
            return request
        given = "" if request.system_message is None else str(request.system_message.text)
        return request.override(system_message=SystemMessage(content=f"{given}\n\n{context}" if given else context))


def _briefed(messages: list[BaseMessage], context: str) -> list[BaseMessage]:
    """Returns the messages with the context in the system message, because some models accept only one."""
    if not context:
        return messages
    if messages and isinstance(messages[0], SystemMessage):
        return [SystemMessage(content=f"{_text(messages[0])}\n\n{context}"), *messages[1:]]
    return [SystemMessage(content=context), *messages]


def _messages(given: Any) -> list[BaseMessage]:
    if isinstance(given, str):
        return [HumanMessage(content=given)]
    if isinstance(given, PromptValue):
        return given.to_messages()
    return convert_to_messages([given] if isinstance(given, BaseMessage) else given)


def _said(given: Any) -> str:
    """Returns the text of the last message of the user."""
    if given is None:
        return ""
    said = next((message for message in reversed(_messages(given)) if isinstance(message, HumanMessage)), None)
    return _text(said)


def _text(answer: object) -> str:
    """Returns the text of an answer. Calls of tools have none."""
    if isinstance(answer, BaseMessage):
        return str(answer.text)
    return answer if isinstance(answer, str) else ""


__all__ = ["SaegimChatMessageHistory", "SaegimMiddleware", "SaegimRetriever", "tools", "with_memory"]
