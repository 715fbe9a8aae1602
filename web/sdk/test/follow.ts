/**
 * Keeps the books of a whole evening at one table: each line of the standard input has a push and the snapshot that the server shows
 * after it, the first the snapshot alone. Says how often they were compared. tests/local/test_sdk_books.py starts it.
 */
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { emptyBook, loaded, ownSeat, pushed } from "../src/book.js";
import type { EventsPush, Snapshot } from "../src/index.js";

interface Line {
  readonly player?: string | null;
  readonly push?: EventsPush;
  readonly snapshot: Snapshot;
}

let book = emptyBook(null);
let compared = 0;
let own = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const { player, push, snapshot }: Line = JSON.parse(text);
  if (push === undefined) {
    book = loaded(emptyBook(player ?? null), snapshot, true).book;
    continue;
  }
  const turned = pushed(book, push);
  assert.equal(turned.outcome, "applied");
  book = turned.book;
  const what = JSON.stringify(push.events);
  assert.deepEqual([book.seq, book.stale, { ...book.state, log: [] }], [snapshot.seq, false, snapshot.state], what);
  compared += 1;
  own += ownSeat(book)?.pre ? 1 : 0;
}
console.log(JSON.stringify({ compared, own }));
