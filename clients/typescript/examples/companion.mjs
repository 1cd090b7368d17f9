// A companion in the terminal: it remembers what you say, shows what it learned, and knows it the next time.
//     saegim serve
//     node companion.mjs [NAME]
import { createInterface } from "node:readline/promises";
import { Saegim, SaegimError } from "saegim";

const url = process.env.SAEGIM_URL ?? "http://127.0.0.1:7777";
const memory = new Saegim({ url, user: process.argv[2] ?? "me", character: "luna", language: "ko" });

const faces = { neutral: "😐", happy: "😊", sad: "😢", angry: "😠" };

/** Prints the answer while it arrives, then what was learned. */
async function answer(message) {
  for await (const event of memory.chat(message)) {
    if (event.type === "token") process.stdout.write(event.data.text);
    if (event.type === "memory_update") {
      for (const fact of event.data.facts) console.log(`\n  + ${fact.name}: ${fact.value}`);
    }
    if (event.type === "face") {
      const [face] = Object.entries(event.data).find(([, value]) => value === 1) ?? ["neutral"];
      console.log(` ${faces[face]}`);
    }
  }
}

const commands = {
  async facts() {
    for await (const fact of memory.facts()) console.log(`  ${fact.name}: ${fact.value}`);
  },
  async people() {
    for await (const person of memory.people()) console.log(`  ${person.name ?? person.relation}`);
  },
  async mood() {
    const { level, intimacy } = await memory.relationship();
    console.log(`  ${level}, intimacy ${intimacy}`, (await memory.mood()).face);
  },
};

if (await memory.exists()) console.log(`다시 만나서 반가워요! 기억 ${(await memory.memories().all()).length}개를 가지고 있어요.`);
console.log("말을 걸어 보세요. /facts, /people, /mood 로 기억을 볼 수 있어요.");
const terminal = createInterface({ input: process.stdin, output: process.stdout });
process.stdout.write("\n> ");
for await (const line of terminal) {
  const message = line.trim();
  try {
    if (message.startsWith("/")) await commands[message.slice(1)]?.();
    else if (message) await answer(message);
  } catch (error) {
    if (!(error instanceof SaegimError)) throw error;
    console.error(error.message);
  }
  process.stdout.write("\n> ");
}
