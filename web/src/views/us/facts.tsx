// Facts about the user: current and past values, their sources, and a way to correct them.
import { useSignal } from "@preact/signals";
import { ask, asking, get } from "../../api/client";
import type { Fact, Turn } from "../../api/contract";
import { category } from "../../names";
import { Nothing, useLoad } from "../../parts/load";
import { attempt, tell } from "../../parts/toast";
import { number, say } from "../../say";
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
        <Nothing title={say("Nothing is known yet", "아직 아는 것이 없어요")}>
          <p>{say("Facts are gathered from what you say. You can also state one here.", "이야기하는 동안 하나씩 알게 돼요. 여기에 직접 적어도 돼요.")}</p>
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
        tell(say(`Corrected: ${value.value}`, `바로잡았어요: ${value.value}`), () => state(fact.subject, old).then(again));
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
              aria-label={say(`${fact.name}: the right value`, `${fact.name}: 올바른 값`)}
              value={value.value}
              dir="auto"
              maxLength={500}
              onInput={(event) => (value.value = event.currentTarget.value)}
              required
            />
            <button type="submit" class="main small">
              {say("Keep", "저장")}
            </button>
            <button type="button" class="quiet small" onClick={() => (editing.value = false)}>
              {say("Leave it", "취소")}
            </button>
          </form>
        ) : (
          <>
            <span class="fact-value" dir="auto">
              {fact.value}
            </span>
            <span class="fact-hand">
              <button type="button" class="quiet small" aria-label={say(`Correct ${fact.name}`, `${fact.name} 바로잡기`)} onClick={() => (editing.value = true)}>
                {say("Correct", "바로잡기")}
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
              {say("It holds again", "다시 맞아요")}
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
      tell(say(`It holds again: ${old.value}`, `다시 맞는 것으로 했어요: ${old.value}`));
    },
  );
}

function Whence({ fact, again }: { fact: Fact; again: () => void }) {
  const said = useLoad(() => Promise.all(fact.turns.slice(-3).map((id) => get<Turn>(at(`/turns/${id}`)).catch(() => null))), [fact.id]);
  const turns = (said.value ?? []).filter((turn) => turn !== null);
  return (
    <div class="whence">
      <p class="faint">
        {say(`Since ${day(fact.valid_from)} · ${number(fact.confidence * 100)}% sure · said ${number(fact.mentions)}×`, `${day(fact.valid_from)}부터 · 확실함 ${number(fact.confidence * 100)}% · ${number(fact.mentions)}번 나옴`)}
      </p>
      {turns.map((turn) => (
        <blockquote key={turn.id} dir="auto">
          {turn.content} <span class="faint">{ago(turn.at)}</span>
        </blockquote>
      ))}
      {!said.busy && turns.length === 0 && <p class="faint">{say("Stated by hand.", "직접 적은 것이에요.")}</p>}
      <button
        type="button"
        class="quiet small danger"
        onClick={() =>
          attempt(
            () => end(fact.subject, fact.value),
            () => {
              again();
              tell(say("It no longer holds; it stays as history", "이제 맞지 않는 것으로 했어요. 지난 일로는 남아 있어요"), () => state(fact.subject, fact.value).then(again));
            },
          )
        }
      >
        {say("This no longer holds", "이제는 아니에요")}
      </button>
    </div>
  );
}

function Over({ facts, again }: { facts: Fact[]; again: () => void }) {
  if (facts.length === 0) return null;
  return (
    <details class="card">
      <summary>
        <h2>{say("No longer so", "이제는 지난 일")}</h2>
      </summary>
      <dl>
        {facts.map((fact) => (
          <div key={fact.id} class="fact">
            <dt>{fact.name}</dt>
            <dd class="faint">
              <s dir="auto">{fact.value}</s> {day(fact.valid_from)} – {fact.valid_to ? day(fact.valid_to) : ""}{" "}
              <button type="button" class="quiet small" onClick={() => back(fact, again)}>
                {say("It holds again", "다시 맞아요")}
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
        tell(say(`Noted: ${fact.value}`, `적어 두었어요: ${fact.value}`));
      },
    );
  };
  return (
    <details class="card">
      <summary>
        <h2>{say("State a fact", "직접 알려 주기")}</h2>
      </summary>
      <form class="row wrap" onSubmit={add}>
        <input
          aria-label={say("What about", "무엇에 대해")}
          placeholder={say("residence, birthday, hobby …", "사는 곳, 생일, 취미 …")}
          value={subject.value}
          maxLength={100}
          onInput={(event) => (subject.value = event.currentTarget.value)}
          required
        />
        <input
          aria-label={say("What is so", "내용")}
          placeholder={say("Busan", "부산")}
          value={value.value}
          dir="auto"
          maxLength={500}
          onInput={(event) => (value.value = event.currentTarget.value)}
          required
        />
        <button type="submit" class="main">
          {say("Note", "적기")}
        </button>
      </form>
    </details>
  );
}
