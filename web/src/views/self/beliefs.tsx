// The character's beliefs, with lines to the memories that support each.
import { useComputed } from "@preact/signals";
import type { Belief, Island, SelfVersion } from "../../api/contract";
import { Orb } from "../../parts/orb";
import { show } from "../../route";
import { number, say } from "../../say";
import { known, memory } from "../../state/memories";
import { ago } from "../../time";

/** Maximum number of lines drawn for one belief. */
const THREADS = 6;

export function Beliefs({ version, islands }: { version: SelfVersion; islands: Island[] }) {
  return (
    <section class="beliefs">
      <h2>{say("Who I am", "나는 이런 존재예요")}</h2>
      <p class="faint">{say(`Version ${number(version.version)} · ${ago(version.made_at)}`, `버전 ${number(version.version)} · ${ago(version.made_at)}`)}</p>
      <ul>
        {version.beliefs.map((belief) => (
          <One key={belief.id} belief={belief} island={islands.find((one) => one.id === belief.island)} />
        ))}
      </ul>
    </section>
  );
}

function One({ belief, island }: { belief: Belief; island?: Island }) {
  const resting = belief.supporting.slice(0, THREADS);
  const supports = useComputed(() => (known.value, resting.map((id) => ({ id, memory: memory(id) }))));
  const row = 34;
  const high = Math.max(56, resting.length * row);
  return (
    <li class="belief">
      <div class="statement">
        <p dir="auto">{belief.statement}</p>
        <p class="faint">
          {say(`${number(belief.confidence * 100)}% confidence`, `확신도 ${number(belief.confidence * 100)}%`)}
          {island && (
            <>
              {" · "}
              <span dir="auto">
                {island.emoji} {island.name}
              </span>
            </>
          )}
        </p>
        <i class="sure" style={{ "--share": String(belief.confidence) }} aria-hidden="true" />
      </div>
      <svg class="threads" viewBox={`0 0 80 ${high}`} preserveAspectRatio="none" style={{ height: `${high}px` }} aria-hidden="true">
        {resting.map((id, at) => (
          <path key={id} d={`M0 ${high / 2} C40 ${high / 2} 40 ${(at + 0.5) * (high / resting.length)} 80 ${(at + 0.5) * (high / resting.length)}`} />
        ))}
      </svg>
      <ul class="resting" style={{ minHeight: `${high}px` }}>
        {supports.value.map(({ id, memory: one }) => (
          <li key={id}>
            {one ? (
              <button type="button" class="mention" onClick={() => show(id)}>
                <Orb emotions={one.emotions} strength={one.strength} size={16} />
                <span dir="auto">{one.content}</span>
              </button>
            ) : (
              <span class="faint">{say("(deleted)", "(삭제됨)")}</span>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}
