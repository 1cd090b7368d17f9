// Shown when the server requires a key.
import { useSignal } from "@preact/signals";
import { key, use } from "../api/client";
import { say } from "../say";
import { loadMinds } from "../state/mind";

export function Lock() {
  const written = useSignal("");
  const enter = (event: Event) => {
    event.preventDefault();
    use(written.value);
    loadMinds().catch(() => {});
  };
  return (
    <main class="alone">
      <form class="door" onSubmit={enter}>
        <p class="brand large">
          새김<span>saegim</span>
        </p>
        <h1>{say("This mind is locked", "잠겨 있는 마음이에요")}</h1>
        <p>
          {key.value
            ? say("This key opens nothing here. Is it whole?", "이 열쇠로는 열리지 않아요. 빠진 글자가 없는지 봐 주세요.")
            : say("Whoever runs the server has a key for you.", "서버를 켠 사람에게서 받은 열쇠를 넣어 주세요.")}
        </p>
        <label>
          {say("Key", "열쇠")}
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={written.value}
            onInput={(event) => (written.value = event.currentTarget.value)}
            required
          />
        </label>
        <button type="submit" class="main">
          {say("Open", "열기")}
        </button>
        <p class="small">
          {say("It stays in this tab and is forgotten when you close it. ", "이 탭에만 두었다가 닫으면 잊습니다. ")}
          <code>saegim keys new owner</code>
          {say(" makes one.", " 로 만들 수 있어요.")}
        </p>
      </form>
    </main>
  );
}
