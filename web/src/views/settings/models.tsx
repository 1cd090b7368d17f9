// What thinks and what turns text into vectors. Their keys are written into the configuration, never read back.
import { get } from "../../api/client";
import type { LookedOver } from "../../api/contract";
import { Show, useLoad } from "../../parts/load";
import { say } from "../../say";

export function Models() {
  const looked = useLoad(() => get<LookedOver>("/v1/doctor"), []);
  return (
    <section class="card">
      <h2>{say("Models", "모델")}</h2>
      <Show of={looked}>
        {({ well, problems, notes }) => (
          <ul class="plain small">
            {problems.map((one) => (
              <li key={one} class="warning" dir="auto">
                {one}
              </li>
            ))}
            {notes.map((one) => (
              <li key={one} class="faint" dir="auto">
                {well ? "✓" : "·"} {one}
              </li>
            ))}
          </ul>
        )}
      </Show>
      <p class="faint small">
        {say(
          "Works offline with built-in rules. Which model thinks is chosen in the configuration file of the server; its key is read there and never shown on any page.",
          "기본 규칙만으로 인터넷 없이 움직여요. 어떤 모델이 생각할지는 서버의 설정 파일에서 고르고, 모델의 열쇠는 그 파일에서만 읽어 어디에도 보여 주지 않아요.",
        )}
      </p>
      <p class="small">
        <code>saegim default-config</code> <span class="faint">{say("prints one to begin with.", "로 시작할 설정을 볼 수 있어요.")}</span>
      </p>
    </section>
  );
}
