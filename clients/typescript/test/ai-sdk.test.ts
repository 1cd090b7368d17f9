// The middleware under the published SDK, versions 6 and 7, with the SDK's own mock models.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as six from "ai";
import { MockLanguageModelV3, convertArrayToReadableStream } from "ai/test";
import * as seven from "ai-7";
import { MockLanguageModelV4 } from "ai-7/test";
import { Saegim } from "saegim";
import { memoryMiddleware, withMemory } from "saegim/ai-sdk";
import { z } from "zod";
import { collected, serve } from "./server.js";

const { url } = await serve();
let minds = 0;
const fresh = () => new Saegim({ url, user: "minsu", character: `luna-${minds++}` });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finished = (unified: "stop" | "tool-calls") => ({ unified, raw: undefined });
const text = (words: string) => ({ type: "text" as const, text: words });

/** What a mock model answers without and with streaming. */
function answers(words: string) {
  return {
    doGenerate: { content: [text(words)], finishReason: finished("stop"), usage, warnings: [] },
    // A new stream for every call.
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: "stream-start" as const, warnings: [] },
        { type: "text-start" as const, id: "1" },
        ...words.split(/(?<= )/).map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
        { type: "text-end" as const, id: "1" },
        { type: "finish" as const, finishReason: finished("stop"), usage },
      ]),
    }),
  };
}

/** The last user message that a model saw, part by part. */
function lastUser(prompt: { role: string; content: unknown }[]): string[] {
  const content = prompt.findLast((message) => message.role === "user")?.content;
  return (content as { text: string }[]).map((part) => part.text);
}

const versions = [
  { name: "AI SDK 6", sdk: six, mock: MockLanguageModelV3 },
  // The same calls with the types of version 6; version 7 keeps their names.
  { name: "AI SDK 7", sdk: seven as unknown as typeof six, mock: MockLanguageModelV4 as unknown as typeof MockLanguageModelV3 },
];

