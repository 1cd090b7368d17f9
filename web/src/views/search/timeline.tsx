// The timeline, from years down to a day.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { asking, get } from "../../api/client";
import type { Fact, Memory, Timeline as Line } from "../../api/contract";
import { hues } from "../../feelings";
import { Orb } from "../../parts/orb";
import { Nothing, Show, useLoad } from "../../parts/load";
import { show } from "../../route";
import { count, language, number, say } from "../../say";
import { known, memories } from "../../state/memories";
import { at, mind } from "../../state/mind";
import { clock } from "../../time";

type Step = "year" | "month" | "day";

/** The visible period: everything, one year, one month or one day. */
type Span = { from: Date; until: Date; step: Step | "moments" };

function everything(): Span {
  const born = [...memories()].map((memory) => Date.parse(memory.created_at));
  const first = new Date(Math.min(Date.parse(mind.value!.made_at), ...born));
  const last = new Date();
  const years = last.getFullYear() - first.getFullYear();
  if (years >= 2) return { from: new Date(first.getFullYear(), 0), until: new Date(last.getFullYear() + 1, 0), step: "year" };
  return { from: new Date(first.getFullYear(), first.getMonth()), until: new Date(last.getFullYear(), last.getMonth() + 1), step: "month" };
}

function next(date: Date, step: Step): Date {
  const [y, m, d] = [date.getFullYear(), date.getMonth(), date.getDate()];
  if (step === "year") return new Date(y + 1, 0);
  return step === "month" ? new Date(y, m + 1) : new Date(y, m, d + 1);
}

function called(date: Date, step: Step): string {
  if (step === "year") return String(date.getFullYear());
  if (step === "month") return date.toLocaleDateString(language.value, { month: "short" });
  return String(date.getDate());
}

function title(span: Span): string {
  const { from, step } = span;
  if (step === "year") return say("All years", "전체 기간");
  if (step === "moments") return from.toLocaleDateString(language.value, { dateStyle: "full" });
  if (step === "day") return from.toLocaleDateString(language.value, { year: "numeric", month: "long" });
  const last = new Date(span.until.getTime() - 1);
  const shape: Intl.DateTimeFormatOptions = { year: "numeric", month: "short" };
  return `${from.toLocaleDateString(language.value, shape)} – ${last.toLocaleDateString(language.value, shape)}`;
}

type Slot = { from: Date; until: Date; count: number; colours: string[] };

/** Counts memories per year, month or day, with the colours of the strongest emotions. */
function slots(span: Span): Slot[] {
  if (span.step === "moments") return [];
  const all: Slot[] = [];
  for (let from = span.from; from < span.until; from = next(from, span.step)) all.push({ from, until: next(from, span.step), count: 0, colours: [] });
  const within = [...memories()].map((memory): [number, Memory] => [Date.parse(memory.created_at), memory]).sort(([a], [b]) => a - b);
  for (const [born, memory] of within) {
    const slot = all.find((one) => born >= one.from.getTime() && born < one.until.getTime());
    if (!slot) continue;
    slot.count += 1;
    if (slot.colours.length < 40) slot.colours.push(hues(memory.emotions)[0]);
  }
  return all;
}

export function Timeline() {
  const trail = useSignal<Span[]>([]);
  void known.value;
  const span = trail.value[trail.value.length - 1] ?? everything();
  const into = (slot: Slot) => {
    const step = span.step === "year" ? "month" : span.step === "month" ? "day" : "moments";
    trail.value = [...trail.value, { from: slot.from, until: slot.until, step }];
  };
  return (
    <div class="timeline">
      <div class="row">
        {trail.value.length > 0 && (
          <button type="button" class="quiet" onClick={() => (trail.value = trail.value.slice(0, -1))}>
            ← {say("Zoom out", "넓게 보기")}
          </button>
        )}
        <h2>{title(span)}</h2>
      </div>
      {span.step === "moments" ? <Moments span={span} /> : <Bars span={span} into={into} />}
    </div>
  );
}

