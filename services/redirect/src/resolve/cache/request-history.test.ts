import { expect, it } from "vitest";
import { RequestHistory } from "./request-history.ts";

it("detects a code from its second request on", () => {
  const history = new RequestHistory(1_000);
  expect(history.isRepeated("abc2345")).toBe(false);
  expect(history.isRepeated("abc2346")).toBe(false);
  expect(history.isRepeated("abc2345")).toBe(true);
  expect(history.isRepeated("abc2345")).toBe(true);
});

it("drops a code after many newer ones", () => {
  const history = new RequestHistory(1_000);
  history.isRepeated("abc2345");
  for (let i = 0; i < 100_000; i++) history.isRepeated(`code${i}`);
  expect(history.isRepeated("abc2345")).toBe(false);
  expect(history.bytes).toBe(512 * 4);
});
