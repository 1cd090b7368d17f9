// Preview of SOUL.md.
import { attempt, tell } from "../../parts/toast";
import { say } from "../../say";

export function Soul({ text }: { text: string }) {
  const copy = () => attempt(() => navigator.clipboard.writeText(text), () => tell(say("Copied", "복사했어요")));
  return (
    <section class="card soul">
      <div class="row spread">
        <h2>SOUL.md</h2>
        <button type="button" class="quiet small" onClick={copy}>
          {say("Copy", "복사")}
        </button>
      </div>
      <pre dir="auto" tabIndex={0} aria-label="SOUL.md">
        {text.trim()}
      </pre>
    </section>
  );
}
