// Live updates: one event stream for the whole page.
import { effect, signal } from "@preact/signals";
import { told } from "../api/events";
import { asking } from "../api/client";
import type { Entry } from "../api/contract";
import { changed, gone, load, recalled } from "./memories";
import { at, face, mind, refresh, shown } from "./mind";
import { loadProposals } from "./proposals";

/** `on` while the stream is open, `off` while it reconnects. */
export const line = signal<"on" | "off">("off");

/** The last ledger entry received; views that depend on it reload. */
export const heard = signal<Entry | null>(null);

/** Above this number of changes at once, everything is reloaded instead of each memory. */
const ONE_BY_ONE = 60;

let waiting = new Set<string>();
let due: ReturnType<typeof setTimeout> | undefined;

function settle(): void {
  due = undefined;
  const ids = [...waiting];
  waiting = new Set();
  if (ids.length > ONE_BY_ONE) void load().catch(() => {});
  else for (const id of ids) void changed(id);
  refresh().catch(() => {});
}

function hear(name: string, data: any): void {
  if (name === "memory") {
    waiting.add(data.memory);
  } else if (name === "face") {
    face.value = shown(data);
  } else if (name !== "mood") {
    const entry = data as Entry;
    heard.value = entry;
    const ids: string[] = entry.memories.map((reference: any) => reference.memory);
    if (entry.operation === "recall") ids.forEach(recalled);
    if (entry.operation === "purge" || entry.operation === "erase") ids.forEach(gone);
    if (["propose", "approve", "reject", "lapse", "undo"].includes(entry.operation)) loadProposals().catch(() => {});
  }
  due ??= setTimeout(settle, 120);
}

async function follow(signal: AbortSignal): Promise<void> {
  let after: string | undefined;
  for (let pause = 500; !signal.aborted; pause = Math.min(pause * 2, 10_000)) {
    try {
      const opened = () => (line.value = "on");
      for await (const event of told(asking(at("/events"), { after }), { signal }, opened)) {
        pause = 500;
        if (event.id) after = event.id;
        hear(event.name, event.data);
      }
    } catch {
      if (signal.aborted) return;
    }
    line.value = "off";
    await new Promise((resume) => setTimeout(resume, pause));
  }
}

effect(() => {
  if (!mind.value) return;
  const ends = new AbortController();
  load().catch(() => {});
  loadProposals().catch(() => {});
  void follow(ends.signal);
  return () => ends.abort();
});
