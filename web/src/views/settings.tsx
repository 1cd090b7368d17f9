// Settings: language, theme, keys, export and erasure.
import { useSignal } from "@preact/signals";
import { ask, every, headers, key, post, use } from "../api/client";
import type { Key, Keys, Mind } from "../api/contract";
import { actor, josa } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { count, language, number, say, speak } from "../say";
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
        <legend>{say("Theme", "테마")}</legend>
        {(["system", "dark", "light"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => paint(one)} />
            {one === "system" ? say("System", "시스템") : one === "dark" ? say("Dark", "어둡게") : say("Light", "밝게")}
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
          {say("Sign out of this tab", "이 탭에서 로그아웃")}
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
      <h2>{say("API keys", "API 키")}</h2>
      <p class="faint">
        {say("Programs and other machines need an API key for access. A key is shown once; only its hash is stored.", "프로그램이나 다른 기기에서 접근할 때 쓰는 API 키예요. 키는 한 번만 보여 드리고, 해시로만 저장해요.")}
      </p>
      <MakeKey made={(one) => (fresh.value = one, keys.again())} first={keys.value?.keys.length === 0} />
      {fresh.value?.key && (
        <div class="secret" role="status">
          <p>{say("Copy it now; it is not shown again:", "지금 복사해 주세요. 다시 볼 수 없어요:")}</p>
          <code>{fresh.value.key}</code>
          <button type="button" class="quiet small" onClick={() => attempt(() => navigator.clipboard.writeText(fresh.value!.key!), () => tell(say("Copied", "복사했어요")))}>
            {say("Copy", "복사")}
          </button>
        </div>
      )}
      <Show of={keys}>
        {({ keys: all }) =>
          all.length === 0 ? (
            <Nothing title={say("No API keys", "API 키가 없어요")}>
              <p>{say("None is needed on this machine. Once you create one, every request requires a key.", "이 컴퓨터에서만 쓸 때는 필요하지 않아요. 하나라도 만들면 모든 요청에 키가 필요해요.")}</p>
            </Nothing>
          ) : (
            <ul class="plain keys">
              {all.map((one) => (
                <li key={one.id} class={one.revoked_at ? "ended" : ""}>
                  <code>{one.id}</code> {actor(one.principal)} <span class="faint">{one.minds.join(", ")} · {day(one.made_at)}</span>
                  {one.revoked_at ? (
                    <span class="chip flat">{say("revoked", "폐기됨")}</span>
                  ) : (
                    <button type="button" class="quiet small danger" onClick={() => attempt(() => ask("DELETE", `/v1/keys/${one.id}`), keys.again)}>
                      {say("Revoke", "폐기")}
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
          {say("Create key and require sign-in", "키를 만들고 로그인 필수로 설정")}
        </button>
      </form>
    );
  }
  return (
    <form class="row wrap" onSubmit={make}>
      <label>
        {say("For", "사용할 주체")}
        <select value={principal.value} onChange={(event) => (principal.value = event.currentTarget.value)}>
          <option value="agent">{say("agent (the character’s program)", "에이전트(캐릭터 프로그램)")}</option>
          <option value="owner">{say("owner (you)", "소유자(나)")}</option>
          <option value="admin">{say("operator", "운영자")}</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={all.value} onChange={(event) => (all.value = event.currentTarget.checked)} />
        {say("all minds", "모든 마음")}
      </label>
      <button type="submit" class="main">
        {say("Create a key", "키 만들기")}
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
      <h2>{say("Your data", "내 데이터")}</h2>
      <p>
        <button type="button" class="quiet" onClick={() => attempt(() => take(now))}>
          {say("Export all (JSONL)", "모두 내보내기 (JSONL)")}
        </button>
      </p>
      <details class="erase">
        <summary class="danger">{say("Erase all data", "모든 데이터 삭제")}</summary>
        <p>
          {say(
            `This immediately and permanently deletes everything ${now.character} remembers about ${now.user}. Only a record of the deletion stays in the ledger. Enter the character’s name to confirm.`,
            `${josa(now.character, "이가")} ${now.user}에 대해 기억하는 모든 내용을 즉시 영구 삭제해요. 삭제했다는 기록만 남아요. 계속하려면 캐릭터 이름을 입력해 주세요.`,
          )}
        </p>
        <form class="row wrap" onSubmit={(event) => (event.preventDefault(), erase(now))}>
          <input aria-label={say("The character’s name", "캐릭터 이름")} value={sure.value} dir="auto" onInput={(event) => (sure.value = event.currentTarget.value)} />
          <button type="submit" class="danger" disabled={sure.value !== now.character}>
            {say("Erase", "영구 삭제")}
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
      tell(say(`${count(memories, "memory", "memories")} erased`, `기억 ${number(memories)}개를 영구 삭제했어요`));
      void loadMinds();
    },
  );
}
