// A real server process on its own database, and a browser that opens it.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

/** Starts a server and waits until it listens; `demo` first generates a year of data. */
export async function serve({ language = "en", demo = false, more = [] } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "saegim-page-"));
  const args = ["--db", join(folder, "mind.db"), "--json", "serve", "--addr", "127.0.0.1:0", ...(demo ? ["--demo"] : []), ...more];
  const env = { ...process.env, SAEGIM_LANG: language, XDG_CONFIG_HOME: folder, HOME: folder };
  const child = spawn(process.env.BINARY, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  process.on("exit", () => child.kill());
  const address = await new Promise((resolve, reject) => {
    let heard = "";
    child.stderr.on("data", (bytes) => {
      heard += bytes;
      const line = heard.split("\n").slice(0, -1).find((one) => one.includes('"listening"'));
      if (line) resolve(JSON.parse(line).listening);
    });
    child.on("exit", () => reject(new Error(`the server ended: ${heard}`)));
  });
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners("exit");
      child.on("exit", () => {
        rmSync(folder, { recursive: true, force: true });
        done();
      });
      child.kill();
    });
  return { base: `http://${address}`, stop };
}

export function browse() {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: process.env.CHROMIUM, args });
}

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const VIEWS = ["orrery", "chat", "search", "cliff", "self", "inbox", "us", "imagine", "ledger", "care", "settings"];

/** Opens a page in a language and theme; script errors and requests to other servers count as failures. */
export async function open(browser, base, { language = "en", theme = "dark", size = DESK, motion = "no-preference" } = {}) {
  const phone = size.width < 600;
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: phone ? 2 : 1,
    isMobile: phone,
    hasTouch: phone,
    locale: language === "ko" ? "ko-KR" : "en-GB",
    colorScheme: theme,
    reducedMotion: motion,
  });
  const page = await context.newPage();
  page.failures = [];
  page.on("pageerror", (error) => page.failures.push(`script: ${error.stack}`));
  page.on("console", (message) => {
    // A deleted resource answers 404, which the browser logs as a console error.
    if (message.type() === "error" && !message.text().includes("404")) page.failures.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith("blob:")) page.failures.push(`asked elsewhere: ${request.url()}`);
  });
  page.at = (view) => page.goto(`${base}/#/${view === "orrery" ? "" : view}`);
  return page;
}

export function expect(holds, what) {
  if (!holds) throw new Error(`expected: ${what}`);
}

export function clean(page) {
  expect(page.failures.length === 0, `no failure on the page, but: ${page.failures.join("\n")}`);
}

/** Runs the named checks in order and exits with the number of failures. */
export async function run(checks) {
  let failed = 0;
  for (const [name, check] of checks) {
    const began = performance.now();
    try {
      await check();
      console.log(`ok    ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
  if (failed) process.exit(1);
}
