import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { RedisBudget } from "./budget.ts";

const late = () => new Error("late");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const reply = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, "reply"));

it("rejects work that takes longer than what earlier work has left of it", async () => {
  const budget = new RedisBudget(250);
  const first = budget.spend(reply(100), late);
  await vi.advanceTimersByTimeAsync(100);
  expect(await first).toBe("reply");
  const second = expect(budget.spend(reply(200), late)).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(149);
  expect(budget.isSpent).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(budget.isSpent).toBe(true);
});

it("counts concurrent waits once", async () => {
  const budget = new RedisBudget(250);
  const works = Array.from({ length: 10 }, () => budget.spend(reply(200), late));
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all(works);
  expect(budget.isSpent).toBe(false);
});

it("rejects all concurrent waits that it does not suffice for", async () => {
  const budget = new RedisBudget(250);
  const works = [200, 300, 400].map((ms) => budget.spend(reply(ms), late));
  const outcomes = Promise.allSettled(works);
  await vi.advanceTimersByTimeAsync(400);
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses).toEqual(["fulfilled", "rejected", "rejected"]);
});
