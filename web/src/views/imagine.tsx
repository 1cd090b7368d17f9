// Imaginations of the character, and the feedback on them.
import { useSignal } from "@preact/signals";
import { every, post } from "../api/client";
import type { Imagination, Imaginations, Weight } from "../api/contract";
import { feeling } from "../feelings";
import { josa, trigger } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { Orb } from "../parts/orb";
import { attempt, tell } from "../parts/toast";
import { number, say } from "../say";
import { at, mind } from "../state/mind";
import { ago } from "../time";
import { Mention } from "./memory/links";

export function Imagine() {
  const { character } = mind.value!;
  const all = useLoad(() => every<Imaginations>(at("/imaginations"), "imaginations"), [mind.value?.id]);
  return (
    <section class="view imagine">
      <header class="view-head">
        <h1>{say("Imagined scenes", "상상한 장면")}</h1>
        <p class="lead">
          {say(
            `Scenes ${character} imagines from memories: at most three a day, and never treated as facts.`,
            `${josa(character, "이가")} 기억을 바탕으로 상상한 장면이에요. 하루 세 번까지 상상하고, 사실로 다루지 않아요.`,
          )}
        </p>
      </header>
      <Ask again={all.again} character={character} />
      <Show of={all}>
        {({ imaginations, weights }) => (
          <>
            {imaginations.length === 0 && (
              <Nothing title={say("No imagined scenes yet", "아직 상상한 장면이 없어요")}>
                <p>{say("Describe the situation or leave it empty. A few memories are needed first.", "지금 상황을 적거나 비워 둔 채로 요청해 보세요. 먼저 기억이 몇 개 있어야 해요.")}</p>
              </Nothing>
            )}
            <ol class="dreams">
              {imaginations.map((one) => (
                <Dream key={one.id} dream={one} again={all.again} />
              ))}
            </ol>
            <Drawn weights={weights} />
          </>
        )}
      </Show>
    </section>
  );
}

function Ask({ again, character }: { again: () => void; character: string }) {
  const context = useSignal("");
  const ask = (event: Event) => {
    event.preventDefault();
    const going = context.value.trim();
    void attempt(
      () => post(at("/imaginations"), going ? { trigger: "context", context: going } : {}),
      () => {
        context.value = "";
        again();
      },
    );
  };
  return (
    <form class="row wrap ask" onSubmit={ask}>
      <input
        aria-label={say("Current situation", "지금 상황")}
        placeholder={say("A rainy evening, two hours into work …", "비 오는 저녁, 두 시간째 일하는 중 …")}
        value={context.value}
        dir="auto"
        onInput={(event) => (context.value = event.currentTarget.value)}
      />
      <button type="submit" class="main">
        {say(`Ask ${character} to imagine a scene`, "상상해 보기")}
      </button>
    </form>
  );
}

function Dream({ dream, again }: { dream: Imagination; again: () => void }) {
  const judge = (liked: boolean) =>
    attempt(
      () => post(at(`/imaginations/${dream.id}/feedback`), { liked }),
      () => {
        again();
        tell(liked ? say("You will see more like this", "이런 상상을 더 자주 할게요") : say("You will see fewer like this", "이런 상상을 덜 할게요"));
      },
    );
  return (
    <li class="dream card">
      <p class="about">
        <Orb emotions={dream.emotions} size={12} /> {trigger(dream.trigger)} · {ago(dream.at)}
        {dream.emotions.length > 0 && ` · ${dream.emotions.map(feeling).join(" · ")}`}
      </p>
      {dream.scenario ? (
        <p class="scenario" dir="auto">
          {dream.scenario}
        </p>
      ) : (
        <p class="faint">{say("Expired; only a record of it is left.", "만료됐어요. 상상했다는 기록만 남아 있어요.")}</p>
      )}
      {dream.action && (
        <p class="action" dir="auto">
          {dream.action}
        </p>
      )}
      {dream.memories.length > 0 && (
        <details>
          <summary class="faint">{say("Based on", "바탕이 된 기억")}</summary>
          <ul class="plain">
            {dream.memories.map((id) => (
              <li key={id}>
                <Mention id={id} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {dream.scenario && <div class="row">
        <button type="button" class="quiet" aria-pressed={dream.liked === true} onClick={() => judge(true)}>
          <span aria-hidden="true">♥</span> {say("Like", "좋아요")}
        </button>
        <button type="button" class="quiet" aria-pressed={dream.liked === false} onClick={() => judge(false)}>
          {say("Dislike", "별로예요")}
        </button>
      </div>}
    </li>
  );
}

/** Weights of triggers and themes for the next imagination. */
function Drawn({ weights }: { weights: Weight[] }) {
  if (weights.length === 0) return null;
  const size = (one: Weight) => one.weight;
  const most = Math.max(...weights.map(size), 1);
  return (
    <details class="card">
      <summary>
        <h2>{say("Preferences", "상상 취향")}</h2>
      </summary>
      {[...weights]
        .sort((a, b) => size(b) - size(a))
        .slice(0, 16)
        .map((one) => {
          const name = one.theme ?? (one.trigger ? trigger(one.trigger) : "");
          return (
            <div key={name} class="gauge">
              <span dir="auto">{name}</span>
              <i style={{ "--share": String(size(one) / most) }} aria-hidden="true" />
              <b>×{number(size(one), 2)}</b>
            </div>
          );
        })}
    </details>
  );
}
