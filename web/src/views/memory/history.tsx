// Ledger entries of a memory.
import type { Life } from "../../api/contract";
import { actor, deed, note } from "../../names";
import { say } from "../../say";
import { when } from "../../time";

export function History({ life }: { life: Life }) {
  return (
    <details class="fold">
      <summary>
        <h3>{say("History", "변경 이력")}</h3>
        <span class="faint">{life.history.length}</span>
      </summary>
      <ol class="history">
        {[...life.history].reverse().map((entry) => (
          <li key={entry.sequence}>
            <time class="faint" dateTime={entry.at}>
              {when(entry.at)}
            </time>
            <span>
              <b>{deed(entry.operation)}</b> · {actor(entry.principal)}
              {entry.note && <span class="faint"> — {note(entry.note)}</span>}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
