import { setInterval } from "node:timers";
import { Pool } from "undici";
import { createRandom, type Random } from "../../random.ts";
import type { ClickLoadPlan, ClickOutcome, ClickVisit } from "./click-load.ts";
import { VISIT_KINDS, type VisitKind } from "./visit-kinds.ts";

const TICK_MS = 5;
const TIMEOUT_MS = 15_000;
/** Visits without an outcome yet, so that a stopped replica does not let them pile up. */
const MAX_WAITING = 1_000;
const VISITS_PER_MESSAGE = 5_000;

/** Runs as a separate process: sends the visits to its parent. */
process.once("message", (plan: ClickLoadPlan) => {
  void visitLinks(plan).then(() => process.send?.([], () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

async function visitLinks({ origins, codesBySecond, perSecond, visits, seed }: ClickLoadPlan) {
  const random = createRandom(seed);
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const pools = origins.map((origin) => new Pool(origin, { connections: null, ...timeouts }));
  const begin = performance.now();
  let unsent: ClickVisit[] = [];
  let started = 0;
  let waiting = 0;
  let served = 0;

  async function visit(number: number, second: number): Promise<void> {
    const codes = codesBySecond[second % codesBySecond.length] ?? [];
    const code = codes[Math.floor(random() * codes.length)] ?? "";
    const kind = chooseKind(random);
    const replica = number % pools.length;
    waiting++;
    const outcome = await outcomeOf(pools[replica] as Pool, VISIT_KINDS[kind] as VisitKind, code);
    waiting--;
    if (outcome === "served") served++;
    unsent.push({ at: Date.now(), replica, code, kind, outcome });
    if (unsent.length >= VISITS_PER_MESSAGE) sendVisits();
  }

  function sendVisits(): void {
    process.send?.(unsent);
    unsent = [];
  }

  await new Promise<void>((resolve) => {
    const ticker = setInterval(() => {
      const elapsedMs = performance.now() - begin;
      const due = served < visits ? Math.floor((elapsedMs * perSecond) / 1_000) : 0;
      while (started < due && waiting < MAX_WAITING)
        void visit(started++, Math.floor(elapsedMs / 1_000));
      if (served < visits || waiting > 0) return;
      clearInterval(ticker);
      resolve();
    }, TICK_MS);
  });
  sendVisits();
}

function chooseKind(random: Random): number {
  let rest = random();
  const chosen = VISIT_KINDS.findIndex(({ share }) => {
    rest -= share;
    return rest < 0;
  });
  return Math.max(chosen, 0);
}

async function outcomeOf(
  pool: Pool,
  { method, query, headers }: VisitKind,
  code: string,
): Promise<ClickOutcome> {
  try {
    const path = `/l/${code}${query}`;
    const { statusCode, body } = await pool.request({ method, path, headers });
    await body.dump();
    return statusCode === 200 || statusCode === 302 ? "served" : "refused";
  } catch (error) {
    const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
    return isRefused ? "refused" : "no response";
  }
}
