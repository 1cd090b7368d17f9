// The inbox: proposals that wait for the owner's decision.
import { useSignal } from "@preact/signals";
import { post } from "../api/client";
import type { Answer, Proposal } from "../api/contract";
import { actor, josa, proposal as kindName, status } from "../names";
import { Diff } from "../parts/diff";
import { Nothing, Waiting } from "../parts/load";
import { attempt, tell } from "../parts/toast";
import { address } from "../route";
import { say } from "../say";
import { at, mind } from "../state/mind";
import { loadProposals, pending, proposals } from "../state/proposals";
import { ago, until } from "../time";
import { Mention } from "./memory/links";

const answer = (proposal: Proposal, word: "approve" | "reject") =>
  post<Answer>(at(`/proposals/${proposal.id}/${word}`), { digest: proposal.digest });
const undo = (proposal: Proposal) => post<Answer>(at(`/proposals/${proposal.id}/undo`)).finally(loadProposals);

export function Inbox() {
  const { character } = mind.value!;
  const all = proposals.value;
  const done = (all ?? []).filter((one) => one.status !== "pending").slice(0, 30);
  return (
    <section class="view inbox">
      <header class="view-head">
        <h1>{say("Inbox", "제안함")}</h1>
        <p class="lead">
          {say(
            `Nothing that makes ${character} who ${character} is changes without your word.`,
            `${josa(character, "을를")} ${character}답게 만드는 것은 내가 승인해야만 바뀌어요.`,
          )}
        </p>
      </header>
      {!all && <Waiting />}
      {all && pending.value.length === 0 && (
        <Nothing title={say("Nothing waits for you", "기다리는 제안이 없어요")}>
          <p>
            {say("When a memory deserves to be kept for ever, or a belief has formed, you are asked here.", "영원히 간직할 만한 기억이나 새로운 믿음이 생기면 여기서 먼저 여쭤봐요.")}
          </p>
        </Nothing>
      )}
      <ol class="proposals">
        {pending.value.map((one) => (
          <Waits key={one.id + one.digest} proposal={one} />
        ))}
      </ol>
      {done.length > 0 && (
        <details class="card answered">
          <summary>
            <h2>{say("Answered before", "지난 제안")}</h2>
          </summary>
          <ul class="plain">
            {done.map((one) => (
              <Answered key={one.id} proposal={one} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** Explains what approval would change. */
function follows(kind: Proposal["kind"]): string {
  switch (kind) {
    case "core_promotion":
      return say("A yes keeps it for ever; islands and beliefs may grow out of it.", "승인하면 영원히 간직하고, 여기서 섬과 믿음이 자라날 수 있어요.");
    case "core_edit":
      return say("A yes rewrites a core memory; beliefs that rest on it are asked anew.", "승인하면 핵심 기억이 바뀌고, 그 위의 믿음도 다시 여쭤봐요.");
    case "core_deletion":
      return say("A yes sends it to the cliff for seven days. What rests on it loses its ground.", "승인하면 절벽에서 이레를 기다려요. 이 기억에 기댄 것들은 바탕을 잃어요.");
    case "forget":
      return say("A yes sends it to the cliff for seven days.", "승인하면 절벽에서 이레를 기다려요.");
    case "belief":
      return say("A yes writes the next version of the self and of SOUL.md.", "승인하면 자아와 SOUL.md의 다음 판에 적혀요.");
    case "island":
      return say("A yes lets the island rise.", "승인하면 섬이 솟아올라요.");
    case "held_message":
      return say("A yes remembers this message like any other. When in doubt, say no.", "승인하면 다른 말처럼 기억에 남아요. 미심쩍으면 거절하세요.");
    case "fact_end":
      return say("A yes says that it is over; it stays in the history.", "승인하면 이제는 아니라고 적고, 지난 일로 남겨 둬요.");
  }
}

function Waits({ proposal }: { proposal: Proposal }) {
  const busy = useSignal(false);
  const say_ = (word: "approve" | "reject") => {
    busy.value = true;
    void attempt(
      () => answer(proposal, word),
      ({ told, version }) => {
        const done = word === "approve" ? say("Approved", "승인했어요") : say("Rejected", "거절했어요");
        const more = [version && say(`the self, version ${version}`, `자아 ${version}번째 판`), ...told].filter(Boolean);
        tell([done, ...more].join(" · "), word === "approve" ? () => undo(proposal) : undefined);
      },
    )
      .then(loadProposals)
      .finally(() => (busy.value = false));
  };
  const quoted = proposal.kind === "belief" || proposal.kind === "island";
  return (
    <li class={`proposal card kind-${proposal.kind}`}>
      <p class="about">
        {actor(proposal.made_by)} · {ago(proposal.made_at)} · {say(`${until(proposal.lapses_at)} left to answer`, `${until(proposal.lapses_at)} 안에 답해 주세요`)}
      </p>
      <h2>{kindName(proposal.kind)}</h2>
      <Diff lines={proposal.diff} />
      <p>{follows(proposal.kind)}</p>
      {proposal.reasons.length > 0 && (
        <ul class="reasons">
          {proposal.reasons.map((why) => (
            <li key={why} dir="auto" class={why.includes("⚠") ? "warning" : ""}>
              {why}
            </li>
          ))}
        </ul>
      )}
      {quoted && proposal.evidence.length > 0 && (
        <div class="evidence">
          <p class="faint">{say("It rests on", "바탕이 된 기억")}</p>
          <ul class="plain">
            {proposal.evidence.slice(0, 5).map((id) => (
              <li key={id}>
                <Mention id={id} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="row">
        <button type="button" class="main" disabled={busy.value} onClick={() => say_("approve")}>
          {say("Approve", "승인")}
        </button>
        <button type="button" class="quiet" disabled={busy.value} onClick={() => say_("reject")}>
          {say("Reject", "거절")}
        </button>
        {proposal.kind === "island" || proposal.kind === "belief" ? (
          <a class="quiet" href={address("self")}>
            {say("See the self", "섬과 자아 보기")}
          </a>
        ) : null}
      </div>
    </li>
  );
}

function Answered({ proposal }: { proposal: Proposal }) {
  return (
    <li class="answered-one">
      <span class="chip flat">{status(proposal.status)}</span> <b>{kindName(proposal.kind)}</b>{" "}
      <span class="faint">{proposal.decided_at && ago(proposal.decided_at)}</span>
      <Diff lines={proposal.diff.slice(0, 3)} />
      {proposal.status === "approved" && (
        <button type="button" class="quiet small" onClick={() => attempt(() => undo(proposal), () => tell(say("Taken back", "승인을 되돌렸어요")))}>
          {say("Take it back", "승인 되돌리기")}
        </button>
      )}
    </li>
  );
}
