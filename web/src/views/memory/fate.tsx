// Forecast of a memory: when it expires, and what would extend its term.
import type { Life } from "../../api/contract";
import { tier } from "../../names";
import { say } from "../../say";
import { day, until } from "../../time";

const WHY: Record<string, [string, string]> = {
  repeated: ["it came up again and again", "거듭 나온 이야기라서"],
  recalled: ["it was recalled often", "자주 떠올라서"],
  moved: ["the feeling was strong", "감정이 강해서"],
  remember: ["someone said to remember it", "기억해 달라고 해서"],
  changed_behaviour: ["it changed how the character behaves", "캐릭터의 행동을 바꿔서"],
  island: ["it belongs to an island", "섬에 속해서"],
  lasting: ["it has been alive for a year", "한 해를 넘겨서"],
  belief: ["a belief rests on it", "믿음의 바탕이어서"],
  founds: ["it founds an island", "섬의 바탕이어서"],
};

function need(one: any): string {
  if (one === "remember") return say("someone saying to remember it", "기억해 달라는 말");
  if (one === "changed_behaviour") return say("it changing how the character behaves", "캐릭터의 행동을 바꿈");
  if (one === "island") return say("a place on an island", "섬에 속하기");
  if (one === "strong_feelings") return say("a strong feeling of several emotions", "여러 감정이 섞인 강한 느낌");
  if (one === "owner") return say("your word", "나의 승인");
  if (one?.recalls !== undefined) return say(`${one.recalls} more recalls`, `${one.recalls}번 더 떠올리기`);
  if (one?.topic !== undefined) return say(`${one.topic} more on the same topic`, `같은 이야기 ${one.topic}번 더`);
  return String(one);
}

export function Fate({ life }: { life: Life }) {
  const { fate } = life;
  const share = life.expires_at
    ? Math.max(0, Math.min(1, (Date.parse(life.expires_at) - Date.now()) / (Date.parse(life.expires_at) - Date.parse(life.created_at))))
    : 1;
  return (
    <section class="fold">
      <h3>{say("Time left", "남은 시간")}</h3>
      <div class="term" style={{ "--share": String(share) }} aria-hidden="true" />
      {life.on_cliff && life.cliff ? (
        <p>{say(`Gone for good in ${until(life.cliff.gone_at)}.`, `${until(life.cliff.gone_at)} 뒤에 영영 사라져요.`)}</p>
      ) : life.tier === "M0" ? (
        <p>{say("A core memory: kept for ever.", "핵심 기억이에요. 영원히 간직해요.")}</p>
      ) : (
        <p>
          {life.pinned
            ? say("Pinned: it neither fades nor falls.", "고정되어 흐려지지도 떨어지지도 않아요.")
            : fate.falls_at && say(`Falls to the cliff in ${until(fate.falls_at)} (${day(fate.falls_at)}).`, `${until(fate.falls_at)} 뒤 절벽으로 떨어져요 (${day(fate.falls_at)}).`)}
        </p>
      )}
      {!life.on_cliff && fate.falls_because === "cloud" && (
        <p class="faint">{say("Nobody will have recalled it for long by then. Each recall puts that off.", "그때까지 오래 아무도 떠올리지 않아서예요. 떠올릴 때마다 미뤄져요.")}</p>
      )}
      {fate.rises && (
        <p>
          {say(`On ${day(fate.rises[0])} it will be kept ${tier(fate.rises[1].to)}: `, `${day(fate.rises[0])}에 ${tier(fate.rises[1].to)} 보관으로 올라가요: `)}
          {fate.rises[1].reasons.map((why: string) => (WHY[why] ? say(...WHY[why]) : why)).join(", ")}
        </p>
      )}
      {fate.needs?.length > 0 && (
        <p class="faint">
          {say("Kept longer by ", "더 오래 두려면: ")}
          {fate.needs.map(need).join(say(", or ", " 또는 "))}
        </p>
      )}
    </section>
  );
}
