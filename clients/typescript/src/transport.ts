import type { Entry, Operations } from "./contract.js";
import { Deadline } from "./deadline.js";
import { AnswerLostError, ConnectionError, SaegimError, UnexpectedAnswerError, problemOf } from "./errors.js";
import { type RetryRules, retrying } from "./retry.js";
import { type ServerEvent, serverEvents } from "./sse.js";

/** Name of an operation of the API, such as `GET /v1/minds/{mind}/facts`. */
export type Operation = keyof Operations;
/** What an operation answers. */
export type AnswerOf<O extends Operation> = Operations[O]["answer"];
/** What is sent as the body of an operation. */
export type BodyOf<O extends Operation> = Operations[O]["body"];
/** Query parameters of an operation. */
export type QueryOf<O extends Operation> = Operations[O]["query"];

/** Options that every call accepts. */
export interface CallOptions {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until an attempt without an answer fails; default 65,000. For streams: the longest silence. */
  readonly timeout?: number | undefined;
  /** How often a failed attempt is repeated; default 2. */
  readonly retries?: number | undefined;
  /** Key under which the server executes a write once. Every write has a random one by default. */
  readonly idempotencyKey?: string | undefined;
}

/** Where the server is and how it is called. */
export interface Connection {
  /** Address of the server, such as `http://127.0.0.1:7777`. */
  readonly url: string;
  /** API key. On the server's own machine none is needed until one is created. */
  readonly key?: string | undefined;
  /** Language of error messages and reasons; default `en`. */
  readonly language?: "en" | "ko" | undefined;
  /** Default for every call: milliseconds until an attempt fails. */
  readonly timeout?: number | undefined;
  /** Default for every call: number of retries. */
  readonly retries?: number | undefined;
  /** Replaces the global `fetch`, for tests and proxies. */
  readonly fetch?: typeof fetch | undefined;
}

/** What is sent. */
export interface Wire {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A POST that only reads needs no idempotency key. */
  readonly reads?: boolean;
}

/** An answer with its headers. */
export interface Answered<T> {
  readonly answer: T;
  readonly headers: Headers;
}

/** Sends requests: addresses, keys, time limits, retries, errors. */
export class Transport {
  readonly #connection: Connection;
  readonly #base: string;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#base = connection.url.replace(/\/+$/, "");
    if (!/^https?:\/\//.test(this.#base))
      throw new SaegimError(`url must start with http:// or https://, not ${JSON.stringify(connection.url)}`);
  }

  /** Calls an operation and reads its whole answer. */
  async call<O extends Operation>(operation: O, wire: Wire, call: CallOptions = {}): Promise<Answered<AnswerOf<O>>> {
    const request = this.#request(operation, wire, call);
    return retrying(this.rules(call), () =>
      this.#within(call, async (deadline) => {
        const { response, text } = await this.#fetch(request, deadline);
        return { answer: answerOf<O>(response, text), headers: response.headers };
      }),
    );
  }

  /** Opens an event stream once, without retries. */
  async *stream(operation: Operation, wire: Wire, call: CallOptions = {}): AsyncGenerator<ServerEvent, void, undefined> {
    const request = this.#request(operation, { ...wire, headers: { accept: "text/event-stream", ...wire.headers } }, call);
    const deadline = this.#deadline(call);
    try {
      const { response } = await this.#fetch(request, deadline);
      if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
        throw new UnexpectedAnswerError(`${operation} answered without an event stream; check the url`);
      }
      yield* serverEvents(response.body, deadline);
    } catch (error) {
      throw this.#reason(error, deadline, call);
    } finally {
      deadline.end();
    }
  }

  /** How a call is retried. */
  rules(call: CallOptions): RetryRules {
    return { retries: call.retries ?? this.#connection.retries ?? 2, signal: call.signal };
  }

  #deadline(call: CallOptions): Deadline {
    return new Deadline(call.timeout ?? this.#connection.timeout ?? 65_000, call.signal);
  }

  async #within<T>(call: CallOptions, attempt: (deadline: Deadline) => Promise<T>): Promise<T> {
    const deadline = this.#deadline(call);
    try {
      return await attempt(deadline);
    } catch (error) {
      throw this.#reason(error, deadline, call);
    } finally {
      deadline.end();
    }
  }

  /** Sends one request. The body of an event stream is left for the caller to read. */
  async #fetch({ address, init }: Prepared, deadline: Deadline): Promise<{ response: Response; text: string }> {
    // Called without a receiver: browsers refuse `fetch` as a method of another object.
    const send = this.#connection.fetch ?? globalThis.fetch;
    const response = await send(address, { ...init, signal: deadline.signal });
    const streams = response.ok && response.headers.get("content-type")?.startsWith("text/event-stream");
    const text = streams ? "" : await response.text();
    const problem = response.headers.get("content-type")?.startsWith("application/problem+json");
    if (!response.ok || problem) throw problemOf(response, text);
    return { response, text };
  }

  /** Explains a failed attempt: an error of this package, the caller's own reason, or a lost connection. */
  #reason(error: unknown, deadline: Deadline, call: CallOptions): unknown {
    if (call.signal?.aborted) return call.signal.reason;
    if (error instanceof SaegimError) return error;
    if (deadline.signal.reason instanceof SaegimError) return deadline.signal.reason;
    return new ConnectionError(`no connection to ${this.#base}; is \`saegim serve\` running there?`, { cause: error });
  }

  #request(operation: Operation, wire: Wire, call: CallOptions): Prepared {
    const space = operation.indexOf(" ");
    const method = operation.slice(0, space);
    const path = operation.slice(space + 1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(wire.path?.[name] ?? ""));
    const headers: Record<string, string> = {
      accept: "application/json",
      "accept-language": this.#connection.language ?? "en",
      ...wire.headers,
    };
    if (this.#connection.key) headers["authorization"] = `Bearer ${this.#connection.key}`;
    if (wire.body !== undefined) headers["content-type"] = "application/json";
    // Set once per call, so that all attempts carry the same key.
    if (method !== "GET" && !wire.reads) headers["idempotency-key"] = call.idempotencyKey ?? randomKey();
    const body = wire.body === undefined ? {} : { body: JSON.stringify(wire.body) };
    return { address: this.#base + path + queryString(wire.query), init: { method, headers, ...body } };
  }
}

/** A request that can be sent several times. */
interface Prepared {
  readonly address: string;
  readonly init: RequestInit;
}

function answerOf<O extends Operation>(response: Response, text: string): AnswerOf<O> {
  if (!/^application\/json(;|$)/.test(response.headers.get("content-type") ?? "")) return text as AnswerOf<O>;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw new ConnectionError("the answer was cut off", { cause: error });
  }
  // The server stopped after the commit and before the answer; see "Idempotency" in its documentation.
  if (response.status === 202 && isWritten(answer)) throw new AnswerLostError(answer.entries);
  return answer as AnswerOf<O>;
}

function isWritten(answer: unknown): answer is { written: true; entries: Entry[] } {
  return typeof answer === "object" && answer !== null && "written" in answer && "entries" in answer;
}

function queryString(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return text && `?${text}`;
}

/** A random idempotency key. `crypto.randomUUID` is missing on pages without https. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
