// Filters: time, place, persona, emotion, tier.
import type { Signal } from "@preact/signals";
import { FEELINGS, feeling } from "../../feelings";
import { category, kind, tier, zone } from "../../names";
import { say } from "../../say";

export type Wanted = {
  since: string;
  until: string;
  emotion: string;
  tier: string;
  zone: string;
  kind: string;
  category: string;
  persona: string;
  project: string;
  domain: string;
  tag: string;
  least_importance: number;
};

export const NONE: Wanted = {
  since: "",
  until: "",
  emotion: "",
  tier: "",
  zone: "",
  kind: "",
  category: "",
  persona: "",
  project: "",
  domain: "",
  tag: "",
  least_importance: 0,
};

type Choice = { label: string; name: keyof Wanted; words: readonly string[]; called: (word: string) => string };

export function Filters({ wanted }: { wanted: Signal<Wanted> }) {
  const set = (name: keyof Wanted, value: string | number) => (wanted.value = { ...wanted.value, [name]: value });
  const given = Object.values(wanted.value).filter((value) => value !== "" && value !== 0).length;
  const choices: Choice[] = [
    { label: say("Feeling", "감정"), name: "emotion", words: FEELINGS, called: feeling },
    { label: say("Retention", "보관 기간"), name: "tier", words: ["M30", "M90", "M365", "M0"], called: tier },
    { label: say("Zone", "영역"), name: "zone", words: ["core", "inner", "outer", "belt", "cloud"], called: zone },
    { label: say("Kind", "종류"), name: "kind", words: ["episodic", "semantic", "emotional"], called: kind },
    {
      label: say("Category", "분류"),
      name: "category",
      words: ["identity", "people", "preferences", "caution", "shared_events", "requests", "situation"],
      called: category,
    },
  ];
  const texts: [keyof Wanted, string][] = [
    ["persona", say("Persona", "페르소나")],
    ["project", say("Project", "프로젝트")],
    ["domain", say("Domain", "분야")],
    ["tag", say("Tag", "태그")],
  ];
  return (
    <details class="filters">
      <summary>
        {say("Filters", "필터")} {given > 0 && <span class="badge">{given}</span>}
      </summary>
      <div class="filter-grid">
        {choices.map(({ label, name, words, called }) => (
          <label key={name}>
            {label}
            <select value={String(wanted.value[name])} onChange={(event) => set(name, event.currentTarget.value)}>
              <option value="">{say("any", "전체")}</option>
              {words.map((word) => (
                <option key={word} value={word}>
                  {called(word)}
                </option>
              ))}
            </select>
          </label>
        ))}
        {(["since", "until"] as const).map((name) => (
          <label key={name}>
            {name === "since" ? say("From", "시작일") : say("Until", "종료일")}
            <input
              type="date"
              value={wanted.value[name].slice(0, 10)}
              onChange={(event) => set(name, event.currentTarget.value && `${event.currentTarget.value}T00:00:00Z`)}
            />
          </label>
        ))}
        {texts.map(([name, label]) => (
          <label key={name}>
            {label}
            <input value={String(wanted.value[name])} dir="auto" onChange={(event) => set(name, event.currentTarget.value.trim())} />
          </label>
        ))}
        <label>
          {say("Minimum importance", "최소 중요도")}
          <input
            type="range"
            min="0"
            max="1"
            step="0.1"
            value={wanted.value.least_importance}
            onChange={(event) => set("least_importance", Number(event.currentTarget.value))}
          />
        </label>
        <button type="button" class="quiet" onClick={() => (wanted.value = NONE)}>
          {say("Clear", "필터 초기화")}
        </button>
      </div>
    </details>
  );
}
