import { expect, it } from "vitest";
import { Semaphore } from "./semaphore.ts";

const LONG = 60_000;

it("lets in as many as it has places, and the next when one leaves", async () => {
  const semaphore = new Semaphore(2, 10);
  expect(await Promise.all([semaphore.enter(LONG), semaphore.enter(LONG)])).toEqual([true, true]);
  const order: string[] = [];
  const waiting = ["third", "fourth"].map((name) =>
    semaphore.enter(LONG).then(() => order.push(name)),
  );
  expect(semaphore.waiting).toBe(2);
  semaphore.leave();
  await waiting[0];
  expect(order).toEqual(["third"]);
  semaphore.leave();
  await waiting[1];
  expect(order).toEqual(["third", "fourth"]);
});

it("refuses who waits too long, and the place goes to the next in line", async () => {
  const semaphore = new Semaphore(1, 10);
  await semaphore.enter(LONG);
  const impatient = semaphore.enter(1);
  const patient = semaphore.enter(LONG);
  expect(await impatient).toBe(false);
  expect(semaphore.waiting).toBe(1);
  semaphore.leave();
  expect(await patient).toBe(true);
});

it("refuses at once when the line is too long", async () => {
  const semaphore = new Semaphore(1, 1);
  await semaphore.enter(LONG);
  const waiting = semaphore.enter(LONG);
  expect(await semaphore.enter(LONG)).toBe(false);
  semaphore.leave();
  expect(await waiting).toBe(true);
});

it("keeps the places that nobody waited for", async () => {
  const semaphore = new Semaphore(1, 0);
  await semaphore.enter(LONG);
  semaphore.leave();
  expect(await semaphore.enter(LONG)).toBe(true);
  expect(await semaphore.enter(LONG)).toBe(false);
});
