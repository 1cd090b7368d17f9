// Choice of the thinker: rules or a model. A key can be entered but is never shown again.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, get, post } from "../../api/client";
import type { LookedOver, ThinkerNow } from "../../api/contract";
import { provider } from "../../names";
import { Trouble, useLoad, Waiting } from "../../parts/load";
import { attempt, tell } from "../../parts/toast";
import { say } from "../../say";
import { Trial } from "./trial";

export function Models() {
  const now = useLoad(() => get<ThinkerNow>("/v1/thinker"), []);
  const forbidden = now.problem?.status === 403;
  return (
    <section class="card">
      <h2>{say("Language model", "언어 모델")}</h2>
      <p class="faint small">
        {say(
          "The built-in analysis works offline and is free. A language model understands more, but your messages are sent to it.",
          "기본 분석은 인터넷 없이 무료로 동작해요. 언어 모델을 쓰면 더 잘 이해하지만, 대화 내용이 그 모델로 전송돼요.",
        )}
      </p>
      {forbidden && <p class="small">{say("The person who runs this server chooses the model.", "모델은 서버 관리자가 선택해요.")}</p>}
      {now.problem && !forbidden && <Trouble problem={now.problem} again={now.again} />}
      {!now.value && !now.problem && <Waiting />}
      {now.value && (now.value.fixed ? <Fixed now={now.value} /> : <Choose now={now.value} again={now.again} />)}
    </section>
  );
}

/** A thinker that was fixed when the server was started. */
function Fixed({ now }: { now: ThinkerNow }) {
  return (
    <>
      <p>
        <b>{provider(now.provider)}</b> {now.name && <code dir="auto">{now.name}</code>}
      </p>
      <p class="faint small">
        {say("Set when the server was started (--model or SAEGIM_MODEL); change it there.", "서버를 시작할 때 지정했어요(--model 또는 SAEGIM_MODEL). 바꾸려면 그 값을 수정해 주세요.")}
      </p>
      <AskThem />
    </>
  );
}

function Choose({ now, again }: { now: ThinkerNow; again: () => void }) {
  const whose = useSignal(now.provider);
  const name = useSignal(now.name ?? "");
  const base = useSignal(now.base_url ?? "");
  const key = useSignal("");
  const saved = useSignal(0);
  useEffect(() => {
    whose.value = now.provider;
    name.value = now.name ?? "";
    base.value = now.base_url ?? "";
  }, [now]);
  const rules = whose.value === "rules";
  const offered = now.providers.find((one) => one.name === whose.value);
  const elsewhere = now.has_key && (whose.value !== now.provider || base.value.trim() !== (now.base_url ?? ""));
  const same = whose.value === now.provider && (rules || (name.value.trim() === (now.name ?? "") && base.value.trim() === (now.base_url ?? "")));
  const choose = (words: string, wanted: Record<string, string | undefined>) =>
    attempt(
      () => ask<ThinkerNow>("PUT", "/v1/thinker", { provider: whose.value, ...wanted }),
      () => {
        key.value = "";
        saved.value++;
        again();
        tell(words);
      },
    );
  const save = (event: Event) => {
    event.preventDefault();
    const words = now.kept
      ? say("Active now and saved in the configuration file.", "지금부터 적용돼요. 설정 파일에도 저장했어요.")
      : say("Active until the server stops.", "서버를 종료할 때까지 적용돼요.");
    void choose(words, rules ? {} : { name: name.value.trim(), base_url: base.value.trim() || undefined, key: key.value.trim() || undefined });
  };
  return (
    <>
      <form class="model" onSubmit={save}>
        <label>
          {say("Provider", "제공자")}
          <select value={whose.value} onChange={(event) => (whose.value = event.currentTarget.value)}>
            <option value="rules">{provider("rules")}</option>
            <optgroup label={say("On this machine", "이 컴퓨터에서")}>
              {now.providers.filter((one) => one.local).map((one) => <option key={one.name} value={one.name}>{provider(one.name)}</option>)}
            </optgroup>
            <optgroup label={say("Online services", "온라인 서비스")}>
              {now.providers.filter((one) => !one.local).map((one) => <option key={one.name} value={one.name}>{provider(one.name)}</option>)}
            </optgroup>
          </select>
        </label>
        {!rules && (
          <>
            <label>
              {say("Model", "모델 이름")}
              <input value={name.value} required maxLength={200} autocomplete="off" spellcheck={false} dir="auto" onInput={(event) => (name.value = event.currentTarget.value)} />
            </label>
            <label>
              {say("URL (if not the default)", "URL (기본값이 아닐 때만)")}
              <input value={base.value} type="url" inputMode="url" placeholder={offered?.base_url} maxLength={500} autocomplete="off" spellcheck={false} onInput={(event) => (base.value = event.currentTarget.value)} />
            </label>
            <label>
              {say("API key", "API 키")}
              <input value={key.value} type="password" autocomplete="new-password" maxLength={500} placeholder={placeholder(now.has_key && !elsewhere)} onInput={(event) => (key.value = event.currentTarget.value)} />
            </label>
            {elsewhere && <p class="faint small wide">{say("Your stored key is not sent to a different server.", "저장된 API 키는 다른 서버로 보내지 않아요.")}</p>}
          </>
        )}
        <div class="row wrap wide">
          <button type="submit" class="main" disabled={same && !key.value.trim()}>
            {say("Apply", "적용")}
          </button>
          {now.has_key && !elsewhere && !rules && (
            <button type="button" class="quiet danger" onClick={() => choose(say("Key removed", "API 키를 삭제했어요"), { name: now.name ?? "", base_url: now.base_url ?? undefined, key: "" })}>
              {say("Remove the key", "API 키 삭제")}
            </button>
          )}
        </div>
      </form>
      {now.apart.length > 0 && (
        <p class="faint small">
          {say("Tasks with their own model in the configuration file: ", "설정 파일에서 모델을 따로 지정한 작업: ")}
          <code>{now.apart.join(", ")}</code>
        </p>
      )}
      {!now.kept && <p class="faint small">{say("A choice made here lasts until the server stops.", "여기서 고른 모델은 서버를 종료할 때까지만 써요.")}</p>}
      {now.provider !== "rules" && <AskThem key={saved.value} />}
    </>
  );
}

function placeholder(known: boolean): string {
  return known ? say("set · not shown again", "저장됨 · 다시 표시하지 않아요") : say("not set", "없음");
}

/** Sends a small test request to each model. */
function AskThem() {
  const ask = () => post<LookedOver>("/v1/thinker/try");
  return <Trial ask={ask} words={say("Test", "테스트")} meanwhile={say("Testing …", "테스트 중 …")} />;
}
