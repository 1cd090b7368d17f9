// What thinks and what turns text into vectors. Their keys are written into the configuration, never read back.
import { useSignal } from "@preact/signals";
import { get } from "../../api/client";
import type { LookedOver } from "../../api/contract";
import { attempt } from "../../parts/toast";
import { say } from "../../say";

export function Models() {
  const looked = useSignal<LookedOver | null>(null);
  const busy = useSignal(false);
  const look = () => {
    busy.value = true;
    void attempt(
      () => get<LookedOver>("/v1/doctor"),
      (told) => (looked.value = told),
    ).finally(() => (busy.value = false));
  };
  return (
    <section class="card">
      <div class="row spread">
        <h2>{say("Models", "모델")}</h2>
        <button type="button" class="quiet small" disabled={busy.value} onClick={look}>
          {say("Try them out", "작동하는지 보기")}
        </button>
      </div>
      <ul class="plain small" role="status">
        {looked.value?.problems.map((one) => (
          <li key={one} class="warning" dir="auto">
            {one}
          </li>
        ))}
        {looked.value?.notes.map((one) => (
          <li key={one} class="faint" dir="auto">
            ✓ {one}
          </li>
        ))}
      </ul>
      <p class="faint small">
        {say(
          "Works offline with built-in rules. Which model thinks is chosen in the configuration file of the server; its key is read there and shown on no page.",
          "기본 규칙만으로 인터넷 없이 움직여요. 어떤 모델이 생각할지는 서버의 설정 파일에서 고르고, 모델의 열쇠는 그 파일에서만 읽어 어디에도 보여 주지 않아요.",
        )}
      </p>
      <p class="small">
        <code>saegim default-config</code> <span class="faint">{say("prints one to begin with.", "로 시작할 설정을 볼 수 있어요.")}</span>
      </p>
    </section>
  );
}
