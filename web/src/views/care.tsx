// Maintenance: recent work of the worker, how full the mind is, and the health of the server.
import { asking, get, text } from "../api/client";
import type { Health, Jobs, Ledger, LookedOver, MindWithCounts, SealedEntry, Zones } from "../api/contract";
import { actor, cause, deed, job, note, tier, zone } from "../names";
import { Show, useLoad } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { post } from "../api/client";
import { count, number, say } from "../say";
import { heard, line } from "../state/live";
import { at, mind } from "../state/mind";
import { ago } from "../time";
import { Trial } from "./settings/trial";

type State = { counts: MindWithCounts; zones: Zones; health: Health; jobs: Jobs; lately: SealedEntry[]; requests: Request[] };
type Request = { route: string; method: string; count: number; failed: number; seconds: number };

/** Number of recent ledger entries searched for worker activity. */
const LATELY = 1000;

async function read(): Promise<State> {
  const [counts, zones, health, jobs, metrics] = await Promise.all([
    get<MindWithCounts>(at()),
    get<Zones>(asking(at("/zones"), { limit: 0 })),
    get<Health>("/health"),
    get<Jobs>(at("/jobs")),
    text("/metrics").catch(() => ""),
  ]);
  const { entries } = await get<Ledger>(asking(at("/ledger"), { after: Math.max(0, counts.entries - LATELY), limit: LATELY }));
  return { counts, zones, health, jobs, lately: entries.reverse(), requests: requests(metrics) };
}

/** Parses requests per route from Prometheus metrics. */
function requests(metrics: string): Request[] {
  const all = new Map<string, Request>();
  for (const found of metrics.matchAll(/^saegim_request(s|_seconds)_total\{method="([^"]+)",route="([^"]+)",status="(\d+)"\} (\S+)$/gm)) {
    const [, what, method, route, code, value] = found as unknown as [string, string, string, string, string, string];
    const key = `${method} ${route}`;
    const one = all.get(key) ?? { route, method, count: 0, failed: 0, seconds: 0 };
    if (what === "s") one.count += Number(value);
    if (what === "s" && code >= "400") one.failed += Number(value);
    if (what === "_seconds") one.seconds += Number(value);
    all.set(key, one);
  }
  return [...all.values()].sort((a, b) => b.count - a.count);
}

export function Care() {
  const state = useLoad(read, [mind.value?.id, heard.value?.sequence ?? 0]);
  return (
    <section class="view care">
      <header class="view-head">
        <h1>{say("Maintenance and health", "관리와 상태")}</h1>
        <p class="lead">
          {say("What the background worker does: it expires, promotes, merges and sorts memories.", "백그라운드 워커가 하는 일이에요. 기한이 지난 기억을 옮기고, 중요한 기억을 더 오래 보관하고, 겹치는 기억을 합치고, 영역을 정리해요.")}
        </p>
      </header>
      <Show of={state}>
        {(value) => (
          <div class="two">
            <div>
              <Workers lately={value.lately} jobs={value.jobs} again={state.again} />
              <Waits jobs={value.jobs} />
              <Server state={value} />
            </div>
            <Full state={value} />
          </div>
        )}
      </Show>
    </section>
  );
}

const ROUNDS: [string, () => string, string[]][] = [
  ["rebalance", () => say("Sort into zones", "영역 재배치"), ["rebalance"]],
  ["expire", () => say("Expire memories", "기한 만료 처리"), ["expire"]],
  ["weigh", () => say("Update importance", "중요도 갱신"), ["weigh"]],
  ["consolidate", () => say("Merge duplicates", "겹치는 기억 합치기"), ["consolidate"]],
  ["promote", () => say("Keep longer, summarize", "보관 기간 연장과 요약"), ["promote"]],
  ["prune", () => say("Forget faded memories", "흐려진 기억 정리"), ["prune", "purge"]],
  ["propose", () => say("Make proposals", "제안하기"), ["propose"]],
  ["imagine", () => say("Imagine scenes", "장면 상상하기"), ["imagine"]],
];

