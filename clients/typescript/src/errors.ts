import type { Entry, ProblemDocument } from "./contract.js";

/** Base class of every error that this package throws, except for an `AbortSignal`'s own reason. */
export class SaegimError extends Error {
  override readonly name: string = "SaegimError";
}

/** The server cannot be reached, or the connection broke. */
export class ConnectionError extends SaegimError {
  override readonly name = "ConnectionError";
}

/** The server did not answer in time. */
export class TimeoutError extends SaegimError {
  override readonly name = "TimeoutError";
}

/** The answer is not what the contract promises, for example because another program answered. */
export class UnexpectedAnswerError extends SaegimError {
  override readonly name = "UnexpectedAnswerError";
}

/**
 * The write happened, but its answer is lost because the server stopped before it sent it.
 * `entries` are the ledger entries it wrote.
 */
export class AnswerLostError extends SaegimError {
  override readonly name = "AnswerLostError";

  constructor(readonly entries: Entry[]) {
    super("the write happened, but the server stopped before it answered; read the current state");
  }
}

/** What a server said about an error, apart from the problem document itself. */
export interface ProblemHeaders {
  /** Seconds to wait before the next attempt, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Id of the request in the server's log, from `X-Request-Id`. */
  readonly requestId: string | undefined;
}

/** An error that the server reported as a problem document (RFC 9457). */
export class ProblemError extends SaegimError {
  override readonly name: string = "ProblemError";
  /** HTTP status; 0 for an error inside a stream. */
  readonly status: number;
  /** Identifier of the kind of problem, such as `urn:saegim:problem:not-found`. */
  readonly type: string;
  /** Kind of problem in words. */
  readonly title: string;
  /** What is wrong in this case. */
  readonly detail: string;
  /** What to do next. */
  readonly hint: string | undefined;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;

  constructor(document: ProblemDocument, headers: ProblemHeaders = { retryAfter: undefined, requestId: undefined }) {
    super(document.hint ? `${document.detail} (${document.hint})` : document.detail);
    this.status = document.status;
    this.type = document.type;
    this.title = document.title;
    this.detail = document.detail;
    this.hint = document.hint ?? undefined;
    this.retryAfter = headers.retryAfter;
    this.requestId = headers.requestId;
  }
}

/** 400, 408, 413, 415, 422: correct the request. */
export class InvalidError extends ProblemError {
  override readonly name = "InvalidError";
}

/** 401: the key is missing or wrong. */
export class UnauthorizedError extends ProblemError {
  override readonly name = "UnauthorizedError";
}

/** 403: the key does not permit this. */
export class ForbiddenError extends ProblemError {
  override readonly name = "ForbiddenError";
}

/** 404: the mind or the item does not exist. Reads never create a mind; the first write does. */
export class NotFoundError extends ProblemError {
  override readonly name = "NotFoundError";
}

/** 409: the state does not permit this, or an idempotency key was used for another request. */
export class ConflictError extends ProblemError {
  override readonly name = "ConflictError";
}

/** 412: another client changed the item since it was read. */
export class ChangedError extends ProblemError {
  override readonly name = "ChangedError";
}

/** 429: too many requests, or not yet. */
export class RateLimitError extends ProblemError {
  override readonly name = "RateLimitError";
}

/** 202: nothing changed yet; the change is a proposal that waits for the owner. */
export class ProposedError extends ProblemError {
  override readonly name = "ProposedError";
}

/** 5xx: the server or a model behind it failed. */
export class ServerError extends ProblemError {
  override readonly name = "ServerError";
}

const BY_STATUS = new Map<number, typeof ProblemError>([
  [202, ProposedError],
  [400, InvalidError],
  [401, UnauthorizedError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [408, InvalidError],
  [409, ConflictError],
  [412, ChangedError],
  [413, InvalidError],
  [415, InvalidError],
  [422, InvalidError],
  [429, RateLimitError],
]);

/** Creates the error class that fits the status of an answer with this body. */
export function problemOf(response: Response, body: string): ProblemError {
  const document = problemDocument(body) ?? {
    type: "about:blank",
    title: response.statusText || "error",
    status: response.status,
    detail: `the server answered ${response.status} without a problem document; check the url`,
  };
  const Problem = BY_STATUS.get(response.status) ?? (response.status >= 500 ? ServerError : ProblemError);
  const headers = {
    retryAfter: seconds(response.headers.get("retry-after")),
    requestId: response.headers.get("x-request-id") ?? undefined,
  };
  return new Problem({ ...document, status: response.status }, headers);
}

function problemDocument(body: string): ProblemDocument | undefined {
  try {
    const document: unknown = JSON.parse(body);
    return isProblem(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function isProblem(value: unknown): value is ProblemDocument {
  return typeof value === "object" && value !== null && "detail" in value && typeof value.detail === "string";
}

/** Converts `Retry-After`, a number of seconds or a date, to seconds from now. */
function seconds(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const number = Number(retryAfter);
  if (Number.isFinite(number)) return Math.max(0, number);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
