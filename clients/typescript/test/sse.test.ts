import assert from "node:assert/strict";
import { test } from "node:test";
import { type ServerEvent, serverEvents } from "../dist/sse.js";
import { collected } from "./server.js";

/** Reads a text that arrives in pieces of so many bytes. */
function arriving(text: string, size: number): Promise<ServerEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return collected(serverEvents(body, { begin: () => undefined, rest: () => undefined }));
}

const cases: [string, string, ServerEvent[]][] = [
  [
    "an event with a name and an id",
    'event: token\nid: 7\ndata: {"text":"안녕"}\n\n',
    [{ name: "token", id: "7", data: '{"text":"안녕"}' }],
  ],
  ["data on several lines", "data: a\ndata:b\ndata\n\n", [{ name: "message", id: undefined, data: "a\nb\n" }]],
  [
    "other line ends",
    "event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\r",
    [
      { name: "a", id: undefined, data: "1" },
      { name: "b", id: undefined, data: "2" },
    ],
  ],
  [
    "comments and events without data are left out",
    ": keep-alive\n\nevent: x\n\ndata: 😀\n\n",
    [{ name: "message", id: undefined, data: "😀" }],
  ],
  ["an event that is cut off does not count", "data: whole\n\ndata: ha", [{ name: "message", id: undefined, data: "whole" }]],
];

for (const [name, text, expected] of cases) {
  test(`event streams: ${name}, in pieces of any size`, async () => {
    for (let size = 1; size <= text.length + 8; size++) assert.deepEqual(await arriving(text, size), expected, `pieces of ${size}`);
  });
}
