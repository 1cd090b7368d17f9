"""Runs the published Python clients, unmodified, against a real server with their typical calls.

    clients.py URL
"""

import os
import sys

os.environ["MEM0_TELEMETRY"] = "False"

URL = sys.argv[1]


def mem0_platform():
    from mem0 import MemoryClient

    client = MemoryClient(api_key="any", host=URL)
    kept = client.add([{"role": "user", "content": "내 강아지 이름은 모찌야"}], user_id="mina", infer=False, metadata={"mood": "glad", "n": 3})
    assert kept["status"] == "SUCCEEDED" and kept["results"][0]["event"] == "ADD", kept
    memory_id = kept["results"][0]["id"]
    client.add("나는 땅콩 알레르기가 있어. 꼭 기억해", user_id="mina")
    found = client.search("강아지 이름", filters={"user_id": "mina"})["results"]
    assert found and found[0]["memory"] == "내 강아지 이름은 모찌야" and 0 < found[0]["score"] <= 1, found
    assert found[0]["metadata"] == {"mood": "glad", "n": 3}, found[0]
    assert client.search("강아지 이름", filters={"AND": [{"user_id": "somebody-else"}]})["results"] == []
    everything = client.get_all(filters={"user_id": "mina"})
    assert any("땅콩" in item["memory"] for item in everything["results"]), everything
    assert client.get(memory_id)["user_id"] == "mina"
    assert client.update(memory_id, text="강아지 모찌는 세 살이야")["memory"] == "강아지 모찌는 세 살이야"
    events = [entry["event"] for entry in client.history(memory_id)]
    assert events[:2] == ["ADD", "UPDATE"], events
    client.feedback(memory_id, feedback="POSITIVE")
    assert any(entity["name"] == "mina" for entity in client.users()["results"])
    assert "deleted" in client.delete(memory_id)["message"]
    client.add("루나와 바다에 갔다", user_id="mina", agent_id="luna", run_id="trip", infer=False)
    for filters in ({"user_id": "mina"}, {"agent_id": "luna"}, {"run_id": "trip"}, {"OR": [{"user_id": "mina"}, {"user_id": "nobody"}]}):
        assert "루나와 바다에 갔다" in [item["memory"] for item in client.get_all(filters=filters)["results"]], filters
    none = client.get_all(filters={"AND": [{"user_id": "mina"}, {"created_at": {"gte": "2100-01-01"}}]})
    assert none["count"] == 0 and none["results"] == [], none
    client.delete_all(user_id="mina")
    assert client.get_all(filters={"user_id": "mina"})["results"] == []
    assert not any(entity["name"] == "mina" for entity in client.users()["results"])
    client.add("곧 지워질 말", user_id="mina", infer=False)
    client.reset()
    assert client.users()["results"] == []


def openai():
    from openai import OpenAI

    client = OpenAI(base_url=f"{URL}/v1", api_key="any", default_headers={"X-Saegim-Character": "luna"})
    say = lambda text, **options: client.chat.completions.create(
        model="saegim", user="minsu", messages=[{"role": "user", "content": text}], **options)
    answer = say("내 이름은 민수야. 나는 부산에 살아")
    assert answer.choices[0].message.content and answer.usage.total_tokens > 0, answer
    streamed = say("내가 어디 산다고 했지?", stream=True, stream_options={"include_usage": True})
    chunks = list(streamed)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert "부산" in text, text
    assert chunks[-1].usage.total_tokens > 0
    assert [model.id for model in client.models.list()] == ["saegim"]
    try:
        client.chat.completions.create(model="saegim", messages=[])
        raise AssertionError("an empty talk was answered")
    except Exception as problem:
        assert getattr(problem, "status_code", None) == 400, problem


