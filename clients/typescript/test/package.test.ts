// What is published: complete, without dependencies, and free of anything that only one platform has.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { serve } from "./server.js";

const home = join(import.meta.dirname, "..");
const manifest: Manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

interface Manifest {
  version: string;
  dependencies?: object;
  exports: Record<string, string | { types: string; default: string }>;
}

/** Packs the package into a folder and returns what the tarball holds. */
function packed(folder: string): { filename: string; unpackedSize: number; files: { path: string }[] } {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [listed] = JSON.parse(execFileSync("npm", words, { cwd: home, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  return listed;
}

test("the tarball is complete, and works and type-checks where only it is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "saegim-package-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const { filename, files, unpackedSize } = packed(folder);
  const names = files.map((file) => `./${file.path}`);
  const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : [entry.types, entry.default]));
  for (const file of [...entries, "./README.md", "./LICENSE"]) assert.ok(names.includes(file), `${file} is not packed`);
  assert.ok(
    names.every((file) => /^\.\/(dist\/|README|LICENSE|package\.json)/.test(file)),
    names.join(" "),
  );
  assert.ok(unpackedSize < 200_000);

  const program = `
    import { Saegim, type FoundMemory } from "saegim";
    import { withMemory } from "saegim/ai-sdk";
    import { saegimProcessor } from "saegim/mastra";
    const memory = new Saegim({ url: process.argv[2]!, user: "minsu", character: "luna" });
    await memory.store("파이썬은 1991년에 만들어졌다", { importance: 0.8 });
    const best: FoundMemory | undefined = (await memory.recall("파이썬 역사")).results[0];
    console.log(best?.content, typeof withMemory, saegimProcessor(memory).id);`;
  writeFileSync(join(folder, "package.json"), '{ "name": "game", "private": true, "type": "module" }');
  writeFileSync(
    join(folder, "game.ts"),
    `declare const process: { argv: string[] };\ndeclare const console: { log(...words: unknown[]): void };\n${program}`,
  );
  const inFolder = { cwd: folder, encoding: "utf8" as const, stdio: ["ignore", "pipe", "pipe"] as ("ignore" | "pipe")[] };
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${filename}`], inFolder);
  assert.deepEqual(
    readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
    ["saegim"],
  );
  const compilerOptions = { strict: true, target: "es2022", lib: ["es2023", "dom"], types: [], module: "nodenext" };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["game.ts"] }));
  execFileSync(process.execPath, [join(home, "node_modules/typescript/bin/tsc"), "-p", "."], inFolder);
  const { url } = await serve();
  assert.equal(execFileSync(process.execPath, ["game.js", url], inFolder).trim(), "파이썬은 1991년에 만들어졌다 function saegim");
});

test("nothing that is published imports a package or a part of Node", () => {
  let all = 0;
  const modules = readdirSync(join(home, "dist")).filter((name) => name.endsWith(".js") || name.endsWith(".d.ts"));
  assert.ok(modules.length > 20);
  for (const name of modules) {
    const imports = [...readFileSync(join(home, "dist", name), "utf8").matchAll(/(?:\bfrom |^import |\bimport\()"([^"]+)"\)?;$/gm)].map(
      ([, from]) => from!,
    );
    all += imports.length;
    assert.ok(
      imports.every((from) => from.startsWith("./")),
      `${name}: ${imports}`,
    );
  }
  assert.ok(all > 20);
  assert.equal(manifest.dependencies, undefined);
});

test("the version is the project's", () => {
  const project = /^version = "(.*)"$/m.exec(readFileSync(join(home, "../../Cargo.toml"), "utf8"))?.[1];
  assert.equal(manifest.version, project);
});
