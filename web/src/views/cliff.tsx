// The cliff: memories about to be deleted, soonest first, each with a restore button.
import { ask, every, post } from "../api/client";
import type { Cliff, FallenMemory } from "../api/contract";
import { Orb } from "../parts/orb";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { number, say } from "../say";
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
    () => tell(say("It is back, with a new term", "되살렸어요. 기한도 새로 시작해요"), () => ask("DELETE", at(`/memories/${id}`))),
  );
}

export function CliffView() {
  const stirred = heard.value && ABOUT.includes(heard.value.operation) ? heard.value.sequence : 0;
  const cliff = useLoad(() => every<Cliff>(at("/cliff"), "entries"), [mind.value?.id, stirred]);
  return (
    <section class="view cliff">
      <header class="view-head">
        <h1>{say("The cliff", "망각의 절벽")}</h1>
        <p class="lead">
          {say(
            "Whatever is forgotten waits here for seven days. One touch brings it back; after that it is gone for good.",
            "잊힌 기억은 여기서 이레를 기다려요. 한 번만 누르면 되살아나고, 그 뒤에는 영영 사라져요.",
          )}
        </p>
      </header>
      <Show of={cliff}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Nothing title={say("Nothing is about to vanish", "사라질 기억이 없어요")}>
              <p>{say("Memories come here when their time runs out, or when you let one go.", "기한이 다하거나 직접 놓아준 기억이 이곳으로 와요.")}</p>
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
          {say(`was kept ${tier(entry.tier)}`, `보관 기간 ${tier(entry.tier)}`)}
          {entry.recalls > 0 && ` · ${say(`recalled ${number(entry.recalls)}×`, `${number(entry.recalls)}번 떠올림`)}`}
        </p>
        <div class="fuse" aria-hidden="true" />
      </div>
      <button type="button" class="main" onClick={() => restore(entry.id).then(again)}>
        {say("Bring back", "되살리기")}
      </button>
    </li>
  );
}
