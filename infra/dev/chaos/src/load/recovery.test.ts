import { expect, it } from "vitest";
import { recoveryMs } from "./recovery.ts";

const exchange = (dueAtMs: number, tookMs: number) => ({
  index: 0,
  dueAtMs,
  tookMs,
  response: null,
});
const isQuick = ({ tookMs }: { tookMs: number }) => tookMs <= 250;

it("lasts until the end of the last failed request", () => {
  const exchanges = [exchange(0, 900), exchange(100, 10), exchange(200, 300), exchange(300, 10)];

  expect(recoveryMs(exchanges, isQuick)).toBe(900);
});

it("is 0 when all requests succeed", () => {
  expect(recoveryMs([exchange(500, 10)], isQuick)).toBe(0);
});
