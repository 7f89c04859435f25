import { expect, it } from "vitest";
import { isKey, keyStart, randomKey } from "./key-text.ts";

it("a key has the prefix, 30 random characters and a checksum of six", () => {
  const keys = Array.from({ length: 100 }, randomKey);
  for (const key of keys) expect(key).toMatch(/^tt_[0-9A-Za-z]{36}$/);
  expect(new Set(keys).size).toBe(100);
  expect(keys.every(isKey)).toBe(true);
});

it("has a known checksum, so that scanners of others agree", () => {
  expect(isKey("tt_0000000000000000000000000000002C8GjS")).toBe(true);
});

it("refuses a text with another checksum, prefix or length", () => {
  const key = randomKey();
  const last = key.endsWith("0") ? "1" : "0";
  for (const text of [
    key.slice(0, -1) + last,
    key.slice(0, 3) + key.slice(4, 5) + key.slice(3, 4) + key.slice(5).toLowerCase(),
    `TT_${key.slice(3)}`,
    `${key}0`,
    key.slice(0, -1),
    ` ${key}`,
    `${key}\n`,
    "tt_",
  ]) {
    expect([text, isKey(text)]).toEqual([text, false]);
  }
});

it("the start shows four of the random characters", () => {
  const key = randomKey();
  expect(keyStart(key)).toBe(key.slice(0, 7));
});
