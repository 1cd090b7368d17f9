// Writes the code of docs/typescript.md into one program, which docs.test.ts compiles and runs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

process.chdir(import.meta.dirname);
const blocks = [...readFileSync("../../../docs/typescript.md", "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
const program = blocks
  .join("\n")
  .replaceAll('"http://127.0.0.1:7777"', 'process.env["SAEGIM_URL"]!')
  // The only replacement of a part: a scripted model in place of one that needs a key.
  .replaceAll('"@ai-sdk/openai"', '"../scripted-model.js"');
mkdirSync("from-docs", { recursive: true });
writeFileSync("from-docs/typescript.ts", program);
