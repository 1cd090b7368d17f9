/** Memory for Mastra agents. Mastra's types are matched by their shape, so this module imports nothing. */
import type { Saegim } from "./client.js";
import { type MemoryOptions, type Recollection, Remembering } from "./exchange.js";

export type { MemoryOptions } from "./exchange.js";

/** A message of an agent. */
export interface AgentMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A processor for `inputProcessors` and `outputProcessors` of an agent; put the same one into both. */
export interface SaegimProcessor {
  readonly id: "saegim";
  readonly name: "saegim";
  /** Adds the context as a system message, which Mastra does not store with the conversation. */
  processInput<Message extends AgentMessage, System>(input: {
    messages: Message[];
    systemMessages: System[];
    state: Record<string, unknown>;
    abortSignal?: AbortSignal;
  }): Promise<{ messages: Message[]; systemMessages: (System | { role: "system"; content: string })[] }>;
  /** Stores the exchange when the answer is complete, also after streaming. */
  processOutputResult<Message extends AgentMessage>(output: {
    messages: Message[];
    state: Record<string, unknown>;
    result?: { text: string; finishReason?: string };
  }): Promise<Message[]>;
}

/** What the processor keeps between the input and the output of one request. */
interface Kept {
  readonly user: string;
  readonly recollection: Recollection;
}

/** Creates the processor of an agent with a memory. */
export function saegimProcessor(memory: Saegim, options: MemoryOptions = {}): SaegimProcessor {
  const remembering = new Remembering(memory, options);
  return {
    id: "saegim",
    name: "saegim",
    async processInput({ messages, systemMessages, state, abortSignal }) {
      const user = textOf(messages.findLast((message) => message.role === "user")?.content);
      if (!user.trim()) return { messages, systemMessages };
      const recollection = await remembering.recollect(user, abortSignal);
      state["saegim"] = { user, recollection } satisfies Kept;
      if (!recollection.text) return { messages, systemMessages };
      return { messages, systemMessages: [...systemMessages, { role: "system", content: recollection.text }] };
    },
    async processOutputResult({ messages, state, result }) {
      const kept = state["saegim"] as Kept | undefined;
      const answer = result?.text ?? textOf(messages.findLast((message) => message.role === "assistant")?.content);
      if (kept && result?.finishReason !== "error") await remembering.store({ ...kept, answer });
      return messages;
    },
  };
}

/** The text of a message: a string, or parts, or an object with parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(partText).join("");
  if (typeof content === "object" && content !== null && "parts" in content) return textOf(content.parts);
  return "";
}

function partText(part: unknown): string {
  const text = part as { type?: unknown; text?: unknown } | null;
  return text?.type === "text" && typeof text.text === "string" ? text.text : "";
}
