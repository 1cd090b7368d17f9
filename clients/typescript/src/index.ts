export type { Listed, Revised, SaegimOptions, Sent } from "./caller.js";
export { type Exchange, type IfMatch, Saegim, type ShownProposal } from "./client.js";
export type * from "./contract.js";
export {
  AnswerLostError,
  ChangedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  ProblemError,
  ProposedError,
  RateLimitError,
  SaegimError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  UnexpectedAnswerError,
} from "./errors.js";
export { Listing, type Page } from "./listing.js";
export { type MindNames, mindKey } from "./mind.js";
export type { ChatEvent, MemoryChange, MindEvent } from "./streams.js";
export type { AnswerOf, BodyOf, CallOptions, Connection, Operation, QueryOf } from "./transport.js";
