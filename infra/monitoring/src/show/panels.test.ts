import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { expect, it } from "vitest";
import { DASHBOARDS } from "../dashboards/catalogue.ts";
import { queryPanel } from "./ask-panel.ts";
import type { Prometheus } from "./prometheus.ts";
import { onVisitedStack } from "./visited-stack.ts";

/** Rules that are evaluated twice a minute want a minute, and that on a busy machine. */
const SOON = { timeout: 300_000, interval: 2_000 };

/** A whole stack starts before, and stops after. */
const STACK_TIMEOUT_MS = 900_000;

skipWithout("prometheus");

it(
  "every query of every panel gives data on a stack that is visited",
  async () => {
    const never = new AbortController().signal;
    const start = Date.now() / 1_000;
    await onVisitedStack(never, (prometheus) =>
      expect.poll(() => silentQueries(prometheus, start), SOON).toEqual([]),
    );
  },
  STACK_TIMEOUT_MS,
);

async function silentQueries(prometheus: Prometheus, from: number): Promise<string[]> {
  const silent: string[] = [];
  for (const { title, panels } of DASHBOARDS) {
    for (const panel of panels) {
      const answer = await queryPanel(prometheus, panel, from, Date.now() / 1_000);
      silent.push(...answer.silentQueries.map((expr) => `${title}: ${panel.title}: ${expr}`));
    }
  }
  return silent;
}
