import type { Context, Entry, Face, Mood, Observed } from "./contract.js";
import { pause } from "./deadline.js";
import { ConnectionError, ProblemError, UnexpectedAnswerError } from "./errors.js";
import { backoff, pauseAfter } from "./retry.js";
import type { ServerEvent } from "./sse.js";
import { type BodyOf, type CallOptions, type Transport, randomKey } from "./transport.js";

/** An event of an answer, in this order: what the character remembers, its words, what it learned, its face, the whole answer. */
export type ChatEvent =
  | { readonly type: "context"; readonly data: Context }
  | { readonly type: "token"; readonly data: { readonly text: string } }
  | { readonly type: "memory_update"; readonly data: Observed }
  | { readonly type: "face"; readonly data: Face }
  | { readonly type: "done"; readonly data: { readonly answer: string; readonly session: string | null } };

/** A change of one memory. */
export interface MemoryChange {
  readonly memory: string;
  /** False if it was forgotten. */
  readonly alive: boolean;
  readonly zone?: string;
}

/** A change of a mind: a ledger entry under the name of its operation, or what it changed. */
export type MindEvent =
  | { readonly type: "memory"; readonly data: MemoryChange; readonly id: undefined }
  | { readonly type: "mood"; readonly data: Mood; readonly id: undefined }
  | { readonly type: "face"; readonly data: Face; readonly id: undefined }
  | { readonly type: Entry["operation"]; readonly data: Entry; readonly id: number };

/** A message to the character. */
export interface ChatRequest {
  readonly mind: string;
  readonly body: BodyOf<"POST /v1/minds/{mind}/chat">;
}

/**
 * Streams the answer to a message. If the connection breaks, the same message is sent again under its idempotency key:
 * the server continues or repeats the stored answer, and text that was already delivered is not delivered again.
 */
export async function* chat(
  transport: Transport,
  { mind, body }: ChatRequest,
  call: CallOptions,
): AsyncGenerator<ChatEvent, void, undefined> {
  const keyed = { ...call, idempotencyKey: call.idempotencyKey ?? randomKey() };
  const { retries, signal } = transport.rules(call);
  const delivered = new Delivered();
  for (let failures = 0; ; failures++) {
    delivered.attempt();
    try {
      for await (const event of transport.stream("POST /v1/minds/{mind}/chat", { path: { mind }, body }, keyed)) {
        yield* delivered.fresh(chatEvent(event));
        if (event.name === "done") return;
      }
      throw new ConnectionError("the connection ended before the answer was complete");
    } catch (error) {
      const wait = pauseAfter(error, failures);
      if (failures >= retries || wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** What was already delivered of an answer, over all attempts. */
class Delivered {
  #seen = new Set<ChatEvent["type"]>();
  #text = "";
  #attempts = 0;

  attempt(): void {
    this.#attempts += 1;
  }

  /** The events to deliver for one that arrived. */
  *fresh(event: ChatEvent): Generator<ChatEvent, void, undefined> {
    if (event.type === "token") {
      // A repeated answer may have other words until it is stored, so its text waits for `done`.
      if (this.#attempts > 1) return;
      this.#text += event.data.text;
    } else if (event.type !== "done") {
      if (this.#seen.has(event.type)) return;
      this.#seen.add(event.type);
    } else if (event.data.answer.startsWith(this.#text) && event.data.answer !== this.#text) {
      yield { type: "token", data: { text: event.data.answer.slice(this.#text.length) } };
    }
    yield event;
  }
}

function chatEvent({ name, data }: ServerEvent): ChatEvent {
  const value = json(data);
  switch (name) {
    case "context":
    case "token":
    case "memory_update":
    case "face":
    case "done":
      return { type: name, data: value } as ChatEvent;
    case "error":
      throw streamProblem(value);
    default:
      throw new UnexpectedAnswerError(`the chat sent an event that this version does not know: ${name}`);
  }
}

/** An error that happened after the stream began, so that it has no HTTP status. */
function streamProblem(value: unknown): ProblemError {
  const { title, detail } = value as { title: string; detail: string };
  return new ProblemError({ type: `urn:saegim:problem:${title.replaceAll(" ", "-")}`, title, detail, status: 0 });
}

/** Where an event stream starts. */
export interface EventsRequest {
  readonly mind: string;
  /** Only entries after this sequence number. */
  readonly after: number;
}

/**
 * Streams every change of a mind. A broken connection is opened again and resumes after the last entry, so nothing is
 * missed. It ends when the loop ends, when the signal aborts, or with an error that a new connection cannot solve.
 */
export async function* events(
  transport: Transport,
  { mind, after }: EventsRequest,
  call: CallOptions,
): AsyncGenerator<MindEvent, void, undefined> {
  // Keep-alive comments arrive every 15 s.
  const patient = { timeout: 60_000, ...defined(call) };
  let last = after;
  let connected = false;
  for (let failures = 0; ; failures++) {
    try {
      const wire = { path: { mind }, query: { after: last } };
      for await (const event of transport.stream("GET /v1/minds/{mind}/events", wire, patient)) {
        failures = 0;
        connected = true;
        if (event.id !== undefined) last = Number(event.id);
        yield { type: event.name, data: json(event.data), id: event.id === undefined ? undefined : Number(event.id) } as MindEvent;
      }
      connected = true;
    } catch (error) {
      const wait = pauseAfter(error, failures);
      // Once it was connected, it returns for as long as the server is away, unless the caller set a limit.
      const limit = call.retries ?? (connected ? Infinity : transport.rules(call).retries);
      if (failures >= limit || wait === undefined) throw error;
    }
    await pause(backoff(failures), call.signal);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnexpectedAnswerError("an event of the stream is not JSON", { cause: error });
  }
}

/** The options that are set, so that an unset one does not replace a default. */
function defined(call: CallOptions): CallOptions {
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
}
