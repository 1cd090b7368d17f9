// A button that runs a test.
import { useSignal } from "@preact/signals";
import type { LookedOver } from "../../api/contract";
import { attempt } from "../../parts/toast";

/** Properties of a trial. */
interface Tried {
  ask: () => Promise<LookedOver>;
  words: string;
  /** Label of the button while the test runs. */
  meanwhile: string;
}

/** A button that runs a test and shows its result. */
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
