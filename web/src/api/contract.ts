// Made by types.mjs from docs/openapi.json.

/** Result of a decision on a proposal. */
export type Answer = {
  proposal: Proposal;
  told: (string)[];
  version?: number | null;
};

/** Belief of the character about itself: "I am someone who ...". */
export type Belief = {
  confidence: number;
  formed_at: string;
  id: string;
  island?: string | null;
  statement: string;
  supporting: (string)[];
};

/** Candidate: an extracted item with its score and verdict. */
export type Candidate = {
  content: string;
  factors: any;
  id: string;
  memory_id?: string | null;
  reason: string;
  score: number;
  turn: string;
  type: "promise" | "boundary" | "fact" | "relationship" | "plan" | "preference" | "feeling" | "event" | "small_talk";
  verdict: "stored" | "merged" | "reinforced" | "skipped" | "held" | "rejected";
};

/** Message to the character. */
export type ChatMessage = {
  budget?: number | null;
  message: string;
  session?: string | null;
};

/** Memories on the cliff, next to be deleted first. */
export type Cliff = {
  entries: (FallenMemory)[];
  next_cursor?: string | null;
};

/** Context for a model. */
export type Context = {
  degraded?: string | null;
  sections: (Section)[];
  text: string;
  tokens: number;
};

/** Request for a context. */
export type ContextFor = {
  budget?: number | null;
  query: string;
};

/** Evaluated cycle. */
export type Cycle = {
  adjustments: (PlanChange)[];
  by: string;
  depth: number;
  evaluation: Scores;
};

/** Line of a diff. */
export type DiffLine = {
  sign: string;
  text: string;
};

/** Difference between two versions of the self. */
export type Difference = {
  changes: (any)[];
  diff: (DiffLine)[];
  from: number;
  to: number;
};

/** Earlier version to return to. */
export type Earlier = {
  version: number;
};

/** Number of memories with a vector of the current embedder, over all minds. Memories without one are found by keyword. */
export type Embedding = {
  counted_at: string;
  embedded: number;
  embedder: string;
  memories: number;
};

/** Ledger entry. */
export type Entry = {
  at: string;
  coordinate: any;
  evaluation?: any | null;
  judges: (any)[];
  memories: (any)[];
  note?: string | null;
  operation: "begin" | "remember" | "recall" | "edit" | "rate" | "pin" | "link" | "forget" | "expire" | "restore" | "purge" | "erase" | "rebalance" | "weigh" | "import" | "embed" | "observe" | "withdraw" | "reinstate" | "reword" | "promote" | "consolidate" | "prune" | "archive" | "report" | "state" | "refuse" | "access" | "grant" | "revoke" | "propose" | "approve" | "reject" | "lapse" | "undo" | "island" | "shake" | "collapse" | "rebuild" | "stand" | "return" | "soul" | "imagine" | "feedback" | "orchestrate" | "evaluate" | "think";
  plan_adjustment?: any | null;
  previous: string;
  principal: "owner" | "agent" | "admin" | "worker";
  sequence: number;
  session?: string | null;
};

/** Counts of erased data. */
export type Erased = {
  facts: number;
  links: number;
  memories: number;
  swept: boolean;
  turns: number;
  vectors: number;
};

/** One-hot face: exactly one value is 1. */
export type Face = {
  angry: number;
  happy: number;
  neutral: number;
  sad: number;
};

/** Fact about the user. */
export type Fact = {
  canonical: string;
  category: "identity" | "preference" | "situation" | "behaviour";
  confidence: number;
  current: boolean;
  emotions: ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
  id: string;
  importance: number;
  mentions: number;
  name: string;
  single: boolean;
  subject: string;
  superseded_by?: string | null;
  turns: (string)[];
  valid_from: string;
  valid_to?: string | null;
  value: string;
};

/** Change of a fact. */
export type FactNews = {
  before: (string)[];
  change: string;
  name: string;
  subject: string;
  value: string;
};

