// A line diff.
import { say } from "../say";
import type { DiffLine } from "../api/contract";

export function Diff({ lines }: { lines: DiffLine[] }) {
  return (
    <ul class="diff">
      {lines.map((line, at) => (
        <li key={at} class={line.sign === "+" ? "comes" : line.sign === "-" ? "goes" : "stays"}>
          <span class="unseen">{line.sign === "+" ? say("added: ", "추가: ") : line.sign === "-" ? say("removed: ", "삭제: ") : ""}</span>
          <span dir="auto">{line.text}</span>
        </li>
      ))}
    </ul>
  );
}
