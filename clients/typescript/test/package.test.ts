// What is published: complete, without dependencies, and free of anything that only one platform has.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const home = join(import.meta.dirname, "..");
const manifest: Manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));

interface Manifest {
  version: string;
  dependencies?: object;
  exports: Record<string, string | { types: string; default: string }>;
}

test("the package holds every entry with its types, the licence and the readme", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed: { files: { path: string }[]; unpackedSize: number }[] = JSON.parse(listed);
  const files = packed[0]!.files.map((file) => `./${file.path}`);
  const entries = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [entry] : [entry.types, entry.default]));
  for (const file of [...entries, "./README.md"]) assert.ok(files.includes(file), `${file} is not packed`);
  assert.ok(
    files.every((file) => /^\.\/(dist\/|README|LICENSE|package\.json)/.test(file)),
    files.join(" "),
  );
  assert.ok(packed[0]!.unpackedSize < 200_000);
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
