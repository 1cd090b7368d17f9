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
        <h1>{say("A new mind", "새로운 마음")}</h1>
        <p>
          {say(
            "Here you see everything a character remembers of you, and have a hand in it. Who is going to remember whom?",
            "캐릭터가 나를 어떻게 기억하는지 모두 들여다보고, 손볼 수 있는 곳이에요. 누가 누구를 기억하게 될까요?",
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
          {say("Begin", "시작하기")}
        </button>
        <p class="small">
          {say("Just looking? ", "먼저 구경해 보고 싶다면: ")}
          <code>saegim serve --demo</code>
        </p>
      </form>
      <Toasts />
    </main>
  );
}
