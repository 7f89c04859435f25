import { setInterval } from "node:timers";
import { Pool } from "undici";
import type { Exchange, LoadPlan, LoadRequest } from "./exchange.ts";
import { ask } from "./send-request.ts";

/** Longer than the gateway waits for a service. */
const ANSWER_WITHIN_MS = 15_000;
const TICK_MS = 2;

/** The load's own process: tells its parent of every exchange once the load is over. */
process.once("message", (plan: LoadPlan) => {
  void drive(plan).then((exchanges) => {
    process.send?.(exchanges, () => process.disconnect());
  });
});
process.once("disconnect", () => process.exit());

/** Open model: a request leaves when it is due, whatever became of those before it. */
async function drive({ origin, perSecond, requests, repeats }: LoadPlan): Promise<Exchange[]> {
  const pool = new Pool(origin, {
    connections: null,
    connect: { timeout: 5_000 },
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  });
  const total = repeats ? Number.POSITIVE_INFINITY : requests.length;
  const exchanges: Promise<Exchange>[] = [];
  const begin = performance.now();
  const sinceBegin = () => performance.now() - begin;

  async function exchange(number: number): Promise<Exchange> {
    const index = number % requests.length;
    const dueAtMs = (number * 1_000) / perSecond;
    const answer = await ask(pool, requests[index] as LoadRequest);
    return { index, dueAtMs, tookMs: sinceBegin() - dueAtMs, answer };
  }

  await new Promise<void>((resolve) => {
    const ticker = setInterval(() => {
      const due = Math.min(total, Math.floor((sinceBegin() * perSecond) / 1_000) + 1);
      while (exchanges.length < due) exchanges.push(exchange(exchanges.length));
      if (exchanges.length === total) end();
    }, TICK_MS);
    const end = () => {
      clearInterval(ticker);
      resolve();
    };
    process.once("message", end);
  });
  return Promise.all(exchanges);
}
