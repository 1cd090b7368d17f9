// Coordinate of a memory: time, place, agent, topic.
import type { Life } from "../../api/contract";
import { say } from "../../say";
import { when } from "../../time";

export function Where({ life }: { life: Life }) {
  const c = life.coordinate;
  const rows: [string, unknown][] = [
    [say("Born", "생긴 때"), when(life.created_at)],
    [say("Last recalled", "마지막으로 떠올린 때"), life.last_recalled_at && when(life.last_recalled_at)],
    [say("Session", "세션"), c.session],
    [say("Place in it", "세션 안 순서"), c.sequence],
    [say("Minutes in", "시작 뒤 몇 분"), c.minutes !== null && c.minutes !== undefined ? Math.round(c.minutes) : null],
    [say("Project", "프로젝트"), c.project],
    [say("Field", "분야"), c.domain],
    [say("Files", "파일"), c.file_context?.join(", ")],
    [say("Persona", "페르소나"), c.persona_name ?? c.persona_id],
    [say("Rhythm", "리듬"), c.rhythm_phase],
    [say("Feeling words", "감정을 읽은 말"), life.emotion_keywords.join(", ")],
    [say("Id elsewhere", "다른 곳의 아이디"), life.external_id],
    [say("Id", "아이디"), life.id],
  ];
  return (
    <details class="fold">
      <summary>
        <h3>{say("Coordinate", "좌표")}</h3>
      </summary>
      <dl class="pairs">
        {rows
          .filter(([, value]) => value !== null && value !== undefined && value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{String(value)}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}
