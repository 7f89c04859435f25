import { expect, it } from "vitest";
import { recoveryMs } from "./recovery.ts";

const exchange = (dueAtMs: number, tookMs: number) => ({ index: 0, dueAtMs, tookMs, answer: null });
const isQuick = ({ tookMs }: { tookMs: number }) => tookMs <= 250;

it("lasts until the last request that did not go well was over", () => {
  const exchanges = [exchange(0, 900), exchange(100, 10), exchange(200, 300), exchange(300, 10)];

  expect(recoveryMs(exchanges, isQuick)).toBe(900);
});

it("is over at once when all go well", () => {
  expect(recoveryMs([exchange(500, 10)], isQuick)).toBe(0);
});
