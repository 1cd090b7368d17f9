// Made by types.mjs from docs/openapi.json.

/** What came of the owner's word. */
export type Answer = {
  proposal: Proposal;
  told: (string)[];
  version?: number | null;
};

/** "I am someone who ...". */
export type Belief = {
  confidence: number;
  formed_at: string;
  id: string;
  island?: string | null;
  statement: string;
  supporting: (string)[];
};

/** Something that was judged. */
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

/** A message to the character. */
export type ChatMessage = {
  budget?: number | null;
  message: string;
  session?: string | null;
};

/** What waits on the cliff, soonest gone first. */
export type Cliff = {
  entries: (FallenMemory)[];
  next_cursor?: string | null;
};

/** What would be given to a model. */
export type Context = {
  degraded?: string | null;
  sections: (Section)[];
  text: string;
  tokens: number;
};

/** What a context is wanted for. */
export type ContextFor = {
  budget?: number | null;
  query: string;
};

/** One line of a diff. */
export type DiffLine = {
  sign: string;
  text: string;
};

/** What is different between two selves. */
export type Difference = {
  changes: (any)[];
  diff: (DiffLine)[];
  from: number;
  to: number;
};

/** A version to go back to. */
export type Earlier = {
  version: number;
};

/** How many memories have a vector of the embedder in use, all minds together. Words find the others meanwhile. */
export type Embedding = {
  counted_at: string;
  embedded: number;
  embedder: string;
  memories: number;
};

/** An entry of the ledger. */
export type Entry = {
  at: string;
  coordinate: any;
  evaluation?: any | null;
  judges: (any)[];
  memories: (any)[];
  note?: string | null;
  operation: "begin" | "remember" | "recall" | "edit" | "rate" | "pin" | "link" | "forget" | "expire" | "restore" | "purge" | "erase" | "rebalance" | "weigh" | "import" | "embed" | "observe" | "withdraw" | "reinstate" | "reword" | "promote" | "consolidate" | "prune" | "archive" | "report" | "state" | "refuse" | "access" | "grant" | "revoke" | "propose" | "approve" | "reject" | "lapse" | "undo" | "island" | "shake" | "collapse" | "rebuild" | "stand" | "return" | "soul" | "imagine" | "feedback" | "think";
  plan_adjustment?: string | null;
  previous: string;
  principal: "owner" | "agent" | "admin" | "worker";
  sequence: number;
  session?: string | null;
};

/** What was erased. */
export type Erased = {
  facts: number;
  links: number;
  memories: number;
  swept: boolean;
  turns: number;
  vectors: number;
};

/** The one-hot face: exactly one 1. */
export type Face = {
  angry: number;
  happy: number;
  neutral: number;
  sad: number;
};

/** Something known about the user. */
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

/** What is new about a fact. */
export type FactNews = {
  before: (string)[];
  change: string;
  name: string;
  subject: string;
  value: string;
};

/** What is known about the user. */
export type Facts = {
  facts: (Fact)[];
  next_cursor?: string | null;
};

/** A memory on the cliff. */
export type FallenMemory = (Memory) & ({
  entered_at: string;
  gone_at: string;
  note: string;
  reason: "expired" | "displaced" | "manual";
  seconds_left: number;
});

/** How an imagination was taken. */
export type Feedback = {
  liked: boolean;
};

/** How a message felt. */
export type Felt = {
  at: string;
  face: Face;
};

/** What followed from changing what was said. */
export type Followed = {
  facts: number;
  memories: number;
  turns: (string)[];
};

/** A memory that was found. */
export type FoundMemory = (Memory) & ({
  parts: (Part)[];
  relevance: number;
  score: number;
});

/** Whether the server is well. */
export type Health = {
  embedding?: Embedding | null;
  status: string;
  version: string;
};

/** Everything that happened to a memory. */
export type History = {
  entries: (Entry)[];
};

/** An address that is told what changes. */
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

/** Something the character thought of by itself. Never a fact. */
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

/** What was imagined, and what that is drawn to. */
export type Imaginations = {
  imaginations: (Imagination)[];
  next_cursor?: string | null;
  weights: (Weight)[];
};

