// The first visit: no mind exists yet.
import { useSignal } from "@preact/signals";
import { attempt, Toasts } from "../parts/toast";
import { go } from "../route";
import { say } from "../say";
import { begin } from "../state/mind";

export function Welcome() {
  const user = useSignal("");
  const character = useSignal("");
  const start = (event: Event) => {
    event.preventDefault();
    void attempt(
      () => begin(user.value.trim(), character.value.trim()),
      () => go("chat"),
    );
  };
  return (
    <main class="alone">
      <form class="door" onSubmit={start}>
        <p class="brand large">
          새김<span>saegim</span>
        </p>
        <h1>{say("Create a character", "캐릭터 만들기")}</h1>
        <p>
          {say(
            "On this page you see everything a character remembers about you, and you can change it. Enter two names to begin.",
            "캐릭터가 나에 대해 기억하는 내용을 모두 보고 고칠 수 있어요. 먼저 두 이름을 입력해 주세요.",
          )}
        </p>
        <label>
          {say("Your name", "내 이름")}
          <input value={user.value} maxLength={200} onInput={(event) => (user.value = event.currentTarget.value)} required dir="auto" />
        </label>
        <label>
          {say("The character’s name", "캐릭터 이름")}
          <input value={character.value} maxLength={200} onInput={(event) => (character.value = event.currentTarget.value)} required dir="auto" />
        </label>
        <button type="submit" class="main">
          {say("Start", "시작하기")}
        </button>
        <p class="small">
          {say("To explore sample data first: ", "예시 데이터를 먼저 둘러보려면: ")}
          <code>saegim serve --demo</code>
        </p>
      </form>
      <Toasts />
    </main>
  );
}
