/**
 * Sums what a browser requests before the lobby is usable, gzipped: index.html, and all that it names. Fails where that is too much.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const MOST = 200_000;
const DIST = new URL("../dist/", import.meta.url);

const read = (name) => readFileSync(new URL(name, DIST));
const named = (text) => [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map((match) => match[1]);
/** Modules that a script imports at once; those it imports later are not requested yet. */
const imported = (text) =>
  [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map((match) => `assets/${match[1]}`);

const seen = new Set(["index.html"]);
for (const name of seen) {
  const text = read(name).toString("utf8");
  const more = name.endsWith(".html") ? named(text) : name.endsWith(".js") ? imported(text) : [];
  for (const one of more) seen.add(one);
}

let sum = 0;
for (const name of seen) {
  const bytes = gzipSync(read(name), { level: 9 }).length;
  sum += bytes;
  console.log(`${String(bytes).padStart(8)}  ${name}`);
}
console.log(`${String(sum).padStart(8)}  in all, of ${MOST} at most`);
if (sum >= MOST) process.exit(1);
