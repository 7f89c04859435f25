import { describe, expect, it } from "vitest";
import { findCapacity } from "./find-capacity.ts";
import type { SoakPlan, SoakWindow } from "./soak-load.ts";

const PLAN = {
  ...{ origin: "http://127.0.0.1:9", windowSeconds: 1, seed: 7 },
  ...{ codes: [], warmLinks: 0, owner: null },
};

/** The window of a run in which this part of the operations was bad. */
function windowOf(
  total: number,
  bad: { failed?: number; late?: number },
  pausedMs = 0,
): SoakWindow {
  const failed = Math.floor(total * (bad.failed ?? 0));
  const late = Math.floor(total * (bad.late ?? 0));
  const figures = { operations: total, failed, late, p50Ms: 1, p99Ms: 2 };
  return { endS: 1, pausedMs, groups: { warm: figures }, failures: [] };
}

/** Finds the capacity of a stack that responds to each run as given. Returns it with the rates that were sent. */
async function capacityOf(
  respond: (plan: SoakPlan, run: number) => SoakWindow,
  enough?: number,
): Promise<{ capacity: number; rates: number[]; log: string[] }> {
  const rates: number[] = [];
  const log: string[] = [];
  const send = async (plan: SoakPlan) => {
    rates.push(plan.perSecond);
    return [respond(plan, rates.length)];
  };
  const signal = new AbortController().signal;
  const capacity = await findCapacity(
    { send, signal, log: (text) => void log.push(text) },
    PLAN,
    enough,
  );
  return { capacity, rates, log };
}

const servesUpTo = (capacity: number) => (plan: SoakPlan) =>
  windowOf(plan.total, { failed: plan.perSecond > capacity ? 0.5 : 0 });

describe("the capacity", () => {
  it("is the highest rate that is served, each half as high again as the one before", async () => {
    const { capacity, rates } = await capacityOf(servesUpTo(100));
    expect(rates).toEqual([20, 20, 30, 45, 67.5, 101.25]);
    expect(capacity).toBe(67.5);
  });

  it.each([
    ["5 % fail", { failed: 0.05 }, 45],
    ["over 5 % fail", { failed: 0.06 }, 30],
    ["over 5 % are late", { late: 0.06 }, 30],
    ["over 5 % fail or are late", { failed: 0.03, late: 0.03 }, 30],
  ])("of a stack in which at 45 per second %s", async (_, bad, expected) => {
    const { capacity } = await capacityOf(({ perSecond, total }) =>
      windowOf(total, perSecond > 45 ? { failed: 1 } : perSecond === 45 ? bad : {}),
    );
    expect(capacity).toBe(expected);
  });

  it("is below a rate that the load generator cannot send", async () => {
    const { capacity } = await capacityOf(({ perSecond, total }) =>
      windowOf(total, {}, perSecond > 30 ? 4_001 : 4_000),
    );
    expect(capacity).toBe(30);
  });

  it("is not searched beyond what is enough", async () => {
    const { capacity, rates } = await capacityOf(servesUpTo(1_000_000), 40);
    expect(capacity).toBe(45);
    expect(rates).toEqual([20, 20, 30, 45]);
  });

  it("does not depend on failures of the first run, which warms the stack up", async () => {
    const { capacity, log } = await capacityOf(({ total }, run) =>
      windowOf(total, { failed: run === 2 ? 0 : 1 }),
    );
    expect(capacity).toBe(20);
    expect(log).toEqual([
      "20 operations per second: 0 of 80 failed or late",
      "30 operations per second: 120 of 120 failed or late",
    ]);
  });

  it("is unknown if not even the first rate is served", async () => {
    await expect(capacityOf(servesUpTo(19))).rejects.toThrow(
      "20 operations per second are above the capacity",
    );
  });
});
