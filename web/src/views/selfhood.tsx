// Islands and self: the personality, its beliefs, and their history.
import { get } from "../api/client";
import type { Island, Islands as Standing, Oneself, SelfVersion, Soul as Written, Versions as Kept } from "../api/contract";
import { josa } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { address } from "../route";
import { say } from "../say";
import { heard } from "../state/live";
import { at, mind } from "../state/mind";
import { pending } from "../state/proposals";
import { Beliefs } from "./self/beliefs";
import { Islands } from "./self/islands";
import { Soul } from "./self/soul";
import { Versions } from "./self/versions";

type Own = { islands: Island[]; warnings: string[]; current: SelfVersion | null; versions: SelfVersion[]; soul: string };

async function read(): Promise<Own> {
  const [{ islands, warnings }, { current }, { versions }, { text }] = await Promise.all([
    get<Standing>(at("/islands")),
    get<Oneself>(at("/self")),
    get<Kept>(at("/self/versions")),
    get<Written>(at("/soul")),
  ]);
  return { islands, warnings, current: current ?? null, versions, soul: text };
}

export function Selfhood() {
  const { character } = mind.value!;
  const own = useLoad(read, [mind.value?.id, heard.value?.sequence ?? 0]);
  return (
    <section class="view selfhood">
      <header class="view-head">
        <h1>{say("Islands and self", "섬과 자아")}</h1>
        <p class="lead">
          {say(
            `What ${character} keeps for ever raises islands; out of them grows who ${character} is.`,
            `${josa(character, "이가")} 영원히 간직한 기억이 섬을 세우고, 그 위에서 자아가 자라나요.`,
          )}
        </p>
        {pending.value.length > 0 && (
          <p>
            <a class="main" href={address("inbox")}>
              {say(`${pending.value.length} waiting for your word`, `답을 기다리는 제안 ${pending.value.length}건`)}
            </a>
          </p>
        )}
      </header>
      <Show of={own}>
        {({ islands, warnings, current, versions, soul }) => (
          <>
            {warnings.map((warning) => (
              <p key={warning} class="warning" role="alert" dir="auto">
                {warning}
              </p>
            ))}
            <Islands islands={islands} again={own.again} />
            {current ? (
              <Beliefs version={current} islands={islands} />
            ) : (
              <Nothing title={say("No self has formed yet", "아직 자아가 생기지 않았어요")}>
                <p>
                  {say(
                    "It grows out of memories that are kept for ever. Open a memory that matters and choose “Remember this for ever”.",
                    "영원히 간직한 기억에서 자라나요. 소중한 기억을 열어 ‘영원히 간직하기’를 눌러 보세요.",
                  )}
                </p>
              </Nothing>
            )}
            <div class="two">
              {versions.length > 0 && <Versions versions={versions} again={own.again} />}
              <Soul text={soul} />
            </div>
          </>
        )}
      </Show>
    </section>
  );
}
