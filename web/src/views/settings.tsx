// Settings: language, theme, keys, export and erasure.
import { useSignal } from "@preact/signals";
import { ask, every, headers, key, post, use } from "../api/client";
import type { Key, Keys, Mind } from "../api/contract";
import { actor } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { language, number, say, speak } from "../say";
import { at, loadMinds, mind } from "../state/mind";
import { paint, theme } from "../theme";
import { day } from "../time";
import { Models } from "./settings/models";

export function Settings() {
  return (
    <section class="view settings">
      <header class="view-head">
        <h1>{say("Settings", "설정")}</h1>
      </header>
      <div class="two">
        <div>
          <Look />
          <Models />
          <Yours />
        </div>
        <KeysMade />
      </div>
    </section>
  );
}

function Look() {
  return (
    <section class="card">
      <h2>{say("This page", "이 페이지")}</h2>
      <fieldset class="choice">
        <legend>{say("Language", "언어")}</legend>
        {(["ko", "en"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="language" checked={language.value === one} onChange={() => speak(one)} />
            {one === "ko" ? "한국어" : "English"}
          </label>
        ))}
      </fieldset>
      <fieldset class="choice">
        <legend>{say("Light", "밝기")}</legend>
        {(["system", "dark", "light"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => paint(one)} />
            {one === "system" ? say("like this device", "기기에 맞춤") : one === "dark" ? say("night", "밤") : say("day", "낮")}
          </label>
        ))}
      </fieldset>
      {key.value && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            use("");
            location.reload();
          }}
        >
          {say("Forget the key of this tab", "이 탭의 열쇠 지우기")}
        </button>
      )}
    </section>
  );
}

function KeysMade() {
  const keys = useLoad(() => every<Keys>("/v1/keys", "keys"), []);
  const fresh = useSignal<Key | null>(null);
  return (
    <section class="card">
      <h2>{say("Keys", "열쇠")}</h2>
      <p class="faint">
        {say("A key lets a program or another machine in. It is shown once and kept hashed.", "프로그램이나 다른 기기가 들어올 때 쓰는 열쇠예요. 한 번만 보여 드리고, 저장할 때는 알아볼 수 없게 바꿔 둬요.")}
      </p>
      <MakeKey made={(one) => (fresh.value = one, keys.again())} first={keys.value?.keys.length === 0} />
      {fresh.value?.key && (
        <div class="secret" role="status">
          <p>{say("This is the only time you see it:", "지금 한 번만 볼 수 있어요:")}</p>
          <code>{fresh.value.key}</code>
          <button type="button" class="quiet small" onClick={() => attempt(() => navigator.clipboard.writeText(fresh.value!.key!), () => tell(say("Copied", "복사했어요")))}>
            {say("Copy", "복사")}
          </button>
        </div>
      )}
      <Show of={keys}>
        {({ keys: all }) =>
          all.length === 0 ? (
            <Nothing title={say("No key was made", "만든 열쇠가 없어요")}>
              <p>{say("On this machine none is needed. Once there is one, every visit needs a key.", "이 컴퓨터에서는 없어도 돼요. 하나라도 만들면 그때부터는 누구나 열쇠가 있어야 해요.")}</p>
            </Nothing>
          ) : (
            <ul class="plain keys">
              {all.map((one) => (
                <li key={one.id} class={one.revoked_at ? "ended" : ""}>
                  <code>{one.id}</code> {actor(one.principal)} <span class="faint">{one.minds.join(", ")} · {day(one.made_at)}</span>
                  {one.revoked_at ? (
                    <span class="chip flat">{say("ended", "끝남")}</span>
                  ) : (
                    <button type="button" class="quiet small danger" onClick={() => attempt(() => ask("DELETE", `/v1/keys/${one.id}`), keys.again)}>
                      {say("End", "끝내기")}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

function MakeKey({ made, first }: { made: (key: Key) => void; first: boolean }) {
  const principal = useSignal("agent");
  const all = useSignal(false);
  const make = (event: Event) => {
    event.preventDefault();
    const minds = all.value ? [] : [mind.value!.key];
    void attempt(
      () => post<Key>("/v1/keys", { principal: first ? "owner" : principal.value, minds: first ? [] : minds }),
      (key) => {
        // The first key locks the server, so this tab uses it at once.
        if (first) use(key.key!);
        made(key);
      },
    );
  };
  if (first) {
    return (
      <form class="row wrap" onSubmit={make}>
        <button type="submit" class="quiet">
          {say("Make the first key, and lock the door", "첫 열쇠를 만들고 문 잠그기")}
        </button>
      </form>
    );
  }
  return (
    <form class="row wrap" onSubmit={make}>
      <label>
        {say("For", "누구의 열쇠")}
        <select value={principal.value} onChange={(event) => (principal.value = event.currentTarget.value)}>
          <option value="agent">{say("a character’s program", "캐릭터 프로그램")}</option>
          <option value="owner">{say("the owner", "나(소유자)")}</option>
          <option value="admin">{say("the operator", "운영자")}</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={all.value} onChange={(event) => (all.value = event.currentTarget.checked)} />
        {say("all minds", "모든 마음")}
      </label>
      <button type="submit" class="main">
        {say("Make a key", "열쇠 만들기")}
      </button>
    </form>
  );
}

/** Export and erasure. */
function Yours() {
  const sure = useSignal("");
  const now = mind.value!;
  return (
    <section class="card">
      <h2>{say("Yours", "내 것")}</h2>
      <p>
        <button type="button" class="quiet" onClick={() => attempt(() => take(now))}>
          {say("Take everything along (JSONL)", "전부 내려받기 (JSONL)")}
        </button>
      </p>
      <details class="erase">
        <summary class="danger">{say("Erase this mind", "이 마음 지우기")}</summary>
        <p>
          {say(
            `Everything ${now.character} remembers of ${now.user} is gone at once and for good; only the ledger of hashes stays. Write the character’s name to go on.`,
            `${now.character}의 ${now.user}에 대한 기억이 지금 바로, 영영 사라져요. 내용 없는 기록만 남아요. 계속하려면 캐릭터 이름을 적어 주세요.`,
          )}
        </p>
        <form class="row wrap" onSubmit={(event) => (event.preventDefault(), erase(now))}>
          <input aria-label={say("The character’s name", "캐릭터 이름")} value={sure.value} dir="auto" onInput={(event) => (sure.value = event.currentTarget.value)} />
          <button type="submit" class="danger" disabled={sure.value !== now.character}>
            {say("Erase", "지우기")}
          </button>
        </form>
      </details>
    </section>
  );
}

async function take(of: Mind): Promise<void> {
  const response = await fetch(at("/export"), { headers: headers() });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${of.character}-${of.user}.jsonl`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function erase(of: Mind): Promise<void> {
  await attempt(
    () => ask<{ memories: number }>("DELETE", `/v1/minds/${of.id}`),
    ({ memories }) => {
      tell(say(`${number(memories)} memories were erased`, `기억 ${number(memories)}개를 지웠어요`));
      void loadMinds();
    },
  );
}
