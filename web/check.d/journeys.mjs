// A new user's first hour: open the page, talk, see a memory arrive, correct a fact, forget and restore a memory, approve a core
// memory, see the island appear. In Korean and in English.
import { browse, clean, expect, open, run, serve } from "./server.mjs";

const WORDS = {
  ko: {
    me: "민수",
    they: "루나",
    begin: "시작하기",
    send: "보내기",
    kept: "기억 \\d+개 저장",
    said: ["안녕, 나는 민수야. 나는 서울에 살아", "우리 강아지 모찌가 나를 위로해 줘서 정말 고마웠어. 꼭 기억해 줘", "강아지 모찌를 유기견 보호소에서 입양했어. 꼭 기억해 줘"],
    lives: "서울",
    moved: "부산",
    correct: "거주지 수정",
    keep: "저장",
    letGo: "잊기",
    back: "복원",
    undo: "되돌리기",
    ever: "영구 보관하기",
    approve: "승인",
    cores: ["위로해", "입양"],
    core: "핵심 기억이에요",
  },
  en: {
    me: "Minsu",
    they: "Luna",
    begin: "Start",
    send: "Send",
    kept: "\\d+ memor(y|ies) stored",
    said: ["Hi, my name is Minsu and I live in Seoul", "I miss the pumpkin soup grandma made for me, and I'm so grateful for it. Remember this", "Mom taught me how to make grandma's soup and we cried and laughed. Remember this"],
    lives: "Seoul",
    moved: "Busan",
    correct: "Correct (residence|where you live|home|city|lives in)",
    keep: "Save",
    letGo: "Forget",
    back: "Restore",
    undo: "Undo",
    ever: "Keep permanently",
    approve: "Approve",
    cores: ["pumpkin", "taught me"],
    core: "A core memory",
  },
};

async function journey(browser, language) {
  const { base, stop } = await serve({ language });
  try {
    const words = WORDS[language];
    const page = await open(browser, base, { language });
    const button = (name, options = {}) => page.getByRole("button", { name, exact: true, ...options });
    await page.at("orrery");

    // No mind exists yet: create one.
    await page.getByRole("textbox").nth(0).fill(words.me);
    await page.getByRole("textbox").nth(1).fill(words.they);
    await button(words.begin).click();

    // Three turns, each with its result.
    for (const [at, said] of words.said.entries()) {
      await page.locator(".write textarea").fill(said);
      await button(words.send).click();
      await page.locator(".came-of-it").nth(at).waitFor();
    }
    await page.locator(".came-of-it").filter({ hasText: new RegExp(words.kept) }).last().waitFor();
    await page.locator(".work .judged.stored").first().waitFor();

    // The memories appear in the orrery.
    await page.at("orrery");
    await page.locator(".orrery-title p").filter({ hasText: /[3-9]/ }).waitFor();
    // A memory stored by another client appears without a reload.
    const before = await page.locator("#pointed").textContent();
    await page.evaluate(async () => {
      const { minds } = await (await fetch("/v1/minds")).json();
      const body = JSON.stringify({ content: "a lighthouse far away", emotions: ["nostalgia"] });
      await fetch(`/v1/minds/${minds[0].id}/memories`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    });
    await page.waitForFunction((before) => document.querySelector("#pointed").textContent !== before, before);
    await page.locator(".stage").focus();
    await page.keyboard.press("Home");
    await page.locator("#pointed[aria-selected=true]").waitFor({ state: "attached" });
    await page.keyboard.press("Enter");
    await page.locator(".life .content").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".life").waitFor({ state: "detached" });

    // Correct a fact; the old value stays as history.
    await page.at("us");
    await page.locator(".fact-value").filter({ hasText: words.lives }).waitFor();
    await page.getByRole("button", { name: new RegExp(words.correct, "i") }).click();
    await page.locator(".fact form input").fill(words.moved);
    await page.locator(".fact form").getByRole("button", { name: words.keep }).click();
    await page.locator(".fact-value").filter({ hasText: words.moved }).waitFor();
    await page.locator(".held").filter({ hasText: words.lives }).waitFor();

    // Forget a memory, which moves it to the cliff, then restore it with one click.
    await page.at("search");
    const first = page.locator(".result .said").last();
    const text = await first.textContent();
    await first.click();
    await button(words.letGo).click();
    await page.locator(".life").waitFor({ state: "detached" });
    await page.at("cliff");
    await page.locator(".falling .said").filter({ hasText: text }).waitFor();
    await button(words.back).click();
    await page.locator(".falling").waitFor({ state: "detached" });
    await page.at("search");
    await page.locator(".result .said").filter({ hasText: text }).waitFor();

    // Make two memories core memories, each approved in the inbox; the proposals that follow appear there as well.
    for (const piece of words.cores) {
      await page.at("search");
      await page.locator(".result .said").filter({ hasText: piece }).first().click();
      await button(words.ever).click();
      await page.locator(".proposal.kind-core_promotion").getByRole("button", { name: words.approve, exact: true }).click();
      await page.locator(".proposal.kind-core_promotion").waitFor({ state: "detached" });
    }
    await page.locator(".way-inbox .badge").first().waitFor();
    const island = page.locator(".proposal.kind-island");
    await island.waitFor();
    await island.getByRole("button", { name: words.approve, exact: true }).click();
    await island.waitFor({ state: "detached" });

    // The island has appeared.
    await page.at("self");
    await page.locator(".island-names button").first().waitFor();
    await page.locator(".island-names button").first().click();
    expect((await page.locator(".island-card .mention").count()) >= 2, "the island stands on two memories");

    // The ledger verifies.
    await page.at("ledger");
    await page.locator(".seal button").click();
    await page.locator(".whole").waitFor();

    // Choose a model and enter its key; it takes effect at once, and the key is never shown again.
    await page.at("settings");
    const model = page.locator(".model");
    await model.locator("select").selectOption("openai");
    await model.locator("input").nth(0).fill("tiny");
    await model.locator("input").nth(1).fill("http://127.0.0.1:9/v1");
    await model.locator("input[type=password]").fill("sk-canary");
    await model.locator("button[type=submit]").click();
    await model.locator("button.danger").waitFor();
    expect((await model.locator("input[type=password]").inputValue()) === "" && !(await page.content()).includes("canary"), "the key is not shown");
    await page.locator(".trial button").click();
    await page.locator(".trial .warning").filter({ hasText: "tiny" }).waitFor();
    await model.locator("select").selectOption("rules");
    await model.locator("button[type=submit]").click();
    await page.locator(".trial").waitFor({ state: "detached" });
    clean(page);
    await page.context().close();
  } finally {
    await stop();
  }
}

/** A server that is reachable from other machines requires a key, which stays in the tab. */
async function door(browser) {
  const { base, stop } = await serve();
  try {
    const made = await (await fetch(`${base}/v1/keys`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ principal: "owner" }) })).json();
    const page = await open(browser, base);
    page.on("console", () => {});
    await page.at("orrery");
    await page.locator("input[type=password]").fill("sk-wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator("input[type=password]").fill(made.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Create a character" }).waitFor();
    const kept = await page.evaluate(() => [JSON.stringify({ ...localStorage }), sessionStorage.getItem("saegim.key")]);
    expect(!kept[0].includes(made.key) && kept[1] === made.key, "the key is kept in the tab and nowhere else");
    await page.context().close();
  } finally {
    await stop();
  }
}

const browser = await browse();
await run([
  ["한국어: 처음 만난 날", () => journey(browser, "ko")],
  ["English: the first day", () => journey(browser, "en")],
  ["a locked door", () => door(browser)],
]);
await browser.close();
