// The islands as a landscape at sea: higher when stronger, trembling while shaking, under water after a collapse.
import { useSignal } from "@preact/signals";
import { ask } from "../../api/client";
import type { Island } from "../../api/contract";
import { status } from "../../names";
import { attempt, tell } from "../../parts/toast";
import { number, say } from "../../say";
import { chance } from "../../orrery/path";
import { at } from "../../state/mind";
import { ago, until } from "../../time";
import { Mention } from "../memory/links";

/** Height of an island above the water. */
function height(island: Island): number {
  if (island.status === "collapsed") return 6;
  return 26 + island.strength * 84;
}

/** Outline of an island, derived from its id. */
function hill(island: Island): string {
  const wide = 138 + 44 * chance(island.id, 1);
  const high = height(island) * (0.86 + 0.14 * chance(island.id, 2));
  const [a, b] = [wide * (0.13 + 0.12 * chance(island.id, 3)), wide * (0.3 + 0.09 * chance(island.id, 4))];
  return `M${-wide / 2} 0 C${-b} ${-high * 0.25} ${-a} ${-high} 0 ${-high} C${a * 0.8} ${-high} ${a} ${-high * 0.55} ${b} ${-high * 0.3} C${wide * 0.42} ${-high * 0.12} ${wide * 0.46} 0 ${wide / 2} 0 Z`;
}

export function Islands({ islands, again }: { islands: Island[]; again: () => void }) {
  const chosen = useSignal<string | null>(null);
  const one = islands.find((island) => island.id === chosen.value) ?? null;
  const each = 200;
  const wide = Math.max(3, islands.length) * each;
  const offset = (wide - islands.length * each) / 2;
  return (
    <section class="sea">
      <div class="sea-scroll" tabIndex={0} role="group" aria-label={say("Islands", "섬")}>
        <svg class="landscape" viewBox={`0 0 ${wide} 220`} style={{ "--wide": `${wide}px` }} aria-hidden="true">
          <g class="reflections">
            {islands.map((island, at) => (
              <path
                key={island.id}
                class={`hill ${island.status}`}
                d={hill(island)}
                transform={`translate(${offset + at * each + each / 2} 158) scale(1 -0.42)`}
              />
            ))}
          </g>
          {islands.map((island, at) => (
            <g key={island.id} transform={`translate(${offset + at * each + each / 2} 156)`}>
              <g class={`island ${island.status}`}>
                <path class={`hill ${island.status}`} d={hill(island)} />
                <text class="sign" text-anchor="middle" y={-height(island) - 10}>
                  {island.emoji}
                </text>
              </g>
            </g>
          ))}
          {[172, 186, 201].map((y, at) => (
            <path key={y} class="ripple" d={`M${wide * (0.1 + at * 0.07)} ${y} h${wide * 0.16} M${wide * (0.55 - at * 0.05)} ${y + 4} h${wide * 0.2}`} />
          ))}
        </svg>
        {islands.length > 0 && (
          <ul class="island-names" style={{ "--wide": `${wide}px`, "--each": `${each}px` }}>
            {islands.map((island) => (
              <li key={island.id}>
                <button
                  type="button"
                  aria-expanded={chosen.value === island.id}
                  onClick={() => (chosen.value = chosen.value === island.id ? null : island.id)}
                >
                  <b dir="auto">{island.name}</b>
                  <span class={`faint status ${island.status}`}>
                    {status(island.status)} · {number(island.strength * 100)}%
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {islands.length === 0 && (
        <p class="sea-empty">
          {say("No islands yet. They form from permanent memories.", "아직 섬이 없어요. 영구 보관한 기억이 모이면 섬이 생겨요.")}
        </p>
      )}
      {one && <Chosen key={one.id} island={one} again={again} />}
    </section>
  );
}

function Chosen({ island, again }: { island: Island; again: () => void }) {
  const renaming = useSignal(false);
  const name = useSignal(island.name);
  const rename = (event: Event) => {
    event.preventDefault();
    void attempt(
      () => ask("PATCH", at(`/islands/${island.id}`), { name: name.value }),
      () => {
        renaming.value = false;
        again();
        tell(say("Renamed", "이름을 바꿨어요"));
      },
    );
  };
  return (
    <article class="card island-card">
      <h2>
        <span aria-hidden="true">{island.emoji}</span> <span dir="auto">{island.name}</span>
      </h2>
      {island.description && <p dir="auto">{island.description}</p>}
      <p class="faint">
        {status(island.status)} · {say(`created ${ago(island.made_at)}`, `${ago(island.made_at)}에 생김`)}
        {island.collapses_at && <span class="warning"> · {say(`collapses in ${until(island.collapses_at)}`, `${until(island.collapses_at)} 뒤에 무너져요`)}</span>}
        {!island.in_context && ` · ${say("not part of the current context", "지금은 컨텍스트에 포함되지 않아요")}`}
      </p>
      <h3>{say("Memories behind it", "섬의 바탕이 된 기억")}</h3>
      <ul class="plain">
        {[...island.founding, ...island.rebuilding].map((id) => (
          <li key={id}>
            <Mention id={id} />
          </li>
        ))}
      </ul>
      {renaming.value ? (
        <form class="row" onSubmit={rename}>
          <input aria-label={say("Name of the island", "섬 이름")} value={name.value} dir="auto" maxLength={100} onInput={(event) => (name.value = event.currentTarget.value)} required />
          <button type="submit" class="main small">
            {say("Save", "저장")}
          </button>
        </form>
      ) : (
        <button type="button" class="quiet small" onClick={() => (renaming.value = true)}>
          {say("Rename", "이름 바꾸기")}
        </button>
      )}
    </article>
  );
}
