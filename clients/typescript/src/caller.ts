import type { Operations } from "./contract.js";
import { Listing, type Page, type With, separate } from "./listing.js";
import { type MindNames, mindKey } from "./mind.js";
import { type Answered, type AnswerOf, type BodyOf, type CallOptions, type Connection, type Operation, type QueryOf } from "./transport.js";
import { Transport, type Wire } from "./transport.js";

/** Where the server is and whose memories a client works with. */
export type SaegimOptions = Connection & MindNames;

/** An answer with its revision. Pass `etag` as `ifMatch` to change a memory only if no other client did. */
export type Revised<M> = M & { readonly etag: string | undefined };

/** A list of the items that an operation answers in this field. */
export type Listed<O extends Operation, Field extends keyof AnswerOf<O>> = Listing<AnswerOf<O> & Page, ItemOf<AnswerOf<O>[Field]>>;
type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/** What is sent with an operation. */
export interface Sent<O extends Operation> extends Wire {
  readonly path?: Readonly<Record<string, string>> & Partial<Operations[O]["path"]>;
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
}

/** Calls operations for one mind. */
export class Caller {
  /** Key of the mind, `user/character/work`. */
  readonly mind: string;
  protected readonly options: SaegimOptions;
  protected readonly transport: Transport;

  constructor(options: SaegimOptions) {
    this.options = options;
    this.transport = new Transport(options);
    this.mind = mindKey(options);
  }

  /** Calls any operation of the API by its name in the contract. `{mind}` is this client's mind unless given. */
  async call<O extends Operation>(operation: O, sent: Sent<O> = {}, call: CallOptions = {}): Promise<AnswerOf<O>> {
    return (await this.#answered(operation, sent, call)).answer;
  }

  /** Calls an operation that answers an item with its revision. */
  protected async revised<O extends Operation>(operation: O, sent: Sent<O>, call: CallOptions): Promise<Revised<AnswerOf<O>>> {
    const { answer, headers } = await this.#answered(operation, sent, call);
    return Object.assign(answer as object, { etag: headers.get("etag") ?? undefined }) as Revised<AnswerOf<O>>;
  }

  /** Calls an operation whose options are its query. */
  protected async read<O extends Operation>(operation: O, options: With<QueryOf<O>>): Promise<AnswerOf<O>> {
    const { call, fields } = separate<QueryOf<O>>(options);
    return this.call(operation, { query: fields as QueryOf<O> }, call);
  }

  /** Calls an operation that answers in pages. `parameter` names the query parameter that continues after a page. */
  protected list<O extends Operation, Field extends keyof AnswerOf<O>>(
    operation: O,
    field: Field,
    options: With<QueryOf<O>>,
    parameter = "cursor",
  ): Listed<O, Field> {
    const { call, fields } = separate<QueryOf<O>>(options);
    const fetch = async (cursor: string | number | undefined): Promise<AnswerOf<O> & Page> => {
      const query = cursor === undefined ? fields : { ...fields, [parameter]: cursor };
      return (await this.call(operation, { query: query as QueryOf<O> }, call)) as AnswerOf<O> & Page;
    };
    return new Listing({ fetch, items: (page) => page[field] as ItemOf<AnswerOf<O>[Field]>[] });
  }

  #answered<O extends Operation>(operation: O, sent: Sent<O>, call: CallOptions): Promise<Answered<AnswerOf<O>>> {
    return this.transport.call(operation, { ...sent, path: { mind: this.mind, ...sent.path } }, call);
  }
}
