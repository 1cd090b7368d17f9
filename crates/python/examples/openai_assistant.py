"""An assistant through the OpenAI client.  Run: python openai_assistant.py luna.db

A script on loopback stands in for the model, so that this runs offline. For a real one, use `OpenAI()` without arguments.
"""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from openai import OpenAI

from saegim import Memory
from saegim.openai import wrap


class Scripted(BaseHTTPRequestHandler):
    """Answers with the line of its instructions that mentions the puppy."""

    def do_POST(self) -> None:
        messages = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"]
        lines = [line for message in messages[:-1] for line in message["content"].splitlines()]
        answer = next((line for line in lines if "Mochi" in line), "I do not know yet.")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Scripted)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Memory(sys.argv[1] if len(sys.argv) > 1 else "luna.db", user="minsu", character="luna") as memory:
        client = wrap(OpenAI(base_url=f"http://127.0.0.1:{server.server_port}/v1", api_key="none"), memory)
        for said in ("My puppy is called Mochi.", "What is my puppy called?"):
            # Every question is a new conversation: what the assistant knows comes from the memory.
            answer = client.chat.completions.create(model="scripted", messages=[{"role": "user", "content": said}])
            print(f"minsu: {said}\nassistant: {answer.choices[0].message.content}")
    server.shutdown()


if __name__ == "__main__":
    main()
