// Forecast of a memory: when it expires, and what would extend its term.
import type { Life } from "../../api/contract";
import { tier } from "../../names";
import { count, say } from "../../say";
import { day, until } from "../../time";

const WHY: Record<string, [string, string]> = {
  repeated: ["it was mentioned repeatedly", "여러 번 나온 이야기라서"],
  recalled: ["it was recalled often", "자주 회상해서"],
  moved: ["the emotion was strong", "감정이 강해서"],
  remember: ["you asked to remember it", "기억해 달라고 해서"],
  changed_behaviour: ["it changed the character’s behaviour", "캐릭터의 행동을 바꿔서"],
  island: ["it belongs to an island", "섬에 속해서"],
  lasting: ["it was kept for a year", "1년 동안 보관해서"],
  belief: ["it supports a belief", "신념의 근거여서"],
  founds: ["an island is built on it", "섬의 바탕이어서"],
};

function need(one: any): string {
  if (one === "remember") return say("a request to remember it", "기억해 달라는 요청");
  if (one === "changed_behaviour") return say("a change in the character’s behaviour", "캐릭터의 행동을 바꾸기");
  if (one === "island") return say("becoming part of an island", "섬에 속하기");
  if (one === "strong_feelings") return say("a strong feeling with several emotions", "여러 감정이 섞인 강렬한 경험");
  if (one === "owner") return say("your approval", "나의 승인");
  if (one?.recalls !== undefined) return say(`${count(one.recalls, "more recall", "more recalls")}`, `${one.recalls}번 더 회상하기`);
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
        <p>{say(`Permanently deleted in ${until(life.cliff.gone_at)}.`, `${until(life.cliff.gone_at)} 뒤에 영구 삭제돼요.`)}</p>
      ) : life.tier === "M0" ? (
        <p>{say("A core memory: kept permanently.", "핵심 기억이에요. 영구 보관해요.")}</p>
      ) : (
        <p>
          {life.pinned
            ? say("Pinned: it is never forgotten automatically.", "고정된 기억이라 자동으로 잊히지 않아요.")
            : fate.falls_at && say(`Moves to the cliff in ${until(fate.falls_at)} (${day(fate.falls_at)}).`, `${until(fate.falls_at)} 뒤 절벽으로 이동해요 (${day(fate.falls_at)}).`)}
        </p>
      )}
      {!life.on_cliff && fate.falls_because === "cloud" && (
        <p class="faint">{say("The reason is that it has not been recalled for a long time. Each recall postpones this.", "오랫동안 회상하지 않았기 때문이에요. 회상할 때마다 미뤄져요.")}</p>
      )}
      {fate.rises && (
        <p>
          {say(`On ${day(fate.rises[0])} its retention changes to ${tier(fate.rises[1].to)}: `, `${day(fate.rises[0])}에 보관 기간이 늘어나요 (${tier(fate.rises[1].to)}): `)}
          {fate.rises[1].reasons.map((why: string) => (WHY[why] ? say(...WHY[why]) : why)).join(", ")}
        </p>
      )}
      {fate.needs?.length > 0 && (
        <p class="faint">
          {say("To keep it longer: ", "더 오래 보관하려면: ")}
          {fate.needs.map(need).join(say(", or ", " 또는 "))}
        </p>
      )}
    </section>
  );
}
