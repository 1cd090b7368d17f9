// Display names; the words are those of the command line.
import { language, say } from "./say";

type Pair = readonly [english: string, korean: string];

/** Looks up a display name; an unknown word is returned unchanged. */
function named(table: Record<string, Pair>, word: string): string {
  const pair = table[word];
  if (pair) return say(...pair);
  return word.replaceAll("_", " ");
}

const TIERS: Record<string, Pair> = {
  M30: ["a month", "한 달"],
  M90: ["three months", "석 달"],
  M365: ["a year", "한 해"],
  M0: ["for ever", "영원히"],
};
export const tier = (word: string) => named(TIERS, word);

const ZONES: Record<string, Pair> = {
  core: ["core", "중심"],
  inner: ["inner", "가까이"],
  outer: ["outer", "바깥"],
  belt: ["belt", "띠"],
  cloud: ["cloud", "구름"],
  cliff: ["the cliff", "절벽"],
};
export const zone = (word: string) => named(ZONES, word);

const KINDS: Record<string, Pair> = {
  episodic: ["something that happened", "있었던 일"],
  semantic: ["something known", "아는 것"],
  emotional: ["a feeling", "느낀 것"],
};
export const kind = (word: string) => named(KINDS, word);

const CATEGORIES: Record<string, Pair> = {
  identity: ["who you are", "나라는 사람"],
  people: ["people", "사람들"],
  preferences: ["likes and dislikes", "취향"],
  preference: ["likes and dislikes", "취향"],
  caution: ["take care", "조심할 것"],
  shared_events: ["lived together", "함께한 일"],
  requests: ["asked for", "부탁"],
  situation: ["how things are", "요즘 사정"],
  behaviour: ["ways", "습관"],
};
export const category = (word: string) => named(CATEGORIES, word);

const SOURCES: Record<string, Pair> = {
  conversation: ["from a conversation", "대화에서"],
  observation: ["seen by the host", "지켜보다가"],
  distillation: ["drawn from other memories", "다른 기억에서 우러나"],
  user: ["written by you", "직접 적음"],
  imagination: ["imagined", "상상"],
  import: ["brought in", "들여옴"],
};
export const source = (word: string) => named(SOURCES, word);

const KNOWLEDGE: Record<string, Pair> = {
  witnessed: ["witnessed", "직접 겪음"],
  told: ["told", "들음"],
  inferred: ["inferred", "미루어 앎"],
  imagined: ["imagined", "상상함"],
};
export const knowledge = (word: string) => named(KNOWLEDGE, word);

const REASONS: Record<string, Pair> = {
  expired: ["its time ran out", "기한이 다함"],
  displaced: ["it made room", "자리를 내줌"],
  manual: ["let go by hand", "직접 놓아줌"],
};
export const reason = (word: string) => named(REASONS, word);

const LINKS: Record<string, Pair> = {
  parent: ["came from", "비롯된 기억"],
  child: ["led to", "이어진 기억"],
  related: ["is related to", "닿아 있는 기억"],
  distilled_from: ["is the essence of", "우러난 기억"],
  supports: ["supports", "뒷받침하는 기억"],
  founds: ["founds", "섬의 바탕"],
  contradicts: ["contradicts", "어긋나는 기억"],
};
export const link = (word: string) => named(LINKS, word);

const ACTORS: Record<string, Pair> = {
  owner: ["you", "나"],
  agent: ["the character", "에이전트"],
  admin: ["the operator", "운영자"],
  worker: ["the caretaker", "돌보미"],
};
export const actor = (word: string) => named(ACTORS, word);

const DEEDS: Record<string, Pair> = {
  begin: ["began", "시작"],
  remember: ["remembered", "기억함"],
  recall: ["recalled", "떠올림"],
  edit: ["rewritten", "고침"],
  rate: ["rated", "별점"],
  pin: ["pinned", "고정"],
  link: ["linked", "연결"],
  forget: ["let go", "놓아줌"],
  expire: ["term over", "기한 다함"],
  restore: ["restored", "되살림"],
  purge: ["gone", "사라짐"],
  erase: ["erased", "지움"],
  rebalance: ["moved", "자리 이동"],
  weigh: ["weighed", "중요도 갱신"],
  import: ["brought in", "들여옴"],
  embed: ["vectors made", "벡터 생성"],
  observe: ["talked", "대화"],
  withdraw: ["taken back", "말을 물림"],
  reinstate: ["put back", "말을 되돌림"],
  reword: ["reworded", "말을 고침"],
  state: ["fact stated", "사실을 적음"],
  promote: ["kept longer", "더 오래 둠"],
  consolidate: ["joined", "하나로 모음"],
  prune: ["thinned out", "솎아 냄"],
  archive: ["put away", "보관"],
  report: ["looked back", "돌아봄"],
  refuse: ["refused", "거절됨"],
  access: ["looked at, with a grant", "허락받고 봄"],
  grant: ["granted", "허락함"],
  revoke: ["grant ended", "허락 거둠"],
  propose: ["proposed", "제안"],
  approve: ["approved", "승인"],
  reject: ["rejected", "거절"],
  lapse: ["lapsed", "제안 만료"],
  undo: ["approval undone", "승인 되돌림"],
  island: ["island", "섬"],
  shake: ["island shakes", "섬 흔들림"],
  collapse: ["island collapsed", "섬 무너짐"],
  rebuild: ["island rebuilding", "섬 다시 쌓음"],
  stand: ["island stands", "섬 단단해짐"],
  return: ["earlier self", "예전 자아로"],
  soul: ["SOUL.md written", "SOUL.md 씀"],
  imagine: ["imagined", "상상"],
  feedback: ["imagination judged", "상상 반응"],
  think: ["a model thought", "모델 생각"],
};
export const deed = (word: string) => named(DEEDS, word);

