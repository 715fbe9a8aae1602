import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceName } from "../src/app/device.js";
import { numeralsFor, preferencesOf } from "../src/app/preferences.js";
import { hashOf, routeOf } from "../src/app/route.js";
import { configOf } from "../src/config.js";
import { COMMA, POINT } from "../src/money/numerals.js";

const CONFIG = {
  ws: "wss://room.example/room",
  cognito: { endpoint: null, region: "eu-west-1", clientId: "abc", userPoolId: "eu-west-1_x" },
  local: false,
};

test("a config.json is taken as it is meant", () => {
  assert.deepEqual(configOf(CONFIG), CONFIG);
  assert.deepEqual(configOf({ ...CONFIG, more: 1, local: "yes" }), CONFIG);
  const local = {
    ...CONFIG,
    ws: "ws://127.0.0.1:1/x",
    cognito: { ...CONFIG.cognito, endpoint: "http://127.0.0.1:4566" },
    local: true,
  };
  assert.deepEqual(configOf(local), local);
});

test("what is no config is refused", () => {
  const bad = [null, "x", {}, { ...CONFIG, ws: "https://x" }, { ...CONFIG, ws: 1 }, { ...CONFIG, cognito: {} }];
  for (const value of [...bad, { ...CONFIG, cognito: { ...CONFIG.cognito, endpoint: "javascript:alert(1)" } }]) {
    assert.throws(() => configOf(value), TypeError, JSON.stringify(value));
  }
});

test("an address names a page, and each page its address", () => {
  for (const route of [{ page: "lobby" }, { page: "account" }, { page: "table", table: "php-5-10-1" }] as const) {
    assert.deepEqual(routeOf(hashOf(route)), route);
  }
  for (const hash of ["", "#", "#/x", "#/table/", "#/table/<b>", "#/table/a/b", `#/table/${"a".repeat(33)}`]) {
    assert.deepEqual(routeOf(hash), { page: "lobby" });
  }
});

test("what is kept of preferences is taken where it makes sense", () => {
  const usual = preferencesOf(null, ["fil-PH"]);
  assert.equal(usual.language, "fil");
  assert.equal(usual.theme, "system");
  const kept = { language: "en", theme: "pink", fourColours: true, sound: 1, volume: 7, keys: false, numerals: "," };
  assert.deepEqual(preferencesOf(kept, ["fil"]), {
    ...usual,
    language: "en",
    fourColours: true,
    keys: false,
    numerals: ",",
  });
});

test("amounts are written as the device has it, or as is preferred", () => {
  assert.deepEqual(numeralsFor("auto", ["de-DE", "en"]), COMMA);
  assert.deepEqual(numeralsFor("auto", []), POINT);
  assert.deepEqual(numeralsFor(".", ["de"]), POINT);
  assert.deepEqual(numeralsFor(",", ["en"]), COMMA);
});

test("a device has one name, drawn once and kept where it can be", () => {
  const kept = new Map<string, string>();
  const box = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  let drawn = 0;
  const draw = (bytes: Uint8Array) => void bytes.fill(++drawn);
  assert.equal(deviceName(box, draw), "01".repeat(16));
  assert.equal(deviceName(box, draw), "01".repeat(16));
  kept.set("cardroom.device", "something else");
  assert.equal(deviceName(box, draw), "02".repeat(16));
  const full = {
    ...box,
    getItem: () => null,
    setItem: () => {
      throw new Error("no room");
    },
  };
  assert.equal(deviceName(full, draw), null);
});
