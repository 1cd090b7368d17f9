import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import {
  ChangedError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  ProposedError,
  RateLimitError,
  Saegim,
  UnauthorizedError,
} from "saegim";
import { binary, collected, serve } from "./server.js";

const server = await serve();
const { url } = server;
let minds = 0;

/** A client for a mind that no other test uses. */
function fresh(): Saegim {
  return new Saegim({ url, user: "minsu", character: `luna-${minds++}` });
}

test("a stored memory is recalled in Korean and in English", async () => {
  const memory = fresh();
  const stored = await memory.store("파이썬은 1991년에 만들어졌다", { importance: 0.8, tags: ["언어"] });
  await memory.store("I adopted a puppy called Mochi", { emotions: ["joy"], intensity: 0.9 });
  assert.equal(stored.etag, '"0"');
  assert.deepEqual(stored.tags, ["언어"]);
  const korean = await memory.recall("파이썬 역사", { limit: 1 });
  assert.equal(korean.results[0]?.id, stored.id);
  assert.ok(korean.results[0]?.parts.every((part) => part.name && Number.isFinite(part.value)));
  const english = await memory.recall("what is my puppy called?", { filter: { emotion: "joy" } });
  assert.match(english.results[0]?.content ?? "", /Mochi/);
});

test("a memory is read, edited, forgotten, restored and erased", async () => {
  const memory = fresh();
  const { id } = await memory.store("회사에서 승진했어");
  const read = await memory.get(id);
  assert.equal(read.content, "회사에서 승진했어");
  const edited = await memory.edit(id, { content: "팀장으로 승진했어", rating: 5, pinned: true }, { ifMatch: read.etag });
  assert.deepEqual([edited.content, edited.rating, edited.pinned], ["팀장으로 승진했어", 5, true]);
  await assert.rejects(memory.edit(id, { rating: 1 }, { ifMatch: read.etag }), ChangedError);
  assert.ok((await memory.history(id)).entries.some((entry) => entry.operation === "edit"));

  await memory.edit(id, { pinned: false });
  const forgotten = await memory.forget(id);
  assert.equal(forgotten.memory, id);
  assert.deepEqual(
    (await memory.cliff().all()).map((fallen) => fallen.id),
    [id],
  );
  assert.equal((await memory.restore(id)).on_cliff, false);
  assert.deepEqual(await memory.cliff().all(), []);
  const erased = await memory.forget(id, { erase: true });
  assert.equal(erased.erased?.memories, 1);
  await assert.rejects(memory.get(id), NotFoundError);
});

test("an exchange becomes facts, people, turns and a context", async () => {
  const memory = fresh();
  const observed = await memory.observe(
    { user: "나는 부산에 살아. 우리 강아지 이름은 모찌야", assistant: "모찌라니, 귀엽다!" },
    { session: "첫 만남" },
  );
  assert.deepEqual(
    observed.turns.map((turn) => turn.role),
    ["user", "assistant"],
  );
  assert.ok(observed.facts.some((fact) => fact.value.includes("부산")));
  await memory.observe([{ role: "user", content: "I moved to Seoul last week", speaker: "민수" }], { session: "second" });

  const facts = await memory.facts();
  assert.ok(facts.facts.length > 0 && facts.statements.length > 0);
  assert.ok((await collected(memory.people())).some((person) => person.name === "모찌"));
  const context = await memory.context("강아지랑 어디 갈까?", { budget: 400 });
  assert.match(context.text, /모찌/);
  assert.ok(context.tokens <= 400);
  assert.deepEqual(
    (await memory.turns({ session: "첫 만남" })).turns.map((turn) => turn.content),
    observed.turns.map((turn) => turn.content),
  );

  const puppy = observed.turns[0]!.id;
  assert.deepEqual((await memory.reword(puppy, "나는 대전에 살아")).turns.length > 0, true);
  assert.ok((await memory.withdraw(puppy)).turns.includes(puppy));
  assert.ok(!(await collected(memory.turns())).some((turn) => turn.id === puppy));
});

test("a fact is set and ended", async () => {
  const memory = fresh();
  await memory.store("시작");
  assert.equal((await memory.setFact("residence", "부산")).value, "부산");
  assert.equal((await memory.endFact("residence")).facts[0]?.current, false);
  assert.deepEqual((await memory.facts()).facts, []);
  assert.equal((await memory.facts({ history: true })).facts.length, 1);
});

