// The inbox: proposals that wait for the owner's decision.
import { useSignal } from "@preact/signals";
import { post } from "../api/client";
import type { Answer, Proposal } from "../api/contract";
import { actor, proposal as kindName, status, whose } from "../names";
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
            `${character} changes only with your approval. Review proposed changes here.`,
            `${character}의 성격과 자아는 내가 승인해야만 바뀌어요. 제안된 변경을 여기서 확인해 주세요.`,
          )}
        </p>
      </header>
      {!all && <Waiting />}
      {all && pending.value.length === 0 && (
        <Nothing title={say("No pending proposals", "대기 중인 제안이 없어요")}>
          <p>
            {say("When a memory should be kept permanently or a new belief forms, a proposal appears here.", "영구 보관할 만한 기억이나 새로운 신념이 생기면 여기에 제안이 올라와요.")}
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
            <h2>{say("Decided proposals", "결정한 제안")}</h2>
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
      return say("Approving keeps it permanently; islands and beliefs can be based on it.", "승인하면 영구 보관하고, 섬과 신념의 바탕이 될 수 있어요.");
    case "core_edit":
      return say("Approving edits a core memory; the beliefs based on it are proposed again.", "승인하면 핵심 기억이 수정되고, 이 기억을 근거로 한 신념을 다시 제안해요.");
    case "core_deletion":
      return say("Approving moves it to the cliff for seven days. Islands and beliefs based on it lose their support.", "승인하면 7일 동안 절벽으로 옮겨요. 이 기억을 바탕으로 한 섬과 신념은 근거를 잃어요.");
    case "forget":
      return say("Approving moves it to the cliff for seven days.", "승인하면 7일 동안 절벽으로 옮겨요.");
    case "belief":
      return say(`Approving updates ${whose(mind.value!.character)} self and SOUL.md.`, "승인하면 자아와 SOUL.md가 새 버전으로 바뀌어요.");
    case "island":
      return say("Approving creates the island.", "승인하면 섬이 만들어져요.");
    case "held_message":
      return say("Approving stores this message like any other. If in doubt, reject it.", "승인하면 다른 메시지처럼 기억에 저장해요. 의심스러우면 거절해 주세요.");
    case "fact_end":
      return say("Approving marks it as no longer true; it stays in the history.", "승인하면 더 이상 사실이 아니라고 표시해요. 이력에는 남아 있어요.");
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
        const more = [version && say(`self, version ${version}`, `자아 버전 ${version}`), ...told].filter(Boolean);
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
        {actor(proposal.made_by)} · {ago(proposal.made_at)} · {say(`${until(proposal.lapses_at)} left to decide`, `${until(proposal.lapses_at)} 안에 결정해 주세요`)}
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
          <p class="faint">{say("Based on", "바탕이 된 기억")}</p>
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
            {say("View the self", "섬과 자아 보기")}
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
        <button type="button" class="quiet small" onClick={() => attempt(() => undo(proposal), () => tell(say("Approval undone", "승인을 취소했어요")))}>
          {say("Undo approval", "승인 취소")}
        </button>
      )}
    </li>
  );
}
