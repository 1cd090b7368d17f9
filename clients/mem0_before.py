"""Tests the older mem0 1.0.4 client, which uses older endpoints.

    mem0_before.py URL FOLDER    the folder it is installed in
"""

import sys

URL, FOLDER = sys.argv[1:]
sys.path.insert(0, FOLDER)

import mem0  # noqa: E402

assert mem0.__version__.startswith("1."), mem0.__version__
client = mem0.MemoryClient(api_key="none", host=URL)
names = {"user_id": "하은"}
assert client.add("나는 걷기를 좋아한다", infer=False, **names)["results"][0]["memory"] == "나는 걷기를 좋아한다"
client.add("나는 헤엄치기를 좋아한다", infer=False, **names)
assert len(client.get_all(filters={"AND": [names]})["results"]) == 2
assert len(client.get_all(filters=names, page=2, page_size=1)["results"]) == 1
found = client.search("걷기", filters=names, threshold=0.1, top_k=1)["results"][0]
assert found["memory"] == "나는 걷기를 좋아한다", found
assert client.update(found["id"], text="나는 달리기를 좋아한다")["memory"] == "나는 달리기를 좋아한다"
steps = [(step["event"], step["old_memory"], step["new_memory"]) for step in client.history(found["id"])]
assert steps[-1] == ("UPDATE", "나는 걷기를 좋아한다", "나는 달리기를 좋아한다"), steps
client.delete(found["id"])
client.delete_users(**names)
print(f"mem0's MemoryClient of {mem0.__version__}, at the addresses of its time")