/** Facts about the user. */
export type Facts = {
  facts: (Fact)[];
  next_cursor?: string | null;
  statements: (Statement)[];
};

/** Memory on the cliff. */
export type FallenMemory = (Memory) & ({
  entered_at: string;
  gone_at: string;
  note: string;
  reason: "expired" | "displaced" | "manual";
  seconds_left: number;
});

/** Feedback on an imagination. */
export type Feedback = {
  liked: boolean;
};

/** Emotion of a message. */
export type Felt = {
  at: string;
  face: Face;
};

/** Effects of changing or retracting a message. */
export type Followed = {
  facts: number;
  memories: number;
  turns: (string)[];
};

/** Search result. */
export type FoundMemory = (Memory) & ({
  parts: (Part)[];
  relevance: number;
  score: number;
});

/** Health of the server. */
export type Health = {
  embedding?: Embedding | null;
  status: string;
  version: string;
};

/** History of a memory. */
export type History = {
  entries: (Entry)[];
};

/** Webhook. */
export type Hook = {
  after: number;
  again_at?: string | null;
  attempts: number;
  ended_at?: string | null;
  id: string;
  made_at: string;
  problem?: string | null;
  secret?: string | null;
  url: string;
};

/** Webhooks. */
export type Hooks = {
  webhooks: (Hook)[];
};

/** Imagination of the character. Never a fact. */
export type Imagination = {
  action?: string | null;
  at: string;
  emotions: ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
  id: string;
  ignored: boolean;
  liked?: boolean | null;
  memories: (string)[];
  memory?: string | null;
  scenario: string;
  theme: string;
  trigger: "idle" | "context" | "time";
};

/** Imaginations and the weights of the next ones. */
export type Imaginations = {
  imaginations: (Imagination)[];
  next_cursor?: string | null;
  weights: (Weight)[];
};

/** Exported text to import. */
export type Import = {
  format: TextFormat;
  text: string;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
};

/** Result of an import. */
export type Imported = {
  facts: number;
  imported: number;
  known: number;
  left_out: (LeftOut)[];
  links: number;
  notes: (string)[];
  on_cliff: number;
  turns: number;
};

/** Island: an aspect of the personality, founded on core memories. */
export type Island = {
  collapses_at?: string | null;
  description: string;
  emoji: string;
  founding: (string)[];
  id: string;
  in_context: boolean;
  made_at: string;
  name: string;
  rebuilding: (string)[];
  status: "active" | "shaking" | "collapsed" | "rebuilding";
  status_since: string;
  strength: number;
};

/** Islands, with warnings for the owner. */
export type Islands = {
  islands: (Island)[];
  next_cursor?: string | null;
  warnings: (string)[];
};

/** Job waiting for a model. It never contains message text. */
export type Job = {
  attempts: number;
  cause?: "unreachable" | "timed_out" | "limited" | "failing" | "unaccepted" | "refused" | "empty" | "endless" | "cut" | "garbled" | "budget" | "damaged" | null;
  due_at?: string | null;
  kind: "read" | "analyse" | "reflect" | "distil";
  made_at: string;
};

/** Maintenance schedule and waiting jobs. */
export type Jobs = {
  due_at?: string | null;
  jobs: (Job)[];
  looked_after_at?: string | null;
};

/** API key without its secret. */
export type Key = {
  id: string;
  key?: string | null;
  made_at: string;
  minds: (string)[];
  principal: "owner" | "agent" | "admin" | "worker";
  revoked_at?: string | null;
};

/** API keys. */
export type Keys = {
  keys: (Key)[];
  next_cursor?: string | null;
};

/** Page of the ledger. */
export type Ledger = {
  entries: (SealedEntry)[];
  next_cursor?: number | null;
};

/** Item that was not imported. */
export type LeftOut = {
  what: string;
  why: string;
};

