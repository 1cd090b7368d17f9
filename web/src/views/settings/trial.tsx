// Trying whether something works.
import { useSignal } from "@preact/signals";
import type { LookedOver } from "../../api/contract";
import { attempt } from "../../parts/toast";

/** What can be given for a trial. */
interface Tried {
  ask: () => Promise<LookedOver>;
  words: string;
  /** What the button says while it runs. */
  meanwhile: string;
}

/** A button that tries something, and what was found. */
export function Trial({ ask, words, meanwhile }: Tried) {
  const found = useSignal<LookedOver | null>(null);
  const busy = useSignal(false);
  const look = () => {
    busy.value = true;
    void attempt(ask, (told) => (found.value = told)).finally(() => (busy.value = false));
  };
  return (
    <div class="trial">
      <button type="button" class="quiet small" disabled={busy.value} onClick={look}>
        {busy.value ? meanwhile : words}
      </button>
      <ul class="plain small" role="status">
        {found.value?.problems.map((one) => (
          <li key={one} class="warning" dir="auto">
            {one}
          </li>
        ))}
        {found.value?.notes.map((one) => (
          <li key={one} class="faint" dir="auto">
            ✓ {one}
          </li>
        ))}
      </ul>
    </div>
  );
}
