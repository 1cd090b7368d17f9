// The TypeScript client in a browser: a page of another origin stores, recalls, chats and hears events.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { browse, expect, run, serve } from "./server.mjs";

const dist = join(import.meta.dirname, "../../clients/typescript/dist");

/** Serves an empty page and the built client. */
async function page() {
  const site = createServer((request, response) => {
    const script = request.url.endsWith(".js");
    response.writeHead(200, { "content-type": script ? "text/javascript" : "text/html" });
    response.end(script ? readFileSync(join(dist, request.url)) : "<!doctype html><link rel=icon href='data:,'><title>game</title>");
  });
  await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${site.address().port}`, close: () => site.close() };
}

const browser = await browse();
const site = await page();
const { base, stop } = await serve({ more: ["--origin", site.origin] });

/** Opens the page and runs a function there with the client's module and the server's address. */
async function inBrowser(work) {
  const opened = await browser.newPage();
  const errors = [];
  opened.on("pageerror", (error) => errors.push(error.stack));
  await opened.goto(site.origin);
  const result = await opened.evaluate(`import("/index.js").then((saegim) => (${work})(saegim, ${JSON.stringify(base)}))`);
  expect(errors.length === 0, `no error on the page, but: ${errors.join("\n")}`);
  return result;
}

await run([
  [
    "memories in Korean and English, with revisions across origins",
    async () => {
      const found = await inBrowser(async ({ Saegim, ChangedError }, url) => {
        const memory = new Saegim({ url, user: "민수", character: "luna" });
        const { id, etag } = await memory.store("파이썬은 1991년에 만들어졌다");
        await memory.edit(id, { rating: 5 }, { ifMatch: etag });
        const changed = await memory.get(id);
        await memory.store("I adopted a puppy called Mochi");
        const texts = (await memory.recall("puppy")).results.map((one) => one.content);
        return { texts, etag, later: changed.etag, all: (await memory.memories({ limit: 1 }).all()).length, typed: ChangedError.name };
      });
      expect(found.texts[0].includes("Mochi") && found.all === 2, `both are stored: ${JSON.stringify(found)}`);
      expect(found.etag === '"0"' && found.later !== found.etag, `revisions are readable: ${JSON.stringify(found)}`);
    },
  ],
  [
    "an answer streams, and events arrive while the page waits",
    async () => {
      const heard = await inBrowser(async ({ Saegim }, url) => {
        const memory = new Saegim({ url, user: "minsu", character: "browser" });
        let text = "";
        let answer = "";
        for await (const event of memory.chat("안녕! 나는 부산에 살아")) {
          if (event.type === "token") text += event.data.text;
          if (event.type === "done") answer = event.data.answer;
        }
        const { entries } = await memory.stats();
        const storing = memory.store("뒤에 저장한 기억");
        for await (const event of memory.events({ after: entries })) {
          if (event.type === "remember") return { text, answer, sequence: event.id, entries, stored: (await storing).content };
        }
      });
      expect(heard.text.length > 0 && heard.text === heard.answer, `the words are the answer: ${JSON.stringify(heard)}`);
      expect(heard.sequence === heard.entries + 1, `the event is the next entry: ${JSON.stringify(heard)}`);
    },
  ],
  [
    "a page that the server does not know is refused",
    async () => {
      const other = await page();
      const opened = await browser.newPage();
      await opened.goto(other.origin);
      const name = await opened.evaluate(async (url) => {
        const { Saegim } = await import("/index.js");
        return new Saegim({ url, retries: 0 }).stats().catch((error) => error.name);
      }, base);
      expect(name === "ConnectionError", `the browser hides the answer: ${name}`);
      other.close();
    },
  ],
]);
site.close();
await stop();
await browser.close();
