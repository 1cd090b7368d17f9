// The first screen: the character at the centre, surrounded by its memories.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { FEELINGS, feeling } from "../feelings";
import { name as placeName } from "../orrery/words";
import { ground, names, paintOf } from "../orrery/rings";
import { type Pointed, Sky } from "../orrery/sky";
import { Hands } from "../orrery/hands";
import { FaceOf } from "../parts/face";
import { Icon } from "../parts/icons";
import { Orb } from "../parts/orb";
import { address, show } from "../route";
import { count, language, number, say } from "../say";
import { known, listen, loading, memory } from "../state/memories";
import { counts, face, mind, mood } from "../state/mind";
import { calm, isDark } from "../theme";
import { tier, whose } from "../names";
import { ago } from "../time";

export function Orrery() {
  const stage = useRef<HTMLDivElement>(null);
  const under = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const far = useRef<HTMLCanvasElement>(null);
  const words = useRef<HTMLCanvasElement>(null);
  const centre = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const sky = useRef<Sky | null>(null);
  const stirred = useRef<() => void>(() => {});
  const pointed = useSignal<string | null>(null);
  const felt = useSignal<string | null>(null);

  useEffect(() => {
    const made = new Sky(over.current!, far.current!);
    sky.current = made;
    let frame = 0;
    let awake = true;
    let left = false;
    const paintGround = () => {
      const paint = paintOf(stage.current!);
      ground(under.current!, made.lens, paint, placeName);
      names(words.current!, made.lens, paint, placeName);
    };
    const place = () => {
      const { lens } = made;
      centre.current!.style.transform = `translate(${lens.width / 2 + lens.x}px, ${lens.height / 2 + lens.y}px) scale(${Math.sqrt(lens.zoom)})`;
      const at: Pointed | null = pointed.peek() ? made.find(pointed.peek()!) : null;
      ring.current!.hidden = !at;
      if (at) {
        ring.current!.style.transform = `translate(${at.x}px, ${at.y}px)`;
        ring.current!.style.setProperty("--wide", `${at.size + 12}px`);
        // On a narrow screen the label spans the width, below or above the orb.
        ring.current!.style.setProperty("--edge-at", `${12 - at.x}px`);
        ring.current!.style.setProperty("--sky-wide", `${lens.width - 24}px`);
        ring.current!.classList.toggle("flip", at.x > lens.width * 0.62);
        ring.current!.classList.toggle("rise", at.y > lens.height * 0.7);
      }
    };
    let placed: string | null | undefined;
    const draw = () => {
      if (left || !centre.current) return;
      if (made.draw() || placed !== pointed.peek()) place();
      placed = pointed.peek();
      frame = made.still || !awake ? 0 : requestAnimationFrame(draw);
    };
    const stir = () => {
      if (left || !stage.current) return;
      paintGround();
      if (!frame) frame = requestAnimationFrame(draw);
    };
    stirred.current = stir;
    const fit = new ResizeObserver(() => {
      if (!stage.current) return;
      const { clientWidth, clientHeight } = stage.current!;
      made.resize(clientWidth, clientHeight);
      stir();
    });
    fit.observe(stage.current!);
    const hidden = () => {
      awake = document.visibilityState === "visible";
      if (awake) stir();
    };
    document.addEventListener("visibilitychange", hidden);
    const deaf = listen((change) => {
      made.hear(change);
      stir();
    });
    const hands = new Hands(stage.current!, made, { point: (id) => (pointed.value = id), open: show, stir });
    return () => {
      left = true;
      cancelAnimationFrame(frame);
      fit.disconnect();
      document.removeEventListener("visibilitychange", hidden);
      deaf();
      hands.leave();
    };
  }, []);

  useEffect(() => {
    Object.assign(sky.current!, { dark: isDark.value, still: calm.value });
    stirred.current();
  }, [isDark.value, calm.value, language.value, mood.value]);

  useEffect(() => {
    const wanted = felt.value;
    sky.current!.filter(wanted ? (one) => one.emotions.includes(wanted as never) : null);
    stirred.current();
  }, [felt.value]);

  // Redraws the selection ring when another memory is pointed at and nothing else moves.
  useEffect(() => stirred.current(), [pointed.value]);

  const { character, user } = mind.value!;
  const total = useComputed(() => Object.values(counts.value?.zones ?? {}).reduce((sum, many) => sum + many, 0));
  const about = pointed.value ? memory(pointed.value) : undefined;
  const story = about
    ? `${about.content.slice(0, 160)}. ${about.emotions.map(feeling).join(", ")}. ${placeName(about.on_cliff ? "cliff" : about.zone)}, ${tier(about.tier)}.`
    : say(`${count(known.value, "memory", "memories")}. Use the arrow keys to move between them, Enter to open one.`, `기억 ${known.value}개. 화살표 키로 이동하고 Enter로 열 수 있어요.`);

  return (
    <section class="orrery">
      <header class="orrery-title">
        <h1 dir="auto">{say(`${whose(character)} mind`, `${whose(character)} 마음`)}</h1>
        <p>
          {say(`${count(total.value, "memory", "memories")} about ${user}`, `${user}에 대한 기억 ${number(total.value)}개`)}
          {counts.value?.on_cliff ? (
            <>
              {" · "}
              <a href={address("cliff")}>{say(`${number(counts.value.on_cliff)} on the cliff`, `절벽에 ${number(counts.value.on_cliff)}개`)}</a>
            </>
          ) : null}
        </p>
      </header>
      <div
        ref={stage}
        class="stage"
        role="listbox"
        tabIndex={0}
        aria-label={say("Memories around the character", "캐릭터를 둘러싼 기억")}
        aria-activedescendant="pointed"
      >
        <canvas ref={under} class="ground" aria-hidden="true" />
        <canvas ref={far} class="orbs" aria-hidden="true" hidden />
        <canvas ref={over} class="orbs" aria-hidden="true" />
        <canvas ref={words} class="orbs" aria-hidden="true" />
        <div ref={centre} class="centre" aria-hidden="true">
          <FaceOf face={face.value} size={64} />
        </div>
        <div ref={ring} class="ring" hidden aria-hidden="true">
          {about && (
            <div class="tip">
              <p class="tip-text" dir="auto">
                {about.content}
              </p>
              <p class="tip-about">
                <Orb emotions={about.emotions} size={11} /> {about.emotions.map(feeling).join(" · ")} · {ago(about.created_at)} · {tier(about.tier)}
              </p>
            </div>
          )}
        </div>
        <div id="pointed" role="option" aria-selected={about !== undefined} class="unseen" dir="auto">
          {story}
        </div>
      </div>
      {loading.value && known.value === 0 ? (
        <p class="sky-note" role="status">
          {say("Loading memories", "기억을 불러오는 중이에요")}
        </p>
      ) : null}
      {!loading.value && known.value === 0 ? <EmptySky character={character} /> : null}
      <div class="legend" role="group" aria-label={say("Show one emotion", "감정 하나만 보기")}>
        {FEELINGS.map((name) => (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={felt.value === name}
            onClick={() => (felt.value = felt.value === name ? null : name)}
          >
            <Orb emotions={[name]} size={11} />
            {feeling(name)}
          </button>
        ))}
      </div>
      <div class="zoom" role="group" aria-label={say("Zoom", "확대와 축소")}>
        <button type="button" class="round" aria-label={say("Zoom in", "확대")} onClick={() => zoom(sky.current!, 1.4, stirred.current)}>
          <Icon of="plus" />
        </button>
        <button type="button" class="round" aria-label={say("Zoom out", "축소")} onClick={() => zoom(sky.current!, 1 / 1.4, stirred.current)}>
          <Icon of="minus" />
        </button>
        <button type="button" class="round" aria-label={say("Show all", "전체 보기")} onClick={() => whole(sky.current!, stirred.current)}>
          <Icon of="fit" />
        </button>
      </div>
    </section>
  );
}

function zoom(sky: Sky, by: number, stir: () => void): void {
  sky.lens.zoom = Math.min(8, Math.max(0.6, sky.lens.zoom * by));
  stir();
}

function whole(sky: Sky, stir: () => void): void {
  Object.assign(sky.lens, { zoom: 1, x: 0, y: 0 });
  stir();
}

function EmptySky({ character }: { character: string }) {
  return (
    <div class="sky-note">
      <p class="state-title">{say("No memories yet", "아직 기억이 없어요")}</p>
      <p>
        {say(`Say something to ${character}; what is worth remembering appears here.`, `${character}에게 말을 걸어 보세요. 기억할 만한 이야기가 여기에 나타나요.`)}
      </p>
      <a class="main" href={address("chat")}>
        {say("Start talking", "대화 시작하기")}
      </a>
    </div>
  );
}

