// Versions of the self, their differences, and a way to return to one.
import { useSignal } from "@preact/signals";
import { asking, get, post } from "../../api/client";
import type { Difference as Different, SelfVersion } from "../../api/contract";
import { selfReason } from "../../names";
import { Diff } from "../../parts/diff";
import { Show, useLoad } from "../../parts/load";
import { attempt, tell } from "../../parts/toast";
import { count, number, say } from "../../say";
import { at } from "../../state/mind";
import { ago } from "../../time";

export function Versions({ versions, again }: { versions: SelfVersion[]; again: () => void }) {
  const ordered = [...versions].sort((a, b) => b.version - a.version);
  return (
    <section class="card">
      <h2>{say("Versions", "자아의 버전")}</h2>
      <ol class="plain versions">
        {ordered.map((one, place) => (
          <One key={one.version} version={one} latest={place === 0} again={again} />
        ))}
      </ol>
    </section>
  );
}

function One({ version, latest, again }: { version: SelfVersion; latest: boolean; again: () => void }) {
  const open = useSignal(false);
  const back = () =>
    attempt(
      () => post(at("/self/return"), { version: version.version }),
      () => {
        again();
        tell(say(`Returned to version ${version.version}`, `버전 ${version.version}의 자아로 되돌렸어요`));
      },
    );
  return (
    <li>
      <button type="button" class="version" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
        <b>{say(`Version ${number(version.version)}`, `버전 ${number(version.version)}`)}</b>
        <span class="faint">
          {ago(version.made_at)} · {selfReason(version.reason)} · {say(`${count(version.beliefs.length, "belief", "beliefs")}`, `신념 ${version.beliefs.length}개`)}
        </span>
      </button>
      {open.value && <Difference to={version.version} />}
      {open.value && !latest && (
        <button type="button" class="quiet small" onClick={back}>
          {say("Return to this version", "이 버전으로 되돌리기")}
        </button>
      )}
    </li>
  );
}

function Difference({ to }: { to: number }) {
  const path = asking(at("/self/difference"), { from: to - 1, to });
  const read = useLoad(() => get<Different>(path), [path]);
  return <Show of={read}>{({ diff }) => <Diff lines={diff} />}</Show>;
}
