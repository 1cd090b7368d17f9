// A short message about the last action, with an undo button where possible.
import { signal } from "@preact/signals";
import { say } from "../say";
import { asProblem } from "./load";

type Toast = { words: string; undo?: () => Promise<unknown>; bad: boolean };

const toast = signal<Toast | null>(null);
let ends: ReturnType<typeof setTimeout> | undefined;

/** Display time in seconds; longer if the action can be undone. */
const SECONDS = 7;
const SECONDS_TO_UNDO = 12;

function raise(next: Toast): void {
  clearTimeout(ends);
  toast.value = next;
  ends = setTimeout(() => (toast.value = null), (next.undo ? SECONDS_TO_UNDO : SECONDS) * 1000);
}

export function tell(words: string, undo?: () => Promise<unknown>): void {
  raise({ words, undo, bad: false });
}

/** Runs an action and reports its result or its error. */
export async function attempt<T>(deed: () => Promise<T>, done?: (result: T) => void): Promise<T | undefined> {
  try {
    const result = await deed();
    done?.(result);
    return result;
  } catch (error) {
    const { detail, hint } = asProblem(error);
    raise({ words: hint ? `${detail} — ${hint}` : detail, bad: true });
    return undefined;
  }
}

export function Toasts() {
  const now = toast.value;
  return (
    <div class="toasts" role="status" aria-live="polite">
      {now && (
        <div class={now.bad ? "toast bad" : "toast"}>
          <span dir="auto">{now.words}</span>
          {now.undo && (
            <button
              type="button"
              onClick={() => {
                toast.value = null;
                void attempt(now.undo!, () => tell(say("Undone", "되돌렸어요")));
              }}
            >
              {say("Undo", "되돌리기")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