const VERDICTS: Record<string, Pair> = {
  stored: ["kept", "새로 기억함"],
  merged: ["merged", "합침"],
  reinforced: ["strengthened", "더 또렷해짐"],
  skipped: ["let pass", "흘려보냄"],
  held: ["held for you", "붙잡아 둠"],
  rejected: ["rejected", "받아들이지 않음"],
};
export const verdict = (word: string) => named(VERDICTS, word);

const TYPES: Record<string, Pair> = {
  promise: ["promise", "약속"],
  boundary: ["boundary", "선 긋기"],
  fact: ["fact", "사실"],
  relationship: ["relationship", "관계"],
  plan: ["plan", "계획"],
  preference: ["preference", "취향"],
  feeling: ["feeling", "감정"],
  event: ["event", "있었던 일"],
  small_talk: ["small talk", "잡담"],
};
export const type = (word: string) => named(TYPES, word);

const PARTS: Record<string, Pair> = {
  words: ["words", "단어"],
  baseline: ["baseline", "기준선"],
  letters: ["letters", "글자"],
  meaning: ["meaning", "뜻"],
  neighbours: ["neighbours", "앞뒤"],
  session: ["session", "세션"],
  speaker: ["speaker", "말한 사람"],
  date: ["date", "날짜"],
  role: ["whose words", "누구의 말"],
  standing: ["lasting", "변함없음"],
  preference: ["preference", "취향"],
  answer: ["answers it", "답이 됨"],
  newest: ["newest", "최근"],
  importance: ["importance", "중요도"],
  strength: ["strength", "생생함"],
  recalls: ["recalls", "떠올림"],
  freshness: ["freshness", "새로움"],
  appraisal: ["appraisal", "가늠"],
  context: ["context", "맥락"],
  type_weight: ["type", "종류"],
  confidence: ["confidence", "확실함"],
  future_impact: ["future impact", "앞날에 미칠 영향"],
  emotion_intensity: ["feeling", "감정의 세기"],
  recurrence: ["recurrence", "되풀이"],
  novelty: ["novelty", "새로움"],
};
export const part = (word: string) => named(PARTS, word);

const AXES: Record<string, Pair> = {
  trust: ["trust", "신뢰"],
  affection: ["affection", "호감"],
  respect: ["respect", "존중"],
  rivalry: ["rivalry", "경쟁심"],
  familiarity: ["familiarity", "친숙함"],
};
export const axis = (word: string) => named(AXES, word);

const LEVELS: Record<string, Pair> = {
  stranger: ["strangers", "낯선 사이"],
  acquaintance: ["acquaintances", "아는 사이"],
  friend: ["friends", "친구"],
  close_friend: ["close friends", "가까운 친구"],
  intimate: ["very close", "아주 가까운 사이"],
};
export const level = (word: string) => named(LEVELS, word);

const STYLES: Record<string, Pair> = {
  formal: ["formal speech", "존댓말"],
  casual: ["casual speech", "반말"],
  intimate: ["a speech of their own", "둘만의 말투"],
};
export const style = (word: string) => named(STYLES, word);

const STATUSES: Record<string, Pair> = {
  active: ["standing", "굳건함"],
  shaking: ["shaking", "흔들림"],
  collapsed: ["collapsed", "무너짐"],
  rebuilding: ["rebuilding", "다시 쌓는 중"],
  pending: ["waiting", "기다림"],
  approved: ["approved", "승인됨"],
  rejected: ["rejected", "거절됨"],
  lapsed: ["lapsed", "만료됨"],
  undone: ["undone", "되돌림"],
};
export const status = (word: string) => named(STATUSES, word);

const PROPOSALS: Record<string, Pair> = {
  core_promotion: ["Keep for ever", "영원히 간직하기"],
  core_edit: ["Rewrite a core memory", "핵심 기억 고치기"],
  core_deletion: ["Let a core memory go", "핵심 기억 놓아주기"],
  forget: ["Let a memory go", "기억 놓아주기"],
  belief: ["Who I am", "자아"],
  island: ["A new island", "새 섬"],
  held_message: ["A message that was held", "붙잡아 둔 말"],
  fact_end: ["A fact that may be over", "이제 아닐지 모르는 사실"],
};
export const proposal = (word: string) => named(PROPOSALS, word);

