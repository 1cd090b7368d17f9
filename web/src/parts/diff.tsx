// A line diff.
import { say } from "../say";
import type { DiffLine } from "../api/contract";

export function Diff({ lines }: { lines: DiffLine[] }) {
  return (
    <ul class="diff">
      {lines.map((line, at) => (
        <li key={at} class={line.sign === "+" ? "comes" : line.sign === "-" ? "goes" : "stays"}>
          <span class="unseen">{line.sign === "+" ? say("comes: ", "더해짐: ") : line.sign === "-" ? say("goes: ", "빠짐: ") : ""}</span>
          <span dir="auto">{line.text}</span>
        </li>
      ))}
    </ul>
  );
}