function Workers({ lately, jobs, again }: { lately: SealedEntry[]; jobs: Jobs; again: () => void }) {
  const work = lately.filter((entry) => entry.principal === "worker");
  const now = () =>
    attempt(
      () => post<{ moved: unknown[] }>(at("/rebalance")),
      ({ moved }) => {
        again();
        tell(say(`${count(moved.length, "memory", "memories")} moved to another zone`, `기억 ${number(moved.length)}개의 영역을 옮겼어요`));
      },
    );
  return (
    <section class="card">
      <div class="row spread">
        <h2>{say("Background worker", "백그라운드 워커")}</h2>
        <button type="button" class="quiet small" onClick={now}>
          {say("Re-sort memories", "지금 재배치")}
        </button>
      </div>
      <p class="faint small">
        {jobs.looked_after_at && say(`Last run ${ago(jobs.looked_after_at)}. `, `마지막 실행: ${ago(jobs.looked_after_at)}. `)}
        {jobs.due_at ? say(`Next run ${soon(jobs.due_at)}.`, `다음 실행: ${soon(jobs.due_at)}.`) : say("No run is due.", "예정된 실행이 없어요.")}
      </p>
      <ul class="plain workers">
        {ROUNDS.map(([name, words, deeds]) => {
          const last = lately.find((entry) => deeds.includes(entry.operation));
          return (
            <li key={name}>
              <b>{words()}</b>
              <span class="faint">{last ? `${ago(last.at)}${last.note ? ` — ${note(last.note)}` : ""}` : say("not recently", "최근 기록 없음")}</span>
            </li>
          );
        })}
      </ul>
      <details>
        <summary class="faint">{say("Recent activity", "최근 작업")}</summary>
        <ul class="plain small">
          {work.slice(0, 20).map((entry) => (
            <li key={entry.sequence}>
              {deed(entry.operation)} <span class="faint">{actor(entry.principal)} · {ago(entry.at)}{entry.note ? ` — ${note(entry.note)}` : ""}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** Time of the next worker run; a due run is about to start. */
function soon(moment: string): string {
  return Date.parse(moment) <= Date.now() ? say("soon", "곧") : ago(moment);
}

/** Jobs that wait for a model, and jobs that were given up, so that no failure stays hidden. */
function Waits({ jobs: { jobs } }: { jobs: Jobs }) {
  return (
    <section class="card">
      <h2>{say("Waiting jobs", "대기 중인 작업")}</h2>
      {jobs.length === 0 && <p class="faint">{say("No jobs are waiting for a model and none have failed.", "모델을 기다리는 작업도, 실패한 작업도 없어요.")}</p>}
      <ul class="plain workers">
        {jobs.map((one) => (
          <li key={one.kind + one.made_at}>
            <b>{job(one.kind)}</b>
            <span class="faint">{one.due_at ? soon(one.due_at) : say("stopped", "중단됨")}</span>
            {one.cause && (
              <span class="warning">
                {cause(one.cause)} · {say(`${count(one.attempts, "attempt", "attempts")}`, `${number(one.attempts)}번 시도함`)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Full({ state }: { state: State }) {
  const { counts, zones } = state;
  const most = Math.max(1, ...Object.values(counts.tiers));
  return (
    <section class="card">
      <h2>{say("Contents of this mind", "저장된 기억")}</h2>
      <h3>{say("By zone", "영역별")}</h3>
      {zones.zones.map((one) => (
        <div key={one.zone} class="gauge">
          <span>{zone(one.zone)}</span>
          <i style={{ "--share": String(one.count / Math.max(1, one.room ?? Math.max(...zones.zones.map((z) => z.count)))) }} aria-hidden="true" />
          <b>
            {number(one.count)}
            {one.room ? `/${number(one.room)}` : ""}
          </b>
        </div>
      ))}
      <h3>{say("By retention period", "보관 기간별")}</h3>
      {["M30", "M90", "M365", "M0"].map((name) => (
        <div key={name} class="gauge">
          <span>{tier(name)}</span>
          <i style={{ "--share": String((counts.tiers[name] ?? 0) / most) }} aria-hidden="true" />
          <b>{number(counts.tiers[name] ?? 0)}</b>
        </div>
      ))}
      <dl class="pairs">
        <div>
          <dt>{say("On the cliff", "절벽")}</dt>
          <dd>{number(counts.on_cliff)}</dd>
        </div>
        <div>
          <dt>{say("Links", "연결")}</dt>
          <dd>{number(counts.links)}</dd>
        </div>
        <div>
          <dt>{say("Exchanges", "대화")}</dt>
          <dd>{number(counts.turns)}</dd>
        </div>
        <div>
          <dt>{say("Ledger", "변경 기록")}</dt>
          <dd>{number(counts.entries)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Server({ state }: { state: State }) {
  return (
    <section class="card">
      <h2>{say("The server", "서버")}</h2>
      <p>
        <span class={`line ${line.value}`}>
          <i aria-hidden="true" /> {state.health.status === "ok" ? say("healthy", "정상") : state.health.status}
        </span>
        <span class="faint"> saegim {state.health.version}</span>
      </p>
      <Trial
        ask={() => get<LookedOver>("/v1/doctor")}
        words={say("Run all checks", "전체 점검")}
        meanwhile={say("Checking …", "점검 중 …")}
      />
      {state.requests.length > 0 && (
        <details>
          <summary class="faint">{say("Requests received", "받은 요청")}</summary>
          <div class="scroll" tabIndex={0} role="group" aria-label={say("Requests", "요청")}>
            <table class="numbers">
              <thead>
                <tr>
                  <th scope="col">{say("Route", "경로")}</th>
                  <th scope="col">{say("Count", "횟수")}</th>
                  <th scope="col">{say("Failed", "실패")}</th>
                  <th scope="col">{say("Average", "평균")}</th>
                </tr>
              </thead>
              <tbody>
                {state.requests.slice(0, 14).map((one) => (
                  <tr key={one.method + one.route}>
                    <th scope="row">
                      {one.method} {one.route.replace("/v1/minds/{mind}", "…")}
                    </th>
                    <td>{number(one.count)}</td>
                    <td>{number(one.failed)}</td>
                    <td>{number((one.seconds / one.count) * 1000, 1)} ms</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </section>
  );
}
