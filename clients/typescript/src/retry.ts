import { pause } from "./deadline.js";
import { ConnectionError, ProblemError, TimeoutError } from "./errors.js";

/** Longest pause before the next attempt. If the server asks for a longer one, the error is thrown at once. */
const LONGEST_PAUSE = 30_000;

/** Statuses that may pass: too many requests, busy, a gateway in front of the server. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** How often and on whose signal a request is repeated. */
export interface RetryRules {
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the retries are used up.
 * Repeating is safe because every write carries an idempotency key.
 */
export async function retrying<T>(rules: RetryRules, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = pauseAfter(error, failures);
      if (failures >= rules.retries || wait === undefined) throw error;
      await pause(wait, rules.signal);
    }
  }
}

/** Milliseconds to wait after an error, or `undefined` if another attempt cannot help. */
export function pauseAfter(error: unknown, failures: number): number | undefined {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return backoff(failures);
  if (!(error instanceof ProblemError)) return undefined;
  // After a lost connection the server may still be working on the first attempt and answer 409 to the second one.
  const stillRunning = error.status === 409 && failures > 0;
  // The server's own time limit: the same request would exceed it again.
  const tooLong = error.status === 504 && error.type.endsWith(":too-long");
  if (tooLong || !(PASSING.has(error.status) || stillRunning)) return undefined;
  const wait = error.retryAfter === undefined ? backoff(failures) : error.retryAfter * 1000;
  return wait <= LONGEST_PAUSE ? wait : undefined;
}

/** Half a second, doubled after each failure up to 8 s, less a random part so that clients do not return together. */
export function backoff(failures: number): number {
  return Math.min(500 * 2 ** failures, 8_000) * (1 - Math.random() / 4);
}
