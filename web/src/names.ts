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
  M30: ["30 days", "30일"],
  M90: ["90 days", "90일"],
  M365: ["1 year", "1년"],
  M0: ["permanent", "영구"],
};
export const tier = (word: string) => named(TIERS, word);

const ZONES: Record<string, Pair> = {
  core: ["core", "중심"],
  inner: ["inner", "안쪽"],
  outer: ["outer", "바깥"],
  belt: ["belt", "띠"],
  cloud: ["cloud", "구름"],
  cliff: ["the cliff", "절벽"],
};
export const zone = (word: string) => named(ZONES, word);

const KINDS: Record<string, Pair> = {
  episodic: ["event", "있었던 일"],
  semantic: ["knowledge", "지식"],
  emotional: ["feeling", "감정"],
};
export const kind = (word: string) => named(KINDS, word);

const CATEGORIES: Record<string, Pair> = {
  identity: ["identity", "정체성"],
  people: ["people", "사람들"],
  preferences: ["likes and dislikes", "취향"],
  preference: ["likes and dislikes", "취향"],
  caution: ["caution", "조심할 점"],
  shared_events: ["shared events", "함께한 일"],
  requests: ["requests", "부탁"],
  situation: ["situation", "상황"],
  behaviour: ["habits", "습관"],
};
export const category = (word: string) => named(CATEGORIES, word);

const SOURCES: Record<string, Pair> = {
  conversation: ["from a conversation", "대화에서"],
  observation: ["from the application", "앱에서"],
  distillation: ["summarized from other memories", "다른 기억을 요약함"],
  user: ["entered by you", "직접 입력"],
  imagination: ["imagined", "상상"],
  import: ["imported", "가져옴"],
};
export const source = (word: string) => named(SOURCES, word);

const KNOWLEDGE: Record<string, Pair> = {
  witnessed: ["witnessed", "직접 겪음"],
  told: ["heard", "전해 들음"],
  inferred: ["inferred", "추론함"],
  imagined: ["imagined", "상상함"],
};
export const knowledge = (word: string) => named(KNOWLEDGE, word);

const REASONS: Record<string, Pair> = {
  expired: ["expired", "기한 만료"],
  displaced: ["limit reached", "용량 초과"],
  manual: ["forgotten manually", "직접 잊음"],
};
export const reason = (word: string) => named(REASONS, word);

const LINKS: Record<string, Pair> = {
  parent: ["came from", "바탕이 된 기억"],
  child: ["led to", "이어진 기억"],
  related: ["is related to", "관련된 기억"],
  distilled_from: ["is the essence of", "본질을 뽑은 기억"],
  supports: ["supports", "근거가 되는 기억"],
  founds: ["is the basis of", "섬의 바탕"],
  contradicts: ["contradicts", "모순되는 기억"],
};
export const link = (word: string) => named(LINKS, word);

const ACTORS: Record<string, Pair> = {
  owner: ["you", "나"],
  agent: ["agent", "에이전트"],
  admin: ["operator", "운영자"],
  worker: ["worker", "워커"],
};
export const actor = (word: string) => named(ACTORS, word);

