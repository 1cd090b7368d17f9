import type { CallOptions } from "./transport.js";

/** A page of a list. */
export interface Page {
  readonly next_cursor?: string | number | null;
}

/** How a list fetches a page and takes its items. */
export interface Paging<P extends Page, Item> {
  /** Fetches the page at a cursor; the first page has none. */
  readonly fetch: (cursor: string | number | undefined) => Promise<P>;
  readonly items: (page: P) => readonly Item[];
}

/**
 * A list that the server returns in pages. Nothing is requested until it is used.
 *
 * `await list` returns the first page; `for await (const item of list)` walks through all items and fetches pages as needed.
 */
export class Listing<P extends Page, Item> implements PromiseLike<P>, AsyncIterable<Item> {
  readonly #paging: Paging<P, Item>;

  constructor(paging: Paging<P, Item>) {
    this.#paging = paging;
  }

  /** Fetches the first page. */
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#paging.fetch(undefined).then(done, failed);
  }

  /** Walks through the pages. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | number | undefined;
    do {
      const page = await this.#paging.fetch(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Walks through all items. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#paging.items(page);
  }

  /** Fetches items into an array, at most `most`. */
  async all(most = Infinity): Promise<Item[]> {
    const all: Item[] = [];
    for await (const page of this.pages()) {
      all.push(...this.#paging.items(page));
      if (all.length >= most) break;
    }
    return all.slice(0, most);
  }
}

/** Options of a call next to the fields of its request. */
export type With<Fields> = Fields & CallOptions;

/** Separates the options of a call from the fields that are sent. */
export function separate<Fields extends object>(options: With<Fields>): { call: CallOptions; fields: Omit<Fields, keyof CallOptions> } {
  const { signal, timeout, retries, idempotencyKey, ...fields } = options;
  return { call: { signal, timeout, retries, idempotencyKey }, fields };
}
