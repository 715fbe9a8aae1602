/** What the SDK may know of: itself, and nothing else. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const src = new URL("../../src/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

test("it has no dependency at run time", () => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"])
    assert.equal(manifest[kind], undefined);
});

test("its modules import each other, and nothing else", () => {
  const files = readdirSync(src);
  for (const file of files) {
    const text = readFileSync(new URL(file, src), "utf8");
    for (const [, from] of text.matchAll(/\bfrom "([^"]+)"|\bimport\(/g)) {
      assert.ok(from?.startsWith("./") && files.includes(from.slice(2).replace(/\.js$/, ".ts")), `${file}: ${from}`);
    }
  }
});

test("the lock names no registry, and every version is exact", () => {
  const lock = readFileSync(new URL("../../../package-lock.json", import.meta.url), "utf8");
  assert.doesNotMatch(lock, /"resolved": "https?:/);
  for (const version of Object.values<string>(manifest.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
});

test("the example of its page compiles", () => {
  const [, example] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL("../../README.md", import.meta.url), "utf8")) ?? [];
  assert.ok(example);
  const folder = new URL("../example/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("example.ts", folder), example.replace('"@cardroom/sdk"', '"../src/index.js"'));
  const options = {
    extends: "../../tsconfig.json",
    compilerOptions: { noEmit: true, rootDir: "../.." },
    include: ["*.ts"],
  };
  writeFileSync(new URL("tsconfig.json", folder), JSON.stringify(options));
  const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
  const { status, stdout } = spawnSync(tsc, ["-p", fileURLToPath(folder)], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
