// Details of a memory: content, scores, forecast, and the owner's actions.
import { useSignal } from "@preact/signals";
import { ask, get } from "../api/client";
import type { Life } from "../api/contract";
import { feeling } from "../feelings";
import { category, kind, knowledge, source, tier, zone } from "../names";
import { Dialog } from "../parts/dialog";
import { Orb } from "../parts/orb";
import { Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { close } from "../route";
import { number, say } from "../say";
import { heard } from "../state/live";
import { at } from "../state/mind";
import { ago, when } from "../time";
import { Deeds } from "./memory/deeds";
import { Fate } from "./memory/fate";
import { History } from "./memory/history";
import { Links } from "./memory/links";
import { Score } from "./memory/score";
import { Where } from "./memory/where";

export function MemorySheet({ id }: { id: string }) {
  const touched = heard.value?.memories.some((reference: any) => reference.memory === id) ? heard.value.sequence : 0;
  const life = useLoad(() => get<Life>(at(`/memories/${id}`)), [id, touched]);
  return (
    <Dialog label={say("A memory", "기억 하나")} close={close}>
      <Show of={life}>{(value) => <Whole life={value} again={life.again} />}</Show>
    </Dialog>
  );
}

function Whole({ life, again }: { life: Life; again: () => void }) {
  return (
    <article class="life">
      <header class="life-head">
        <Orb emotions={life.emotions} strength={life.on_cliff ? 0.2 : life.strength} size={54} />
        <div>
          <p class="feelings">
            {life.emotions.map(feeling).join(" · ")}
            {life.intensity > 0 && <span class="faint"> {number(life.intensity * 100)}%</span>}
          </p>
          <p class="faint">
            <time dateTime={life.created_at} title={when(life.created_at)}>
              {ago(life.created_at)}
            </time>
            {" · "}
            {source(life.source)}
          </p>
        </div>
      </header>
      <Words life={life} again={again} />
      {life.interpretation && (
        <p class="view-of-it" dir="auto">
          {life.interpretation}
        </p>
      )}
      {life.original_event && life.original_event !== life.content && (
        <p class="faint" dir="auto">
          {say("Original event: ", "원래 있었던 일: ")}
          {life.original_event}
        </p>
      )}
      <p class="chips">
        <span class="chip flat tier">
          {life.tier} · {tier(life.tier)}
        </span>
        <span class="chip flat">{life.on_cliff ? zone("cliff") : zone(life.zone)}</span>
        <span class="chip flat">{kind(life.kind)}</span>
        {life.category && <span class="chip flat">{category(life.category)}</span>}
        {life.knowledge !== "witnessed" && <span class="chip flat">{knowledge(life.knowledge)}</span>}
        {life.pinned && <span class="chip flat">{say("pinned", "고정됨")}</span>}
        {life.tags.map((tag) => (
          <span key={tag} class="chip flat" dir="auto">
            #{tag}
          </span>
        ))}
      </p>
      <Deeds life={life} again={again} />
      <Fate life={life} />
      <Score life={life} />
      <Links life={life} />
      <Where life={life} />
      <History life={life} />
    </article>
  );
}

/** The content of the memory, with an editor. */
function Words({ life, again }: { life: Life; again: () => void }) {
  const editing = useSignal(false);
  const text = useSignal(life.content);
  if (!editing.value) {
    return (
      <div class="words">
        <h2 class="content" dir="auto">
          {life.content}
        </h2>
        {!life.on_cliff && (
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              text.value = life.content;
              editing.value = true;
            }}
          >
            {say("Edit", "수정")}
          </button>
        )}
      </div>
    );
  }
  const before = life.content;
  const put = (content: string) => ask("PATCH", at(`/memories/${life.id}`), { content });
  const keep = (event: Event) => {
    event.preventDefault();
    void attempt(
      () => put(text.value),
      () => {
        editing.value = false;
        again();
        tell(say("Edited", "수정했어요"), () => put(before).then(again));
      },
    );
  };
  return (
    <form class="words" onSubmit={keep}>
      <textarea
        class="content"
        dir="auto"
        aria-label={say("Text of the memory", "기억의 내용")}
        rows={Math.min(12, 2 + Math.ceil(text.value.length / 36))}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        required
      />
      <div class="row">
        <button type="submit" class="main">
          {say("Save", "저장")}
        </button>
        <button type="button" class="quiet" onClick={() => (editing.value = false)}>
          {say("Cancel", "취소")}
        </button>
      </div>
    </form>
  );
}
