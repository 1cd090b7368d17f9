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
        <h1>{say("Sign in", "로그인")}</h1>
        <p>
          {key.value
            ? say("This API key is not valid. Check that it is complete.", "올바른 API 키가 아니에요. 빠진 글자가 없는지 확인해 주세요.")
            : say("Enter the API key you received from the person who runs this server.", "서버 관리자에게 받은 API 키를 입력해 주세요.")}
        </p>
        <label>
          {say("API key", "API 키")}
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
          {say("Sign in", "로그인")}
        </button>
        <p class="small">
          {say("The key is kept in this tab only and removed when you close it. Create one with ", "키는 이 탭에만 보관하고, 탭을 닫으면 삭제돼요. 키는 ")}
          <code>saegim keys new owner</code>
          {say(".", "로 만들 수 있어요.")}
        </p>
      </form>
    </main>
  );
}
