// Size and speed: compressed page size, first paint, and frame times with ten thousand orbs compared with an empty canvas in the
// same browser on the same machine.
import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync } from "node:fs";
import { browse, DESK, expect, open, run, serve } from "./server.mjs";

const ORBS = 10_000;
const FRAMES = 240;

const p = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)];

/** Times between frames, sorted, in milliseconds. */
function frames(page, count) {
  return page.evaluate(async (count) => {
    const times = [];
    let last = 0;
    await new Promise((done) => {
      const tick = (now) => {
        if (last) times.push(now - last);
        last = now;
        times.length < count ? requestAnimationFrame(tick) : done();
      };
      requestAnimationFrame(tick);
    });
    return times.sort((a, b) => a - b);
  }, count);
}

async function fill(base) {
  const mind = `${base}/v1/minds/${encodeURIComponent("me/luna")}`;
  const made = await fetch(`${base}/v1/minds`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ user: "me", character: "luna" }) });
  expect(made.status === 201, "a mind begins");
  return mind;
}

/** Ten thousand memories in the server's format: this measures only the drawing, not the store. */
async function crowded(page) {
  const feelings = ["joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral"];
  const zones = ["core", "inner", "outer", "belt", "cloud"];
  const share = [20, 100, 1000, 3880, 5000];
  const zone = zones.flatMap((name, at) => Array(share[at]).fill(name));
  const all = zone.map((name, at) => ({
    id: `01a1e41d-0000-7000-8000-${String(at).padStart(12, "0")}`,
    content: `memory ${at}`,
    emotions: at % 7 === 0 ? [feelings[at % 10], feelings[(at * 3) % 10]] : [feelings[at % 10]],
    zone: name,
    tier: at % 90 === 0 ? "M0" : "M90",
    importance: (at * 37 % 100) / 100,
    strength: (at * 61 % 100) / 100,
    created_at: new Date(Date.now() - at * 3600_000).toISOString(),
    on_cliff: false,
    tags: [],
    turns: [],
  }));
  await page.route("**/memories?*", (route) => {
    const cursor = new URL(route.request().url()).searchParams.get("cursor");
    const from = cursor ? Number(cursor) : 0;
    const next = from + 1000 < all.length ? String(from + 1000) : null;
    return route.fulfill({ json: { memories: all.slice(from, from + 1000), next_cursor: next } });
  });
}

const browser = await browse();
const { base, stop } = await serve();
await fill(base);
await run([
  [
    "weight",
    async () => {
      const all = readdirSync("dist").map((name) => gzipSync(readFileSync(`dist/${name}`)).length);
      const total = all.reduce((sum, one) => sum + one, 0);
      console.log(`      the whole page, compressed: ${(total / 1000).toFixed(1)} kB`);
      expect(total < 400_000, "the page is lighter than 400 kB");
    },
  ],
  [
    "first paint",
    async () => {
      const page = await open(browser, base);
      const times = [];
      for (let round = 0; round < 5; round++) {
        await page.goto("about:blank");
        await page.at("orrery");
        await page.locator("h1").waitFor();
        times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity));
      }
      times.sort((a, b) => a - b);
      console.log(`      first contentful paint: median ${p(times, 0.5).toFixed(0)} ms of ${times.map((one) => one.toFixed(0)).join(", ")}`);
      expect(p(times, 0.5) < 1000, "the first paint comes within a second");
      await page.context().close();
    },
  ],
  [
    `${ORBS} orbs`,
    async () => {
      const blank = await open(browser, base);
      await blank.goto(`${base}/docs/style.css`);
      await blank.evaluate(({ width, height }) => {
        document.body.replaceChildren();
        const canvas = document.body.appendChild(document.createElement("canvas"));
        Object.assign(canvas, { width, height });
        const gl = canvas.getContext("webgl");
        const draw = () => (gl.clear(gl.COLOR_BUFFER_BIT), requestAnimationFrame(draw));
        draw();
      }, DESK);
      const empty = await frames(blank, FRAMES);
      await blank.context().close();

      const page = await open(browser, base);
      await crowded(page);
      await page.at("orrery");
      await page.getByText(/^10,000 memories/).waitFor({ state: "attached" });
      await page.waitForTimeout(500);
      const full = await frames(page, FRAMES);
      await page.mouse.move(700, 450);
      const tell = (name, times) =>
        console.log(`      ${name}: median ${p(times, 0.5).toFixed(1)} ms, p95 ${p(times, 0.95).toFixed(1)} ms, longest ${p(times, 1).toFixed(1)} ms`);
      tell("an empty WebGL canvas of the same size", empty);
      tell(`${ORBS} orbs`, full);
      // Without a graphics card the CPU draws everything, so the empty canvas is the baseline.
      expect(p(full, 0.95) < Math.max(20, p(empty, 0.95) * 5), "frames take under 20 ms, or less than five times an empty canvas");
      await page.context().close();
    },
  ],
]);
await browser.close();
await stop();
