// Facts about the user: current and past values, their sources, and a way to correct them.
import { useSignal } from "@preact/signals";
import { ask, asking, get } from "../../api/client";
import type { Fact, Turn } from "../../api/contract";
import { category } from "../../names";
import { Nothing, useLoad } from "../../parts/load";
import { attempt, tell } from "../../parts/toast";
import { count, number, say } from "../../say";
import { at } from "../../state/mind";
import { ago, day } from "../../time";

const ORDER = ["identity", "preference", "situation", "behaviour"];

const state = (subject: string, value: string) => ask<Fact>("PUT", at("/facts"), { subject, value });
const end = (subject: string, value: string) => ask("DELETE", asking(at("/facts"), { subject, value }));

export function FactsKnown({ facts, again }: { facts: Fact[]; again: () => void }) {
  const current = facts.filter((fact) => fact.current);
  const groups = ORDER.map((name) => [name, current.filter((fact) => fact.category === name)] as const).filter(([, all]) => all.length > 0);
  return (
    <>
      {current.length === 0 && (
        <Nothing title={say("No facts yet", "아직 아는 사실이 없어요")}>
          <p>{say("Facts are learned from your conversations. You can also add one here.", "대화하면서 하나씩 알게 돼요. 여기에 직접 추가해도 돼요.")}</p>
        </Nothing>
      )}
      {groups.map(([name, all]) => (
        <section key={name} class="card facts">
          <h2>{category(name)}</h2>
          <dl>
            {all.map((fact) => (
              <One key={fact.id} fact={fact} before={facts.filter((old) => !old.current && old.subject === fact.subject)} again={again} />
            ))}
          </dl>
        </section>
      ))}
      <Add again={again} />
      <Over facts={facts.filter((fact) => !fact.current && !current.some((now) => now.subject === fact.subject))} again={again} />
    </>
  );
}

function One({ fact, before, again }: { fact: Fact; before: Fact[]; again: () => void }) {
  const editing = useSignal(false);
  const value = useSignal(fact.value);
  const looking = useSignal(false);
  const correct = (event: Event) => {
    event.preventDefault();
    const old = fact.value;
    void attempt(
      async () => {
        if (!fact.single) await end(fact.subject, old);
        return state(fact.subject, value.value);
      },
      () => {
        editing.value = false;
        again();
        tell(say(`Corrected: ${value.value}`, `수정했어요: ${value.value}`), () => state(fact.subject, old).then(again));
      },
    );
  };
  return (
    <div class="fact">
      <dt>{fact.name}</dt>
      <dd>
        {editing.value ? (
          <form class="row" onSubmit={correct}>
            <input
              aria-label={say(`${fact.name}: correct value`, `${fact.name}: 올바른 값`)}
              value={value.value}
              dir="auto"
              maxLength={500}
              onInput={(event) => (value.value = event.currentTarget.value)}
              required
            />
            <button type="submit" class="main small">
              {say("Save", "저장")}
            </button>
            <button type="button" class="quiet small" onClick={() => (editing.value = false)}>
              {say("Cancel", "취소")}
            </button>
          </form>
        ) : (
          <>
            <span class="fact-value" dir="auto">
              {fact.value}
            </span>
            <span class="fact-hand">
              <button type="button" class="quiet small" aria-label={say(`Correct ${fact.name}`, `${fact.name} 수정`)} onClick={() => (editing.value = true)}>
                {say("Correct", "수정")}
              </button>
              <button
                type="button"
                class="quiet small"
                aria-expanded={looking.value}
                aria-label={say(`Source of ${fact.name}`, `${fact.name} 출처`)}
                onClick={() => (looking.value = !looking.value)}
              >
                {say("Source", "출처")}
              </button>
            </span>
          </>
        )}
        {before.map((old) => (
          <p key={old.id} class="held faint">
            <s dir="auto">{old.value}</s> {day(old.valid_from)} – {old.valid_to ? day(old.valid_to) : ""}{" "}
            <button type="button" class="quiet small" onClick={() => back(old, again)}>
              {say("Make current", "현재 사실로 되돌리기")}
            </button>
          </p>
        ))}
        {looking.value && <Whence fact={fact} again={again} />}
      </dd>
    </div>
  );
}

