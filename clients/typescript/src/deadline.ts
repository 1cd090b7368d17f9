import { TimeoutError } from "./errors.js";

/**
 * A time limit joined with the caller's `AbortSignal`: `signal` aborts when either ends.
 * `AbortSignal.any` is not used because older browsers do not have it.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #milliseconds: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, outer: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#outer = outer;
    outer?.throwIfAborted();
    outer?.addEventListener("abort", this.#abort, { once: true });
    this.begin();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time limit again, for example because the next piece of a stream is awaited. */
  begin(): void {
    clearTimeout(this.#timer);
    if (this.#milliseconds === Infinity) return;
    const error = new TimeoutError(
      `the server sent nothing for ${this.#milliseconds / 1000} s; it may be busy, or the timeout is too short`,
    );
    this.#timer = setTimeout(() => this.#controller.abort(error), this.#milliseconds);
  }

  /** Stops the time limit while nothing is awaited from the server. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  /** Ends the request and frees the timer. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  #abort = (): void => this.#controller.abort(this.#outer?.reason);
}

/** Waits, and rejects with the signal's reason if it aborts first. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
