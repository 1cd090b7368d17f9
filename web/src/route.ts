// The current view, `#/cliff`, and the memory opened over it, `#/cliff?memory=ID`.
import { computed, signal } from "@preact/signals";

export const VIEWS = ["orrery", "chat", "search", "cliff", "self", "inbox", "us", "imagine", "ledger", "care", "settings"] as const;
export type View = (typeof VIEWS)[number];

type Place = { view: View; memory: string | null; query: URLSearchParams };

function read(): Place {
  const [path = "", tail = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const query = new URLSearchParams(tail);
  const view = VIEWS.find((known) => known === path) ?? "orrery";
  return { view, memory: query.get("memory"), query };
}

const place = signal<Place>(read());
addEventListener("hashchange", () => (place.value = read()));

export const view = computed(() => place.value.view);
export const open = computed(() => place.value.memory);
export const query = computed(() => place.value.query);

export function address(to: View, questions: Record<string, string> = {}): string {
  const tail = new URLSearchParams(questions).toString();
  return `#/${to === "orrery" ? "" : to}${tail ? `?${tail}` : ""}`;
}

export function go(to: View, questions: Record<string, string> = {}): void {
  location.hash = address(to, questions);
}

/** Opens a memory over the current view. */
export function show(memory: string): void {
  const rest = Object.fromEntries(place.value.query);
  go(place.value.view, { ...rest, memory });
}

/** Closes the open memory. */
export function close(): void {
  const { memory: _, ...rest } = Object.fromEntries(place.value.query);
  go(place.value.view, rest);
}
