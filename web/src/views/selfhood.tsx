// Islands and self: the personality, its beliefs, and their history.
import { get } from "../api/client";
import type { Island, Islands as Standing, Oneself, SelfVersion, Soul as Written, Versions as Kept } from "../api/contract";
import { josa, whose } from "../names";
import { Nothing, Show, useLoad } from "../parts/load";
import { address } from "../route";
import { count, say } from "../say";
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
            `${whose(character)} permanent memories form islands, and the self is built on them.`,
            `${josa(character, "이가")} 영구 보관한 기억이 섬이 되고, 섬을 바탕으로 자아가 만들어져요.`,
          )}
        </p>
        {pending.value.length > 0 && (
          <p>
            <a class="main" href={address("inbox")}>
              {say(`${count(pending.value.length, "proposal", "proposals")} to review`, `검토할 제안 ${pending.value.length}건`)}
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
              <Nothing title={say("No self yet", "아직 자아가 없어요")}>
                <p>
                  {say(
                    "It is built from permanent memories. Open an important memory and choose “Keep permanently”.",
                    "영구 보관한 기억에서 만들어져요. 중요한 기억을 열고 ‘영구 보관하기’를 눌러 보세요.",
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
