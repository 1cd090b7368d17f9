// Hostile memory content is shown as plain text and does not break the page.
import { browse, clean, expect, open, run, serve } from "./server.mjs";

const HOSTILE = [
  `<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>bold</b>`,
  `"><svg onload=alert(1)> javascript:alert(1) {{7*7}} \${7*7} <style>*{display:none}</style>`,
  "مرحبا، اسمي ليلى وأنا أحب البحر \u202Eevil.exe\u202C ثم english again",
  "👩‍👩‍👧‍👦🏳️‍🌈🇰🇷 e\u0301\u0301\u0301 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
  "가".repeat(5000) + " " + "https-without-a-break-".repeat(230),
];

const browser = await browse();
await run([
  [
    "HTML, scripts, right-to-left text, emoji and 10,000 characters",
    async () => {
      const { base, stop } = await serve();
      try {
        const json = { "Content-Type": "application/json" };
        const names = { user: "<b>me</b>", character: "<i>luna</i><script>window.broken=1</script>" };
        const begun = await (await fetch(`${base}/v1/minds`, { method: "POST", headers: json, body: JSON.stringify(names) })).json();
        const mind = `${base}/v1/minds/${begun.id}`;
        for (const content of HOSTILE) {
          const kept = await fetch(`${mind}/memories`, {
            method: "POST",
            headers: json,
            body: JSON.stringify({ content, tags: ["<u>tag</u>"], emotions: ["joy", "sadness"] }),
          });
          expect(kept.status === 201, `it is kept: ${content.slice(0, 40)}`);
        }
        const page = await open(browser, base);
        for (const view of ["orrery", "search", "us", "ledger", "chat"]) {
          await page.at(view);
          await page.locator("main h1").first().waitFor();
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(wide <= 0, `${view} does not become wider than its window (${wide} px)`);
        }
        await page.at("search");
        for (const content of HOSTILE) {
          await page.locator(".result .said").filter({ hasText: content.slice(0, 24) }).first().click();
          await page.locator(".life .content").waitFor();
          expect((await page.locator(".life h2.content").textContent()) === content, `it is shown as it is: ${content.slice(0, 40)}`);
          const outside = await page.evaluate(() => document.querySelector(".sheet").scrollWidth - document.querySelector(".sheet").clientWidth);
          expect(outside <= 1, `the sheet holds it (${outside} px)`);
          await page.keyboard.press("Escape");
          await page.locator(".life").waitFor({ state: "detached" });
        }
        // In a conversation it is plain text as well.
        await page.at("chat");
        await page.locator(".write textarea").fill(HOSTILE[0]);
        await page.getByRole("button", { name: "Send" }).click();
        await page.locator(".bubble.mine").filter({ hasText: "onerror" }).waitFor();
        await page.locator(".came-of-it").waitFor();
        const harm = await page.evaluate(() => [globalThis.broken, document.querySelectorAll("main img, main script, main svg[onload], main style").length]);
        expect(harm[0] === undefined && harm[1] === 0, "nothing of it became part of the page");
        clean(page);
        await page.context().close();
      } finally {
        await stop();
      }
    },
  ],
]);
await browser.close();
