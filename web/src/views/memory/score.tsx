// Breakdown of a memory's zone score, its strength, and its score as a candidate.
import type { Life, Part } from "../../api/contract";
import { part, type, verdict } from "../../names";
import { count, number, say } from "../../say";

export function Parts({ parts, total }: { parts: Part[]; total: number }) {
  const most = Math.max(0.2, ...parts.map((one) => Math.abs(one.weight * one.value)));
  return (
    <table class="parts">
      <caption class="unseen">{say("Score by part", "항목별 점수")}</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">{say("Part", "항목")}</th>
          <th scope="col">{say("Weight × value", "비중 × 값")}</th>
          <th scope="col">{say("Adds", "더해진 점수")}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map((one) => {
          const adds = one.weight * one.value;
          return (
            <tr key={one.name}>
              <th scope="row">{part(one.name)}</th>
              <td class="bar">
                <i class={adds < 0 ? "below" : ""} style={{ "--share": String(Math.abs(adds) / most) }} aria-hidden="true" />
                <span class="faint">
                  {number(one.weight, 2)} × {number(one.value, 2)}
                </span>
              </td>
              <td class="sum">{number(adds, 2)}</td>
            </tr>
          );
        })}
        <tr class="total">
          <th scope="row">{say("total", "합계")}</th>
          <td />
          <td class="sum">{number(total, 2)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Gauge({ name, value }: { name: string; value: number }) {
  return (
    <div class="gauge">
      <span>{name}</span>
      <i style={{ "--share": String(value) }} aria-hidden="true" />
      <b>{number(value * 100)}%</b>
    </div>
  );
}

export function Score({ life }: { life: Life }) {
  const judged = life.judged;
  return (
    <>
      <section class="fold">
        <h3>{say("Current values", "현재 상태")}</h3>
        <Gauge name={say("importance", "중요도")} value={life.importance} />
        <Gauge name={say("strength", "선명도")} value={life.strength} />
        <Gauge name={say("trust", "신뢰도")} value={life.trust} />
        <p class="faint">
          {say(`Recalled ${count(life.recalls, "time", "times")}.`, `${number(life.recalls)}번 회상했어요.`)}
          {life.mentions > 0 && say(` Mentioned again ${count(life.mentions, "time", "times")}.`, ` ${number(life.mentions)}번 다시 언급됐어요.`)}
        </p>
      </section>
      <details class="fold">
        <summary>
          <h3>{say("Closeness to working memory", "작업 기억과의 거리")}</h3>
          <span class="faint">{number(life.nearness.score, 2)}</span>
        </summary>
        <Parts parts={life.nearness.parts} total={life.nearness.score} />
      </details>
      {judged && (
        <details class="fold">
          <summary>
            <h3>{say("How it was scored", "평가 내역")}</h3>
            <span class="faint">{number(judged.score, 2)}</span>
          </summary>
          <p>
            {verdict(judged.verdict)} · {type(judged.type)}
          </p>
          <p class="faint">{judged.reason}</p>
          {Object.entries(judged.factors as Record<string, number>).map(([name, value]) => (
            <Gauge key={name} name={part(name)} value={value} />
          ))}
        </details>
      )}
    </>
  );
}
