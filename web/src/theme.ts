// Light or dark theme or the system setting, and whether animation is allowed.
import { computed, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEPT = "saegim.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

const kept = localStorage.getItem(KEPT);
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "system");
const machine = signal(dark.matches);
dark.addEventListener("change", () => (machine.value = dark.matches));

export const isDark = computed(() => (theme.value === "system" ? machine.value : theme.value === "dark"));

export const calm = signal(still.matches);
still.addEventListener("change", () => (calm.value = still.matches));

export function paint(next: Theme): void {
  theme.value = next;
  localStorage.setItem(KEPT, next);
}

effect(() => {
  document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
});
