// The owner's actions: rate, pin, forget, restore, make core.
import { ask, post } from "../../api/client";
import type { Life } from "../../api/contract";
import { attempt, tell } from "../../parts/toast";
import { close, go } from "../../route";
import { say } from "../../say";
import { at } from "../../state/mind";
import { loadProposals } from "../../state/proposals";
import { restore } from "../cliff";

export function Deeds({ life, again }: { life: Life; again: () => void }) {
  if (life.on_cliff) {
    return (
      <div class="deeds">
        <button type="button" class="main" onClick={() => restore(life.id).then(again)}>
          {say("Restore", "복원")}
        </button>
      </div>
    );
  }
  const pin = (pinned: boolean) =>
    attempt(
      () => ask("PATCH", at(`/memories/${life.id}`), { pinned }),
      () => {
        again();
        tell(pinned ? say("Pinned: it will not be forgotten automatically", "고정했어요. 이제 자동으로 잊히지 않아요") : say("Unpinned", "고정을 해제했어요"));
      },
    );
  return (
    <div class="deeds">
      <Stars life={life} again={again} />
      <div class="row">
        <button type="button" class="quiet" aria-pressed={life.pinned} onClick={() => pin(!life.pinned)}>
          {life.pinned ? say("Unpin", "고정 해제") : say("Pin", "고정")}
        </button>
        {life.tier !== "M0" && (
          <button type="button" class="quiet gold" onClick={() => forEver(life)}>
            {say("Keep permanently", "영구 보관하기")}
          </button>
        )}
        <button type="button" class="quiet danger" onClick={() => letGo(life)}>
          {say("Forget", "잊기")}
        </button>
      </div>
    </div>
  );
}

/** Proposes the memory as a core memory; it becomes one when approved in the inbox. */
async function forEver(life: Life): Promise<void> {
  await attempt(
    () => post(at("/proposals"), { what: "core", memory: life.id }),
    () => {
      void loadProposals();
      go("inbox");
      tell(say("Added to the inbox for your approval", "제안함에 추가했어요. 확인하고 승인해 주세요"));
    },
  );
}

/** Forgetting a core memory creates a proposal that names the islands that would shake. */
async function letGo(life: Life): Promise<void> {
  if (life.tier === "M0") {
    await attempt(
      () => post(at("/proposals"), { what: "forget", memory: life.id }),
      () => {
        void loadProposals();
        go("inbox");
        tell(say("This is a core memory; the inbox shows what would happen", "핵심 기억이에요. 잊으면 어떻게 되는지 제안함에서 확인해 주세요"));
      },
    );
    return;
  }
  await attempt(
    () => ask("DELETE", at(`/memories/${life.id}`)),
    () => {
      close();
      tell(say("Moved to the cliff; it can be restored for seven days", "절벽으로 옮겼어요. 7일 동안 복원할 수 있어요"), () => post(at(`/memories/${life.id}/restore`)));
    },
  );
}

function Stars({ life, again }: { life: Life; again: () => void }) {
  const rate = (rating: number) =>
    attempt(
      () => ask("PATCH", at(`/memories/${life.id}`), { rating }),
      () => again(),
    );
  return (
    <div class="stars" role="radiogroup" aria-label={say("Your rating", "별점")}>
      {[1, 2, 3, 4, 5].map((stars) => (
        <button
          key={stars}
          type="button"
          role="radio"
          aria-checked={life.rating === stars}
          aria-label={say(`${stars} of 5 stars`, `별점 5점 중 ${stars}점`)}
          class={(life.rating ?? 0) >= stars ? "star on" : "star"}
          onClick={() => rate(stars)}
        >
          ★
        </button>
      ))}
    </div>
  );
}
