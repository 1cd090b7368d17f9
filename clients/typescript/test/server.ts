// A real server on a free port with a database of its own, and a proxy that loses connections.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer, request } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const root = join(import.meta.dirname, "../../..");
const built = ["release", "debug"].map((profile) => join(root, "target", profile, "saegim"));
export const binary = process.env["BINARY"] ?? built.find(existsSync) ?? "saegim";

/** A running server. It stops when the test file ends. */
export interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  /** Command-line options that select its database. */
  readonly database: string[];
}

/** Starts a server and waits until it listens. */
export async function serve(...options: string[]): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "saegim-"));
  const database = ["--db", join(folder, "mind.db")];
  const all = [...database, "serve", "--addr", "127.0.0.1:0", "--json", "--rate", "100000", ...options];
  const started = spawn(binary, all, { env: { ...process.env, XDG_CONFIG_HOME: folder }, stdio: ["ignore", "pipe", "pipe"] });
  after(async () => {
    started.kill();
    if (started.exitCode === null) await new Promise((resolve) => started.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  });
  return { url: await listening(started), process: started, database };
}

function listening(started: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let words = "";
    const read = (piece: Buffer) => {
      words += piece;
      const address = /"listening":"([^"]+)"/.exec(words)?.[1];
      if (address) resolve(`http://${address}`);
    };
    started.stdout?.on("data", read);
    started.stderr?.on("data", read);
    started.once("error", reject);
    started.once("exit", () => reject(new Error(`the server stopped: ${words}`)));
  });
}

/** What a proxy does with one request instead of passing it on. */
export type Fault = (passed: Passed) => void | Promise<void>;

/** A request at the proxy. */
export interface Passed {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Sends the request to the server and returns its answer, which the fault may pass on or lose. */
  readonly ask: () => Promise<IncomingMessage>;
}

/** A proxy in front of a server. Each request takes one of the faults, until there are none. */
export async function unreliable(server: Server, faults: Fault[]): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const proxy = createServer(async (incoming, outgoing) => {
    seen.push(incoming);
    const ask = () => forwarded(server.url, incoming);
    const fault = faults.shift() ?? passOn;
    await Promise.resolve(fault({ incoming, outgoing, ask })).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

function forwarded(url: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { host: _, ...headers } = incoming.headers;
    const passed = request(url + incoming.url, { method: incoming.method ?? "GET", headers }, resolve);
    passed.on("error", reject);
    incoming.pipe(passed);
    incoming.socket.on("close", () => passed.destroy());
  });
}

/** Passes a request and its answer on. */
export const passOn: Fault = async ({ outgoing, ask }) => {
  const answer = await ask();
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
  answer.pipe(outgoing);
};

/** Lets the server execute the request and loses its answer. */
export const loseAnswer: Fault = async ({ outgoing, ask }) => {
  const answer = await ask();
  await new Promise((resolve) => answer.resume().once("end", resolve));
  outgoing.destroy();
};

/** Answers in place of the server. */
export function answerWith(status: number, headers: Record<string, string> = {}, body = ""): Fault {
  return ({ incoming, outgoing }) => {
    incoming.resume();
    outgoing.writeHead(status, headers).end(body);
  };
}

/** Passes an event stream on and cuts it after so many events. */
export function cutAfter(events: number): Fault {
  return async ({ outgoing, ask }) => {
    const answer = await ask();
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    let left = events;
    let text = "";
    for await (const piece of answer) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0 && left > 0; end = text.indexOf("\n\n")) {
        outgoing.write(text.slice(0, end + 2));
        text = text.slice(end + 2);
        left -= 1;
      }
      if (left === 0) break;
    }
    // The pieces must leave before the connection closes.
    await new Promise((resolve) => outgoing.write(": cut\n", resolve));
    setImmediate(() => outgoing.destroy());
  };
}

/** Collects everything of an async iterable. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