/** Text of a ledger note; a known keyword is replaced by its display name. */
export const note = (words: string) => (PROPOSALS[words] ? proposal(words) : TRIGGERS[words] ? trigger(words) : words);

const TRIGGERS: Record<string, Pair> = {
  idle: ["in an idle hour", "한가할 때"],
  context: ["seeing what goes on", "상황을 보고"],
  time: ["when the hour came", "때가 되어"],
};
export const trigger = (word: string) => named(TRIGGERS, word);

const SELF_REASONS: Record<string, Pair> = {
  formed: ["formed", "처음 생김"],
  approved: ["approved", "승인"],
  returned: ["returned to an earlier one", "예전으로 돌아감"],
  undone: ["approval undone", "승인 되돌림"],
  erased: ["a memory was erased", "기억을 지움"],
  imported: ["brought in", "들여옴"],
};
export const selfReason = (word: string) => named(SELF_REASONS, word);

const SECTIONS: Record<string, Pair> = {
  identity: ["who you are", "나라는 사람"],
  self: ["who I am", "캐릭터의 자아"],
  islands: ["islands", "섬"],
  relationship: ["how we stand", "우리 사이"],
  director: ["director's note", "연출 노트"],
  cautions: ["take care", "조심할 것"],
  memories: ["memories", "기억"],
  facts: ["facts", "사실"],
  shared: ["lived together", "함께한 일"],
  shared_experiences: ["lived together", "함께한 일"],
  scene: ["the scene", "장면"],
  past: ["said before", "예전에 한 말"],
  past_turns: ["said before", "예전에 한 말"],
  examples: ["examples", "예시"],
  recent: ["just said", "방금 한 말"],
  recent_turns: ["just said", "방금 한 말"],
  turns: ["just said", "방금 한 말"],
};
export const section = (word: string) => named(SECTIONS, word);

const MOVES: Record<string, Pair> = {
  talked: ["talked", "이야기를 나눔"],
  "talked, and told something of themselves": ["talked, and told something of themselves", "속 이야기를 들려줌"],
};
/** Reason for a change of an axis: a quoted message or one of the reasons above. */
export const moved = (word: string) => (MOVES[word] ? named(MOVES, word) : `“${word}”`);

/** Appends the matching Korean particle (은/는, 이/가, 을/를, 과/와) to a noun, depending on its final consonant. */
export function josa(noun: string, pair: "은는" | "이가" | "을를" | "과와"): string {
  const last = noun.charCodeAt(noun.length - 1) - 0xac00;
  const closed = last >= 0 && last < 11172 ? last % 28 > 0 : false;
  return noun + (closed ? pair[0] : pair[1]);
}

/** Possessive form: "Luna's", "루나의". */
export function whose(name: string): string {
  return language.value === "ko" ? `${name}의` : `${name}’s`;
}

const PROVIDERS: Record<string, Pair> = {
  rules: ["Rules only, no model", "규칙만 (모델 없음)"],
  openai: ["OpenAI", "OpenAI"],
  anthropic: ["Anthropic", "Anthropic"],
  gemini: ["Gemini", "Gemini"],
  "gemini-openai": ["Gemini, the OpenAI way", "Gemini (OpenAI 방식)"],
  ollama: ["Ollama", "Ollama"],
  lmstudio: ["LM Studio", "LM Studio"],
  vllm: ["vLLM", "vLLM"],
  llamacpp: ["llama.cpp", "llama.cpp"],
  local: ["a model file", "모델 파일"],
};
export const provider = (word: string) => named(PROVIDERS, word);

const JOBS: Record<string, Pair> = {
  read: ["read what was said", "나눈 말 읽기"],
  analyse: ["think the last words over", "최근 대화 곱씹기"],
  reflect: ["reflect on who you are", "어떤 사람인지 되새기기"],
};
export const job = (word: string) => named(JOBS, word);

const CAUSES: Record<string, Pair> = {
  unreachable: ["the model cannot be reached", "모델에 닿지 않음"],
  timed_out: ["it took too long", "너무 오래 걸림"],
  limited: ["it asked for a pause", "잠시 쉬어 달라고 함"],
  failing: ["it failed", "모델 쪽 오류"],
  unaccepted: ["it does not accept the key, name or request", "열쇠·이름·요청을 받아 주지 않음"],
  refused: ["it would not answer", "대답을 거절함"],
  empty: ["it answered nothing", "빈 대답"],
  endless: ["its answer did not end", "끝나지 않는 대답"],
  cut: ["its answer broke off", "도중에 끊긴 대답"],
  garbled: ["its answer cannot be read", "읽을 수 없는 대답"],
  budget: ["the day’s tokens are used up", "오늘 쓸 토큰을 다 씀"],
  damaged: ["its file is missing or damaged", "모델 파일이 없거나 손상됨"],
};
export const cause = (word: string) => named(CAUSES, word);
