// Navigation; on a phone the four most used views, and the rest behind a menu.
import { useSignal } from "@preact/signals";
import { Dialog } from "./parts/dialog";
import { Icon } from "./parts/icons";
import { address, VIEWS, type View, view } from "./route";
import { number, say } from "./say";
import { line } from "./state/live";
import { choose, mind, minds } from "./state/mind";
import { pending } from "./state/proposals";

/** Views shown directly on a phone. */
const AT_HAND: View[] = ["orrery", "chat", "search", "inbox"];

export function viewName(of: View): string {
  const names: Record<View, string> = {
    orrery: say("Sky", "하늘"),
    chat: say("Talk", "대화"),
    search: say("Search", "검색"),
    cliff: say("Cliff", "절벽"),
    self: say("Self", "섬과 자아"),
    inbox: say("Inbox", "제안함"),
    us: say("Us", "우리 사이"),
    imagine: say("Imagination", "상상"),
    ledger: say("Ledger", "변경 기록"),
    care: say("Maintenance", "관리"),
    settings: say("Settings", "설정"),
  };
  return names[of];
}

function Badge() {
  const waiting = pending.value.length;
  if (!waiting) return null;
  return (
    <span class="badge">
      <span aria-hidden="true">{number(waiting)}</span>
      <span class="unseen">{say(`${waiting} waiting`, `제안 ${waiting}건`)}</span>
    </span>
  );
}

function Way({ to, done }: { to: View; done?: () => void }) {
  const here = view.value === to;
  return (
    <a href={address(to)} class={`way way-${to}`} aria-current={here ? "page" : undefined} onClick={done}>
      <Icon of={to} />
      <span class="way-name">{viewName(to)}</span>
      {to === "inbox" && <Badge />}
    </a>
  );
}

function MindPicker() {
  const all = minds.value ?? [];
  const now = mind.value!;
  const name = (one: typeof now) => `${one.character} · ${one.user}${one.work === "default" ? "" : ` · ${one.work}`}`;
  return (
    <div class="whose">
      <p class="brand">
        새김<span>saegim</span>
      </p>
      {all.length > 1 ? (
        <select aria-label={say("Character", "캐릭터")} value={now.id} onChange={(event) => choose(event.currentTarget.value)}>
          {all.map((one) => (
            <option key={one.id} value={one.id}>
              {name(one)}
            </option>
          ))}
        </select>
      ) : (
        <p class="pair" dir="auto">
          {name(now)}
        </p>
      )}
    </div>
  );
}

export function Nav() {
  const more = useSignal(false);
  const rest = VIEWS.filter((to) => !AT_HAND.includes(to));
  const close = () => (more.value = false);
  return (
    <nav class="nav" aria-label={say("Views", "메뉴")}>
      <MindPicker />
      <div class="ways wide">
        {VIEWS.map((to) => (
          <Way key={to} to={to} />
        ))}
      </div>
      <div class="ways narrow">
        {AT_HAND.map((to) => (
          <Way key={to} to={to} />
        ))}
        <button type="button" class="way" aria-expanded={more.value} onClick={() => (more.value = true)}>
          <Icon of="more" />
          <span class="way-name">{say("More", "더 보기")}</span>
        </button>
      </div>
      {more.value && (
        <Dialog label={say("More views", "더 보기")} close={close} kind="middle">
          <MindPicker />
          <div class="ways rest">
            {rest.map((to) => (
              <Way key={to} to={to} done={close} />
            ))}
          </div>
        </Dialog>
      )}
      <p class={`line ${line.value}`}>
        <i aria-hidden="true" />
        {line.value === "on" ? say("live", "실시간") : say("connecting", "연결 중")}
      </p>
    </nav>
  );
}
