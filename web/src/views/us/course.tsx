// History of the relationship, per axis.
import { useSignal } from "@preact/signals";
import type { Standing } from "../../api/contract";
import { axis, moved } from "../../names";
import { number, say } from "../../say";
import { ago, day } from "../../time";

const AXES = ["affection", "trust", "familiarity", "respect", "rivalry"] as const;
type Axis = (typeof AXES)[number];

const WIDE = 560;
const HIGH = 170;

type Step = { at: number; value: number };

/** Values of an axis, computed backwards from the current one through its changes. */
function course(standing: Standing, of: Axis): Step[] {
  let value = standing[of];
  const steps: Step[] = [{ at: Date.now(), value }];
  for (const change of standing.changes.filter((one: any) => one.axis === of)) {
    steps.push({ at: Date.parse(change.at), value });
    value = Math.max(0, Math.min(100, value - change.delta));
  }
  const first = steps[steps.length - 1]!.at;
  steps.push({ at: first, value });
  return steps.reverse();
}

/** Reduces the points to a number that can be drawn. */
function thinned(steps: Step[]): Step[] {
  const every = Math.ceil(steps.length / 240);
  return steps.filter((_, at) => at % every === 0 || at === steps.length - 1);
}

export function Course({ standing }: { standing: Standing }) {
  const chosen = useSignal<Axis>("affection");
  if (standing.changes.length === 0) {
    return <p class="faint">{say("No changes yet.", "아직 변화가 없어요.")}</p>;
  }
  const all = AXES.map((name) => [name, thinned(course(standing, name))] as const);
  const begin = Math.min(...all.map(([, steps]) => steps[0]!.at));
  const end = Date.now();
  const most = Math.max(20, ...all.flatMap(([, steps]) => steps.map((step) => step.value)));
  const x = (at: number) => ((at - begin) / Math.max(1, end - begin)) * WIDE;
  const y = (value: number) => HIGH - (value / most) * (HIGH - 10);
  const line = (steps: Step[]) => steps.map((step, at) => `${at ? "L" : "M"}${x(step.at).toFixed(1)} ${y(step.value).toFixed(1)}`).join("");
  const latest = standing.changes.filter((one: any) => one.axis === chosen.value).slice(0, 5);
  return (
    <>
      <svg class="course" viewBox={`0 0 ${WIDE} ${HIGH + 4}`} role="img" aria-label={say("Relationship over time", "시간에 따른 관계 변화")} preserveAspectRatio="none">
        {all.map(([name, steps]) => (
          <path key={name} class={name === chosen.value ? "course-line on" : "course-line"} d={line(steps)} />
        ))}
      </svg>
      <p class="ends faint">
        <span>{day(begin)}</span>
        <span>{say("today", "오늘")}</span>
      </p>
      <div class="chips" role="group" aria-label={say("Score", "관계 점수")}>
        {AXES.map((name) => (
          <button key={name} type="button" class="chip" aria-pressed={chosen.value === name} onClick={() => (chosen.value = name)}>
            {axis(name)} {number(standing[name])}
          </button>
        ))}
      </div>
      <ul class="plain small">
        {latest.map((one: any, at: number) => (
          <li key={at}>
            <b>
              {one.delta > 0 ? "+" : "−"}
              {number(Math.abs(one.delta), 1)}
            </b>{" "}
            <span dir="auto">{moved(one.reason)}</span> <span class="faint">{ago(one.at)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
