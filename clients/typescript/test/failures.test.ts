// What happens when connections break, servers are busy, and calls are cancelled.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { after, test } from "node:test";
import {
  AnswerLostError,
  type ChatEvent,
  ConnectionError,
  InvalidError,
  ProposedError,
  RateLimitError,
  Saegim,
  SaegimError,
  ServerError,
  TimeoutError,
} from "saegim";
import { type Fault, answerWith, collected, cutAfter, loseAnswer, passOn, serve, unreliable } from "./server.js";

const server = await serve();
let minds = 0;

/** A client behind a proxy with these faults, and one that reaches the server directly. */
async function behind(...faults: Fault[]) {
  const proxy = await unreliable(server, faults);
  const names = { user: "minsu", character: `luna-${minds++}` };
  return { memory: new Saegim({ url: proxy.url, ...names }), direct: new Saegim({ url: server.url, ...names }), seen: proxy.seen };
}

test("a write whose answer was lost is repeated and happens once", async () => {
  const writes = [
    { write: (memory: Saegim) => memory.store("한 번만 저장"), count: async (memory: Saegim) => (await memory.memories().all()).length },
    {
      write: (memory: Saegim) => memory.observe({ user: "say it once", assistant: "once" }),
      count: async (memory: Saegim) => (await memory.turns().all()).length / 2,
    },
  ];
  for (const { write, count } of writes) {
    const { memory, direct, seen } = await behind(loseAnswer, loseAnswer);
    await write(memory);
    assert.equal(seen.length, 3);
    assert.equal(new Set(seen.map((request) => request.headers["idempotency-key"])).size, 1);
    assert.equal(await count(direct), 1);
  }
});

test("a rating whose answer was lost gets the same answer again", async () => {
  const { memory, direct } = await behind(loseAnswer);
  const { id } = await direct.store("별점");
  assert.equal((await memory.edit(id, { rating: 4 })).rating, 4);
  assert.equal((await direct.history(id)).entries.filter((entry) => entry.operation === "rate").length, 1);
});

test("reads carry no idempotency key, writes carry the given one", async () => {
  const { memory, seen } = await behind();
  await memory.store("하나", { idempotencyKey: "first" });
  await memory.store("하나", { idempotencyKey: "first" });
  assert.equal((await memory.memories().all()).length, 1);
  await memory.recall("하나");
  await memory.context("하나");
  await memory.recall("하나", { used: true });
  assert.deepEqual(
    seen.map((request) => Boolean(request.headers["idempotency-key"])),
    [true, true, false, false, false, true],
  );
});

test("a busy server is asked again after the time it names", async () => {
  const { memory, seen } = await behind(answerWith(503, { "retry-after": "1" }), answerWith(429, { "retry-after": "0" }));
  const before = performance.now();
  await memory.store("기다림");
  assert.equal(seen.length, 3);
  assert.ok(performance.now() - before >= 1_000);
});

test("an error that stays is thrown after the last attempt", async () => {
  const { memory, seen } = await behind(answerWith(503), answerWith(503), answerWith(503));
  await assert.rejects(memory.store("x", { retries: 1 }), ServerError);
  assert.equal(seen.length, 2);
});

test("errors that another attempt cannot solve are thrown at once", async () => {
  const problem = (status: number, type: string) =>
    answerWith(
      status,
      { "content-type": "application/problem+json", "retry-after": "7200" },
      JSON.stringify({ type, title: "t", status, detail: "d", hint: "h" }),
    );
  const cases: [Fault, new (...args: never[]) => SaegimError][] = [
    [problem(400, "urn:saegim:problem:invalid"), InvalidError],
    [problem(429, "urn:saegim:problem:not-yet"), RateLimitError],
    [problem(504, "urn:saegim:problem:too-long"), ServerError],
    [problem(202, "urn:saegim:problem:proposed"), ProposedError],
    [answerWith(202, { "content-type": "application/json" }, '{"written":true,"entries":[]}'), AnswerLostError],
  ];
  for (const [fault, kind] of cases) {
    const { memory, seen } = await behind(fault);
    await assert.rejects(memory.store("x"), kind);
    assert.equal(seen.length, 1, kind.name);
  }
});

test("no server, a wrong address and another program are told apart", async () => {
  const refused = new Saegim({ url: "http://127.0.0.1:1", retries: 0 });
  await assert.rejects(refused.health(), (error) => error instanceof ConnectionError && error.message.includes("saegim serve"));
  assert.throws(() => new Saegim({ url: "127.0.0.1:7777" }), /http:/);
  const { memory } = await behind(answerWith(200, { "content-type": "text/html" }, "<html>"));
  await assert.rejects(collected(memory.chat("안녕", { retries: 0 })), /event stream/);
});