for (const { name, sdk, mock } of versions) {
  const conversations = [
    { first: "우리 강아지 이름은 모찌야", answer: "모찌라니, 귀엽다!", second: "우리 강아지 이름이 뭐였지?", known: /모찌/ },
    { first: "My sister Mina lives in Busan", answer: "Busan is lovely.", second: "Where does my sister live?", known: /Busan/ },
  ];
  for (const { first, answer, second, known } of conversations) {
    test(`${name}: what was said is known in the next answer: ${first}`, async () => {
      const memory = fresh();
      const model = new mock(answers(answer));
      assert.equal((await sdk.generateText({ model: withMemory(model, memory), prompt: first })).text, answer);
      assert.deepEqual(lastUser(model.doGenerateCalls[0]!.prompt), [first]);
      assert.deepEqual(
        (await memory.turns()).turns.map((turn) => turn.content),
        [first, answer],
      );

      const streamed = sdk.streamText({ model: withMemory(model, memory), system: "Be kind.", prompt: second });
      assert.equal((await collected(streamed.textStream)).join(""), answer);
      const prompt = model.doStreamCalls[0]!.prompt;
      const [context, message] = lastUser(prompt);
      assert.match(context!, known);
      assert.equal(message, second);
      assert.deepEqual(prompt[0], { role: "system", content: "Be kind." });
      assert.deepEqual(
        (await memory.turns()).turns.map((turn) => turn.content),
        [first, answer, second, answer],
      );
    });
  }

  test(`${name}: an answer with tools is one exchange`, async () => {
    const asked: string[] = [];
    const counting: typeof fetch = (address, init) => {
      asked.push(String(address).split("/").at(-1)!);
      return fetch(address, init);
    };
    const memory = new Saegim({ url, user: "minsu", character: `luna-${minds++}`, fetch: counting });
    const { id } = await memory.store("민수가 사는 곳은 부산이다", { importance: 0.9 });
    const called = {
      content: [text("찾아볼게. "), { type: "tool-call" as const, toolCallId: "1", toolName: "weather", input: '{"city":"부산"}' }],
      finishReason: finished("tool-calls"),
      usage,
      warnings: [],
    };
    const model = new mock({ doGenerate: [called, answers("부산은 맑아.").doGenerate] });
    const weather = sdk.tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `${city}: 맑음` });
    await sdk.generateText({
      model: withMemory(model, memory),
      prompt: "내가 사는 곳 날씨 알려줘",
      tools: { weather },
      stopWhen: sdk.stepCountIs(2),
    });
    assert.equal(model.doGenerateCalls.length, 2);
    for (const call of model.doGenerateCalls) assert.equal(lastUser(call.prompt).length, 2);
    const [said, answered] = (await memory.turns()).turns;
    assert.deepEqual([said!.content, answered!.content], ["내가 사는 곳 날씨 알려줘", "찾아볼게. 부산은 맑아."]);
    assert.deepEqual(answered!.injected, [id]);
    assert.equal(asked.filter((path) => path === "context").length, 1);
  });

  test(`${name}: it joins other middleware, and the call names the session`, async () => {
    const memory = fresh();
    const model = new mock(answers("네!"));
    const settings = sdk.defaultSettingsMiddleware({ settings: { temperature: 0.25 } });
    const wrapped = sdk.wrapLanguageModel({ model, middleware: [settings, memoryMiddleware(memory)] });
    await sdk.generateText({
      model: wrapped,
      prompt: "기억해 줘: 나는 땅콩 알레르기가 있어",
      providerOptions: { saegim: { session: "진료" } },
    });
    assert.equal(model.doGenerateCalls[0]!.temperature, 0.25);
    assert.deepEqual([...new Set((await memory.turns()).turns.map((turn) => turn.session))], ["진료"]);
  });

  test(`${name}: structured output is not stored as an answer, and a reading memory stores nothing`, async () => {
    const memory = fresh();
    await memory.store("시작");
    const model = new mock({ doGenerate: answers('{"mood":"good"}').doGenerate });
    const { output } = await sdk.generateText({
      model: withMemory(model, memory),
      prompt: "How do I feel?",
      output: sdk.Output.object({ schema: z.object({ mood: z.string() }) }),
    });
    assert.deepEqual(output, { mood: "good" });
    await sdk.generateText({ model: withMemory(model, memory, { mode: "read" }), prompt: "How do I feel?" });
    assert.deepEqual((await memory.turns()).turns, []);
  });

  test(`${name}: a model of the older specification v2 has a memory too`, async () => {
    const memory = fresh();
    const older = {
      specificationVersion: "v2" as const,
      provider: "older",
      modelId: "older",
      supportedUrls: {},
      doGenerate: async () => ({
        content: [text("Sure.")],
        finishReason: "stop" as const,
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      }),
      doStream: async () => Promise.reject(new Error("this test does not stream")),
    };
    assert.equal((await sdk.generateText({ model: withMemory(older, memory), prompt: "Call me Min" })).text, "Sure.");
    assert.deepEqual(
      (await memory.turns()).turns.map((turn) => turn.content),
      ["Call me Min", "Sure."],
    );
  });

  test(`${name}: a memory that fails does not stop the answer`, async () => {
    const errors: unknown[] = [];
    const away = new Saegim({ url: "http://127.0.0.1:1", retries: 0 });
    const model = withMemory(new mock(answers("Hello!")), away, { onError: (error) => errors.push(error) });
    assert.equal((await sdk.generateText({ model, prompt: "Hi" })).text, "Hello!");
    assert.equal(await sdk.streamText({ model, prompt: "Hi" }).text, "Hello!");
    assert.equal(errors.length, 4);
    const strict = withMemory(new mock(answers("Hello!")), away, {
      onError: (error) => {
        throw error;
      },
    });
    await assert.rejects(sdk.generateText({ model: strict, prompt: "Hi", maxRetries: 0 }), /saegim serve/);
  });

  test(`${name}: an answer that the reader stops is stored as far as it came`, async () => {
    const memory = fresh();
    const model = withMemory(new mock(answers("하나 둘 셋 넷")), memory);
    const { stream } = await model.doStream({ prompt: [{ role: "user", content: [text("숫자를 세어 줘")] }] });
    const reader = stream.getReader();
    for (let words = 0; words < 2;) if ((await reader.read()).value?.type === "text-delta") words += 1;
    await reader.cancel();
    assert.deepEqual(
      (await memory.turns()).turns.map((turn) => turn.content),
      ["숫자를 세어 줘", "하나 둘"],
    );
  });
}

test("a model keeps its type and everything else", async () => {
  const model = new MockLanguageModelV3({ provider: "mine", modelId: "small", supportedUrls: { "image/*": [/x/] } });
  const wrapped: MockLanguageModelV3 = withMemory(model, fresh());
  assert.deepEqual([wrapped.provider, wrapped.modelId, wrapped.specificationVersion], ["mine", "small", "v3"]);
  assert.deepEqual(await wrapped.supportedUrls, { "image/*": [/x/] });
  assert.throws(() => withMemory("openai/gpt-5" as unknown as MockLanguageModelV3, fresh()), /model object/);
  // Both versions of the SDK accept the middleware and the wrapped model by their types.
  const middleware6: six.LanguageModelMiddleware = memoryMiddleware(fresh());
  const middleware7: seven.LanguageModelMiddleware = memoryMiddleware(fresh());
  const model7: seven.LanguageModel = withMemory(new MockLanguageModelV4(), fresh());
  assert.ok(middleware6.wrapStream && middleware7.wrapGenerate && model7);
});
