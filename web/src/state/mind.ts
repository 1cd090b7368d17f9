// The selected mind and its counts.
import { computed, effect, signal } from "@preact/signals";
import { every, get, post } from "../api/client";
import type { Face, Mind, Minds, MindWithCounts, MoodNow } from "../api/contract";

const KEPT = "saegim.mind";

/** Minds that this key has access to; null before they are loaded. */
export const minds = signal<Mind[] | null>(null);
const chosen = signal<string | null>(localStorage.getItem(KEPT));

export const mind = computed<Mind | null>(() => {
  const all = minds.value;
  if (!all) return null;
  return all.find((known) => known.id === chosen.value) ?? [...all].sort((a, b) => b.turns - a.turns)[0] ?? null;
});

export const counts = signal<MindWithCounts | null>(null);
export const mood = signal<MoodNow | null>(null);
export const face = signal<keyof Face>("neutral");

/** URL path within the selected mind. */
export function at(path = ""): string {
  return `/v1/minds/${mind.value?.id ?? ""}${path}`;
}

export function choose(id: string): void {
  chosen.value = id;
  localStorage.setItem(KEPT, id);
}

export async function loadMinds(): Promise<void> {
  minds.value = (await every<Minds>("/v1/minds", "minds")).minds;
}

export async function begin(user: string, character: string): Promise<void> {
  const begun = await post<MindWithCounts>("/v1/minds", { user, character });
  await loadMinds();
  choose(begun.id);
}

/** The one emotion that a face shows. */
export function shown(faces: Face): keyof Face {
  return (Object.keys(faces) as (keyof Face)[]).find((name) => faces[name] === 1) ?? "neutral";
}

/** Reloads counts and mood; `live.ts` calls it once per batch of changes. */
export async function refresh(): Promise<void> {
  if (!mind.value) return;
  const [many, felt] = await Promise.all([get<MindWithCounts>(at()), get<MoodNow>(at("/mood"))]);
  counts.value = many;
  mood.value = felt;
  face.value = shown(felt.face);
}

effect(() => {
  if (mind.value) refresh().catch(() => {});
});
