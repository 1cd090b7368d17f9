/**
 * Memory for models of the Vercel AI SDK, versions 6 and 7. The SDK's types are matched by their shape, so this module
 * imports nothing.
 */
import type { Saegim } from "./client.js";
import { type MemoryOptions, type Recollection, Remembering } from "./exchange.js";

export type { MemoryOptions } from "./exchange.js";

/** How many answers with tools can be under way at once without reading their context again. */
const MOST_CONTEXTS = 100;

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** Parameters of a call, as far as this module reads them. */
export interface CallParameters {
  readonly prompt: PromptMessage[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly responseFormat?: { readonly type: string } | undefined;
  readonly providerOptions?: unknown;
}

/** Result of a call without streaming. */
export interface GenerateResult {
  readonly content: readonly { readonly type: string }[];
  readonly finishReason: unknown;
}

/** Result of a streaming call. */
export interface StreamResult {
  readonly stream: ReadableStream<{ readonly type: string }>;
}

/** A language model of the SDK, any version of its specification. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: CallParameters): PromiseLike<GenerateResult>;
  doStream(options: CallParameters): PromiseLike<StreamResult>;
}

/** Middleware for the SDK's `wrapLanguageModel`, versions 6 and 7. */
export interface MemoryMiddleware {
  readonly specificationVersion: "v3";
  wrapGenerate<P extends CallParameters, R extends GenerateResult>(call: {
    params: P;
    model: { doGenerate(options: P): PromiseLike<R> };
  }): Promise<R>;
  wrapStream<P extends CallParameters, R extends StreamResult>(call: {
    params: P;
    model: { doStream(options: P): PromiseLike<R> };
  }): Promise<R>;
}

/**
 * Gives a model a memory: before each answer the context is inserted in front of the user's last message, and afterwards the
 * exchange is stored. Returns a model of the same type, for `generateText`, `streamText`, agents and tools.
 *
 * The session of a call is `providerOptions: { saegim: { session: "..." } }`.
 */
export function withMemory<M extends LanguageModelLike>(model: M, memory: Saegim, options: MemoryOptions = {}): M {
  if (typeof model !== "object")
    throw new TypeError(`withMemory needs a model object such as openai("gpt-5"), not the name ${JSON.stringify(model)}`);
  const middleware = memoryMiddleware(memory, options);
  const calls = {
    doGenerate: (params: CallParameters) => middleware.wrapGenerate({ params, model }),
    doStream: (params: CallParameters) => middleware.wrapStream({ params, model }),
  };
  // A proxy keeps everything else of the model, also what later versions of the SDK add. Getters and methods of the model's
  // class run on the model itself, because private fields do not exist on a proxy.
  return new Proxy(model, {
    get(target, name) {
      if (name === "doGenerate" || name === "doStream") return calls[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The same as middleware, for `wrapLanguageModel({ model, middleware })` together with other middleware. */
export function memoryMiddleware(memory: Saegim, options: MemoryOptions = {}): MemoryMiddleware {
  const remembering = new Remembering(memory, options);
  const contexts = new Contexts(remembering);
  return {
    specificationVersion: "v3",
    async wrapGenerate({ params, model }) {
      const call = await RememberedCall.prepare(params, { remembering, contexts });
      const result = await model.doGenerate(call.params);
      await call.answered(textOf(result.content), result.finishReason);
      return result;
    },
    async wrapStream({ params, model }) {
      const call = await RememberedCall.prepare(params, { remembering, contexts });
      const result = await model.doStream(call.params);
      return { ...result, stream: watched(result.stream, call) };
    },
  };
}

/** The memory behind a model, and the contexts of the answers that it is giving. */
interface Memories {
  readonly remembering: Remembering;
  readonly contexts: Contexts;
}

/** The user's last message in a prompt. */
interface LastMessage {
  readonly place: number;
  readonly user: string;
  /** False while tools are called: messages of the model and its tools follow. */
  readonly last: boolean;
}

/** Keeps the context of a message while tools are called for its answer, so that the model sees the same one in every call. */
class Contexts {
  readonly #remembering: Remembering;
  readonly #kept = new Map<string, Recollection>();

  constructor(remembering: Remembering) {
    this.#remembering = remembering;
  }

  async of({ place, user, last }: LastMessage, signal: AbortSignal | undefined): Promise<Recollection> {
    const key = `${place} ${user}`;
    const kept = last ? undefined : this.#kept.get(key);
    if (kept) return kept;
    const recollection = await this.#remembering.recollect(user, signal);
    this.#kept.delete(key);
    this.#kept.set(key, recollection);
    // The oldest one belongs to an answer that ended long ago.
    if (this.#kept.size > MOST_CONTEXTS) this.#kept.delete(this.#kept.keys().next().value ?? "");
    return recollection;
  }
}

/** One call of the model. An answer with tools takes several calls; the last one completes the exchange. */
class RememberedCall<P extends CallParameters> {
  readonly params: P;
  readonly #user: string;
  /** What the model said before it called tools. */
  readonly #before: string;
  readonly #recollection: Recollection | undefined;
  readonly #remembering: Remembering;

  private constructor(given: P, parts: { user: string; before: string; recollection: Recollection | undefined; remembering: Remembering }) {
    this.#user = parts.user;
    this.#before = parts.before;
    this.#recollection = parts.recollection;
    this.#remembering = parts.remembering;
    this.params = parts.recollection?.text ? { ...given, prompt: beside(given.prompt, parts.recollection.text) } : given;
  }

  static async prepare<P extends CallParameters>(params: P, { remembering, contexts }: Memories): Promise<RememberedCall<P>> {
    const place = params.prompt.findLastIndex((message) => message.role === "user");
    const user = textOf(params.prompt[place]?.content);
    const before = params.prompt.slice(place + 1).filter((message) => message.role === "assistant");
    const recollection = user.trim()
      ? await contexts.of({ place, user, last: place === params.prompt.length - 1 }, params.abortSignal)
      : undefined;
    return new RememberedCall(params, {
      user,
      before: before.map((message) => textOf(message.content)).join(""),
      recollection,
      remembering,
    });
  }

  /** Stores the exchange, unless tools are called first, the model failed, or the answer is data for a program. */
  async answered(text: string, finishReason: unknown): Promise<void> {
    const reason = nameOf(finishReason);
    if (reason === "tool-calls" || reason === "error" || this.params.responseFormat?.type === "json") return;
    const session = sessionOf(this.params.providerOptions);
    await this.#remembering.store({ user: this.#user, answer: this.#before + text, recollection: this.#recollection, session });
  }
}

/** Passes a stream on and stores the exchange when it ends. An answer that was interrupted is stored as far as it came. */
function watched<T extends { readonly type: string }>(stream: ReadableStream<T>, call: RememberedCall<CallParameters>): ReadableStream<T> {
  const reader = stream.getReader();
  let text = "";
  let finishReason: unknown;
  const interrupted = async () => {
    if (text.trim()) await call.answered(text, "stop");
  };
  return new ReadableStream<T>({
    async pull(controller) {
      const { value, done } = await reader.read().catch(async (error: unknown) => {
        if (call.params.abortSignal?.aborted) await interrupted();
        throw error;
      });
      if (done) {
        // Before the end of the stream, so that a short-lived process does not stop before the exchange is stored.
        if (finishReason !== undefined) await call.answered(text, finishReason);
        return controller.close();
      }
      if (value.type === "text-delta") text += deltaOf(value);
      if (value.type === "finish") finishReason = "finishReason" in value ? value.finishReason : "other";
      controller.enqueue(value);
    },
    async cancel(reason) {
      await reader.cancel(reason);
      await interrupted();
    },
  });
}

/** Inserts the context in front of the user's last message. Earlier messages stay as they are, so prompt caches still match. */
function beside(prompt: PromptMessage[], context: string): PromptMessage[] {
  const place = prompt.findLastIndex((message) => message.role === "user");
  return prompt.map((message, index) => {
    if (index !== place || !Array.isArray(message.content)) return message;
    return { ...message, content: [{ type: "text", text: `${context}\n\n` }, ...message.content] };
  });
}

/** The text of a message or of a result. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => (isText(part) ? part.text : "")).join("");
}

function isText(part: unknown): part is { type: "text"; text: string } {
  return (
    typeof part === "object" && part !== null && "type" in part && part.type === "text" && "text" in part && typeof part.text === "string"
  );
}

function deltaOf(part: object): string {
  return "delta" in part && typeof part.delta === "string" ? part.delta : "";
}

/** The finish reason: a word for models of specification v2, which both versions of the SDK still run, else an object. */
function nameOf(finishReason: unknown): unknown {
  return typeof finishReason === "object" && finishReason !== null && "unified" in finishReason ? finishReason.unified : finishReason;
}

function sessionOf(providerOptions: unknown): string | undefined {
  const own = (providerOptions as { saegim?: { session?: unknown } } | undefined)?.saegim;
  return typeof own?.session === "string" ? own.session : undefined;
}