/** Result of forgetting a memory. */
export type LetGo = {
  erased?: WentAlong | null;
  gone_at?: string | null;
  memory: string;
};

/** Memory with scores, links, history and forecast. */
export type Life = (Memory) & ({
  cliff?: any | null;
  fate: any;
  history: (Entry)[];
  judged?: Candidate | null;
  links: (Link)[];
  nearness: Nearness;
});

/** Link between two memories. */
export type Link = {
  from: string;
  kind: "parent" | "child" | "related" | "distilled_from" | "supports" | "founds" | "contradicts";
  to: string;
};

/** Result of the check. */
export type LookedOver = {
  notes: (string)[];
  problems: (string)[];
  well: boolean;
};

/** Page of memories, newest first. */
export type Memories = {
  memories: (Memory)[];
  next_cursor?: string | null;
};

/** Memory. */
export type Memory = {
  appraisal?: number | null;
  category?: "identity" | "people" | "preferences" | "caution" | "shared_events" | "requests" | "situation" | null;
  changed_behaviour: boolean;
  content: string;
  coordinate: any;
  created_at: string;
  edited_at?: string | null;
  emotion_keywords: (string)[];
  emotions: ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
  expires_at?: string | null;
  external_id?: string | null;
  id: string;
  importance: number;
  intensity: number;
  interpretation?: string | null;
  kind: "episodic" | "semantic" | "emotional";
  knowledge: "witnessed" | "told" | "inferred" | "imagined";
  last_recalled_at?: string | null;
  mentions: number;
  on_cliff: boolean;
  original_event?: string | null;
  pinned: boolean;
  promoted_from?: string | null;
  rating?: number | null;
  recalls: number;
  remember_this: boolean;
  sentiment: number;
  source: "conversation" | "observation" | "distillation" | "user" | "imagination" | "import";
  strength: number;
  summary?: string | null;
  tags: (string)[];
  tier: "M30" | "M90" | "M365" | "M0";
  trust: number;
  turns: (string)[];
  zone: "core" | "inner" | "outer" | "belt" | "cloud";
  zone_score: number;
};

/** Changes of a memory; omitted fields stay as they are. */
export type MemoryEdit = {
  changed_behaviour?: boolean | null;
  content?: string | null;
  emotions?: ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
  importance?: number | null;
  pinned?: boolean | null;
  rating?: number | null;
  tags?: (string)[] | null;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
};

/** Message. */
export type Message = {
  at?: string | null;
  content: string;
  injected?: (string)[];
  role: "user" | "assistant" | "system" | "persona" | "event";
  speaker?: string | null;
};

/** Mind. */
export type Mind = {
  character: string;
  id: string;
  key: string;
  made_at: string;
  turns: number;
  user: string;
  work: string;
};

/** Mind with counts. */
export type MindWithCounts = (Mind) & ({
  entries: number;
  links: number;
  on_cliff: number;
  tiers: Record<string, number>;
  zones: Record<string, number>;
});

/** Minds. */
export type Minds = {
  minds: (Mind)[];
  next_cursor?: string | null;
};

/** Model provider that can be selected. */
export type ModelProvider = {
  base_url: string;
  local: boolean;
  name: string;
};

/** Event of the timeline. */
export type Moment = {
  at: string;
  turn: Turn;
  type: "turn";
} | {
  at: string;
  memory: Memory;
  type: "memory";
} | {
  at: string;
  fact: Fact;
  type: "fact";
} | {
  at: string;
  fact: Fact;
  type: "over";
} | {
  at: string;
  scene: any;
  type: "scene";
};

/** Mood of the character. */
export type Mood = {
  as_of: string;
  levels: Record<string, number>;
};

/** Mood and face of the character. */
export type MoodNow = (Mood) & ({
  face: Face;
});

/** Memory that moved between zones. */
export type Move = {
  from: "core" | "inner" | "outer" | "belt" | "cloud";
  memory: string;
  score: number;
  to: "core" | "inner" | "outer" | "belt" | "cloud";
};

