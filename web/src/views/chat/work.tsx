// What the memory did with an exchange: what was recalled, stored and skipped, and why.
import type { Candidate, Observed } from "../../api/contract";
import { axis, moved, part, section, type, verdict } from "../../names";
import { count, number, say } from "../../say";
import type { Exchange } from "../../state/chat";
import { memory } from "../../state/memories";
import { face, mood } from "../../state/mind";
import { feeling } from "../../feelings";
import { FaceOf, faceName } from "../../parts/face";
import { show } from "../../route";
import { Mention } from "../memory/links";

const KEPT = ["stored", "merged", "reinforced"];

/** One-line summary of an exchange. */
export function summary(update: Observed): string {
  const kept = update.candidates.filter((one) => one.verdict === "stored").length;
  const stronger = update.candidates.filter((one) => one.verdict === "reinforced" || one.verdict === "merged").length;
  const held = update.candidates.filter((one) => one.verdict === "held").length;
  const facts = update.facts.filter((one) => one.change !== "mentioned").length;
  const parts = [
    kept && say(`${count(kept, "memory", "memories")} stored`, `기억 ${kept}개 저장`),
    stronger && say(`${number(stronger)} strengthened`, `${stronger}개 강화됨`),
    held && say(`${number(held)} waiting for your decision`, `${held}개 보류됨`),
    facts && say(`${count(facts, "fact", "facts")} learned`, `사실 ${facts}개 확인`),
  ].filter(Boolean);
  return parts.length ? parts.join(" · ") : say("nothing stored", "저장한 기억 없음");
}

export function AtWork({ exchange }: { exchange: Exchange | null }) {
  if (!exchange) {
    return (
      <div class="work-empty">
        <h2>{say("Memory at work", "기억이 하는 일")}</h2>
        <p>
          {say(
            "For each message, this shows which memories were recalled before the reply and what was stored afterwards.",
            "메시지마다, 답하기 전에 어떤 기억을 떠올렸고 그 뒤에 무엇을 저장했는지 보여 드려요.",
          )}
        </p>
      </div>
    );
  }
  return (
    <div class="work-body">
      <h2>{say("Memory at work", "기억이 하는 일")}</h2>
      <Brought exchange={exchange} />
      {exchange.update && <CameOfIt update={exchange.update} />}
    </div>
  );
}

/** Memories recalled for the answer. */
function Brought({ exchange }: { exchange: Exchange }) {
  const { context } = exchange;
  if (!context) return null;
  const used = new Set(exchange.update?.context_used ?? []);
  const said = new Map<string, string>();
  for (const id of new Set(context.sections.flatMap((one) => one.memory_ids))) {
    // An essence of one memory has the same text as the memory: show it once, and prefer the one that was used.
    const text = memory(id)?.content ?? id;
    if (!said.has(text) || used.has(id)) said.set(text, id);
  }
  const ids = [...said.values()];
  return (
    <section>
      <h3>{say("Recalled", "떠올린 기억")}</h3>
      {ids.length === 0 && <p class="faint">{say("No memory matched.", "관련된 기억이 없었어요.")}</p>}
      <ul class="plain">
        {ids.map((id) => (
          <li key={id} class={used.has(id) ? "used" : ""}>
            <Mention id={id} />
            {used.has(id) && <span class="chip flat gold">{say("used", "답변에 사용")}</span>}
          </li>
        ))}
      </ul>
      {context.degraded && <p class="faint">{context.degraded}</p>}
      <details>
        <summary class="faint">{say(`Full context of the reply · about ${number(context.tokens)} tokens`, `답변에 쓴 전체 컨텍스트 · 약 ${number(context.tokens)}토큰`)}</summary>
        {context.sections.map((one) => (
          <div key={one.name} class="given">
            <h4>{section(one.name)}</h4>
            <pre dir="auto">{one.text}</pre>
          </div>
        ))}
      </details>
    </section>
  );
}

function CameOfIt({ update }: { update: Observed }) {
  const kept = update.candidates.filter((one) => KEPT.includes(one.verdict));
  const passed = update.candidates.filter((one) => !KEPT.includes(one.verdict));
  return (
    <>
      <section>
        <h3>{say("Stored", "저장한 기억")}</h3>
        {kept.length === 0 && <p class="faint">{say("Nothing from this message was stored.", "이 메시지에서 저장한 기억이 없어요.")}</p>}
        {kept.map((one) => (
          <Judged key={one.id} candidate={one} />
        ))}
      </section>
      {passed.length > 0 && (
        <section>
          <h3>{say("Not stored", "저장하지 않은 내용")}</h3>
          {passed.map((one) => (
            <Judged key={one.id} candidate={one} />
          ))}
        </section>
      )}
      {update.facts.length > 0 && (
        <section>
          <h3>{say("Facts", "사실")}</h3>
          <ul class="plain">
            {update.facts.map((one) => (
              <li key={one.subject + one.value} dir="auto">
                <b>{one.name}</b> {one.value}
                {one.before.length > 0 && <s class="faint"> {one.before.join(", ")}</s>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Moved update={update} />
    </>
  );
}

function Judged({ candidate }: { candidate: Candidate }) {
  return (
    <details class={`judged ${candidate.verdict}`}>
      <summary>
        <span class="verdict">{verdict(candidate.verdict)}</span>
        <span dir="auto">{candidate.content}</span>
        <b>{number(candidate.score, 2)}</b>
      </summary>
      <p class="faint">
        {type(candidate.type)} · {candidate.reason}
      </p>
      <dl class="factors">
        {Object.entries(candidate.factors as Record<string, number>).map(([name, value]) => (
          <div key={name}>
            <dt>{part(name)}</dt>
            <dd>{number(value, 2)}</dd>
          </div>
        ))}
      </dl>
      {candidate.memory_id && (
        <button type="button" class="quiet small" onClick={() => show(candidate.memory_id!)}>
          {say("Open the memory", "기억 열기")}
        </button>
      )}
    </details>
  );
}

/** The face, the mood, and the change of the relationship. */
function Moved({ update }: { update: Observed }) {
  const felt = Object.entries(mood.value?.levels ?? update.mood.levels).filter(([name]) => name !== "neutral").sort(([, a], [, b]) => b - a);
  return (
    <section>
      <h3>{say("Relationship", "관계")}</h3>
      <div class="row">
        <FaceOf face={face.value} size={40} />
        <p>
          {faceName(face.value)}
          <br />
          <span class="faint">{felt.slice(0, 3).map(([name, level]) => `${feeling(name)} ${number(level * 100)}%`).join(" · ")}</span>
        </p>
      </div>
      {update.changes.length > 0 && (
        <ul class="plain">
          {update.changes.map((one: any, at: number) => (
            <li key={at}>
              <b>{axis(one.axis)}</b> {one.delta > 0 ? "+" : "−"}
              {number(Math.abs(one.delta), 1)} <span class="faint">{one.reason && moved(one.reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
