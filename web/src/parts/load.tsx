// Loading data: states for loading, error and empty.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Problem } from "../api/client";
import { say } from "../say";

export type Loaded<T> = { value: T | null; problem: Problem | null; busy: boolean; again: () => void };

/** Loads on mount and whenever one of `because` changes. Keeps the old value until the new one has arrived. */
export function useLoad<T>(read: () => Promise<T>, because: readonly unknown[]): Loaded<T> {
  const value = useSignal<T | null>(null);
  const problem = useSignal<Problem | null>(null);
  const busy = useSignal(true);
  const round = useSignal(0);
  useEffect(() => {
    let current = true;
    busy.value = true;
    read()
      .then((read) => {
        if (!current) return;
        value.value = read;
        problem.value = null;
      })
      .catch((error) => {
        if (current) problem.value = asProblem(error);
      })
      .finally(() => {
        if (current) busy.value = false;
      });
    return () => {
      current = false;
    };
  }, [...because, round.value]);
  return { value: value.value, problem: problem.value, busy: busy.value, again: () => round.value++ };
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem(0, error instanceof Error ? error.message : String(error));
}

export function Trouble({ problem, again }: { problem: Problem; again?: () => void }) {
  return (
    <div class="state trouble" role="alert">
      <p class="state-title">{problem.detail}</p>
      {problem.hint && <p>{problem.hint}</p>}
      {again && (
        <button type="button" class="quiet" onClick={again}>
          {say("Try again", "다시 시도")}
        </button>
      )}
    </div>
  );
}

export function Waiting({ what }: { what?: string }) {
  return (
    <div class="state waiting" role="status">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>{what ?? say("Loading", "불러오는 중이에요")}</span>
    </div>
  );
}

export function Nothing({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="state nothing">
      <p class="state-title">{title}</p>
      {children}
    </div>
  );
}

/** Shows the loaded value, or the error. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  if (of.value !== null) return <>{children(of.value)}</>;
  if (of.problem) return <Trouble problem={of.problem} again={of.again} />;
  return <Waiting />;
}