/** Memories that moved between zones. */
export type Moves = {
  moved: (Move)[];
};

/** Zone score by part. */
export type Nearness = {
  parts: (Part)[];
  score: number;
};

/** Evaluation of a run by the host. Each score is 0..=1. */
export type NewEvaluation = {
  impact: number;
  orchestration?: string | null;
  reproducibility: number;
  risk?: number | null;
  session?: string | null;
  transparency: number;
  verifiability: number;
};

/** New webhook. */
export type NewHook = {
  url: string;
};

/** New or changed island; omitted fields are derived from its memories, or stay as they are. */
export type NewIsland = {
  description?: string | null;
  emoji?: string | null;
  founding?: (string)[];
  name?: string | null;
};

/** New API key. */
export type NewKey = {
  minds?: (string)[];
  principal: "owner" | "agent" | "admin" | "worker";
};

/** New memory. */
export type NewMemory = {
  category?: "identity" | "people" | "preferences" | "caution" | "shared_events" | "requests" | "situation" | null;
  content: string;
  emotions?: ("joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral")[];
  external_id?: string | null;
  importance?: number | null;
  intensity?: number | null;
  kind?: "episodic" | "semantic" | "emotional" | null;
  pinned?: boolean;
  session?: string | null;
  tags?: (string)[];
  tier?: "M30" | "M90" | "M365" | "M0" | null;
};

/** New mind. */
export type NewMind = {
  character: string;
  user: string;
  work?: string | null;
};

/** Request to run personas over a prompt. */
export type NewOrchestration = {
  depth?: number | null;
  personas?: (NewVoice)[] | null;
  prompt?: string | null;
  resume?: boolean;
  session?: string | null;
};

/** Messages of one exchange, usually a message and its answer. */
export type NewTurns = {
  messages: (Message)[];
  people?: (string)[];
  place?: string | null;
  session?: string | null;
  story_time?: string | null;
};

/** Voice of the dialogue. */
export type NewVoice = {
  backend?: string | null;
  id: string;
  name?: string | null;
  role?: string | null;
  stance: string;
  system: string;
};

/** Result of an exchange. */
export type Observed = {
  candidates: (Candidate)[];
  changes: (any)[];
  context_used: (string)[];
  degraded?: string | null;
  face: Face;
  facts: (FactNews)[];
  mood: Mood;
  relationship: Relationship;
  repeated: boolean;
  turns: (Turn)[];
};

/** Request for an imagination. */
export type Occasion = {
  context?: string | null;
  trigger?: "idle" | "context" | "time" | null;
};

/** Current self. */
export type Oneself = {
  current?: SelfVersion | null;
  waiting: number;
};

/** Run with its answers. */
export type OrchestrationDetails = (OrchestrationRun) & ({
  steps: (PersonaStep)[];
});

/** Run of personas over a prompt. */
export type OrchestrationRun = {
  began_at: string;
  changed_at: string;
  cycles: (Cycle)[];
  depth: number;
  id: string;
  order: (string)[];
  personas: (Voice)[];
  phase: Rhythm;
  plan: (PlanChange)[];
  prompt?: string | null;
  session: string;
  status: string;
  step_count: number;
};

/** Runs, the latest change first. */
export type Orchestrations = {
  orchestrations: (OrchestrationRun)[];
};

/** Part of a score. */
export type Part = {
  name: string;
  value: number;
  weight: number;
};

/** People and pets in the user's life. */
export type People = {
  next_cursor?: string | null;
  people: (Person)[];
};

/** Person or pet in the user's life. */
export type Person = {
  facts: (Fact)[];
  id: string;
  name?: string | null;
  relation?: string | null;
  statements: (Statement)[];
};

