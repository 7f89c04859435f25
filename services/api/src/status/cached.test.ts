import { expect, it } from "vitest";
import { cached } from "./status.ts";

const LIFETIME_MS = 1_000;

/** Replies of a function that returns how often it was called. */
function createCounter() {
  let time = 0;
  let count = 0;
  const read = cached(
    LIFETIME_MS,
    async () => {
      count++;
      if (count === 1) throw new Error("unavailable");
      return count;
    },
    () => time,
  );
  return { read, passTime: (ms: number) => (time += ms) };
}

it("reads once for calls at the same time and until the lifetime ends, and again after a failure", async () => {
  const { read, passTime } = createCounter();
  await expect(read()).rejects.toThrow("unavailable");
  expect(await Promise.all([read(), read()])).toEqual([2, 2]);
  passTime(LIFETIME_MS - 1);
  expect(await read()).toBe(2);
  passTime(1);
  expect(await read()).toBe(3);
});
