// Screenshots of every view: desktop and phone, dark and light, Korean and English.
import { mkdirSync } from "node:fs";
import { browse, DESK, open, PHONE, serve, VIEWS } from "./server.mjs";

const folder = process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });
const only = process.env.ONLY?.split(",");
const browser = await browse();
for (const language of ["ko", "en"]) {
  const { base, stop } = await serve({ demo: true, language });
  for (const theme of ["dark", "light"]) {
    for (const [name, size] of [["desk", DESK], ["phone", PHONE]]) {
      if (only && !only.includes(`${language}-${theme}-${name}`)) continue;
      const page = await open(browser, base, { language, theme, size });
      const shoot = (what) => page.screenshot({ path: `${folder}/${language}-${theme}-${name}-${what}.png` });
      for (const view of VIEWS) {
        await page.at(view);
        await page.locator("main h1").first().waitFor();
        await page.waitForTimeout(view === "orrery" ? 1500 : 600);
        await shoot(view);
        if (view === "orrery") {
          await page.locator(".stage").focus();
          await page.keyboard.press("Home");
          await page.waitForTimeout(300);
          await shoot("pointed");
          const at = await page.locator(".ring").evaluate((ring) => ring.getBoundingClientRect().toJSON());
          await page.evaluate(() => document.activeElement.blur());
          await page.mouse.move(at.x, at.y);
          await page.waitForTimeout(300);
          if (name === "desk") await shoot("hover");
        }
        if (view === "search") {
          await page.locator(".question").fill(language === "ko" ? "할머니가 해 주시던 음식" : "grandma's pumpkin soup");
          await page.waitForTimeout(900);
          await page.locator(".why summary").first().click();
          await shoot("question");
          await page.locator(".result .said").first().click();
          await page.locator(".life").waitFor();
          await page.waitForTimeout(500);
          await shoot("memory");
          await page.keyboard.press("Escape");
          await page.locator(".tabs .chip").nth(1).click();
          await page.waitForTimeout(300);
          await shoot("timeline");
        }
        if (view === "settings") {
          await page.locator(".model select").selectOption("openai");
          await shoot("model");
        }
        if (view === "self") {
          await page.locator(".beliefs").scrollIntoViewIfNeeded();
          await shoot("beliefs");
        }
      }
      if (name === "desk") {
        await page.at("chat");
        await page.locator(".write textarea").fill(language === "ko" ? "할머니 단호박죽 기억나? 오늘 또 끓였는데 너무 행복했어!" : "Do you remember grandma's pumpkin soup? I made it again and I was so happy!");
        await page.keyboard.press("Enter");
        await page.locator(".came-of-it").waitFor();
        await page.waitForTimeout(900);
        await shoot("talking");
      }
      await page.context().close();
    }
  }
  await stop();
}
await browser.close();
