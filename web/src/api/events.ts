// Server-sent events over fetch: EventSource cannot carry a key.
import { headers, problem, unreachable } from "./client";

export type Told = { name: string; data: any; id?: string };

/** Reads an event stream until it ends; calls `opened` when the server has answered. */
export async function* told(path: string, options: RequestInit = {}, opened?: () => void): AsyncGenerator<Told> {
  const more = { Accept: "text/event-stream", ...(options.headers as Record<string, string> | undefined) };
  const response = await fetch(path, { ...options, headers: headers(more) }).catch((error) => {
    if (options.signal?.aborted) throw error;
    throw unreachable();
  });
  if (!response.ok) throw await problem(response);
  opened?.();
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += value.replaceAll("\r\n", "\n");
      for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        const event = parsed(rest.slice(0, end));
        rest = rest.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(block: string): Told | null {
  let name = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [field, value] = split(line);
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }
  return data.length ? { name, id, data: JSON.parse(data.join("\n")) } : null;
}

function split(line: string): [string, string] {
  const at = line.indexOf(":");
  if (at < 0) return [line, ""];
  return [line.slice(0, at), line.slice(at + 1).replace(/^ /, "")];
}
