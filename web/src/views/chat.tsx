// The conversation, with the memory's work beside it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { FaceOf } from "../parts/face";
import { Nothing, Trouble, Waiting } from "../parts/load";
import { say } from "../say";
import { chosen, type Exchange, exchanges, past, pastLoaded, talk } from "../state/chat";
import { face, mind } from "../state/mind";
import { when } from "../time";
import { AtWork, summary } from "./chat/work";

export function Chat() {
  const { character } = mind.value!;
  const all = exchanges.value;
  const looked = all.find((one) => one.id === chosen.value) ?? all[all.length - 1] ?? null;
  const busy = all.some((one) => one.busy);
  return (
    <section class="chat">
      <div class="talk">
        <header class="talk-head">
          <FaceOf face={face.value} size={46} />
          <h1 dir="auto">{character}</h1>
        </header>
        <Said character={character} />
        <Write busy={busy} character={character} />
      </div>
      <aside class="work" aria-label={say("Memory at work", "기억이 하는 일")}>
        <AtWork exchange={looked} />
      </aside>
    </section>
  );
}

function Said({ character }: { character: string }) {
  const scroll = useRef<HTMLDivElement>(null);
  const all = exchanges.value;
  const last = all[all.length - 1];
  useEffect(() => {
    scroll.current?.scrollTo({ top: scroll.current.scrollHeight });
  }, [all.length, last?.answer, last?.update, past.value.length]);
  return (
    <div class="said-all" ref={scroll} role="log" aria-label={say("Conversation", "대화")} tabIndex={0}>
      {!pastLoaded.value && <Waiting />}
      {pastLoaded.value && past.value.length + all.length === 0 && (
        <Nothing title={say(`Say something to ${character}`, `${character}에게 말을 걸어 보세요`)}>
          <p>
            {say(
              "Mention your name, where you live, what you like or how your day was. The panel beside the chat shows what is stored, what is not, and why.",
              "이름, 사는 곳, 좋아하는 것, 오늘 있었던 일을 이야기해 보세요. 무엇을 저장하고 무엇을 저장하지 않는지, 그 이유를 대화창 옆에서 볼 수 있어요.",
            )}
          </p>
        </Nothing>
      )}
      {past.value.map((turn) => (
        <p key={turn.id} class={`bubble ${turn.role === "user" ? "mine" : "theirs"} past`} dir="auto" title={when(turn.at)}>
          {turn.content}
        </p>
      ))}
      {past.value.length > 0 && <p class="since">{say("now", "지금부터")}</p>}
      {all.map((one) => (
        <One key={one.id} exchange={one} />
      ))}
    </div>
  );
}

function One({ exchange }: { exchange: Exchange }) {
  const { said, answer, update, problem, busy, id } = exchange;
  return (
    <div class="exchange">
      <p class="bubble mine" dir="auto">
        {said}
      </p>
      {answer && (
        <p class="bubble theirs" dir="auto">
          {answer}
        </p>
      )}
      {busy && !answer && <Waiting what={say("recalling", "기억을 떠올리는 중")} />}
      {problem && <Trouble problem={problem} again={() => talk(said)} />}
      {update && (
        <button type="button" class="came-of-it" aria-pressed={chosen.value === id} onClick={() => (chosen.value = id)}>
          {summary(update)}
        </button>
      )}
    </div>
  );
}

function Write({ busy, character }: { busy: boolean; character: string }) {
  const text = useSignal("");
  const box = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    const said = text.value.trim();
    if (!said || busy) return;
    text.value = "";
    void talk(said);
    box.current?.focus();
  };
  return (
    <form class="write" onSubmit={(event) => (event.preventDefault(), send())}>
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        placeholder={say(`Message ${character}`, `${character}에게 보낼 메시지`)}
        aria-label={say("Your message", "메시지")}
        value={text.value}
        maxLength={32768}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          // While a Hangul syllable is being composed, Enter belongs to the input method.
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            send();
          }
        }}
      />
      <button type="submit" class="main" disabled={busy || !text.value.trim()}>
        {say("Send", "보내기")}
      </button>
    </form>
  );
}
