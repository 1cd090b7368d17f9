// All live memories of the mind, for the orrery: loaded page by page, then updated by events.
import { batch, signal } from "@preact/signals";
import { asking, every, get } from "../api/client";
import type { Cliff, FallenMemory, Life, Memories, Memory } from "../api/contract";
import { at, mind } from "./mind";

/** Changes sent to the orrery. */
export type Change =
  | { kind: "reset" }
  | { kind: "came"; memories: Memory[]; quietly: boolean }
  | { kind: "moved"; memory: Memory }
  | { kind: "recalled"; id: string }
  | { kind: "gone"; id: string };

const all = new Map<string, Memory>();
const listeners = new Set<(change: Change) => void>();

/** Number of loaded memories; also signals every change. */
export const known = signal(0);
export const loading = signal(false);

/** Maximum number of memories drawn; the others can still be searched. */
const MOST = 20_000;

export function memories(): Iterable<Memory> {
  return all.values();
}

export function memory(id: string): Memory | undefined {
  return all.get(id);
}

export function listen(heard: (change: Change) => void): () => void {
  listeners.add(heard);
  return () => listeners.delete(heard);
}

function tell(change: Change): void {
  for (const heard of listeners) heard(change);
  known.value = all.size;
}

let reading = 0;

/** Reloads everything. */
export async function load(): Promise<void> {
  const round = ++reading;
  all.clear();
  batch(() => {
    loading.value = true;
    tell({ kind: "reset" });
  });
  try {
    const fallen = (await every<Cliff>(at("/cliff"), "entries")).entries;
    if (round === reading) add(fallen);
    for (let cursor: string | null | undefined; all.size < MOST; ) {
      const page: Memories = await get<Memories>(asking(at("/memories"), { limit: 1000, cursor }));
      if (round !== reading) return;
      add(page.memories);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
  } finally {
    if (round === reading) loading.value = false;
  }
}

function add(more: (Memory | FallenMemory)[]): void {
  for (const memory of more) all.set(memory.id, memory);
  tell({ kind: "came", memories: more, quietly: true });
}

/** Reloads a changed memory and notifies the listeners. */
export async function changed(id: string): Promise<void> {
  const of = mind.value?.id;
  const life = await get<Life>(at(`/memories/${id}`)).catch(() => null);
  if (mind.value?.id !== of) return;
  if (!life) {
    if (all.delete(id)) tell({ kind: "gone", id });
    return;
  }
  const fresh = !all.has(id);
  all.set(id, life);
  tell(fresh ? { kind: "came", memories: [life], quietly: false } : { kind: "moved", memory: life });
}

export function recalled(id: string): void {
  if (all.has(id)) tell({ kind: "recalled", id });
}

export function gone(id: string): void {
  if (all.delete(id)) tell({ kind: "gone", id });
}