def langgraph():
    import asyncio

    from langgraph_sdk import get_client

    async def live():
        store = get_client(url=URL).store
        await store.put_item(("memories", "minsu"), key="pizza", value={"text": "피자를 정말 좋아해"})
        await store.put_item(("memories", "minsu"), key="profile", value={"age": 25, "tags": ["a", "b"]})
        await store.put_item(("memories", "jane"), key="tea", value={"text": "likes tea"})
        item = await store.get_item(("memories", "minsu"), key="profile")
        assert item["value"] == {"age": 25, "tags": ["a", "b"]} and item["namespace"] == ["memories", "minsu"], item
        found = await store.search_items(("memories", "minsu"), query="피자")
        assert [one["key"] for one in found["items"]] == ["pizza"], found
        found = await store.search_items(("memories",), filter={"age": {"$gte": 20}})
        assert [one["key"] for one in found["items"]] == ["profile"], found
        await store.put_item(("memories", "minsu"), key="pizza", value={"text": "이제 피자는 질렸어"})
        assert (await store.get_item(("memories", "minsu"), key="pizza"))["value"] == {"text": "이제 피자는 질렸어"}
        spaces = await store.list_namespaces(prefix=["memories"])
        assert sorted(spaces["namespaces"]) == [["memories", "jane"], ["memories", "minsu"]], spaces
        assert (await store.list_namespaces(prefix=["*", "jane"]))["namespaces"] == [["memories", "jane"]]
        await store.delete_item(("memories", "minsu"), key="pizza")
        assert await store.get_item(("memories", "minsu"), key="pizza") is None
        found = await store.search_items(("memories", "minsu"))
        assert [one["key"] for one in found["items"]] == ["profile"], found

    asyncio.run(live())


def anthropic():
    import httpx
    from anthropic.tools import BetaAbstractMemoryTool

    class Saegim(BetaAbstractMemoryTool):
        """The helper's interface, backed by the server."""

        def _run(self, command):
            body = command.model_dump(exclude_none=True) if hasattr(command, "model_dump") else dict(command)
            answer = httpx.post(f"{URL}/v1/minds/minsu%2Fluna/memory-tool", json=body).json()
            return answer.get("result") or answer["detail"]

        view = create = str_replace = insert = delete = rename = _run

    tool = Saegim()
    call = lambda **command: tool.call(command)
    call(command="create", path="/memories/친구.md", file_text="민지\n지훈")
    assert "민지" in call(command="view", path="/memories/친구.md")
    assert "/memories/친구.md" in call(command="view", path="/memories")
    call(command="str_replace", path="/memories/친구.md", old_str="지훈", new_str="수아")
    call(command="insert", path="/memories/친구.md", insert_line=1, insert_text="하준")
    text = call(command="view", path="/memories/친구.md")
    assert "수아" in text and text.index("하준") < text.index("수아"), text
    call(command="rename", old_path="/memories/친구.md", new_path="/memories/사람/친구.md")
    assert "does not exist" in call(command="view", path="/memories/친구.md")
    call(command="delete", path="/memories/사람")
    assert "친구" not in call(command="view", path="/memories")
    assert "would escape" in call(command="view", path="/memories/../../etc/passwd")


def webhooks():
    """Verifies webhook signatures with the standard library for receivers."""
    import queue
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    import httpx
    from standardwebhooks import Webhook, WebhookVerificationError

    calls = queue.Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            calls.put((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *words):
            pass

    receiver = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    mind = f"{URL}/v1/minds/minsu%2Fluna"
    made = httpx.post(f"{mind}/webhooks", json={"url": f"http://127.0.0.1:{receiver.server_port}/hook"}).raise_for_status().json()
    httpx.post(f"{mind}/turns", json={"messages": [{"role": "user", "content": "오늘 드디어 승진했어! 너무 기뻐!"}]}).raise_for_status()
    told = []
    while not any(event["event"] == "observe" for event in told):
        headers, body = calls.get(timeout=20)
        told += Webhook(made["secret"]).verify(body, {name.lower(): value for name, value in headers.items()})["events"]
    assert {"mood", "face"} <= {event["event"] for event in told}, told
    try:
        Webhook("whsec_" + "A" * 43 + "=").verify(body, {name.lower(): value for name, value in headers.items()})
        raise AssertionError("a forged signature was accepted")
    except WebhookVerificationError:
        pass
    assert httpx.get(f"{mind}/webhooks").json()["webhooks"][0].get("secret") is None
    ended = httpx.delete(f"{mind}/webhooks/{made['id']}").raise_for_status().json()
    assert ended["ended_at"], ended
    receiver.shutdown()


if __name__ == "__main__":
    for client in (mem0_platform, openai, langgraph, anthropic, webhooks):
        client()
        print(f"{client.__name__}: works unchanged")
