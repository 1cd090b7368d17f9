/** An event of a `text/event-stream`. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Measures how long the next piece of a stream takes, but not how long its reader takes to process one. */
export interface Patience {
  begin(): void;
  rest(): void;
}

/** Reads server-sent events until the stream ends. Every piece counts as a sign of life, also keep-alive comments. */
export async function* serverEvents(body: ReadableStream<Uint8Array>, patience: Patience): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let ended = false; !ended;) {
      patience.begin();
      const { value, done } = await reader.read();
      patience.rest();
      ended = done;
      rest += decoder.decode(value, { stream: !done });
      // A carriage return at the end may be the first half of a line break.
      const held = !done && rest.endsWith("\r") ? "\r" : "";
      const blocks = rest
        .slice(0, rest.length - held.length)
        .replace(/\r\n?/g, "\n")
        .split("\n\n");
      rest = (blocks.pop() ?? "") + held;
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function parsed(block: string): ServerEvent | undefined {
  let name = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
  }
  return data.length > 0 ? { name, id, data: data.join("\n") } : undefined;
}
