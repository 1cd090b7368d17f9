// The ledger: every recorded event, and its verification.
import { useSignal } from "@preact/signals";
import { asking, get } from "../api/client";
import type { Ledger, MindWithCounts, SealedEntry, Verified } from "../api/contract";
import { actor, deed, note } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { attempt } from "../parts/toast";
import { show } from "../route";
import { count, number, say } from "../say";
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
        <h1>{say("Ledger", "변경 기록")}</h1>
        <p class="lead">
          {say(
            "Every operation on this mind. Each entry is chained to the one before; memory texts are not included.",
            "이 마음에 일어난 모든 작업의 기록이에요. 기록끼리 해시로 이어져 있고, 기억의 내용은 담지 않아요.",
          )}
        </p>
        <Seal />
      </header>
      <Show of={entries}>
        {({ entries: all, total }) => (
          <>
            {all.length === 0 && <Nothing title={say("No entries yet", "아직 기록이 없어요")} />}
            <ol class="entries">
              {all.map((entry) => (
                <Row key={entry.sequence} entry={entry} />
              ))}
            </ol>
            <nav class="row spread" aria-label={say("Pages", "페이지")}>
              <button type="button" class="quiet" disabled={page.value === 0} onClick={() => page.value--}>
                {say("Newer", "이후 기록")}
              </button>
              <span class="faint">{say(`${number(total)} entries`, `전체 ${number(total)}개`)}</span>
              <button type="button" class="quiet" disabled={(page.value + 1) * PAGE >= total} onClick={() => page.value++}>
                {say("Older", "이전 기록")}
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
        {say("Verify", "검증")}
      </button>
      <p role="status">
        {busy.value && say("Checking every entry …", "기록을 하나씩 확인하는 중이에요 …")}
        {!busy.value && told?.whole && (
          <span class="whole">
            ✓ {say(`Intact: ${count(told.entries ?? 0, "entry", "entries")}, none altered, missing or reordered.`, `이상이 없어요. 기록 ${number(told.entries ?? 0)}개 중 수정되거나 빠지거나 순서가 바뀐 것이 없어요.`)}
            {told.head && <code> {told.head.slice(0, 12)}…</code>}
          </span>
        )}
        {!busy.value && told && !told.whole && (
          <span class="warning">
            {say(`Broken at entry ${told.broken_at}: `, `${told.broken_at}번 기록에 문제가 있어요: `)}
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
