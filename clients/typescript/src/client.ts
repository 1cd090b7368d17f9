import { Caller, type Listed, type Revised } from "./caller.js";
import type { Memory, Message } from "./contract.js";
import { NotFoundError } from "./errors.js";
import { type With, separate } from "./listing.js";
import type { MindNames } from "./mind.js";
import { type ChatEvent, type MindEvent, chat, events } from "./streams.js";
import type { AnswerOf, BodyOf, CallOptions, Operation, QueryOf } from "./transport.js";

/** A message and its answer. */
export interface Exchange {
  /** What the user said. */
  readonly user: string;
  /** What the character answered. */
  readonly assistant?: string | undefined;
  /** Ids of the memories the answer was based on. */
  readonly injected?: string[] | undefined;
}

/** Changes a memory only if its revision is still this one. */
export interface IfMatch {
  readonly ifMatch?: string | undefined;
}

/** The change that was shown. A decision applies only to it. */
export interface ShownProposal {
  readonly id: string;
  readonly digest: string;
}

const M = "/v1/minds/{mind}";
type M = typeof M;
/** Fields of a body without those that are parameters of the method. */
type Rest<O extends Operation, Known extends string> = Omit<BodyOf<O>, Known>;

/** Memory of one user and one character on a saegim server. */
export class Saegim extends Caller {
  /** A client for another mind on the same server. */
  with(names: MindNames): Saegim {
    return new Saegim({ ...this.options, ...names });
  }

  // Memories

  /** Stores a memory. */
  async store(content: string, options: With<Rest<`POST ${M}/memories`, "content">> = {}): Promise<Revised<Memory>> {
    const { call, fields } = separate(options);
    return this.revised(`POST ${M}/memories`, { body: { content, ...fields } }, call);
  }

  /** Finds memories that match a query, best first. The list is empty if none fits. */
  async recall(query: string, options: With<Rest<`POST ${M}/recall`, "query">> = {}): Promise<AnswerOf<`POST ${M}/recall`>> {
    const { call, fields } = separate(options);
    return this.call(`POST ${M}/recall`, { body: { query, ...fields }, reads: options.used !== true }, call);
  }

  /** Lists memories, newest first. */
  memories(options: With<QueryOf<`GET ${M}/memories`>> = {}): Listed<`GET ${M}/memories`, "memories"> {
    return this.list(`GET ${M}/memories`, "memories", options);
  }

  /** Reads a memory with its scores, links, history and forecast. */
  async get(id: string, call: CallOptions = {}): Promise<Revised<AnswerOf<`GET ${M}/memories/{id}`>>> {
    return this.revised(`GET ${M}/memories/{id}`, { path: { id } }, call);
  }

  /** Edits, rates or pins a memory. Fields that are not given stay as they are. */
  async edit(id: string, changes: BodyOf<`PATCH ${M}/memories/{id}`>, options: With<IfMatch> = {}): Promise<Revised<Memory>> {
    return this.revised(`PATCH ${M}/memories/{id}`, { path: { id }, body: changes, headers: ifMatch(options) }, options);
  }

  /** Moves a memory to the cliff, where it can be restored for seven days, or erases it at once. */
  async forget(
    id: string,
    options: With<QueryOf<`DELETE ${M}/memories/{id}`> & IfMatch> = {},
  ): Promise<AnswerOf<`DELETE ${M}/memories/{id}`>> {
    const { call, fields } = separate(options);
    const { ifMatch: _, ...query } = fields;
    return this.call(`DELETE ${M}/memories/{id}`, { path: { id }, query, headers: ifMatch(options) }, call);
  }

