"""The calls of stellar-memory and the celestial engine. `tests/frameworks` compares with the published package."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from saegim import InvalidError, NotFoundError
from saegim.stellar import (
    CelestialMemory,
    MemoryItem,
    MemoryPlugin,
    OpenAIMemoryPlugin,
    Preset,
    StellarBuilder,
    StellarConfig,
    StellarLangChainMemory,
    StellarMemory,
)
from saegim.stellar.adapters import AnthropicAdapter, OpenAIAdapter


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StellarMemory]:
    monkeypatch.chdir(tmp_path)
    with StellarMemory() as made:
        yield made


def test_the_example_of_the_celestial_engine_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    memory = CelestialMemory()
    memory.store("파이썬은 1991년에 만들어졌다", importance=0.8)
    results = memory.recall("파이썬 역사")
    tools = OpenAIAdapter(memory).as_tools()
    assert results[0].content == "파이썬은 1991년에 만들어졌다" and results[0].arbitrary_importance == 0.8
    assert {tool["function"]["name"] for tool in tools} == {"celestial_store", "celestial_recall"}
    memory.close()
    with CelestialMemory() as again:
        assert [item.content for item in again.recall("when was 파이썬 made")] == ["파이썬은 1991년에 만들어졌다"]


@pytest.mark.parametrize(("text", "query"), [("강아지 모찌를 입양했어", "우리 강아지 이름이 뭐지?"), ("I adopted a puppy called Mochi", "my puppy's name")])
def test_a_memory_is_stored_recalled_and_forgotten(memory: StellarMemory, text: str, query: str) -> None:
    item = memory.store(text, importance=0.8, metadata={"topic": "pet", "age": 3, "tags": ["home"], "session_id": "monday"})
    found = memory.recall(query)
    assert [hit.id for hit in found] == [item.id] and found[0].recall_count == 1
    assert found[0].metadata == {"topic": "pet", "age": 3, "tags": ["home"], "session_id": "monday"}
    kept = memory.get(item.id)
    assert kept is not None and kept.recall_count == 1 and 0 <= kept.zone <= 4 and kept.last_recalled_at >= kept.created_at
    assert memory.forget(item.id) and not memory.forget(item.id) and memory.get(item.id) is None and not memory.recall(query)
    assert memory.saegim.restore(item.id).content == text


def test_a_metadata_text_is_never_cut(memory: StellarMemory) -> None:
    with pytest.raises(InvalidError, match="essay"):
        memory.store("hello there", metadata={"essay": "a" * 300})
    assert memory.stats().total_memories == 0


def test_users_do_not_see_each_other(memory: StellarMemory) -> None:
    minsu = memory.store("Minsu likes jazz music", user_id="minsu")
    memory.store("Mina likes rock music", user_id="mina")
    memory.store("music is playing in the hall")
    assert {item.content for item in memory.recall("music", user_id="minsu")} == {"Minsu likes jazz music", "music is playing in the hall"}
    assert [item.user_id for item in memory.recall("music")] == [None]
    assert not memory.forget(minsu.id, user_id="mina") and memory.get(minsu.id) is not None
    assert memory.stats().total_memories == 3
    with pytest.raises(InvalidError):
        memory.link(minsu.id, memory.recall("music")[0].id)


def test_links_lead_to_related_memories(memory: StellarMemory) -> None:
    first, second, third = (memory.store(text).id for text in ("rain in Seoul", "an umbrella was lost", "the bus was late"))
    memory.link(first, second)
    memory.link(second, third, "derived_from")
    assert [item.id for item in memory.related(first, depth=1)] == [second]
    assert [item.id for item in memory.related(first)] == [second, third]
    assert {link.kind for link in memory.saegim.get(second).links} == {"related", "distilled_from"}
    with pytest.raises(NotFoundError):
        memory.link(first, "nothing")


def test_an_export_is_imported_once_and_ids_stay(memory: StellarMemory, tmp_path: Path) -> None:
    stored = [memory.store(f"fact {number} about tea", importance=number / 4).id for number in range(4)]
    text = memory.export_json()
    assert json.loads(text)["count"] == 4 and memory.snapshot().total_memories == 4
    with StellarMemory(StellarConfig(db_path=str(tmp_path / "other.db"))) as other:
        assert (other.import_json(text), other.import_json(text)) == (4, 0)
        assert [other.get(id) is not None for id in stored] == [True] * 4
        assert {item["id"] for item in json.loads(other.export_json())["items"]} == set(stored)
        assert other.forget(stored[0]) and other.stats().total_memories == 3


def test_capacities_hold(tmp_path: Path) -> None:
    config = StellarConfig(db_path=":memory:")
    config.zones[0].max_slots = 2
    for zone, least in zip(config.zones, (0.0, -0.2, -0.3, -0.4)):
        zone.importance_min = least
    with StellarMemory(config) as memory:
        for number in range(6):
            memory.store(f"fact {number} about tea", importance=1.0)
        moved = memory.rebalance()
        stats = memory.stats()
        assert stats.zone_capacities[0] == 2 and stats.zone_counts[0] <= 2 and moved.total_items == 6
        folder = memory._place.path.parent
        assert folder.exists()
    assert not folder.exists()


def test_events_and_plugins_are_called(memory: StellarMemory) -> None:
    seen: list[str] = []

    class Plugin(MemoryPlugin):
        def on_pre_recall(self, query: str, **_options: object) -> str:
            return "puppy"

        def on_recall(self, query: str, results: list[MemoryItem]) -> list[MemoryItem]:
            return results[:1]

        def on_forget(self, memory_id: str) -> bool:
            return False

        def on_shutdown(self) -> None:
            seen.append("shutdown")

    memory.on("on_store", lambda item: seen.append(item.content))
    memory.on("on_store", lambda _item: 1 / 0)
    memory.use(Plugin())
    item = memory.store("a puppy called Mochi")
    memory.store("another puppy called Coco")
    assert len(memory.recall("something else")) == 1 and not memory.forget(item.id)
    memory.stop()
    assert seen == ["a puppy called Mochi", "another puppy called Coco", "shutdown"]
    with pytest.raises(InvalidError):
        memory.on("on_party", print)


def test_the_background_work_rebalances(memory: StellarMemory) -> None:
    done: list[int] = []
    memory.config.reorbit_interval = 0.01
    memory.on("on_reorbit", lambda result: done.append(result.total_items))
    memory.store("a puppy called Mochi")
    memory.start()
    memory.start()
    end = time.monotonic() + 30
    while len(done) < 2 and time.monotonic() < end:
        memory.recall("puppy")
    memory.stop()
    assert done[:2] == [1, 1]


def test_tools_carry_out_their_calls(memory: StellarMemory) -> None:
    plugin = OpenAIMemoryPlugin(memory)
    stored = json.loads(plugin.handle_call("memory_store", '{"content": "모찌는 강아지다", "importance": 0.7}'))
    found = json.loads(plugin.handle_call("memory_recall", '{"query": "모찌"}'))
    assert found[0]["id"] == stored["id"] and found[0]["importance"] == 0.7
    assert "모찌" in OpenAIAdapter(memory).handle_tool_call("celestial_recall", {"query": "모찌"})
    claude = AnthropicAdapter(memory)
    assert [tool["input_schema"]["required"] for tool in claude.as_mcp_tools()] == [["content"], ["query"]]
    assert claude.handle("celestial_recall", {"query": "모찌"})["memories"][0]["content"] == "모찌는 강아지다"
    assert claude.handle("celestial_store", {"content": "코코는 고양이다"})["zone"] in range(5)
    assert json.loads(plugin.handle_call("memory_forget", json.dumps({"memory_id": stored["id"]})))["removed"]
    assert "error" in claude.handle("celestial_dance", {})


def test_memory_variables_hold_what_matches(memory: StellarMemory) -> None:
    variables = StellarLangChainMemory(memory, memory_key="known")
    variables.save_context({"input": "내 강아지 이름은 모찌야"}, {"output": "귀엽다!"})
    assert "모찌" in variables.load_memory_variables({"input": "강아지 이름"})["known"]
    assert variables.load_memory_variables({}) == {"known": ""}


def test_a_builder_builds(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[stellar-memory]\npreset = "agent"\ndb_path = ":memory:"\n')
    builder = StellarBuilder(Preset.AGENT).with_memory().with_emotions().with_graph().with_zones(core=3).with_decay(0.001)
    with builder.build() as memory:
        assert memory.stats().zone_capacities == {0: 3, 1: 100, 2: 1000, 3: None, 4: None}
    for wrong in (lambda: builder.with_llm(provider="openai"), lambda: builder.with_postgres("postgres://x")):
        with pytest.raises(InvalidError):
            wrong()
    assert StellarBuilder.from_dict({"db_path": ":memory:", "preset": "unknown"})._preset == Preset.MINIMAL


def test_a_namespace_has_its_own_database(tmp_path: Path) -> None:
    def opened(namespace: str) -> StellarMemory:
        config = StellarConfig()
        config.namespace.base_path = str(tmp_path)
        return StellarMemory(config, namespace)

    with opened("one") as one, opened("two") as two:
        item = one.store("only in one")
        assert two.get(item.id) is None and (tmp_path / "one" / "memory.db").exists()
