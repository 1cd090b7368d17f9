// Breakdown of a memory's zone score, its strength, and its score as a candidate.
import type { Life, Part } from "../../api/contract";
import { part, type, verdict } from "../../names";
import { count, number, say } from "../../say";

export function Parts({ parts, total }: { parts: Part[]; total: number }) {
  const most = Math.max(0.2, ...parts.map((one) => Math.abs(one.weight * one.value)));
  return (
    <table class="parts">
      <caption class="unseen">{say("The score, part by part", "점수의 구성")}</caption>
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
        <h3>{say("How it stands", "지금 모습")}</h3>
        <Gauge name={say("importance", "중요도")} value={life.importance} />
        <Gauge name={say("strength", "생생함")} value={life.strength} />
        <Gauge name={say("trust", "믿을 만함")} value={life.trust} />
        <p class="faint">
          {say(`Recalled ${count(life.recalls, "time", "times")}.`, `${number(life.recalls)}번 떠올렸어요.`)}
          {life.mentions > 0 && say(` Told again ${count(life.mentions, "time", "times")}.`, ` ${number(life.mentions)}번 다시 들었어요.`)}
        </p>
      </section>
      <details class="fold">
        <summary>
          <h3>{say("How near to mind", "얼마나 가까이 있나")}</h3>
          <span class="faint">{number(life.nearness.score, 2)}</span>
        </summary>
        <Parts parts={life.nearness.parts} total={life.nearness.score} />
      </details>
      {judged && (
        <details class="fold">
          <summary>
            <h3>{say("How it was judged", "어떻게 가늠했나")}</h3>
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
