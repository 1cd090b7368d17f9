// The conversation; it continues while other views are shown.
import { effect, signal } from "@preact/signals";
import { get, asking, type Problem } from "../api/client";
import type { Context, Observed, Turn, Turns } from "../api/contract";
import { told } from "../api/events";
import { asProblem } from "../parts/load";
import { at, face, mind, shown } from "./mind";

/** One exchange, from the user's message to its memory update. */
export type Exchange = {
  id: string;
  said: string;
  answer: string;
  context: Context | null;
  update: Observed | null;
  problem: Problem | null;
  busy: boolean;
};

export const past = signal<Turn[]>([]);
export const pastLoaded = signal(false);
export const exchanges = signal<Exchange[]>([]);
/** The exchange whose details are shown; null for the last one. */
export const chosen = signal<string | null>(null);

/** Number of earlier messages shown. */
const BEFORE = 30;

effect(() => {
  const of = mind.value?.id;
  past.value = [];
  pastLoaded.value = false;
  exchanges.value = [];
  chosen.value = null;
  if (!of) return;
  get<Turns>(asking(`/v1/minds/${of}/turns`, { limit: BEFORE }))
    .then(({ turns }) => {
      if (mind.value?.id === of) past.value = turns;
    })
    .catch(() => {})
    .finally(() => (pastLoaded.value = true));
});

function change(id: string, part: Partial<Exchange>): void {
  exchanges.value = exchanges.value.map((one) => (one.id === id ? { ...one, ...part } : one));
}

export async function talk(said: string): Promise<void> {
  const id = crypto.randomUUID();
  exchanges.value = [...exchanges.value, { id, said, answer: "", context: null, update: null, problem: null, busy: true }];
  chosen.value = null;
  const options = {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": id },
    body: JSON.stringify({ message: said }),
  };
  let answer = "";
  try {
    for await (const event of told(at("/chat"), options)) {
      if (event.name === "context") change(id, { context: event.data });
      else if (event.name === "token") change(id, { answer: (answer += event.data.text) });
      else if (event.name === "memory_update") change(id, { update: event.data });
      else if (event.name === "face") face.value = shown(event.data);
      else if (event.name === "done") change(id, { answer: event.data.answer });
    }
  } catch (error) {
    change(id, { problem: asProblem(error) });
  }
  change(id, { busy: false });
}
