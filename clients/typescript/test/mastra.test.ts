// The processor in a real Mastra agent, with the SDK's mock model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "@mastra/core/agent";
import type { InputProcessor, OutputProcessor } from "@mastra/core/processors";
import type { MockLanguageModelV3 } from "ai/test";
import { Saegim } from "saegim";
import { saegimProcessor } from "saegim/mastra";
import { scripted } from "./scripted-model.js";
import { collected, serve } from "./server.js";

const { url } = await serve();

function agentOf(model: MockLanguageModelV3, memory: Saegim): Agent {
  const processor: InputProcessor & OutputProcessor = saegimProcessor(memory);
  return new Agent({
    id: "luna",
    name: "luna",
    instructions: "Be kind.",
    model,
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
}

/** Everything that the model saw at its last call. */
const seen = (model: MockLanguageModelV3) => JSON.stringify([...model.doGenerateCalls, ...model.doStreamCalls].at(-1)?.prompt);

for (const [character, first, answer, second, known] of [
  ["루나", "우리 강아지 이름은 모찌야", "모찌라니, 귀엽다!", "우리 강아지 이름이 뭐였지?", "모찌"],
  ["luna", "My sister Mina lives in Busan", "Busan is lovely.", "Where does my sister live?", "Busan"],
] as const) {
  test(`an agent knows what was said before, and its answers are stored: ${first}`, async () => {
    const memory = new Saegim({ url, user: "minsu", character });
    const model = scripted(answer);
    const agent = agentOf(model, memory);
    assert.equal((await agent.generate(first)).text, answer);
    assert.deepEqual(
      (await memory.turns()).turns.map((turn) => turn.content),
      [first, answer],
    );
    const streamed = await agent.stream(second);
    assert.equal((await collected(streamed.textStream)).join(""), answer);
    assert.ok(seen(model)?.includes(known) && seen(model)?.includes(second));
    assert.deepEqual(
      (await memory.turns()).turns.map((turn) => turn.content),
      [first, answer, second, answer],
    );
  });
}

test("a memory that fails does not stop the agent", async () => {
  const errors: unknown[] = [];
  const away = new Saegim({ url: "http://127.0.0.1:1", retries: 0 });
  const processor = saegimProcessor(away, { onError: (error) => errors.push(error) });
  const agent = new Agent({
    id: "a",
    name: "a",
    instructions: "Be kind.",
    model: scripted("Hello!"),
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  assert.equal((await agent.generate("Hi")).text, "Hello!");
  assert.equal(errors.length, 2);
});
