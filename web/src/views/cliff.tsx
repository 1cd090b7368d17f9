// The cliff: memories about to be deleted, soonest first, each with a restore button.
import { ask, every, post } from "../api/client";
import type { Cliff, FallenMemory } from "../api/contract";
import { Orb } from "../parts/orb";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { count, number, say } from "../say";
import { heard } from "../state/live";
import { at, mind } from "../state/mind";
import { show } from "../route";
import { tier } from "../names";
import { left } from "../time";

/** Time a memory stays on the cliff, in seconds. */
const WAIT = 7 * 24 * 3600;

/** Ledger operations that change the cliff. */
const ABOUT = ["forget", "expire", "restore", "purge", "erase", "prune", "consolidate", "withdraw"];

export async function restore(id: string): Promise<void> {
  await attempt(
    () => post(at(`/memories/${id}/restore`)),
    () => tell(say("Restored; its retention period starts again", "복원했어요. 보관 기간이 새로 시작돼요"), () => ask("DELETE", at(`/memories/${id}`))),
  );
}

export function CliffView() {
  const stirred = heard.value && ABOUT.includes(heard.value.operation) ? heard.value.sequence : 0;
  const cliff = useLoad(() => every<Cliff>(at("/cliff"), "entries"), [mind.value?.id, stirred]);
  return (
    <section class="view cliff">
      <header class="view-head">
        <h1>{say("The cliff", "절벽")}</h1>
        <p class="lead">
          {say(
            "Forgotten memories stay here for seven days and can be restored. After that they are deleted permanently.",
            "잊은 기억은 7일 동안 여기에 남아 있고, 그동안 복원할 수 있어요. 그 뒤에는 영구 삭제돼요.",
          )}
        </p>
      </header>
      <Show of={cliff}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Nothing title={say("The cliff is empty", "절벽이 비어 있어요")}>
              <p>{say("Memories come here when their retention period ends or when you forget them.", "보관 기간이 끝나거나 직접 잊은 기억이 여기로 와요.")}</p>
            </Nothing>
          ) : (
            <ol class="edge">
              {entries.map((entry) => (
                <Falling key={entry.id} entry={entry} again={cliff.again} />
              ))}
            </ol>
          )
        }
      </Show>
    </section>
  );
}

function Falling({ entry, again }: { entry: FallenMemory; again: () => void }) {
  const share = Math.max(0, Math.min(1, entry.seconds_left / WAIT));
  return (
    <li class="falling" style={{ "--left": String(share) }}>
      <Orb emotions={entry.emotions} strength={share} size={26} />
      <div class="falling-body">
        <button type="button" class="said" dir="auto" onClick={() => show(entry.id)}>
          {entry.content}
        </button>
        <p class="about">
          <span class={share < 0.2 ? "soon" : ""}>{say(`${left(entry.seconds_left)} left`, `${left(entry.seconds_left)} 남음`)}</span>
          {" · "}
          {entry.note}
          {" · "}
          {say(`retention: ${tier(entry.tier)}`, `보관 기간: ${tier(entry.tier)}`)}
          {entry.recalls > 0 && ` · ${say(`recalled ${count(entry.recalls, "time", "times")}`, `${number(entry.recalls)}번 회상`)}`}
        </p>
        <div class="fuse" aria-hidden="true" />
      </div>
      <button type="button" class="main" onClick={() => restore(entry.id).then(again)}>
        {say("Restore", "복원")}
      </button>
    </li>
  );
}
