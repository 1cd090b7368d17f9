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
      <h2>{say("Who thinks", "생각하는 모델")}</h2>
      <p class="faint small">
        {say(
          "Built-in rules work offline and cost nothing. A model understands more, but what is said is sent to it.",
          "기본 규칙은 인터넷 없이 무료로 움직여요. 모델을 쓰면 더 깊이 이해하지만, 나눈 말이 그 모델로 전해져요.",
        )}
      </p>
      {forbidden && <p class="small">{say("Whoever runs this server chooses the model.", "모델은 이 서버를 맡은 사람이 골라요.")}</p>}
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
        {say("Chosen when the server was started (--model or SAEGIM_MODEL), and changed there.", "서버를 시작할 때 정했어요 (--model 또는 SAEGIM_MODEL). 거기에서 바꿀 수 있어요.")}
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
      ? say("From now on. It is written into the configuration file.", "지금부터 적용돼요. 설정 파일에 적어 두었어요.")
      : say("From now on, until this server ends.", "지금부터 적용돼요. 이 서버가 꺼질 때까지예요.");
    void choose(words, rules ? {} : { name: name.value.trim(), base_url: base.value.trim() || undefined, key: key.value.trim() || undefined });
  };
  return (
    <>
      <form class="model" onSubmit={save}>
        <label>
          {say("Who", "누가")}
          <select value={whose.value} onChange={(event) => (whose.value = event.currentTarget.value)}>
            <option value="rules">{provider("rules")}</option>
            <optgroup label={say("On this machine", "이 컴퓨터에서")}>
              {now.providers.filter((one) => one.local).map((one) => <option key={one.name} value={one.name}>{provider(one.name)}</option>)}
            </optgroup>
            <optgroup label={say("Over the network", "인터넷 너머")}>
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
              {say("Address (only if different)", "주소 (다를 때만)")}
              <input value={base.value} type="url" inputMode="url" placeholder={offered?.base_url} maxLength={500} autocomplete="off" spellcheck={false} onInput={(event) => (base.value = event.currentTarget.value)} />
            </label>
            <label>
              {say("Key", "열쇠")}
              <input value={key.value} type="password" autocomplete="new-password" maxLength={500} placeholder={placeholder(now.has_key && !elsewhere)} onInput={(event) => (key.value = event.currentTarget.value)} />
            </label>
            {elsewhere && <p class="faint small wide">{say("The key you have is not given to another server.", "가지고 있던 열쇠는 다른 서버에 주지 않아요.")}</p>}
          </>
        )}
        <div class="row wrap wide">
          <button type="submit" class="main" disabled={same && !key.value.trim()}>
            {say("Use it", "적용")}
          </button>
          {now.has_key && !elsewhere && !rules && (
            <button type="button" class="quiet danger" onClick={() => choose(say("The key is gone", "열쇠를 지웠어요"), { name: now.name ?? "", base_url: now.base_url ?? undefined, key: "" })}>
              {say("Remove the key", "열쇠 지우기")}
            </button>
          )}
        </div>
      </form>
      {now.apart.length > 0 && (
        <p class="faint small">
          {say("Some thoughts have models of their own in the configuration file: ", "설정 파일에서 따로 정해 둔 일: ")}
          <code>{now.apart.join(", ")}</code>
        </p>
      )}
      {!now.kept && <p class="faint small">{say("A choice made here lasts until this server ends.", "여기서 고른 것은 이 서버가 꺼질 때까지만 남아요.")}</p>}
      {now.provider !== "rules" && <AskThem key={saved.value} />}
    </>
  );
}

function placeholder(known: boolean): string {
  return known ? say("set · never shown again", "있음 · 다시 보여 주지 않아요") : say("not set", "없음");
}

/** Sends a small test request to each model. */
function AskThem() {
  const ask = () => post<LookedOver>("/v1/thinker/try");
  return <Trial ask={ask} words={say("Try it", "한번 물어보기")} meanwhile={say("Asking …", "물어보는 중 …")} />;
}
