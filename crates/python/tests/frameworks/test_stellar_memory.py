"""The published package stellar-memory 3.0.0: its files, and its own tests against saegim."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import stellar_memory
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from saegim.stellar import CelestialMemory, StellarMemory
from saegim.stellar.adapters import LangChainAdapter

from .stories import Story

PUBLISHED = ("stellar", "adapters", "builder", "namespace", "serializer")
PRESETS = ("minimal_creates_3_zones", "chat_enables_session_and_emotion", "agent_enables_full_intelligence")
KNOWLEDGE = ("knowledge_enables_graph_consolidation", "research_enables_vector_index")
FLUENT = (
    "embeddings_enables", "embeddings_custom_provider", "llm_enables", "emotions_enables", "graph_enables", "graph_custom_threshold",
    "reasoning_enables", "metacognition_enables", "self_learning_enables", "decay_sets_parameters",
)  # fmt: skip
NO_MEANING = {
    *(f"test_{name}" for name in (*PRESETS, *KNOWLEDGE)),
    *(f"test_with_{name}" for name in FLUENT),
    "test_from_dict_with_features",
    "test_store_recall_decay_reorbit",
}
"""Tests that read private switches of features that saegim always has or does not have, or the private storage of a zone."""


def adapted(source: str) -> str:
    """Changes the imports of a published test, and nothing else."""
    source = re.sub(r"^(\s*from )stellar_memory\.adapters\.\w+( import)", r"\1saegim.stellar.adapters\2", source, flags=re.M)
    return re.sub(r"^(\s*from )stellar_memory\b", r"\1saegim.stellar", source, flags=re.M)


def test_the_published_tests_pass_after_one_import_is_changed(tmp_path: Path) -> None:
    published = Path(os.environ["SAEGIM_STELLAR_TESTS"])
    for name in PUBLISHED:
        text = (published / f"test_{name}.py").read_text(encoding="utf-8")
        (tmp_path / f"test_{name}.py").write_text(adapted(text), encoding="utf-8")
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), f"--junitxml={report}", str(tmp_path)]
    subprocess.run(command, cwd=tmp_path, stdout=subprocess.DEVNULL, check=False)
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = {str(case.get("name")) for case in cases if len(case)}
    assert len(cases) == 68
    assert failed == NO_MEANING


WRITE = """
import json, sys, stellar_memory
memory = stellar_memory.StellarMemory(stellar_memory.StellarConfig(db_path="stellar_memory.db"))
ids = [memory.store(text, importance=importance, metadata={"topic": "life"}).id for text, importance in json.loads(sys.argv[1])]
memory.link(ids[1], ids[2], "contradicts")
memory.stop()
print(json.dumps([ids, memory.export_json()]))
"""
"""A program that uses the published package. It is a process of its own, because the package never closes its file."""


def written(folder: Path, story: Story) -> tuple[list[str], str]:
    """Lets the published package write a file and an export. Returns the ids and the export."""
    texts = ((story.known, 0.9), (story.news, 0.1), (story.reply, 0.1))
    run = subprocess.run([sys.executable, "-c", WRITE, json.dumps(texts)], cwd=folder, capture_output=True, text=True, check=True)
    ids, export = json.loads(run.stdout)
    return ids, export


def test_a_file_of_the_package_opens(tmp_path: Path, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    ids, export = written(tmp_path, story)
    monkeypatch.chdir(tmp_path)
    before = (tmp_path / "stellar_memory.db").read_bytes()
    with StellarMemory() as memory:
        # The package keeps its two inner zones in memory only, so the file does not have the important memory.
        assert memory.get(ids[0]) is None and memory.stats().total_memories == 2
        news = memory.get(ids[1])
        assert news is not None and (news.content, news.metadata, news.arbitrary_importance) == (story.news, {"topic": "life"}, 0.1)
        assert [item.id for item in memory.related(ids[1])] == [ids[2]]
        assert memory.import_json(export) == 1
        assert [item.id for item in memory.recall(story.question, limit=1)] == [ids[0]]
    with StellarMemory() as again:
        assert again.stats().total_memories == 3
    assert (tmp_path / "stellar_memory.db").read_bytes() == before


def test_the_package_reads_an_export(tmp_path: Path, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with StellarMemory() as memory:
        item = memory.store(story.known, importance=0.8, metadata={"topic": "pet"})
        export = memory.export_json()
    other: Any = stellar_memory.StellarMemory(stellar_memory.StellarConfig(db_path=":memory:"))
    assert other.import_json(export) == 1
    read = other.get(item.id)
    assert (read.content, read.metadata, read.arbitrary_importance) == (story.known, {"topic": "pet"}, 0.8)
    assert json.loads(export)["items"][0].keys() == json.loads(other.export_json())["items"][0].keys()


def test_a_chain_is_wrapped(tmp_path: Path, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen: list[Any] = []

    def model(asked: Any) -> str:
        seen.append(asked)
        return story.reply

    with CelestialMemory() as memory:
        memory.store(story.known, importance=0.8)
        chain = LangChainAdapter(memory).wrap(RunnableLambda(model))
        assert chain.invoke(story.question) == story.reply
        chain.invoke({"input": story.news})
        messages: list[BaseMessage] = [HumanMessage(story.question)]
        chain.invoke(messages)
        assert story.known in seen[0] and seen[0].endswith(story.question)
        assert seen[1]["input"] == story.news and story.known in LangChainAdapter(memory).as_retriever().invoke(story.question)[0].page_content
        assert story.known in seen[2][0].content and seen[2][1] is messages[0] and len(messages) == 1
        assert [fact.value for fact in memory.saegim.facts()] == [story.learned]
        assert [turn.content for turn in memory.saegim.turns()] == [story.question, story.reply, story.news, story.reply, story.question, story.reply]
        scripted = LangChainAdapter(memory).wrap(FakeListChatModel(responses=["hello"]))
        assert scripted.invoke(story.question).content == "hello"


def test_the_documented_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(os.environ.get("SAEGIM_DOCS") or Path(__file__).parents[4] / "docs") / "stellar.md"
    block = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)[0]
    monkeypatch.chdir(tmp_path)
    scope: dict[str, Any] = {"existing_chain": RunnableLambda(lambda asked: asked)}
    exec(block, scope)
    assert scope["results"][0].content == "파이썬은 1991년에 만들어졌다"
    assert "1991" in scope["chain"].invoke("파이썬은 언제 만들어졌어?")
    assert [tool["function"]["name"] for tool in scope["tools"]] == ["celestial_store", "celestial_recall"]
    scope["memory"].close()


def test_a_chain_is_wrapped_for_asyncio(tmp_path: Path, story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with CelestialMemory() as memory:
        memory.store(story.known, importance=0.8)
        chain = LangChainAdapter(memory).wrap(RunnableLambda(lambda asked: asked))
        assert story.known in asyncio.run(chain.ainvoke(story.question))
