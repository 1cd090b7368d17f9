"""A server on loopback that speaks the protocols of OpenAI and Anthropic with scripted answers, and records what it is asked."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


KNOWN = [
    ("우리 강아지 이름은 모찌야", "우리 강아지 이름이 뭐였지?", "모찌"),
    ("My puppy is called Biscuit", "what is my puppy called?", "Biscuit"),
]
"""What is said, what is asked later, and what must be known: in Korean and in English."""


@dataclass(frozen=True)
class Use:
    """An answer that calls a tool."""

    name: str
    arguments: dict[str, Any]


@dataclass
class Upstream:
    """Answers, in order; when they run out, every answer is "OK."."""

    answers: list[str | Use] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    def next(self) -> str | Use:
        return self.answers.pop(0) if self.answers else "OK."


def chat_message(answer: str | Use) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"role": "assistant", "content": answer}
    call = {"id": "call_1", "type": "function", "function": {"name": answer.name, "arguments": json.dumps(answer.arguments)}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def chat(answer: str | Use) -> dict[str, Any]:
    ended = "stop" if isinstance(answer, str) else "tool_calls"
    choice = {"index": 0, "message": chat_message(answer), "finish_reason": ended}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "c1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice], "usage": usage}


def chat_events(answer: str | Use) -> list[dict[str, Any]]:
    def chunk(delta: dict[str, Any], ended: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": ended}
        return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", "choices": [choice]}

    if isinstance(answer, Use):
        calls = [{"index": 0, **call} for call in chat_message(answer)["tool_calls"]]
        return [chunk({"role": "assistant", "tool_calls": calls}), chunk({}, "tool_calls")]
    half = len(answer) // 2
    pieces = [chunk({"content": part}) for part in (answer[:half], answer[half:])]
    return [chunk({"role": "assistant"}), *pieces, chunk({}, "stop")]


def response(answer: str | Use) -> dict[str, Any]:
    item: dict[str, Any]
    if isinstance(answer, str):
        text = {"type": "output_text", "text": answer, "annotations": []}
        item = {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [text]}
    else:
        arguments = json.dumps(answer.arguments)
        item = {"type": "function_call", "id": "f1", "call_id": "call_1", "name": answer.name, "arguments": arguments, "status": "completed"}
    known = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "completed"}
    counts = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage = {**counts, "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {"id": "r1", "object": "response", "created_at": 1, "model": "scripted", "output": [item], "usage": usage, **known}


def response_events(answer: str | Use) -> list[dict[str, Any]]:
    whole = response(answer)
    place = {"item_id": "m1", "output_index": 0, "content_index": 0, "logprobs": []}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {**whole, "output": []}}]
    if isinstance(answer, str):
        events += [{"type": "response.output_text.delta", "delta": part, **place} for part in (answer[:2], answer[2:])]
    else:
        events.append({"type": "response.output_item.added", "output_index": 0, "item": whole["output"][0]})
    events.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def message(answer: str | Use) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": answer}
    if isinstance(answer, Use):
        block = {"type": "tool_use", "id": "toolu_1", "name": answer.name, "input": answer.arguments}
    ended = "end_turn" if isinstance(answer, str) else "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    kind = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted"}
    return {**kind, "content": [block], "stop_reason": ended, "stop_sequence": None, "usage": usage}


class Handler(BaseHTTPRequestHandler):
    upstream: Upstream
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.upstream.asked.append(asked)
        path, answer = self.path.partition("?")[0], self.upstream.next()
        whole, events = {
            "/v1/chat/completions": (chat, chat_events),
            "/v1/responses": (response, response_events),
            "/v1/messages": (message, None),
        }[path]
        if asked.get("stream") and events is not None:
            named = [(f"event: {event['type']}\n" if "type" in event else "", json.dumps(event)) for event in events(answer)]
            lines = [f"{name}data: {data}\n\n" for name, data in named]
            self.answer("text/event-stream", ("".join(lines) + "data: [DONE]\n\n" * (path == "/v1/chat/completions")).encode())
        else:
            self.answer("application/json", json.dumps(whole(answer)).encode())

    def answer(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing."""


def started() -> tuple[Upstream, ThreadingHTTPServer]:
    upstream = Upstream()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"upstream": upstream}))
    upstream.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return upstream, server