test("the relationship, mood, zones and timeline are read", async () => {
  const memory = fresh();
  await memory.observe({ user: "오늘 정말 행복해! 고마워", assistant: "나도 기뻐!" });
  const relationship = await memory.relationship({ limit: 5 });
  assert.ok(relationship.familiarity >= 0 && relationship.level);
  const face = (await memory.mood()).face;
  assert.equal(face.neutral + face.happy + face.sad + face.angry, 1);
  assert.deepEqual(
    (await memory.zones()).zones.map((zone) => zone.zone),
    ["core", "inner", "outer", "belt", "cloud"],
  );
  assert.ok(Array.isArray((await memory.rebalance({ context: "행복" })).moved));
  const moments = await memory.timeline({ turns: true });
  assert.ok(moments.moments.some((moment) => moment.type === "turn" && moment.turn.content.includes("행복")));
});

test("a core memory waits for approval, and a decision applies only to what was shown", async () => {
  const memory = fresh();
  const { id } = await memory.store("민수가 처음 이름을 지어줬다");
  const proposal = await memory.propose({ what: "core", memory: id });
  assert.deepEqual(
    (await memory.proposals({ status: "pending" }).all()).map((one) => one.id),
    [proposal.id],
  );
  await assert.rejects(memory.approve({ id: proposal.id, digest: "0".repeat(64) }));
  const decided = await memory.approve(proposal);
  assert.equal(decided.proposal.status, "approved");
  assert.equal((await memory.get(id)).tier, "M0");
  const belief = await memory.propose({ what: "belief", text: "나는 이름을 소중히 여기는 사람이다", evidence: [id] });
  assert.equal((await memory.reject(belief)).proposal.status, "rejected");
  assert.equal((await memory.undo(proposal.id)).proposal.status, "undone");
  assert.equal((await memory.self()).current ?? null, null);
  assert.match((await memory.soul()).text, /Personality Islands/);
  assert.deepEqual(await memory.islands().all(), []);
  assert.deepEqual(await memory.selfVersions().all(), []);
});

test("the character imagines until its daily limit, which says how long to wait", async () => {
  const memory = fresh();
  await memory.store("비 오는 날 카페에서 코코아를 마셨다", { importance: 0.9, emotions: ["joy"] });
  const imagined = await memory.imagine({ trigger: "context", context: "비 오는 저녁" });
  assert.ok(imagined.scenario);
  assert.equal((await memory.feedback(imagined.id, { liked: true })).liked, true);
  assert.deepEqual(
    (await memory.imaginations().all()).map((one) => one.id),
    [imagined.id],
  );
  const more = async () => {
    for (;;) await memory.imagine({ trigger: "context", context: "비 오는 저녁" });
  };
  await assert.rejects(more(), (error) => error instanceof RateLimitError && (error.retryAfter ?? 0) > 60);
});

test("the ledger, the counts and the export agree", async () => {
  const memory = fresh();
  assert.equal(await memory.exists(), false);
  for (const text of ["하나", "둘", "셋"]) await memory.store(text);
  const stats = await memory.stats();
  const entries = await collected(memory.ledger({ limit: 2 }));
  assert.deepEqual(
    entries.map((entry) => entry.sequence),
    Array.from({ length: stats.entries }, (_, index) => index + 1),
  );
  const verified = await memory.verify();
  assert.deepEqual([verified.whole, verified.entries, verified.head], [true, stats.entries, entries.at(-1)?.hash]);
  const lines = (await memory.export())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(lines.filter((line) => line.type === "memory").length, 3);
  assert.equal((await memory.erase()).memories, 3);
  await assert.rejects(memory.memories().all(), NotFoundError);
});

test("an export is imported into another mind, once", async () => {
  const memory = fresh();
  await memory.store("파이썬은 1991년에 만들어졌다");
  await memory.observe({ user: "I live in Busan", assistant: "Lovely." });
  const bundle = await memory.export();
  const copy = fresh();
  const imported = await copy.import(bundle);
  const stored = (await memory.memories().all()).length;
  assert.deepEqual([imported.imported, imported.turns], [stored, 2]);
  assert.match((await copy.recall("파이썬")).results[0]?.content ?? "", /1991/);
  assert.deepEqual([(await copy.import(bundle)).imported, (await copy.memories().all()).length], [0, stored]);
  const foreign = await copy.import(JSON.stringify({ memories: [{ id: "1", memory: "민수는 등산을 좋아한다" }] }), {
    format: "mem0",
    tier: "M90",
  });
  assert.equal(foreign.imported, 1);
  assert.equal((await copy.recall("등산", { limit: 1 })).results[0]?.tier, "M90");
  assert.equal((await copy.tick()).expired, 0);
});

