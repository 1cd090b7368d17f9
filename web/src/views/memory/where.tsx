// Coordinate of a memory: time, place, agent, topic.
import type { Life } from "../../api/contract";
import { say } from "../../say";
import { when } from "../../time";

export function Where({ life }: { life: Life }) {
  const c = life.coordinate;
  const rows: [string, unknown][] = [
    [say("Created", "만든 시각"), when(life.created_at)],
    [say("Last recalled", "마지막 회상"), life.last_recalled_at && when(life.last_recalled_at)],
    [say("Session", "세션"), c.session],
    [say("Position in session", "세션 안 순서"), c.sequence],
    [say("Minutes into session", "세션 시작 후(분)"), c.minutes !== null && c.minutes !== undefined ? Math.round(c.minutes) : null],
    [say("Project", "프로젝트"), c.project],
    [say("Domain", "분야"), c.domain],
    [say("Files", "파일"), c.file_context?.join(", ")],
    [say("Persona", "페르소나"), c.persona_name ?? c.persona_id],
    [say("Rhythm", "리듬"), c.rhythm_phase],
    [say("Emotion keywords", "감정을 나타낸 말"), life.emotion_keywords.join(", ")],
    [say("External ID", "외부 ID"), life.external_id],
    [say("ID", "ID"), life.id],
  ];
  return (
    <details class="fold">
      <summary>
        <h3>{say("Details", "세부 정보")}</h3>
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
