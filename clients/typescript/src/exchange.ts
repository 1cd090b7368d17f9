import type { Saegim } from "./client.js";

/** Longest text that the server takes, in characters. Of a longer one, as much is stored as fits. */
const LONGEST_TEXT = 32_768;

/** How a framework's model or agent uses a memory. */
export interface MemoryOptions {
  /** Token budget of the context; default: the server's. */
  readonly budget?: number | undefined;
  /** Session the messages belong to; default: the current one. */
  readonly session?: string | undefined;
  /** `read` only inserts the context; `read-write`, the default, also stores the exchange and learns from it. */
  readonly mode?: "read" | "read-write" | undefined;
  /**
   * Called when the memory fails. The model answers anyway, without the context, or the exchange is not stored.
   * Default: `console.warn`. Throw from here to stop the answer instead.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What a model is told about a message, and which memories that uses. */
export interface Recollection {
  /** The context; empty if the memory failed. */
  readonly text: string;
  readonly memories: string[];
}

/** What was said, and what the answer was based on. */
export interface SaidAndAnswered {
  readonly user: string;
  readonly answer: string;
  readonly recollection: Recollection | undefined;
  readonly session?: string | undefined;
}

/** Connects an adapter with a memory: the context before an answer, and storing the exchange after it. */
export class Remembering {
  readonly #memory: Saegim;
  readonly #options: MemoryOptions;

  constructor(memory: Saegim, options: MemoryOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Reads the context for a message. A mind that does not exist yet has an empty one. */
  async recollect(message: string, signal: AbortSignal | undefined): Promise<Recollection> {
    try {
      const context = await this.#memory.context(fitting(message), { budget: this.#options.budget ?? null, signal });
      return { text: context.text, memories: [...new Set(context.sections.flatMap((section) => section.memory_ids))] };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isNewMind(error)) this.#failed(error);
      return { text: "", memories: [] };
    }
  }

  /** Stores an exchange. It is not bound to the caller's signal: what was said stays said. */
  async store({ user, answer, recollection, session }: SaidAndAnswered): Promise<void> {
    if (this.#options.mode === "read" || !user.trim()) return;
    const place = session ?? this.#options.session;
    const said = { user: fitting(user), assistant: answer.trim() ? fitting(answer) : undefined, injected: recollection?.memories };
    try {
      await this.#memory.observe(said, place === undefined ? {} : { session: place });
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const report =
      this.#options.onError ?? ((cause: unknown) => console.warn("saegim: the memory failed, the answer goes on without it:", cause));
    report(error);
  }
}

function isNewMind(error: unknown): boolean {
  return error instanceof Error && error.name === "NotFoundError";
}

/** The part of a text that fits, without cutting a character in half. */
function fitting(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return Array.from(text.slice(0, 2 * LONGEST_TEXT))
    .slice(0, LONGEST_TEXT)
    .join("");
}
