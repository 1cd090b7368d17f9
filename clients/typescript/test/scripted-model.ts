// A model that gives the same answer to everything, without a key and a network.
import { MockLanguageModelV3, convertArrayToReadableStream } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const finishReason = { unified: "stop" as const, raw: undefined };

/** Creates a model with one answer. */
export function scripted(words: string): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doGenerate: { content: [{ type: "text", text: words }], finishReason, usage, warnings: [] },
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
        { type: "text-delta", id: "1", delta: words },
        { type: "text-end", id: "1" },
        { type: "finish", finishReason, usage },
      ]),
    }),
  });
}

/** Takes the place of a provider in the documentation's examples. */
export const openai = (_name: string) => scripted("네, 기억하고 있어요!");