/** Answer of a persona. */
export type PersonaStep = {
  affect: number;
  at: string;
  backend: string;
  content?: string | null;
  depth: number;
  error_occurred: boolean;
  evaluation: Scores;
  examples: (string)[];
  freedom: number;
  memory_id: string;
  persona: string;
  phase_injection_applied: boolean;
  prompt?: string | null;
  rhythm_phase: string;
  sequence: number;
  stability: number;
};

/** Adjustment of the plan. */
export type PlanChange = {
  action: string;
  new_order: (string)[];
  trigger: string;
};

/** Problem document (RFC 9457). */
export type ProblemDocument = {
  detail: string;
  hint?: string | null;
  status: number;
  title: string;
  type: string;
};

/** Proposal: a change that is pending or decided. */
export type Proposal = {
  change: any;
  decided_at?: string | null;
  diff: (DiffLine)[];
  digest: string;
  evidence: (string)[];
  id: string;
  kind: "core_promotion" | "core_edit" | "core_deletion" | "forget" | "belief" | "island" | "held_message" | "fact_end";
  lapses_at: string;
  made_at: string;
  made_by: "owner" | "agent" | "admin" | "worker";
  memory?: string | null;
  reasons: (string)[];
  status: "pending" | "approved" | "rejected" | "lapsed" | "undone";
};

/** Proposals, newest first. */
export type Proposals = {
  next_cursor?: string | null;
  proposals: (Proposal)[];
};

/** Search request. */
export type Question = {
  everything?: boolean;
  filter?: Wanted;
  limit?: number | null;
  query: string;
  used?: boolean;
};

/** Topic of the current conversation. */
export type Rebalance = {
  context?: string | null;
};

/** Search results. */
export type Recalled = {
  confidence: number;
  degraded?: string | null;
  results: (FoundMemory)[];
};

/** Relationship between the character and the user. */
export type Relationship = {
  affection: number;
  familiarity: number;
  intimacy: number;
  level: "stranger" | "acquaintance" | "friend" | "close_friend" | "intimate";
  respect: number;
  rivalry: number;
  speech_style: "formal" | "casual" | "intimate";
  trust: number;
};

/** New text of a message. */
export type Reworded = {
  content: string;
};

/** Rhythm state of a run. */
export type Rhythm = {
  affect: number;
  freedom: number;
  injections: number;
  loops: number;
  stability: number;
};

/** Scores of answers, 0..=1. */
export type Scores = {
  impact: number;
  reproducibility: number;
  transparency: number;
  verifiability: number;
};

/** Ledger entry with its own hash. */
export type SealedEntry = (Entry) & ({
  hash: string;
});

/** Section of a context. */
export type Section = {
  ids: (string)[];
  memory_ids: (string)[];
  name: string;
  text: string;
};

/** The change that was shown; the decision applies only to it. */
export type Seen = {
  digest: string;
};

/** Version of the self. */
export type SelfVersion = {
  beliefs: (Belief)[];
  made_at: string;
  proposal?: string | null;
  reason: "formed" | "approved" | "returned" | "undone" | "erased" | "imported";
  version: number;
};

/** saegim's section of SOUL.md. */
export type Soul = {
  text: string;
};

/** Relationship between the character and the user, with its history. */
export type Standing = (Relationship) & ({
  changes: (any)[];
  feelings: (Felt)[];
  shared: (Memory)[];
  style_is_set: boolean;
});

/** Fact to set. */
export type Stated = {
  subject: string;
  value: string;
};

/** Clause about the user or a person of theirs, in the user's own words. */
export type Statement = {
  confirmed: boolean;
  current: boolean;
  group: "name" | "place" | "work" | "people" | "pet" | "health" | "food" | "like" | "dislike" | "hobby" | "thing" | "trait" | "love" | "plan" | "goal" | "loss" | "win" | "limit" | "promise" | "other";
  holder?: string | null;
  id: string;
  probability: number;
  status: "now" | "not" | "ended" | "past" | "planned" | "wished";
  text: string;
  turn: string;
  valid_from: string;
  valid_to?: string | null;
};