function Bars({ span, into }: { span: Span; into: (slot: Slot) => void }) {
  const all = slots(span);
  const row = useRef<HTMLOListElement>(null);
  // Scrolls to the latest period first.
  useEffect(() => row.current?.scrollTo({ left: row.current.scrollWidth }), [span.step]);
  const most = Math.max(1, ...all.map((slot) => slot.count));
  if (all.every((slot) => slot.count === 0)) return <Nothing title={say("No memories from this period", "이 기간의 기억이 없어요")} />;
  return (
    <>
      <ol class={`bars ${span.step}`} ref={row}>
        {all.map((slot) => (
          <li key={slot.from.getTime()}>
            <button
              type="button"
              disabled={slot.count === 0}
              aria-label={say(`${called(slot.from, span.step as Step)}: ${count(slot.count, "memory", "memories")}`, `${called(slot.from, span.step as Step)}: 기억 ${slot.count}개`)}
              onClick={() => into(slot)}
            >
              <span class="bar-count" aria-hidden="true">
                {slot.count > 0 && number(slot.count)}
              </span>
              <span class="bar-body" style={{ "--share": String(slot.count / most) }} aria-hidden="true">
                {slot.colours.map((colour, place) => (
                  <i key={place} style={{ background: colour }} />
                ))}
              </span>
              <span class="bar-name" aria-hidden="true">
                {called(slot.from, span.step as Step)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class="faint small">{say("Select a bar to zoom in.", "막대를 누르면 자세히 볼 수 있어요.")}</p>
      <Dearest span={span} />
    </>
  );
}

/** Number of memories shown for a period. */
const FEW = 6;

/** The most important memories of a period, in chronological order. */
function Dearest({ span }: { span: Span }) {
  const [from, until] = [span.from.toISOString(), span.until.toISOString()];
  const within = [...memories()].filter((memory) => !memory.on_cliff && memory.created_at >= from && memory.created_at < until);
  const told = new Set<string>();
  const few = within
    .sort((a, b) => b.importance - a.importance)
    .filter((memory) => !told.has(memory.content) && told.add(memory.content))
    .slice(0, FEW);
  return (
    <section class="dearest">
      <h3>{say("Most important in this period", "이 기간의 중요한 기억")}</h3>
      <ol class="moments">
        {few
          .sort((a, b) => a.created_at.localeCompare(b.created_at))
          .map((memory) => (
            <li key={memory.id} class="moment memory">
              <time dateTime={memory.created_at}>{new Date(memory.created_at).toLocaleDateString(language.value, { month: "short", day: "numeric" })}</time>
              <button type="button" class="mention" onClick={() => show(memory.id)}>
                <Orb emotions={memory.emotions} strength={memory.strength} size={16} />
                <span dir="auto">{memory.content}</span>
              </button>
            </li>
          ))}
      </ol>
    </section>
  );
}

function Moments({ span }: { span: Span }) {
  const path = asking(at("/timeline"), { since: span.from.toISOString(), until: span.until.toISOString(), limit: 1000, turns: true });
  const day = useLoad(() => get<Line>(path), [path]);
  return (
    <Show of={day}>
      {({ moments }) => (
        <ol class="moments">
          {moments.map((moment: any, place: number) => (
            <li key={place} class={`moment ${moment.type}`}>
              <time dateTime={moment.at}>{clock(moment.at)}</time>
              <Moment moment={moment} />
            </li>
          ))}
        </ol>
      )}
    </Show>
  );
}

function Moment({ moment }: { moment: any }) {
  const fact: Fact = moment.fact;
  switch (moment.type) {
    case "turn":
      return (
        <p class={`bubble ${moment.turn.role === "user" ? "mine" : "theirs"}`} dir="auto">
          {moment.turn.content}
        </p>
      );
    case "memory":
      return (
        <button type="button" class="mention" onClick={() => show(moment.memory.id)}>
          <Orb emotions={moment.memory.emotions} strength={moment.memory.strength} size={16} />
          <span dir="auto">{moment.memory.content}</span>
        </button>
      );
    case "fact":
      return (
        <p dir="auto">
          <b>{fact.name}</b> {fact.value}
        </p>
      );
    case "over":
      return (
        <p class="faint" dir="auto">
          <b>{fact.name}</b> <s>{fact.value}</s>
        </p>
      );
    default:
      return (
        <p class="faint" dir="auto">
          {say("Scene started", "장면이 시작됨")}
          {moment.scene?.topic && ` · ${moment.scene.topic}`}
          {moment.scene?.place && ` · ${moment.scene.place}`}
        </p>
      );
  }
}
