// Links of a memory.
import { get } from "../../api/client";
import type { Life } from "../../api/contract";
import { link } from "../../names";
import { useLoad } from "../../parts/load";
import { Orb } from "../../parts/orb";
import { show } from "../../route";
import { say } from "../../say";
import { memory } from "../../state/memories";
import { at } from "../../state/mind";

/** One line that opens a memory by its id. */
export function Mention({ id }: { id: string }) {
  const here = memory(id);
  const read = useLoad(async () => here ?? (await get<Life>(at(`/memories/${id}`)).catch(() => null)), [id, here]);
  const one = here ?? read.value;
  if (!one) return <span class="faint">{read.busy ? "…" : say("(deleted)", "(삭제됨)")}</span>;
  return (
    <button type="button" class="mention" onClick={() => show(id)}>
      <Orb emotions={one.emotions} strength={one.on_cliff ? 0.2 : one.strength} size={14} />
      <span dir="auto">{one.content}</span>
      {one.on_cliff && <em> {say("on the cliff", "절벽에 있음")}</em>}
    </button>
  );
}

/** Maximum number of links listed. */
const MOST = 12;

export function Links({ life }: { life: Life }) {
  if (life.links.length === 0) return null;
  return (
    <details class="fold" open={life.links.length <= 4}>
      <summary>
        <h3>{say("Links", "연결된 기억")}</h3>
        <span class="faint">{life.links.length}</span>
      </summary>
      <ul class="plain">
        {life.links.slice(0, MOST).map((one) => (
          <li key={`${one.from}${one.to}${one.kind}`}>
            <span class="faint">{link(one.kind)}</span> <Mention id={one.from === life.id ? one.to : one.from} />
          </li>
        ))}
      </ul>
    </details>
  );
}