/** Format of an imported text. */
export type TextFormat = "bundle" | "stellar" | "mem0" | "mcp-memory";

/** Current thinker. Contains no key, only whether there is one. */
export type ThinkerNow = {
  address?: string | null;
  apart: (string)[];
  base_url?: string | null;
  fixed: boolean;
  has_key: boolean;
  kept: boolean;
  name?: string | null;
  provider: string;
  providers: (ModelProvider)[];
};

/** Thinker to use: rules or a model */
export type ThinkerWanted = {
  base_url?: string | null;
  key?: string | null;
  name?: string | null;
  provider: "rules";
} | {
  base_url?: string | null;
  key?: string | null;
  name: string;
  provider: "openai" | "anthropic" | "gemini" | "gemini-openai" | "ollama" | "lmstudio" | "vllm" | "llamacpp";
};

/** What the due jobs of a mind did. */
export type Ticked = {
  archived: number;
  displaced: number;
  embedded: number;
  expired: number;
  gone: number;
  joined: number;
  moved: number;
  promoted: number;
  pruned: number;
  swept: boolean;
  thought: number;
  told: (string)[];
  weighed: number;
};

/** Events of the timeline. */
export type Timeline = {
  moments: (Moment)[];
  next_cursor?: string | null;
};

/** Message as it was sent. */
export type Turn = {
  at: string;
  content: string;
  face?: string | null;
  id: string;
  injected: (string)[];
  role: "user" | "assistant" | "system" | "persona" | "event";
  sequence: number;
  session: string;
  speaker?: string | null;
  withdrawn_at?: string | null;
};

/** Page of messages, in order. */
export type Turns = {
  next_cursor?: string | null;
  turns: (Turn)[];
};

/** Result of verifying the ledger. */
export type Verified = {
  broken_at?: number | null;
  entries?: number | null;
  head?: string | null;
  problem?: string | null;
  whole: boolean;
};

/** Versions of the self, newest first. */
export type Versions = {
  next_cursor?: string | null;
  versions: (SelfVersion)[];
};

/** Voice of a run. */
export type Voice = {
  backend: string;
  id: string;
  name: string;
  role: string;
  stance: string;
};

/** Filter of memories. */
export type Wanted = {
  category?: "identity" | "people" | "preferences" | "caution" | "shared_events" | "requests" | "situation" | null;
  domain?: string | null;
  emotion?: "joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral" | null;
  emotion_keyword?: string | null;
  kind?: "episodic" | "semantic" | "emotional" | null;
  least_importance?: number | null;
  persona?: string | null;
  project?: string | null;
  rhythm_phase?: "integration" | "reflection" | "planning" | "exploration" | null;
  session?: string | null;
  since?: string | null;
  tag?: string | null;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
  until?: string | null;
  zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null;
};

/** Weight of a trigger or theme for imaginations. */
export type Weight = {
  theme?: string | null;
  trigger?: "idle" | "context" | "time" | null;
  weight: number;
};

/** Counts of data erased with a memory, the memory included. */
export type WentAlong = {
  assertions: number;
  candidates: number;
  facts: number;
  memories: number;
  reworded: number;
  statements: number;
  swept: boolean;
  turns: number;
};

/** New proposal. */
export type Wish = {
  memory: string;
  what: "core";
} | {
  memory: string;
  text: string;
  what: "core_edit";
} | {
  memory: string;
  what: "forget";
} | {
  evidence?: (string)[];
  text: string;
  what: "belief";
} | {
  founding: (string)[];
  name?: string | null;
  what: "island";
};

/** Zone with its memories. */
export type Zone = {
  count: number;
  memories: (Memory)[];
  room?: number | null;
  zone: "core" | "inner" | "outer" | "belt" | "cloud";
};

/** All zones, from core to cloud. */
export type Zones = {
  zones: (Zone)[];
};