  /** Restores a memory from the cliff. */
  async restore(id: string, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/memories/{id}/restore`>> {
    return this.call(`POST ${M}/memories/{id}/restore`, { path: { id } }, call);
  }

  /** Reads the ledger entries of a memory. */
  async history(id: string, call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/memories/{id}/history`>> {
    return this.call(`GET ${M}/memories/{id}/history`, { path: { id } }, call);
  }

  /** Lists the memories on the cliff, next to be deleted first. */
  cliff(options: With<QueryOf<`GET ${M}/cliff`>> = {}): Listed<`GET ${M}/cliff`, "entries"> {
    return this.list(`GET ${M}/cliff`, "entries", options);
  }

  /** Reads the zones with their memories, from core to cloud. */
  async zones(options: With<QueryOf<`GET ${M}/zones`>> = {}): Promise<AnswerOf<`GET ${M}/zones`>> {
    return this.read(`GET ${M}/zones`, options);
  }

  /** Computes zones again, for a topic if there is one. */
  async rebalance(options: With<BodyOf<`POST ${M}/rebalance`>> = {}): Promise<AnswerOf<`POST ${M}/rebalance`>> {
    const { call, fields } = separate(options);
    return this.call(`POST ${M}/rebalance`, { body: fields }, call);
  }

  // Conversations

  /** Takes in a message and its answer, or several messages, and learns from them. */
  async observe(said: Exchange | Message[], options: With<Rest<`POST ${M}/turns`, "messages">> = {}): Promise<AnswerOf<`POST ${M}/turns`>> {
    const { call, fields } = separate(options);
    return this.call(`POST ${M}/turns`, { body: { messages: messagesOf(said), ...fields } }, call);
  }

  /** Reads the context that a model needs to answer a message, as one text and by section. */
  async context(query: string, options: With<Rest<`POST ${M}/context`, "query">> = {}): Promise<AnswerOf<`POST ${M}/context`>> {
    const { call, fields } = separate(options);
    return this.call(`POST ${M}/context`, { body: { query, ...fields }, reads: true }, call);
  }

  /** Sends a message to the character and streams its answer. The server stores the exchange even if the loop ends early. */
  chat(message: string, options: With<Rest<`POST ${M}/chat`, "message">> = {}): AsyncGenerator<ChatEvent, void, undefined> {
    const { call, fields } = separate(options);
    return chat(this.transport, { mind: this.mind, body: { message, ...fields } }, call);
  }

  /** Streams every change of the mind from now on, or after an entry of the ledger. It reconnects by itself. */
  async *events(options: With<{ readonly after?: number }> = {}): AsyncGenerator<MindEvent, void, undefined> {
    const { call, fields } = separate(options);
    // Without a fixed start, changes before the first connection succeeds would be missed.
    const after = fields.after ?? (await this.stats(call)).entries;
    yield* events(this.transport, { mind: this.mind, after }, call);
  }

  /** Lists messages. The first page has the latest messages; each page is in order of time. */
  turns(options: With<QueryOf<`GET ${M}/turns`>> = {}): Listed<`GET ${M}/turns`, "turns"> {
    return this.list(`GET ${M}/turns`, "turns", options);
  }

  /** Changes the text of a message; what was learned from it is extracted again. */
  async reword(turn: string, content: string, call: CallOptions = {}): Promise<AnswerOf<`PATCH ${M}/turns/{id}`>> {
    return this.call(`PATCH ${M}/turns/{id}`, { path: { id: turn }, body: { content } }, call);
  }

  /** Retracts a message and what was learned only from it, or erases both at once. */
  async withdraw(turn: string, options: With<QueryOf<`DELETE ${M}/turns/{id}`>> = {}): Promise<AnswerOf<`DELETE ${M}/turns/{id}`>> {
    const { call, fields } = separate(options);
    return this.call(`DELETE ${M}/turns/{id}`, { path: { id: turn }, query: fields }, call);
  }

  // What is known

  /** Lists facts about the user. The first page also has what they said in their own words (`statements`). */
  facts(options: With<QueryOf<`GET ${M}/facts`>> = {}): Listed<`GET ${M}/facts`, "facts"> {
    return this.list(`GET ${M}/facts`, "facts", options);
  }

  /** Sets a fact. */
  async setFact(subject: string, value: string, call: CallOptions = {}): Promise<AnswerOf<`PUT ${M}/facts`>> {
    return this.call(`PUT ${M}/facts`, { body: { subject, value } }, call);
  }

  /** Ends a fact; it stays in the history. */
  async endFact(subject: string, options: With<{ readonly value?: string }> = {}): Promise<AnswerOf<`DELETE ${M}/facts`>> {
    const { call, fields } = separate(options);
    return this.call(`DELETE ${M}/facts`, { query: { subject, ...fields } }, call);
  }

  /** Lists the people and pets in the user's life. */
  people(options: With<QueryOf<`GET ${M}/people`>> = {}): Listed<`GET ${M}/people`, "people"> {
    return this.list(`GET ${M}/people`, "people", options);
  }

  /** Reads what is known about one person, by id, name or relation. */
  async person(id: string, call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/people/{id}`>> {
    return this.call(`GET ${M}/people/{id}`, { path: { id } }, call);
  }

  /** Confirms a statement, so that it counts. */
  async confirmStatement(id: string, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/statements/{id}/confirm`>> {
    return this.call(`POST ${M}/statements/{id}/confirm`, { path: { id } }, call);
  }

  /** Removes a statement. */
  async removeStatement(id: string, call: CallOptions = {}): Promise<AnswerOf<`DELETE ${M}/statements/{id}`>> {
    return this.call(`DELETE ${M}/statements/{id}`, { path: { id } }, call);
  }

  /** Reads the relationship between the character and the user, with its latest changes. */
  async relationship(options: With<QueryOf<`GET ${M}/relationship`>> = {}): Promise<AnswerOf<`GET ${M}/relationship`>> {
    return this.read(`GET ${M}/relationship`, options);
  }

  /** Reads the character's mood and face. */
  async mood(call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/mood`>> {
    return this.call(`GET ${M}/mood`, {}, call);
  }

  /** Lists events. The first page has the latest events; each page is in order of time. */
  timeline(options: With<QueryOf<`GET ${M}/timeline`>> = {}): Listed<`GET ${M}/timeline`, "moments"> {
    return this.list(`GET ${M}/timeline`, "moments", options);
  }

  // The self

  /** Lists islands, the aspects of the character's personality. */
  islands(options: With<QueryOf<`GET ${M}/islands`>> = {}): Listed<`GET ${M}/islands`, "islands"> {
    return this.list(`GET ${M}/islands`, "islands", options);
  }

  /** Reads what the character believes about itself. */
  async self(call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/self`>> {
    return this.call(`GET ${M}/self`, {}, call);
  }

  /** Lists the versions of the self, newest first. */
  selfVersions(options: With<QueryOf<`GET ${M}/self/versions`>> = {}): Listed<`GET ${M}/self/versions`, "versions"> {
    return this.list(`GET ${M}/self/versions`, "versions", options);
  }

  /** Reads saegim's section of SOUL.md. */
  async soul(call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/soul`>> {
    return this.call(`GET ${M}/soul`, {}, call);
  }

  /** Lists proposals, newest first. */
  proposals(options: With<QueryOf<`GET ${M}/proposals`>> = {}): Listed<`GET ${M}/proposals`, "proposals"> {
    return this.list(`GET ${M}/proposals`, "proposals", options);
  }

  /** Submits a proposal. Nothing changes until the owner approves it. */
  async propose(wish: BodyOf<`POST ${M}/proposals`>, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/proposals`>> {
    return this.call(`POST ${M}/proposals`, { body: wish }, call);
  }

  /** Approves a proposal as it was shown. If it changed since, the server refuses. */
  async approve({ id, digest }: ShownProposal, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/proposals/{id}/approve`>> {
    return this.call(`POST ${M}/proposals/{id}/approve`, { path: { id }, body: { digest } }, call);
  }

  /** Rejects a proposal as it was shown. */
  async reject({ id, digest }: ShownProposal, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/proposals/{id}/reject`>> {
    return this.call(`POST ${M}/proposals/{id}/reject`, { path: { id }, body: { digest } }, call);
  }

  /** Undoes an approval. */
  async undo(proposal: string, call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/proposals/{id}/undo`>> {
    return this.call(`POST ${M}/proposals/{id}/undo`, { path: { id: proposal } }, call);
  }

  /** Lets the character imagine a scene; limited to a few per day. */
  async imagine(options: With<BodyOf<`POST ${M}/imaginations`>> = {}): Promise<AnswerOf<`POST ${M}/imaginations`>> {
    const { call, fields } = separate(options);
    return this.call(`POST ${M}/imaginations`, { body: fields }, call);
  }

  /** Lists imaginations, newest first. */
  imaginations(options: With<QueryOf<`GET ${M}/imaginations`>> = {}): Listed<`GET ${M}/imaginations`, "imaginations"> {
    return this.list(`GET ${M}/imaginations`, "imaginations", options);
  }

  /** Rates an imagination. Later ones follow what was liked. */
  async feedback(
    imagination: string,
    feedback: BodyOf<`POST ${M}/imaginations/{id}/feedback`>,
    call: CallOptions = {},
  ): Promise<AnswerOf<`POST ${M}/imaginations/{id}/feedback`>> {
    return this.call(`POST ${M}/imaginations/{id}/feedback`, { path: { id: imagination }, body: feedback }, call);
  }

  // The mind as a whole

  /** Reads the mind with its counts. */
  async stats(call: CallOptions = {}): Promise<AnswerOf<`GET ${M}`>> {
    return this.call(`GET ${M}`, {}, call);
  }

  /** Lists the entries of the ledger in order. */
  ledger(options: With<QueryOf<`GET ${M}/ledger`>> = {}): Listed<`GET ${M}/ledger`, "entries"> {
    return this.list(`GET ${M}/ledger`, "entries", options, "after");
  }

  /** Verifies the hash chain of the ledger. */
  async verify(call: CallOptions = {}): Promise<AnswerOf<`GET ${M}/ledger/verify`>> {
    return this.call(`GET ${M}/ledger/verify`, {}, call);
  }

  /** Exports the mind as a bundle of JSON lines. */
  async export(call: CallOptions = {}): Promise<string> {
    return this.call(`GET ${M}/export`, {}, call);
  }

  /** Imports an export of saegim or another program, up to 2 MiB. Existing memories stay unchanged; a new mind is created. */
  async import(text: string, options: With<Partial<Rest<`POST ${M}/import`, "text">>> = {}): Promise<AnswerOf<`POST ${M}/import`>> {
    const { call, fields } = separate(options);
    const { user = "me", character = "assistant", work = "default" } = this.options;
    await this.call("POST /v1/minds", { body: { user, character, work } }, { ...call, idempotencyKey: undefined });
    return this.call(`POST ${M}/import`, { body: { format: "bundle", text, ...fields } }, call);
  }

  /** Runs the due jobs of the mind now. The server also runs them by itself. */
  async tick(call: CallOptions = {}): Promise<AnswerOf<`POST ${M}/tick`>> {
    return this.call(`POST ${M}/tick`, {}, call);
  }

  /** Erases all data of the mind except its ledger, at once and for good. */
  async erase(call: CallOptions = {}): Promise<AnswerOf<`DELETE ${M}`>> {
    return this.call(`DELETE ${M}`, {}, call);
  }

  /** Whether the mind exists. Reads do not create it; the first write does. */
  async exists(call: CallOptions = {}): Promise<boolean> {
    try {
      await this.stats(call);
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  /** Lists all minds that the key opens. */
  minds(options: With<QueryOf<"GET /v1/minds">> = {}): Listed<"GET /v1/minds", "minds"> {
    return this.list("GET /v1/minds", "minds", options);
  }

  /** Checks the server. */
  async health(call: CallOptions = {}): Promise<AnswerOf<"GET /health">> {
    return this.call("GET /health", {}, call);
  }
}

function ifMatch({ ifMatch }: IfMatch): Record<string, string> {
  return ifMatch === undefined ? {} : { "if-match": ifMatch };
}

function messagesOf(said: Exchange | Message[]): Message[] {
  if (Array.isArray(said)) return said;
  const messages: Message[] = [{ role: "user", content: said.user }];
  if (said.assistant) messages.push({ role: "assistant", content: said.assistant, ...(said.injected && { injected: said.injected }) });
  return messages;
}