function back(old: Fact, again: () => void): void {
  void attempt(
    () => state(old.subject, old.value),
    () => {
      again();
      tell(say(`Current again: ${old.value}`, `현재 사실로 되돌렸어요: ${old.value}`));
    },
  );
}

function Whence({ fact, again }: { fact: Fact; again: () => void }) {
  const said = useLoad(() => Promise.all(fact.turns.slice(-3).map((id) => get<Turn>(at(`/turns/${id}`)).catch(() => null))), [fact.id]);
  const turns = (said.value ?? []).filter((turn) => turn !== null);
  return (
    <div class="whence">
      <p class="faint">
        {say(`Since ${day(fact.valid_from)} · ${number(fact.confidence * 100)}% confidence · mentioned ${count(fact.mentions, "time", "times")}`, `${day(fact.valid_from)}부터 · 확신도 ${number(fact.confidence * 100)}% · ${number(fact.mentions)}번 언급`)}
      </p>
      {turns.map((turn) => (
        <blockquote key={turn.id} dir="auto">
          {turn.content} <span class="faint">{ago(turn.at)}</span>
        </blockquote>
      ))}
      {!said.busy && turns.length === 0 && <p class="faint">{say("Entered by you.", "직접 입력한 내용이에요.")}</p>}
      <button
        type="button"
        class="quiet small danger"
        onClick={() =>
          attempt(
            () => end(fact.subject, fact.value),
            () => {
              again();
              tell(say("Marked as no longer true; it stays in the history", "더 이상 사실이 아니라고 표시했어요. 이력에는 남아 있어요"), () => state(fact.subject, fact.value).then(again));
            },
          )
        }
      >
        {say("No longer true", "더 이상 사실이 아니에요")}
      </button>
    </div>
  );
}

function Over({ facts, again }: { facts: Fact[]; again: () => void }) {
  if (facts.length === 0) return null;
  return (
    <details class="card">
      <summary>
        <h2>{say("Past facts", "과거의 사실")}</h2>
      </summary>
      <dl>
        {facts.map((fact) => (
          <div key={fact.id} class="fact">
            <dt>{fact.name}</dt>
            <dd class="faint">
              <s dir="auto">{fact.value}</s> {day(fact.valid_from)} – {fact.valid_to ? day(fact.valid_to) : ""}{" "}
              <button type="button" class="quiet small" onClick={() => back(fact, again)}>
                {say("Make current", "현재 사실로 되돌리기")}
              </button>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Add({ again }: { again: () => void }) {
  const subject = useSignal("");
  const value = useSignal("");
  const add = (event: Event) => {
    event.preventDefault();
    void attempt(
      () => state(subject.value, value.value),
      (fact) => {
        subject.value = value.value = "";
        again();
        tell(say(`Saved: ${fact.value}`, `저장했어요: ${fact.value}`));
      },
    );
  };
  return (
    <details class="card">
      <summary>
        <h2>{say("Add a fact", "사실 추가")}</h2>
      </summary>
      <form class="row wrap" onSubmit={add}>
        <input
          aria-label={say("Subject", "항목")}
          placeholder={say("residence, birthday, hobby …", "사는 곳, 생일, 취미 …")}
          value={subject.value}
          maxLength={100}
          onInput={(event) => (subject.value = event.currentTarget.value)}
          required
        />
        <input
          aria-label={say("Value", "내용")}
          placeholder={say("Busan", "부산")}
          value={value.value}
          dir="auto"
          maxLength={500}
          onInput={(event) => (value.value = event.currentTarget.value)}
          required
        />
        <button type="submit" class="main">
          {say("Add", "추가")}
        </button>
      </form>
    </details>
  );
}