/** A side of the personality founded on core memories. */
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

/** Islands, and what the owner should know of them. */
export type Islands = {
  islands: (Island)[];
  next_cursor?: string | null;
  warnings: (string)[];
};

/** A piece of work that waits for a model. It names what it is and tells nothing of what was said. */
export type Job = {
  attempts: number;
  cause?: "unreachable" | "timed_out" | "limited" | "failing" | "unaccepted" | "refused" | "empty" | "endless" | "cut" | "garbled" | "budget" | "damaged" | null;
  due_at?: string | null;
  kind: "read" | "analyse" | "reflect" | "distil";
  made_at: string;
};

/** When a mind is looked after, and what waits. */
export type Jobs = {
  due_at?: string | null;
  jobs: (Job)[];
  looked_after_at?: string | null;
};

/** A key, without its secret. */
export type Key = {
  id: string;
  key?: string | null;
  made_at: string;
  minds: (string)[];
  principal: "owner" | "agent" | "admin" | "worker";
  revoked_at?: string | null;
};

/** Keys. */
export type Keys = {
  keys: (Key)[];
  next_cursor?: string | null;
};

/** A page of the ledger. */
export type Ledger = {
  entries: (SealedEntry)[];
  next_cursor?: number | null;
};

/** What became of a memory that was let go. */
export type LetGo = {
  erased?: WentAlong | null;
  gone_at?: string | null;
  memory: string;
};

/** A memory's life. */
export type Life = (Memory) & ({
  cliff?: any | null;
  fate: any;
  history: (Entry)[];
  judged?: Candidate | null;
  links: (Link)[];
  nearness: Nearness;
});

/** A link between two memories. */
export type Link = {
  from: string;
  kind: "parent" | "child" | "related" | "distilled_from" | "supports" | "founds" | "contradicts";
  to: string;
};

/** What was found. */
export type LookedOver = {
  notes: (string)[];
  problems: (string)[];
  well: boolean;
};

/** A page of memories, newest first. */
export type Memories = {
  memories: (Memory)[];
  next_cursor?: string | null;
};

/** A memory. */
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

/** What is to be different; what is left out stays. */
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

/** One message. */
export type Message = {
  at?: string | null;
  content: string;
  injected?: (string)[];
  role: "user" | "assistant" | "system" | "persona" | "event";
  speaker?: string | null;
};

/** A mind. */
export type Mind = {
  character: string;
  id: string;
  key: string;
  made_at: string;
  turns: number;
  user: string;
  work: string;
};

/** A mind and how much is in it. */
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

/** Whose models can be chosen. */
export type ModelProvider = {
  base_url: string;
  local: boolean;
  name: string;
};

/** Something on the line of time. */
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

/** What the character feels. */
export type Mood = {
  as_of: string;
  levels: Record<string, number>;
};

/** What the character feels, and the face that goes with it. */
export type MoodNow = (Mood) & ({
  face: Face;
});

/** A memory that moved. */
export type Move = {
  from: "core" | "inner" | "outer" | "belt" | "cloud";
  memory: string;
  score: number;
  to: "core" | "inner" | "outer" | "belt" | "cloud";
};

/** What moved. */
export type Moves = {
  moved: (Move)[];
};

/** How near to mind something is, part by part. */
export type Nearness = {
  parts: (Part)[];
  score: number;
};

/** Who wants to be told. */
export type NewHook = {
  url: string;
};

/** An island; what is left out is found from its memories, or stays. */
export type NewIsland = {
  description?: string | null;
  emoji?: string | null;
  founding?: (string)[];
  name?: string | null;
};

/** A key to make. */
export type NewKey = {
  minds?: (string)[];
  principal: "owner" | "agent" | "admin" | "worker";
};

/** A memory to keep. */
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

/** Who remembers whom. */
export type NewMind = {
  character: string;
  user: string;
  work?: string | null;
};

/** What belongs to one turn of a conversation: usually a message and its answer. */
export type NewTurns = {
  messages: (Message)[];
  people?: (string)[];
  place?: string | null;
  session?: string | null;
  story_time?: string | null;
};

/** What came of an exchange. */
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

