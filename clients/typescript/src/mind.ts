/** Names a mind: a user, the character that holds the memories, and the work they belong to. */
export interface MindNames {
  /** User the memories are about; default `me`. */
  readonly user?: string | undefined;
  /** Character that holds the memories; default `assistant`. */
  readonly character?: string | undefined;
  /** Work that both belong to; default `default`. */
  readonly work?: string | undefined;
}

/** Key of a mind, `user/character/work`. A slash or percent sign inside a name is percent-encoded. */
export function mindKey({ user = "me", character = "assistant", work = "default" }: MindNames): string {
  return [user, character, work].map((name) => name.replace(/[%/]/g, encodeURIComponent)).join("/");
}
