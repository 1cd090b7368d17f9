// Runs axe on every view, in both themes and both languages: no serious violation.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { browse, clean, expect, open, run, serve, VIEWS } from "./server.mjs";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function look(page, name) {
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter((one) => one.impact === "serious" || one.impact === "critical")
      .map((one) => `${one.id}: ${one.nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join("\n      ")}`);
  });
  return found.map((one) => `${name}: ${one}`);
}

const browser = await browse();
const { base, stop } = await serve({ demo: true, language: "ko" });
{
  const { minds } = await (await fetch(`${base}/v1/minds`)).json();
  const { zones } = await (await fetch(`${base}/v1/minds/${minds[0].id}/zones?limit=0`)).json();
  expect(zones.every((one) => one.count > 0), `the demo has something in every zone: ${JSON.stringify(zones)}`);
}
await run(
  [["ko", "dark"], ["en", "light"], ["ko", "light"], ["en", "dark"]].map(([language, theme]) => [
    `${language}, ${theme}`,
    async () => {
      const page = await open(browser, base, { language, theme, motion: "reduce" });
      const found = [];
      for (const view of VIEWS) {
        await page.at(view);
        await page.locator("main h1").first().waitFor();
        await page.waitForTimeout(350);
        // Inject through the debugger, which the page's Content-Security-Policy does not restrict.
        await page.evaluate(source).catch(() => {});
        if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ content: source });
        found.push(...(await look(page, view)));
        if (view === "search") {
          await page.locator(".result .said").first().click();
          await page.locator(".life").waitFor();
          await page.waitForTimeout(350);
          found.push(...(await look(page, "memory")));
          await page.keyboard.press("Escape");
        }
      }
      clean(page);
      await page.context().close();
      if (found.length) throw new Error(found.join("\n"));
    },
  ]),
);
await browser.close();
await stop();
