// The ledger: every recorded event, and its verification.
import { useSignal } from "@preact/signals";
import { asking, get } from "../api/client";
import type { Ledger, MindWithCounts, SealedEntry, Verified } from "../api/contract";
import { actor, deed, note } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt } from "../parts/toast";
import { show } from "../route";
import { number, say } from "../say";
import { heard } from "../state/live";
import { at, mind } from "../state/mind";
import { when } from "../time";

/** Entries per page. */
const PAGE = 60;

async function read(page: number): Promise<{ entries: SealedEntry[]; total: number }> {
  const total = (await get<MindWithCounts>(at())).entries;
  const after = Math.max(0, total - PAGE * (page + 1));
  const limit = Math.min(PAGE, total - PAGE * page);
  if (limit <= 0) return { entries: [], total };
  const { entries } = await get<Ledger>(asking(at("/ledger"), { after, limit }));
  return { entries: [...entries].reverse(), total };
}

export function LedgerView() {
  const page = useSignal(0);
  const entries = useLoad(() => read(page.value), [mind.value?.id, page.value, page.value === 0 ? heard.value?.sequence : 0]);
  return (
    <section class="view ledger">
      <header class="view-head">
        <h1>{say("Ledger", "기록")}</h1>
        <p class="lead">
          {say(
            "Everything that ever happened here, each entry sealed with the one before. It holds no remembered text.",
            "이곳에서 일어난 모든 일이에요. 한 줄 한 줄이 앞줄에 봉해져 있고, 기억의 내용은 담지 않아요.",
          )}
        </p>
        <Seal />
      </header>
      <Show of={entries}>
        {({ entries: all, total }) => (
          <>
            {all.length === 0 && <Nothing title={say("Nothing has happened yet", "아직 아무 일도 없었어요")} />}
            <ol class="entries">
              {all.map((entry) => (
                <Row key={entry.sequence} entry={entry} />
              ))}
            </ol>
            <nav class="row spread" aria-label={say("Pages", "쪽")}>
              <button type="button" class="quiet" disabled={page.value === 0} onClick={() => page.value--}>
                {say("Newer", "더 최근")}
              </button>
              <span class="faint">{say(`${number(total)} entries`, `모두 ${number(total)}줄`)}</span>
              <button type="button" class="quiet" disabled={(page.value + 1) * PAGE >= total} onClick={() => page.value++}>
                {say("Older", "더 예전")}
              </button>
            </nav>
          </>
        )}
      </Show>
    </section>
  );
}

function Seal() {
  const verdict = useSignal<Verified | null>(null);
  const busy = useSignal(false);
  const verify = () => {
    busy.value = true;
    void attempt(
      () => get<Verified>(at("/ledger/verify")),
      (told) => (verdict.value = told),
    ).finally(() => (busy.value = false));
  };
  const told = verdict.value;
  return (
    <div class="seal">
      <button type="button" class="main" disabled={busy.value} onClick={verify}>
        {say("Verify", "온전한지 확인")}
      </button>
      <p role="status">
        {busy.value && say("Checking every entry …", "한 줄씩 확인하는 중이에요 …")}
        {!busy.value && told?.whole && (
          <span class="whole">
            ✓ {say(`Whole: ${number(told.entries ?? 0)} entries, none altered, missing or reordered.`, `온전해요. ${number(told.entries ?? 0)}줄 가운데 고쳐지거나 빠지거나 뒤바뀐 것이 없어요.`)}
            {told.head && <code> {told.head.slice(0, 12)}…</code>}
          </span>
        )}
        {!busy.value && told && !told.whole && (
          <span class="warning">
            {say(`Broken at entry ${told.broken_at}: `, `${told.broken_at}번째 줄에서 어긋나요: `)}
            {told.problem}
          </span>
        )}
      </p>
    </div>
  );
}

function Row({ entry }: { entry: SealedEntry }) {
  const ids: string[] = entry.memories.map((reference: any) => reference.memory);
  return (
    <li class={`entry by-${entry.principal}`}>
      <span class="faint number">{entry.sequence}</span>
      <time class="faint" dateTime={entry.at}>
        {when(entry.at)}
      </time>
      <span class="deed">
        <b>{deed(entry.operation)}</b> <span class="faint">{actor(entry.principal)}</span>
        {entry.note && <span> — {note(entry.note)}</span>}
        {ids.slice(0, 4).map((id) => (
          <button key={id} type="button" class="id" onClick={() => show(id)} aria-label={say(`Open memory ${id.slice(-6)}`, `기억 ${id.slice(-6)} 열기`)}>
            {id.slice(-6)}
          </button>
        ))}
        {ids.length > 4 && <span class="faint"> +{ids.length - 4}</span>}
      </span>
      <code class="faint hash" title={entry.hash}>
        {entry.hash.slice(0, 8)}
      </code>
    </li>
  );
}