test("a list fetches its pages as they are needed", async () => {
  const memory = fresh();
  for (const number of [1, 2, 3, 4, 5]) await memory.store(`memory number ${number}`);
  const first = await memory.memories({ limit: 2 });
  assert.deepEqual(
    first.memories.map((one) => one.content),
    ["memory number 5", "memory number 4"],
  );
  const all = await collected(memory.memories({ limit: 2 }));
  assert.deepEqual(
    all.map((one) => one.content.at(-1)),
    ["5", "4", "3", "2", "1"],
  );
  assert.equal((await collected(memory.memories({ limit: 2 }).pages())).length, 3);
  assert.equal((await memory.memories({ limit: 2 }).all(3)).length, 3);
});

test("names with any letters name different minds", async () => {
  const names = ["a/b", "a%2Fb", "50%", "김 민수", "*", "100% / 새벽"];
  for (const user of names) {
    const memory = new Saegim({ url, user, character: "루나", work: "별빛 극장" });
    await memory.store(`I am ${user}`);
    const { user: stored, character, work } = await memory.stats();
    assert.deepEqual([stored, character, work], [user, "루나", "별빛 극장"]);
    assert.deepEqual(
      (await memory.memories()).memories.map((one) => one.content),
      [`I am ${user}`],
    );
  }
  const listed = (await collected(fresh().minds({ limit: 3 }))).map((mind) => mind.user);
  assert.ok(names.every((name) => listed.includes(name)));
  const other = fresh().with({ user: "김 민수", character: "루나", work: "별빛 극장" });
  assert.equal((await other.memories().all()).length, 1);
});

test("errors say what happened and what to do, in both languages", async () => {
  const english = new Saegim({ url, user: "stranger" });
  await assert.rejects(english.stats(), (error) => {
    assert.ok(error instanceof NotFoundError);
    assert.deepEqual([error.status, error.title, error.type], [404, "not found", "urn:saegim:problem:not-found"]);
    assert.match(error.detail, /does not exist/);
    assert.match(error.hint ?? "", /POST \/v1\/minds/);
    assert.ok(error.requestId && error.message.includes(error.hint ?? "-"));
    return true;
  });
  const korean = new Saegim({ url, user: "stranger", language: "ko" });
  await assert.rejects(korean.stats(), (error) => error instanceof NotFoundError && /[가-힣]/.test(error.detail));
  await assert.rejects(fresh().store(""), InvalidError);
  await assert.rejects(fresh().store("x", { importance: 7 }), InvalidError);
});

test("a key is sent and limits what its holder may do", async () => {
  const keyed = await serve();
  const made = (...words: string[]) =>
    execFileSync(binary, [...keyed.database, "--json", "keys", "new", ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const owner: unknown = JSON.parse(made("owner"));
  const key = (owner as { key: string }).key;
  await assert.rejects(new Saegim({ url: keyed.url }).store("x"), UnauthorizedError);
  const memory = new Saegim({ url: keyed.url, key });
  const { id } = await memory.store("주인이 적은 기억", { tier: "M365" });
  const agent = await memory.call("POST /v1/keys", { body: { principal: "agent", minds: ["me/assistant"] } });
  const limited = new Saegim({ url: keyed.url, key: agent.key! });
  assert.equal((await limited.get(id)).content, "주인이 적은 기억");
  await assert.rejects(limited.erase(), ForbiddenError);

  // An agent may forget a few memories a day. After that its deletions are proposals for the owner.
  const ids: string[] = [];
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) ids.push((await limited.store(`잡담 ${number}`)).id);
  const forgetting = async () => {
    for (const one of ids) await limited.forget(one);
  };
  await assert.rejects(forgetting(), (error) => error instanceof ProposedError && error.status === 202);
  const [proposal] = await memory.proposals({ status: "pending" }).all();
  const wanted = proposal?.evidence[0] ?? "";
  assert.ok(proposal?.kind === "forget" && ids.includes(wanted));
  assert.equal((await memory.get(wanted)).on_cliff, false);
  assert.equal((await memory.approve(proposal)).proposal.status, "approved");
  assert.equal((await memory.get(wanted)).on_cliff, true);
});
