"""Every method, over both transports through the same tests."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from conftest import Server
from saegim import (
    ConfirmationError,
    FoundMemory,
    InvalidError,
    Memory,
    NotFoundError,
    ProgressBar,
    Results,
    SaegimError,
    UnreachableError,
)

PUPPY = {"ko": ("강아지 모찌를 입양했어", "우리 강아지 이름이 뭐지?", "모찌"), "en": ("I adopted a puppy called Mochi", "what is my puppy called?", "Mochi")}


@pytest.mark.parametrize("language", PUPPY)
def test_what_is_stored_is_recalled(memory: Memory, language: str) -> None:
    text, question, name = PUPPY[language]
    stored = memory.store(text, importance=0.8, tags=["pet"])
    memory.store("파이썬은 1991년에 만들어졌다")
    found = memory.recall(question)
    assert isinstance(found[0], FoundMemory)
    assert found[0].id == stored.id and name in found[0].content
    assert found[0].score == pytest.approx(sum(part.weight * part.value for part in found[0].parts), abs=1e-3)
    assert [hit.id for hit in memory.recall(question, tag="pet")] == [stored.id]
    assert not memory.recall(question, tag="food")
    assert found.degraded is None and 0 <= found.confidence <= 1


@pytest.mark.parametrize(
    ("said", "subject", "value"), [("나 부산에 살아", "residence", "부산"), ("I live in Busan.", "residence", "Busan"), ("My name is Minsu.", "name", "Minsu")]
)
def test_a_message_becomes_a_fact(memory: Memory, said: str, subject: str, value: str) -> None:
    seen = memory.observe(user=said, assistant="ok")
    assert [(fact.subject, fact.value) for fact in seen.facts] == [(subject, value)]
    assert [(fact.subject, fact.value) for fact in memory.facts()] == [(subject, value)]
    assert value in memory.context("what do you know about me?", budget=800).text
    assert [turn.role for turn in memory.turns()] == ["user", "assistant"]
    assert seen.turns[0].at.tzinfo is not None


def test_an_exchange_with_a_key_is_taken_once(memory: Memory) -> None:
    first = memory.observe(user="나 부산에 살아", idempotency_key="one")
    again = memory.observe(user="나 부산에 살아", idempotency_key="one")
    assert (first.repeated, again.repeated) == (False, True)
    assert len(memory.turns()) == 1


def test_a_memory_is_edited_rated_pinned_forgotten_and_restored(memory: Memory) -> None:
    stored = memory.store("Mochi is a cat")
    assert memory.edit(stored.id, content="Mochi is a puppy", tags=["pet"]).content == "Mochi is a puppy"
    assert memory.rate(stored.id, 5).rating == 5
    assert memory.pin(stored.id).pinned and not memory.unpin(stored.id).pinned
    forgotten = memory.forget(stored.id)
    assert forgotten.gone_at is not None and not memory.recall("Mochi")
    assert [(entry.id, entry.reason) for entry in memory.cliff()] == [(stored.id, "manual")]
    assert memory.restore(stored.id).id == stored.id and memory.recall("Mochi")[0].id == stored.id
    assert {entry.operation for entry in memory.get(stored.id).history} >= {"remember", "edit", "rate", "pin", "forget", "restore"}
    assert memory.forget(stored.id, erase=True).erased is not None
    with pytest.raises(NotFoundError):
        memory.get(stored.id)


def test_lists_have_pages(memory: Memory) -> None:
    stored = [memory.store(f"fact number {number} about tea").id for number in range(7)]
    first = memory.memories(limit=4)
    rest = memory.memories(limit=4, before=first[-1].id)
    assert [item.id for item in (*first, *rest)] == stored[::-1]


def test_a_proposal_is_decided_by_the_owner(memory: Memory) -> None:
    proof = memory.store("나는 비 오는 날에 산책했다", tier="M365")
    proposal = memory.propose_belief("나는 비 오는 날을 좋아한다", evidence=[proof.id])
    assert memory.self().waiting == 1 and memory.proposals(status="pending")[0].id == proposal.id
    assert memory.approve(proposal).version is not None
    current = memory.self().current
    assert current is not None and [belief.statement for belief in current.beliefs] == ["나는 비 오는 날을 좋아한다"]
    assert "비 오는 날" in memory.soul()
    assert memory.undo(proposal).proposal.status == "undone"
    assert memory.reject(memory.propose_core(proof.id).id).proposal.status == "rejected"


def test_views_of_a_mind(memory: Memory) -> None:
    memory.observe(user="내 동생 이름은 지우야", assistant="반가워!")
    memory.store("우리는 부산에서 바다를 봤다", importance=0.9)
    assert [person.name for person in memory.people()] == ["지우"]
    assert memory.relationship().level == "stranger" and memory.mood().face.keys() == {"neutral", "sad", "happy", "angry"}
    assert {event.type for event in memory.timeline(turns=True)} >= {"turn", "memory"}
    assert [zone.zone for zone in memory.zones()] == ["core", "inner", "outer", "belt", "cloud"]
    assert memory.stats().memories == sum(zone.count for zone in memory.zones())
    assert not memory.islands() and memory.rebalance("바다") is not None
    assert memory.key in {mind.key for mind in memory.minds()}
    imagined = memory.imagine()
    assert memory.feedback(imagined.id, liked=True).liked and memory.imaginations()[0].id == imagined.id


def test_the_ledger_is_whole(memory: Memory) -> None:
    memory.store("We met in Seoul")
    entries = memory.ledger()
    assert [entry.operation for entry in entries] == ["begin", "remember"]
    verdict = memory.verify_ledger()
    assert verdict.whole and verdict.entries == 2 and verdict.head == entries[-1].hash


def test_a_bundle_moves_a_mind(memory: Memory, tmp_path: Path) -> None:
    memory.store("우리는 서울에서 만났다", tags=["seoul"])
    memory.observe(user="나 부산에 살아", assistant="좋겠다")
    bundle = tmp_path / "mind.jsonl"
    memory.export(bundle)
    with Memory(tmp_path / "other.db", user="minsu", character="nova") as other:
        done = other.import_(bundle)
        assert done.imported == memory.stats().memories and done.turns == 2 and not done.left_out
        assert other.recall("서울에서 만났다")[0].content == "우리는 서울에서 만났다"
        assert [fact.value for fact in other.facts()] == ["부산"]


def test_a_file_of_another_program_is_imported(memory: Memory, tmp_path: Path) -> None:
    user = memory.key.partition("/")[0]
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps([{"id": "1", "memory": "Minsu likes mint tea", "user_id": user}]), encoding="utf-8")
    assert memory.import_(file, "mem0", tier="M90").imported == 1
    assert memory.import_(file, "mem0").known == 1
    assert memory.recall("mint tea")[0].tier == "M90"


def test_errors_say_who_must_act(memory: Memory) -> None:
    with pytest.raises(InvalidError) as invalid:
        memory.store("   ")
    assert invalid.value.status == 400 and isinstance(invalid.value, ValueError)
    with pytest.raises(NotFoundError) as missing:
        memory.get("01900000-0000-7000-8000-000000000000")
    assert isinstance(missing.value, LookupError)
    with pytest.raises(InvalidError):
        memory.recall("tea", limit=0)
    with pytest.raises(ConfirmationError):
        memory.erase(yes="someone/else")
    with pytest.raises(InvalidError):
        memory.observe()


def test_a_mind_is_erased(memory: Memory) -> None:
    memory.store("We met in Seoul")
    assert memory.erase(yes=memory.key).memories == 1
    assert not memory.memories() and memory.verify_ledger().whole


def test_minds_do_not_see_each_other(memory: Memory) -> None:
    memory.store("Minsu likes jazz")
    other = memory.mind(user="mina/가", character="루나")
    other.store("Mina likes rock")
    assert [found.content for found in memory.recall("music jazz rock")] == ["Minsu likes jazz"]
    assert [found.content for found in other.recall("music jazz rock")] == ["Mina likes rock"]


def test_results_are_tables_in_a_notebook(memory: Memory) -> None:
    memory.store("<b>tea</b> & milk")
    table = memory.recall("tea milk")._repr_html_()
    assert "<th>content</th>" in table and "&lt;b&gt;tea&lt;/b&gt; &amp; milk" in table
    assert Results(())._repr_html_() == "<p><em>0</em></p>"


def test_due_jobs_run(memory: Memory) -> None:
    memory.store("I lost my umbrella")
    assert memory.tick().expired == 0


def test_a_story_clock_decides_what_expires(path: Path) -> None:
    clock = datetime(2031, 3, 1, 12, tzinfo=timezone.utc)
    with Memory(path, user="player", character="npc", now=lambda: clock) as memory:
        stored = memory.store("the player bought bread")
        assert stored.created_at == clock
        clock += timedelta(days=40)
        assert memory.tick().expired == 1 and not memory.recall("bread")
        memory.now = clock + timedelta(days=8)
        assert memory.tick().gone == 1 and not memory.cliff()
        memory.now = None
        assert memory.store("back to today").created_at.year >= 2026 and memory.now is None


def test_a_server_keeps_its_own_clock_and_files(server: Server) -> None:
    memory = Memory(url=server.url)
    with pytest.raises(InvalidError):
        memory.now = datetime(2031, 1, 1)
    with pytest.raises(InvalidError):
        memory.backup("copy.db")


def test_a_memory_needs_one_place(path: Path) -> None:
    for wrong in ({}, {"path": path, "url": "http://127.0.0.1:1"}, {"url": "ftp://x"}, {"url": "http://127.0.0.1:1", "model": "x"}, {"path": path, "embedder": "x"}):
        with pytest.raises(InvalidError):
            Memory(**wrong)  # type: ignore[arg-type]


def test_a_server_that_is_not_there(path: Path) -> None:
    with pytest.raises(UnreachableError) as unreachable:
        Memory(url="http://127.0.0.1:9", timeout=5).store("hello")
    assert isinstance(unreachable.value, ConnectionError) and "saegim serve" in str(unreachable.value)


def test_a_database_that_cannot_be_read(path: Path) -> None:
    path.write_text("this is not a database, it is a text that someone gave this name")
    with pytest.raises(SaegimError):
        Memory(path).store("hello")


def test_a_backup_is_a_whole_database(path: Path, tmp_path: Path) -> None:
    with Memory(path, user="minsu", character="luna") as memory:
        memory.store("We met in Seoul")
        assert memory.backup(tmp_path / "copy.db").backup.endswith("copy.db")
    with Memory(tmp_path / "copy.db", user="minsu", character="luna") as copy:
        assert copy.recall("Seoul")[0].content == "We met in Seoul"


def test_an_agent_has_fewer_rights_than_the_owner(path: Path) -> None:
    with Memory(path, principal="agent") as memory:
        memory.store("hello there")
        with pytest.raises(PermissionError):
            memory.export()


def test_a_closed_memory_says_so(path: Path) -> None:
    memory = Memory(path)
    memory.close()
    memory.close()
    with pytest.raises(InvalidError, match="closed"):
        memory.store("hello")


def test_progress_is_reported_and_may_stop_the_work(path: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    with Memory(path) as memory:
        report = memory.simulate(days=4, turns_per_day=4, language="en", progress=lambda done, total: seen.append((done, total))).report
        assert report["days"] == 4 and seen[-1][1] == 4 and len(seen) >= 4

        def stop(done: int, total: int | None) -> None:
            raise KeyError("enough")

        with pytest.raises(KeyError, match="enough"):
            memory.simulate(days=4000, turns_per_day=40, language="en", progress=stop)
        file = tmp_path / "mem0.json"
        file.write_text(json.dumps([{"id": str(number), "memory": f"fact {number}", "user_id": "me"} for number in range(450)]))
        bar = ProgressBar("import")
        assert memory.import_(file, "mem0", progress=bar).imported == 450
        assert bar.text.endswith("450/450")
