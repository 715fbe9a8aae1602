import assert from "node:assert/strict";
import { test } from "node:test";
import { LARGEST, parsed, plain, shown } from "../src/money/amount.js";
import { COMMA, type Numerals, numeralsOf, POINT } from "../src/money/numerals.js";

const SPACED: Numerals = { point: ",", group: "\u00a0" };

function read(text: string, numerals: Numerals, currency = "PHP"): number | string {
  const answer = parsed(text, numerals, currency);
  return answer.ok ? answer.amount : answer.why;
}

const AMOUNTS: [text: string, point: number | string, comma: number | string][] = [
  ["0", 0, 0],
  ["12", 1200, 1200],
  ["12.5", 1250, "group"],
  ["12,5", "group", 1250],
  ["12.50", 1250, "group"],
  ["12,50", "group", 1250],
  ["1,000", 100_000, "decimals"],
  ["1.000", "decimals", 100_000],
  ["1,000.50", 100_050, "group"],
  ["1.000,50", "group", 100_050],
  ["1,000,000", 100_000_000, "form"],
  ["1.000.000", "form", 100_000_000],
  ["1,00", "group", 100],
  ["1.00", 100, "group"],
  ["0,001", "group", "decimals"],
  ["0.001", "decimals", "group"],
  ["12,34,567", "group", "form"],
  ["1000,000", "group", "decimals"],
  ["1,0000", "group", "decimals"],
  ["1 000", 100_000, 100_000],
  ["1\u202f000", 100_000, 100_000],
  ["1 00", "group", "group"],
  ["1 000,000", "group", "decimals"],
  ["1,000 000", "group", "form"],
  ["₱1,000", 100_000, "decimals"],
  ["₱ 12", 1200, 1200],
  ["$12", "form", "form"],
  ["12.", "form", "group"],
  ["12,", "group", "form"],
  [".5", "form", "form"],
  [",5", "form", "form"],
  ["1.2.3", "form", "group"],
  ["007", 700, 700],
  ["", "empty", "empty"],
  ["  ", "empty", "empty"],
  ["-5", "form", "form"],
  ["+5", "form", "form"],
  ["1e3", "form", "form"],
  ["0x10", "form", "form"],
  ["१२", "form", "form"],
  ["１２", "form", "form"],
  ["12k", "form", "form"],
  ["99999999999999999999", "large", "large"],
  ["10000000000.01", "large", "group"],
];

for (const [text, point, comma] of AMOUNTS) {
  test(`"${text}" is ${point} with a point, ${comma} with a comma`, () => {
    assert.equal(read(text, POINT), point);
    assert.equal(read(text, COMMA), comma);
  });
}

test("no text stands for two different amounts", () => {
  // What both understand is the same; what only one understands the other refuses.
  for (const [text] of AMOUNTS) {
    const [one, other] = [read(text, POINT), read(text, COMMA)];
    if (typeof one === "number" && typeof other === "number") assert.equal(one, other, text);
  }
  for (const whole of ["1", "12", "123", "1234"]) {
    for (const between of [".", ","]) {
      for (const rest of ["0", "00", "000", "5", "50", "500", "5000"]) {
        const text = `${whole}${between}${rest}`;
        const [one, other] = [read(text, POINT), read(text, COMMA)];
        assert(typeof one === "string" || typeof other === "string" || one === other, text);
      }
    }
  }
});

test("what is shown or filled in is read as the same amount", () => {
  for (const numerals of [POINT, COMMA, SPACED]) {
    for (const amount of [0, 1, 10, 99, 100, 101, 1250, 99_999, 100_000, 123_456_789, LARGEST]) {
      assert.equal(read(shown(amount, "PHP", numerals), numerals), amount);
      assert.equal(read(plain(amount, numerals), numerals), amount);
    }
  }
});

test("amounts as they are shown", () => {
  assert.equal(shown(1250, "PHP", POINT), "₱12.50");
  assert.equal(shown(125_000, "PHP", POINT), "₱1,250");
  assert.equal(shown(123_456_705, "USD", COMMA), "$1.234.567,05");
  assert.equal(shown(-500, "USD", POINT), "−$5");
});

test("a language says how numbers are written", () => {
  for (const language of ["en", "en-PH", "fil", "fil-PH"]) assert.deepEqual(numeralsOf(language), POINT);
  assert.deepEqual(numeralsOf("de"), COMMA);
  assert.deepEqual(numeralsOf("fr"), SPACED);
  assert.deepEqual(numeralsOf("no such language"), POINT);
});
