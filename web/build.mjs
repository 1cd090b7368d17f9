// Builds the page into dist/: one script, one style sheet, one document, and made.txt with the hash of the sources.
// The build is reproducible, so dist/ can be checked in and compared.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

process.chdir(import.meta.dirname);

/** All files under a folder, sorted by name. */
function files(folder) {
  return readdirSync(folder)
    .sort()
    .map((name) => `${folder}/${name}`)
    .flatMap((path) => (statSync(path).isDirectory() ? files(path) : [path]));
}

/** One hash over names and contents; crates/app/src/http/pages/page.rs computes the same hash. */
function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const bytes = readFileSync(path);
    hash.update(`${path}\0${bytes.length}\0`);
    hash.update(bytes);
  }
  return hash.digest("hex");
}

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
await build({
  entryPoints: { page: "src/main.tsx" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  charset: "utf8",
  loader: { ".glsl": "text" },
});
for (const name of ["index.html", "icon.svg", "manifest.json"]) cpSync(`src/${name}`, `dist/${name}`);
const sources = [...files("src"), "build.mjs", "package-lock.json", "package.json", "tsconfig.json"].sort();
const made = files("dist");
writeFileSync("dist/made.txt", `sources ${digest(sources)}\nmade ${digest(made)}\n`);

const weigh = (path) => gzipSync(readFileSync(path), { level: 6 }).length;
const total = made.reduce((sum, path) => sum + weigh(path), 0);
console.log(made.map((path) => `${path} ${(weigh(path) / 1024).toFixed(1)} kB`).join("\n"));
console.log(`the whole page, compressed: ${(total / 1024).toFixed(1)} kB`);
