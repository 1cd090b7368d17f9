// The frame: navigation and the current view.
import { effect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { key, locked } from "./api/client";
import { hues } from "./feelings";
import { Toasts } from "./parts/toast";
import { Waiting } from "./parts/load";
import { useLoad, Trouble } from "./parts/load";
import { open, type View, view } from "./route";
import { language, say } from "./say";
import { loadMinds, mind, minds, mood } from "./state/mind";
import "./theme";
import { Nav, viewName } from "./nav";
import { Care } from "./views/care";
import { Chat } from "./views/chat";
import { CliffView } from "./views/cliff";
import { Imagine } from "./views/imagine";
import { Inbox } from "./views/inbox";
import { LedgerView } from "./views/ledger";
import { Lock } from "./views/lock";
import { MemorySheet } from "./views/memory";
import { Orrery } from "./views/orrery";
import { Search } from "./views/search";
import { Selfhood } from "./views/selfhood";
import { Settings } from "./views/settings";
import { Us } from "./views/us";
import { Welcome } from "./views/welcome";

const SHOWN: Record<View, ComponentType> = {
  orrery: Orrery,
  chat: Chat,
  search: Search,
  cliff: CliffView,
  self: Selfhood,
  inbox: Inbox,
  us: Us,
  imagine: Imagine,
  ledger: LedgerView,
  care: Care,
  settings: Settings,
};

effect(() => {
  document.documentElement.lang = language.value;
});

// Tints the whole page with the colour of the mood.
effect(() => {
  const levels = Object.entries(mood.value?.levels ?? {}).sort(([, a], [, b]) => b - a);
  const felt = levels.filter(([name, level]) => name !== "neutral" && level > 0.08).slice(0, 2).map(([name]) => name);
  document.documentElement.style.setProperty("--mood", felt.length ? hues(felt)[0] : "#f0d9a8");
});

export function App() {
  const all = useLoad(loadMinds, [key.value]);
  if (locked.value) return <Lock />;
  if (all.problem && !minds.value) {
    return (
      <main class="alone">
        <Trouble problem={all.problem} again={all.again} />
      </main>
    );
  }
  if (!minds.value) {
    return (
      <main class="alone">
        <Waiting />
      </main>
    );
  }
  if (!mind.value) return <Welcome />;
  return <Frame />;
}

function Frame() {
  const here = view.value;
  const Shown = SHOWN[here];
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    const { character } = mind.value!;
    document.title = `${viewName(here)} · ${character} · saegim`;
    // Moves the focus to the new view for keyboard users.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
    main.current?.scrollTo({ top: 0 });
  }, [here, language.value, mind.value?.id]);
  return (
    <div class={`frame at-${here}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {say("Skip to content", "본문으로 건너뛰기")}
      </a>
      <Nav />
      <main id="main" ref={main} tabIndex={-1} key={mind.value!.id}>
        <Shown />
      </main>
      {open.value && <MemorySheet key={open.value} id={open.value} />}
      <Toasts />
    </div>
  );
}
