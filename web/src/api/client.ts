// Requests to the server: key, language and error responses.
import { signal } from "@preact/signals";
import { language, say } from "../say";

const KEPT = "saegim.key";

/** API key of this tab, kept only in session storage. */
export const key = signal<string>(sessionStorage.getItem(KEPT) ?? "");

/** Whether the server requires a key that this tab does not have. */
export const locked = signal(false);

export function use(next: string): void {
  key.value = next.trim();
  if (key.value) sessionStorage.setItem(KEPT, key.value);
  else sessionStorage.removeItem(KEPT);
  locked.value = false;
}

/** An error with a message for the user. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly hint?: string,
  ) {
    super(detail);
  }
}

export function headers(more: Record<string, string> = {}): Record<string, string> {
  const all: Record<string, string> = { "Accept-Language": language.value, ...more };
  if (key.value) all["Authorization"] = `Bearer ${key.value}`;
  return all;
}

/** Converts an error response to a `Problem`. */
export async function problem(response: Response): Promise<Problem> {
  if (response.status === 401) locked.value = true;
  const told = await response.json().catch(() => null);
  const detail = told?.detail ?? say(`the server answered ${response.status}`, `서버가 ${response.status} 오류로 응답했어요`);
  return new Problem(response.status, detail, told?.hint);
}

/** Error for a server that cannot be reached. */
export function unreachable(): Problem {
  return new Problem(
    0,
    say("the server does not respond", "서버가 응답하지 않아요"),
    say("Check that `saegim serve` is running. The page reconnects automatically.", "`saegim serve`가 실행 중인지 확인해 주세요. 자동으로 다시 연결해요."),
  );
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

async function send(method: Method, path: string, body?: unknown): Promise<Response> {
  const more: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(path, { method, headers: headers(more), body: text }).catch(() => {
    throw unreachable();
  });
  if (!response.ok) throw await problem(response);
  return response;
}

export async function ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return (await send(method, path, body)).json() as Promise<T>;
}

export async function text(path: string): Promise<string> {
  return (await send("GET", path)).text();
}

export const get = <T>(path: string) => ask<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}) => ask<T>("POST", path, body);

/** Builds a URL with query parameters; empty ones are left out. */
export function asking(path: string, questions: Record<string, string | number | boolean | undefined | null>): string {
  const given = Object.entries(questions).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const tail = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return tail ? `${path}?${tail}` : path;
}

/** Fetches all pages of a list and joins them. */
export async function every<T extends { next_cursor?: string | null }>(path: string, list: keyof T & string): Promise<T> {
  const all = await get<T>(path);
  for (let cursor = all.next_cursor; cursor; ) {
    const page: T = await get<T>(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`);
    (all[list] as unknown[]).push(...(page[list] as unknown[]));
    cursor = page.next_cursor;
  }
  return all;
}
