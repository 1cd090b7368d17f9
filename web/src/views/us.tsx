// User and character: facts about the user, the relationship, and its history.
import { asking, every, get } from "../api/client";
import type { Facts, Standing } from "../api/contract";
import { feeling } from "../feelings";
import { josa, level, style } from "../names";
import { FaceOf, faceName } from "../parts/face";
import { Orb } from "../parts/orb";
import { Show, useLoad } from "../parts/load";
import { show } from "../route";
import { number, say } from "../say";
import { heard } from "../state/live";
import { at, face, mind, mood } from "../state/mind";
import { ago } from "../time";
import { Course } from "./us/course";
import { FactsKnown } from "./us/facts";
import { Radar } from "./us/radar";

export function Us() {
  const { character, user } = mind.value!;
  const stirred = heard.value?.sequence ?? 0;
  const standing = useLoad(() => get<Standing>(asking(at("/relationship"), { limit: 10000 })), [mind.value?.id, stirred]);
  const facts = useLoad(() => every<Facts>(asking(at("/facts"), { history: true }), "facts"), [mind.value?.id, stirred]);
  return (
    <section class="view us">
      <header class="view-head">
        <h1>{say("Us", "우리 사이")}</h1>
        <p class="lead" dir="auto">
          {say(`What ${character} knows about ${user}, and your relationship.`, `${josa(character, "이가")} ${user}에 대해 아는 것과 두 사람의 관계예요.`)}
        </p>
      </header>
      <div class="us-grid">
        <div>
          <Show of={facts}>{({ facts: all }) => <FactsKnown facts={all} again={facts.again} />}</Show>
        </div>
        <div>
          <Show of={standing}>{(value) => <Between standing={value} character={character} />}</Show>
        </div>
      </div>
    </section>
  );
}

function Between({ standing, character }: { standing: Standing; character: string }) {
  return (
    <>
      <section class="card">
        <h2>{say("Your relationship", "지금의 관계")}</h2>
        <p class="level">
          {level(standing.level)}
          <span class="faint">
            {" "}
            {number(standing.intimacy)}/100 · {style(standing.speech_style)}
          </span>
        </p>
        <Radar standing={standing} />
      </section>
      <section class="card">
        <h2>{say("Relationship history", "관계의 변화")}</h2>
        <Course standing={standing} />
      </section>
      <section class="card">
        <h2>{say("Mood", "지금 기분")}</h2>
        <Mood character={character} />
      </section>
      <section class="card">
        <h2>{say("Shared experiences", "함께한 일")}</h2>
        {standing.shared.length === 0 ? (
          <p class="faint">{say("Nothing yet. Things you do together appear here.", "아직 없어요. 함께한 일이 여기에 쌓여요.")}</p>
        ) : (
          <ul class="plain shared">
            {standing.shared.map((one) => (
              <li key={one.id}>
                <button type="button" class="mention" onClick={() => show(one.id)}>
                  <Orb emotions={one.emotions} strength={one.strength} size={14} />
                  <span dir="auto">{one.content}</span>
                  <span class="faint"> {ago(one.created_at)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function Mood({ character }: { character: string }) {
  const levels = Object.entries(mood.value?.levels ?? {})
    .filter(([name, felt]) => name !== "neutral" && felt > 0.005)
    .sort(([, a], [, b]) => b - a);
  return (
    <div class="mood">
      <FaceOf face={face.value} size={72} />
      <div>
        <p>{faceName(face.value)}</p>
        {levels.length === 0 && (
          <p class="faint">{say(`${character} is calm. A mood lasts a few hours.`, `${josa(character, "은는")} 지금 차분해요. 기분은 몇 시간이면 가라앉아요.`)}</p>
        )}
        {levels.map(([name, felt]) => (
          <div key={name} class="gauge">
            <span>
              <Orb emotions={[name]} size={11} /> {feeling(name)}
            </span>
            <i style={{ "--share": String(felt) }} aria-hidden="true" />
            <b>{number(felt * 100)}%</b>
          </div>
        ))}
      </div>
    </div>
  );
}

