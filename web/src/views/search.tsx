// Search: a query with explained scores, coordinate filters, and the timeline.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { asking, get, post } from "../api/client";
import type { FoundMemory, Memories, Memory, Recalled } from "../api/contract";
import { feeling } from "../feelings";
import { tier, zone } from "../names";
import { Orb } from "../parts/orb";
import { Nothing, Show, useLoad } from "../parts/load";
import { query, show } from "../route";
import { count, number, say } from "../say";
import { at, mind } from "../state/mind";
import { ago } from "../time";
import { Parts } from "./memory/score";
import { Filters, NONE, type Wanted } from "./search/filters";
import { Timeline } from "./search/timeline";

/** Delay after the last keystroke before the search starts, in milliseconds. */
const PAUSE = 250;

type Found = { results: (FoundMemory | Memory)[]; confidence: number | null; degraded: string | null };

async function find(text: string, wanted: Wanted): Promise<Found> {
  const filter = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== "" && value !== 0));
  if (text.trim()) {
    const recalled = await post<Recalled>(at("/recall"), { query: text, limit: 30, filter });
    return { results: recalled.results, confidence: recalled.confidence, degraded: recalled.degraded ?? null };
  }
  const page = await get<Memories>(asking(at("/memories"), { limit: 60, ...filter }));
  return { results: page.memories, confidence: null, degraded: null };
}

export function Search() {
  const tab = useSignal<"ask" | "time">(query.value.get("tab") === "time" ? "time" : "ask");
  const text = useSignal(query.value.get("q") ?? "");
  const asked = useSignal(text.value);
  const wanted = useSignal<Wanted>(NONE);
  useEffect(() => {
    const due = setTimeout(() => (asked.value = text.value), PAUSE);
    return () => clearTimeout(due);
  }, [text.value]);
  return (
    <section class="view search">
      <header class="view-head">
        <h1>{say("Search", "검색")}</h1>
        <div class="tabs" role="group" aria-label={say("Search mode", "검색 방법")}>
          <button type="button" class="chip" aria-pressed={tab.value === "ask"} onClick={() => (tab.value = "ask")}>
            {say("Search", "검색")}
          </button>
          <button type="button" class="chip" aria-pressed={tab.value === "time"} onClick={() => (tab.value = "time")}>
            {say("Timeline", "타임라인")}
          </button>
        </div>
      </header>
      {tab.value === "ask" ? (
        <>
          <search>
            <input
              class="question"
              type="search"
              dir="auto"
              aria-label={say("Search memories", "기억 검색")}
              placeholder={say("What did we say about the sea?", "바다 이야기, 뭐였지?")}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
            <Filters wanted={wanted} />
          </search>
          <Results text={asked.value} wanted={wanted.value} />
        </>
      ) : (
        <Timeline />
      )}
    </section>
  );
}

function Results({ text, wanted }: { text: string; wanted: Wanted }) {
  const found = useLoad(() => find(text, wanted), [mind.value?.id, text, wanted]);
  return (
    <div aria-busy={found.busy}>
      <Show of={found}>
        {({ results, confidence, degraded }) => (
          <>
            <p class="found-about" role="status">
              {text.trim()
                ? say(`${count(results.length, "result", "results")}`, `검색 결과 ${number(results.length)}개`)
                : say("Newest memories", "최근 기억")}
              {confidence !== null && results.length > 0 && <span class="faint"> · {say(`${number(confidence * 100)}% likely to answer your question`, `질문에 답할 가능성 ${number(confidence * 100)}%`)}</span>}
              {degraded && <span class="faint"> · {degraded}</span>}
            </p>
            {results.length === 0 && <NotFound asked={text.trim() !== ""} />}
            <ol class="results">
              {results.map((one) => (
                <One key={one.id} found={one} />
              ))}
            </ol>
          </>
        )}
      </Show>
    </div>
  );
}

function NotFound({ asked }: { asked: boolean }) {
  return (
    <Nothing title={asked ? say("No matches", "일치하는 기억이 없어요") : say("No memories", "기억이 없어요")}>
      <p>
        {asked
          ? say("Memories that do not match well enough are not shown. Try other words or fewer filters.", "관련성이 낮은 기억은 표시하지 않아요. 다른 말로 검색하거나 필터를 줄여 보세요.")
          : say("No memory matches these filters.", "필터에 맞는 기억이 없어요.")}
      </p>
    </Nothing>
  );
}

function One({ found }: { found: FoundMemory | Memory }) {
  const scored = "parts" in found ? found : null;
  return (
    <li class="result">
      <Orb emotions={found.emotions} strength={found.strength} size={22} />
      <div>
        <button type="button" class="said" dir="auto" onClick={() => show(found.id)}>
          {found.content}
        </button>
        <p class="about">
          {found.emotions.map(feeling).join(" · ")} · {ago(found.created_at)} · {tier(found.tier)} · {zone(found.zone)}
        </p>
        {scored && (
          <details class="why">
            <summary>
              {say("Why this result? Score", "검색된 이유 · 점수")} <b>{number(scored.score, 2)}</b>
            </summary>
            <Parts parts={scored.parts} total={scored.score} />
          </details>
        )}
      </div>
    </li>
  );
}