const DEEDS: Record<string, Pair> = {
  begin: ["created", "생성"],
  remember: ["stored", "저장"],
  recall: ["recalled", "회상"],
  edit: ["edited", "수정"],
  rate: ["rated", "별점"],
  pin: ["pinned", "고정"],
  link: ["linked", "연결"],
  forget: ["forgotten", "잊음"],
  expire: ["expired", "기한 만료"],
  restore: ["restored", "복원"],
  purge: ["deleted", "완전 삭제"],
  erase: ["erased", "영구 삭제"],
  rebalance: ["moved between zones", "영역 이동"],
  weigh: ["importance updated", "중요도 갱신"],
  import: ["imported", "가져옴"],
  embed: ["embedded", "벡터 생성"],
  observe: ["conversation", "대화"],
  withdraw: ["message retracted", "메시지 취소"],
  reinstate: ["message restored", "메시지 복원"],
  reword: ["message edited", "메시지 수정"],
  state: ["fact set", "사실 입력"],
  promote: ["kept longer", "기간 연장"],
  consolidate: ["merged", "병합"],
  prune: ["forgotten early", "오래된 기억 자동 삭제"],
  archive: ["archived", "보관"],
  report: ["report", "보고서"],
  refuse: ["refused", "거부됨"],
  access: ["accessed with permission", "허용받은 접근"],
  grant: ["permission granted", "권한 부여"],
  revoke: ["permission revoked", "권한 회수"],
  propose: ["proposed", "제안"],
  approve: ["approved", "승인"],
  reject: ["rejected", "거절"],
  lapse: ["proposal lapsed", "제안 만료"],
  undo: ["approval undone", "승인 취소"],
  island: ["island", "섬"],
  shake: ["island shaking", "섬 흔들림"],
  collapse: ["island collapsed", "섬 무너짐"],
  rebuild: ["island rebuilding", "섬 재건"],
  stand: ["island stable", "섬 안정"],
  return: ["returned to an earlier self", "이전 자아로 되돌림"],
  soul: ["SOUL.md written", "SOUL.md 저장"],
  imagine: ["imagined", "상상"],
  feedback: ["imagined scene rated", "상상 평가"],
  think: ["model task", "모델 작업"],
};
export const deed = (word: string) => named(DEEDS, word);

const VERDICTS: Record<string, Pair> = {
  stored: ["stored", "새로 저장"],
  merged: ["merged", "병합"],
  reinforced: ["strengthened", "강화"],
  skipped: ["not stored", "저장 안 함"],
  held: ["waiting for your decision", "결정 대기"],
  rejected: ["rejected", "거부"],
};
export const verdict = (word: string) => named(VERDICTS, word);

const TYPES: Record<string, Pair> = {
  promise: ["promise", "약속"],
  boundary: ["boundary", "지켜야 할 선"],
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
  meaning: ["meaning", "의미"],
  neighbours: ["neighbours", "앞뒤 대화"],
  session: ["session", "세션"],
  speaker: ["speaker", "말한 사람"],
  date: ["date", "날짜"],
  role: ["role", "역할"],
  standing: ["lasting", "지속성"],
  preference: ["preference", "취향"],
  answer: ["answer", "답변 적합도"],
  newest: ["newest", "최근"],
  importance: ["importance", "중요도"],
  strength: ["strength", "선명도"],
  recalls: ["recalls", "회상"],
  freshness: ["freshness", "최신성"],
  appraisal: ["appraisal", "평가"],
  context: ["context", "맥락"],
  type_weight: ["type", "종류"],
  confidence: ["confidence", "확신도"],
  future_impact: ["future impact", "앞으로의 영향"],
  emotion_intensity: ["emotion intensity", "감정의 세기"],
  recurrence: ["recurrence", "반복"],
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
  intimate: ["intimate speech", "둘만의 말투"],
};
export const style = (word: string) => named(STYLES, word);

const STATUSES: Record<string, Pair> = {
  active: ["stable", "안정"],
  shaking: ["shaking", "흔들림"],
  collapsed: ["collapsed", "무너짐"],
  rebuilding: ["rebuilding", "재건 중"],
  pending: ["pending", "대기 중"],
  approved: ["approved", "승인됨"],
  rejected: ["rejected", "거절됨"],
  lapsed: ["lapsed", "만료됨"],
  undone: ["undone", "취소됨"],
};
export const status = (word: string) => named(STATUSES, word);

const PROPOSALS: Record<string, Pair> = {
  core_promotion: ["Keep permanently", "영구 보관"],
  core_edit: ["Edit a core memory", "핵심 기억 수정"],
  core_deletion: ["Forget a core memory", "핵심 기억 잊기"],
  forget: ["Forget a memory", "기억 잊기"],
  belief: ["Change the self", "자아 변경"],
  island: ["New island", "새 섬"],
  held_message: ["Held message", "보류된 메시지"],
  fact_end: ["Fact that may have ended", "더는 사실이 아닐 수 있는 내용"],
};
export const proposal = (word: string) => named(PROPOSALS, word);

