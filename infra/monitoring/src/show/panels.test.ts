import { skipWithout } from "@tapthru/local/testing/skip-tests";
import { expect, it } from "vitest";
import { DASHBOARDS } from "../dashboards/catalogue.ts";
import { panelsOfEveryInstallation } from "../dashboards/dashboard.ts";
import type { Prometheus } from "./prometheus.ts";
import { queryPanel } from "./query-panel.ts";
import { withTrafficStack } from "./traffic-stack.ts";

/** Rules that are evaluated every 30 s need about a minute, longer on a busy machine. */
const WAIT = { timeout: 300_000, interval: 2_000 };

/** Includes start and stop of a whole stack. */
const STACK_TIMEOUT_MS = 900_000;

skipWithout("prometheus");

it(
  "every query of every panel returns data on a stack with traffic",
  async () => {
    const never = new AbortController().signal;
    const start = Date.now() / 1_000;
    await withTrafficStack(never, (prometheus) =>
      expect.poll(() => emptyQueries(prometheus, start), WAIT).toEqual([]),
    );
  },
  STACK_TIMEOUT_MS,
);

async function emptyQueries(prometheus: Prometheus, from: number): Promise<string[]> {
  const empty: string[] = [];
  for (const { title, panels } of DASHBOARDS) {
    for (const panel of panelsOfEveryInstallation(panels)) {
      const result = await queryPanel(prometheus, panel, from, Date.now() / 1_000);
      empty.push(...result.emptyQueries.map((expr) => `${title}: ${panel.title}: ${expr}`));
    }
  }
  return empty;
}