/** A server that never answers. */
async function silent(): Promise<string> {
  const never = createServer(() => undefined);
  await new Promise<void>((resolve) => never.listen(0, "127.0.0.1", resolve));
  after(() => {
    never.close();
    never.closeAllConnections();
  });
  return `http://127.0.0.1:${(never.address() as AddressInfo).port}`;
}

test("a call without an answer times out", async () => {
  const memory = new Saegim({ url: await silent(), timeout: 50, retries: 1 });
  await assert.rejects(memory.recall("x"), TimeoutError);
  await assert.rejects(collected(memory.chat("x")), TimeoutError);
});

test("a cancelled call rejects with the signal's reason and is not repeated", async () => {
  const memory = new Saegim({ url: await silent() });
  const reason = new Error("the player left");
  const calls = [
    (signal: AbortSignal) => memory.recall("x", { signal }),
    (signal: AbortSignal) => collected(memory.chat("x", { signal })),
    (signal: AbortSignal) => collected(memory.events({ after: 0, signal })),
  ];
  for (const call of calls) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(call(controller.signal), (error) => error === reason);
    await assert.rejects(call(AbortSignal.abort(reason)), (error) => error === reason);
  }
});

/** The text that a reader of these events has seen. */
const textOf = (events: ChatEvent[]) => events.map((event) => (event.type === "token" ? event.data.text : "")).join("");

test("an answer streams its context, words, what was learned, the face and the whole text", async () => {
  for (const [message, memory] of [
    ["안녕! 나는 부산에 살아", "부산"],
    ["Hi! I live in Busan", "Busan"],
  ] as const) {
    const { memory: client, direct } = await behind();
    const events = await collected(client.chat(message, { session: "s" }));
    const types = events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1]);
    assert.deepEqual(types, ["context", "token", "memory_update", "face", "done"]);
    const done = events.at(-1);
    assert.ok(done?.type === "done" && done.data.answer.length > 0 && done.data.session === "s");
    assert.equal(textOf(events), done.data.answer);
    assert.deepEqual(
      (await direct.turns().all()).map((turn) => turn.content),
      [message, done.data.answer],
    );
    assert.ok((await direct.facts().all()).some((fact) => fact.value.includes(memory)));
  }
});

test("an answer that breaks off at any place continues without a repeated word", async () => {
  for (const events of [0, 1, 2, 3, 4, 5]) {
    const { memory, direct } = await behind(cutAfter(events), passOn);
    const heard = await collected(memory.chat("안녕, 오늘 하루 어땠어? 나는 회사에서 승진했어"));
    const done = heard.at(-1);
    assert.ok(done?.type === "done", `cut after ${events}`);
    assert.equal(textOf(heard), done.data.answer);
    assert.equal(heard.filter((event) => event.type === "context").length, 1);
    assert.equal(heard.filter((event) => event.type === "memory_update").length, 1);
    assert.equal((await direct.turns().all()).length, 2);
  }
});

test("a reader may take longer for a word than the server may be silent", async () => {
  const { memory, seen } = await behind();
  const words: string[] = [];
  for await (const event of memory.chat("안녕, 천천히 말해 줘", { timeout: 1_500, retries: 0 })) {
    if (event.type === "token") words.push(event.data.text);
    if (words.length === 1) await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  assert.ok(words.length > 0);
  assert.equal(seen.length, 1);
});

test("an exchange is stored even if its reader leaves", async () => {
  const { memory, direct } = await behind();
  for await (const event of memory.chat("나는 제주도에 살아")) if (event.type === "context") break;
  let turns = 0;
  while (turns < 2)
    turns = (
      await direct
        .turns()
        .all()
        .catch(() => [])
    ).length;
  assert.equal(turns, 2);
});

test("events arrive in order and none is missed when connections break", async () => {
  const { memory, direct, seen } = await behind(cutAfter(1), cutAfter(0), answerWith(503), cutAfter(3));
  await direct.store("시작");
  const after = (await direct.stats()).entries;
  const stored: string[] = [];
  const storing = (async () => {
    for (const number of [1, 2, 3, 4]) stored.push((await direct.store(`memory ${number}`)).id);
  })();
  const heard: number[] = [];
  const changed = new Set<string>();
  for await (const event of memory.events({ after })) {
    if (event.type === "memory") changed.add(event.data.memory);
    if (event.id !== undefined) heard.push(event.id);
    if (heard.length === 4) break;
  }
  await storing;
  assert.ok(seen.length >= 5);
  assert.deepEqual(
    heard,
    [1, 2, 3, 4].map((number) => after + number),
  );
  assert.deepEqual([...changed].sort(), stored.sort());
});

test("events begin with the first change after the loop began", async () => {
  const { memory, direct } = await behind();
  await direct.store("before the loop");
  const events = memory.events();
  const first = events.next();
  let arrived = false;
  void first.finally(() => (arrived = true));
  while (!arrived) await direct.store("이후");
  const { value } = await first;
  assert.ok(value?.type === "memory" && value.data.alive);
  await events.return();
});
