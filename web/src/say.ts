// Texts of the page in the user's language: English and Korean side by side, so neither can be missing.
import { signal } from "@preact/signals";

export type Language = "en" | "ko";

const KEPT = "saegim.language";

function first(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === "en" || kept === "ko") return kept;
  return navigator.language.toLowerCase().startsWith("ko") ? "ko" : "en";
}

export const language = signal<Language>(first());

export function speak(next: Language): void {
  language.value = next;
  localStorage.setItem(KEPT, next);
}

/** Returns the text in the user's language. */
export function say(english: string, korean: string): string {
  return language.value === "ko" ? korean : english;
}

/** Formats a number in the user's locale. */
export function number(value: number, digits = 0): string {
  return value.toLocaleString(language.value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** "1 memory", "3 memories"; Korean has no plural form. */
export function count(value: number, one: string, many: string): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