/** Text of a ledger note; a known keyword is replaced by its display name. */
export const note = (words: string) => (PROPOSALS[words] ? proposal(words) : TRIGGERS[words] ? trigger(words) : words);

const TRIGGERS: Record<string, Pair> = {
  idle: ["while idle", "한가할 때"],
  context: ["from the situation", "상황에 따라"],
  time: ["at a set time", "정해진 시간에"],
};
export const trigger = (word: string) => named(TRIGGERS, word);

const SELF_REASONS: Record<string, Pair> = {
  formed: ["formed", "처음 만들어짐"],
  approved: ["approved", "승인"],
  returned: ["returned to an earlier version", "이전 버전으로 되돌림"],
  undone: ["approval undone", "승인 취소"],
  erased: ["a memory was erased", "기억 영구 삭제"],
  imported: ["imported", "가져옴"],
};
export const selfReason = (word: string) => named(SELF_REASONS, word);

const SECTIONS: Record<string, Pair> = {
  identity: ["identity", "정체성"],
  self: ["who I am", "캐릭터의 자아"],
  islands: ["islands", "섬"],
  relationship: ["relationship", "관계"],
  director: ["director's note", "연출 메모"],
  cautions: ["caution", "조심할 점"],
  memories: ["memories", "기억"],
  facts: ["facts", "사실"],
  shared: ["shared events", "함께한 일"],
  shared_experiences: ["shared events", "함께한 일"],
  scene: ["the scene", "장면"],
  past: ["earlier messages", "이전 메시지"],
  past_turns: ["earlier messages", "이전 메시지"],
  examples: ["examples", "예시"],
  recent: ["recent messages", "최근 메시지"],
  recent_turns: ["recent messages", "최근 메시지"],
  turns: ["recent messages", "최근 메시지"],
};
export const section = (word: string) => named(SECTIONS, word);

const MOVES: Record<string, Pair> = {
  talked: ["talked", "대화함"],
  "talked, and told something of themselves": ["talked and shared something personal", "개인적인 이야기를 나눔"],
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
  rules: ["Built-in analysis only", "기본 분석만 사용"],
  openai: ["OpenAI", "OpenAI"],
  anthropic: ["Anthropic", "Anthropic"],
  gemini: ["Gemini", "Gemini"],
  "gemini-openai": ["Gemini (OpenAI-compatible)", "Gemini (OpenAI 호환)"],
  ollama: ["Ollama", "Ollama"],
  lmstudio: ["LM Studio", "LM Studio"],
  vllm: ["vLLM", "vLLM"],
  llamacpp: ["llama.cpp", "llama.cpp"],
  local: ["model file", "모델 파일"],
};
export const provider = (word: string) => named(PROVIDERS, word);

const JOBS: Record<string, Pair> = {
  read: ["read messages", "메시지 읽기"],
  analyse: ["analyse the recent conversation", "최근 대화 분석"],
  reflect: ["reflect on the user", "사용자에 대해 되돌아보기"],
};
export const job = (word: string) => named(JOBS, word);

const CAUSES: Record<string, Pair> = {
  unreachable: ["the model cannot be reached", "모델에 연결할 수 없음"],
  timed_out: ["the model took too long", "응답이 너무 오래 걸림"],
  limited: ["too many requests to the model", "모델 요청 한도 초과"],
  failing: ["the model failed", "모델 오류"],
  unaccepted: ["the model rejected the key, name or request", "모델이 API 키나 이름, 요청을 거부함"],
  refused: ["the model declined to answer", "모델이 답변을 거절함"],
  empty: ["the answer was empty", "답변이 비어 있음"],
  endless: ["the answer did not end", "답변이 끝나지 않음"],
  cut: ["the answer was cut off", "답변이 중간에 끊김"],
  garbled: ["the answer cannot be read", "답변을 읽을 수 없음"],
  budget: ["the daily token budget is used up", "하루 토큰 한도를 다 씀"],
  damaged: ["the model file is missing or damaged", "모델 파일이 없거나 손상됨"],
};
export const cause = (word: string) => named(CAUSES, word);