/** What sets an imagination off. */
export type Occasion = {
  context?: string | null;
  trigger?: "idle" | "context" | "time" | null;
};

/** The self as it is. */
export type Oneself = {
  current?: SelfVersion | null;
  waiting: number;
};

/** One part of a score. */
export type Part = {
  name: string;
  value: number;
  weight: number;
};

/** The document as it is sent. */
export type ProblemDocument = {
  detail: string;
  hint?: string | null;
  status: number;
  title: string;
  type: string;
};

/** A change that waits for the owner's word, or had it. */
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

/** A question. */
export type Question = {
  everything?: boolean;
  filter?: Wanted;
  limit?: number | null;
  query: string;
  used?: boolean;
};

/** What the conversation is about. */
export type Rebalance = {
  context?: string | null;
};

/** What fits a question. */
export type Recalled = {
  confidence: number;
  degraded?: string | null;
  results: (FoundMemory)[];
};

/** How character and user stand to each other. */
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

/** What a turn says now. */
export type Reworded = {
  content: string;
};

/** An entry with its own hash. */
export type SealedEntry = (Entry) & ({
  hash: string;
});

/** One section of a context. */
export type Section = {
  ids: (string)[];
  memory_ids: (string)[];
  name: string;
  text: string;
};

/** The change that was seen; a yes or no counts for nothing else. */
export type Seen = {
  digest: string;
};

/** The self as it was from a moment on. */
export type SelfVersion = {
  beliefs: (Belief)[];
  made_at: string;
  proposal?: string | null;
  reason: "formed" | "approved" | "returned" | "undone" | "erased" | "imported";
  version: number;
};

/** The section of SOUL.md. */
export type Soul = {
  text: string;
};

/** How character and user stand to each other, and how they came to. */
export type Standing = (Relationship) & ({
  changes: (any)[];
  feelings: (Felt)[];
  shared: (Memory)[];
  style_is_set: boolean;
});

/** A fact stated by hand. */
export type Stated = {
  subject: string;
  value: string;
};

/** Who thinks. No key is in it, only whether there is one. */
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

/** Who is to think: rules, or a model */
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

/** What happened when. */
export type Timeline = {
  moments: (Moment)[];
  next_cursor?: string | null;
};

/** One message as it was said. */
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

/** A page of turns, in the order they were said. */
export type Turns = {
  next_cursor?: string | null;
  turns: (Turn)[];
};

/** Whether the ledger is whole. */
export type Verified = {
  broken_at?: number | null;
  entries?: number | null;
  head?: string | null;
  problem?: string | null;
  whole: boolean;
};

/** All versions of the self, newest first. */
export type Versions = {
  next_cursor?: string | null;
  versions: (SelfVersion)[];
};

/** Which memories pass. */
export type Wanted = {
  category?: "identity" | "people" | "preferences" | "caution" | "shared_events" | "requests" | "situation" | null;
  domain?: string | null;
  emotion?: "joy" | "sadness" | "anger" | "fear" | "disgust" | "anxiety" | "envy" | "ennui" | "nostalgia" | "neutral" | null;
  kind?: "episodic" | "semantic" | "emotional" | null;
  least_importance?: number | null;
  persona?: string | null;
  project?: string | null;
  session?: string | null;
  since?: string | null;
  tag?: string | null;
  tier?: "M30" | "M90" | "M365" | "M0" | null;
  until?: string | null;
  zone?: "core" | "inner" | "outer" | "belt" | "cloud" | null;
};

/** How much a trigger or a theme is worth imagining. */
export type Weight = {
  theme?: string | null;
  trigger?: "idle" | "context" | "time" | null;
  weight: number;
};

/** What was erased with a memory, itself included. */
export type WentAlong = {
  candidates: number;
  facts: number;
  memories: number;
  reworded: number;
  statements: number;
  swept: boolean;
  turns: number;
};

/** A wish to put before the owner. */
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

/** A zone and what is in it. */
export type Zone = {
  count: number;
  memories: (Memory)[];
  room?: number | null;
  zone: "core" | "inner" | "outer" | "belt" | "cloud";
};

/** All zones, from the centre outward. */
export type Zones = {
  zones: (Zone)[];
};
