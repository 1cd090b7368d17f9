// The code of the documentation and the example program, run as a reader would run them.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Saegim } from "saegim";
import { serve } from "./server.js";

const home = join(import.meta.dirname, "..");

/** Runs a program with these lines as its input and returns what it printed. */
function run(program: string, url: string, lines: string[] = []): Promise<string> {
  const running = spawn(process.execPath, [join(home, program)], {
    env: { ...process.env, SAEGIM_URL: url },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let printed = "";
  running.stdout.on("data", (piece) => (printed += piece));
  running.stderr.on("data", (piece) => (printed += piece));
  running.stdin.end(lines.map((line) => `${line}\n`).join(""));
  return new Promise((resolve, reject) => {
    running.once("exit", (code) => (code === 0 ? resolve(printed) : reject(new Error(`${program} ended with ${code}:\n${printed}`))));
  });
}

test("the code of docs/typescript.md runs and prints what it says", async () => {
  const { url } = await serve();
  const printed = await run("build/from-docs/typescript.js", url);
  const expected = [
    "파이썬은 1991년에 만들어졌다",
    "모찌",
    "<memory>",
    "session",
    "database is well: true",
    "on the first page",
    "부산",
    "changed",
    "네, 기억하고 있어요!",
  ];
  for (const words of expected) assert.ok(printed.includes(words), `${words} is missing in:\n${printed}`);
  assert.ok(!printed.includes("another client was faster"));
  const turns = await new Saegim({ url, user: "minsu", character: "luna" }).turns().all();
  assert.deepEqual(
    turns.slice(-4).map((turn) => turn.content),
    ["우리 강아지 이름이 뭐였지?", "네, 기억하고 있어요!", "내 강아지 이름 기억해?", "네, 기억하고 있어요!"],
  );
});

test("the companion learns, and remembers when it is started again", async () => {
  const { url } = await serve();
  const first = await run("examples/companion.mjs", url, ["나는 부산에 살아", "내 동생 이름은 지우야", "/facts", "/people", "/mood"]);
  assert.match(first, /\+ .*: 부산/);
  assert.match(first, /지우/);
  assert.match(await run("examples/companion.mjs", url), /다시 만나서 반가워요/);
  assert.ok(readFileSync(join(home, "examples/companion.mjs"), "utf8").split("\n").length <= 60);
});
