import { setInterval } from "node:timers";
import { Pool } from "undici";
import type { Exchange, LoadPlan, LoadRequest } from "./exchange.ts";
import { sendRequest } from "./send-request.ts";

/** Longer than the gateway's timeout for a service. */
const RESPONSE_TIMEOUT_MS = 15_000;
const TICK_MS = 2;

/** A single message with all exchanges would block the parent, which also probes the services, for seconds. */
const EXCHANGES_PER_MESSAGE = 2_000;

/** Runs as a separate process: sends all exchanges to its parent when the load has ended. */
process.once("message", (plan: LoadPlan) => {
  void sendLoad(plan).then((exchanges) => {
    for (let sent = 0; sent < exchanges.length; sent += EXCHANGES_PER_MESSAGE)
      process.send?.(exchanges.slice(sent, sent + EXCHANGES_PER_MESSAGE));
    process.send?.([], () => process.disconnect());
  });
});
process.once("disconnect", () => process.exit());

/** Open model: a request is sent when it is due, regardless of earlier responses. */
async function sendLoad({ origin, perSecond, requests, ...plan }: LoadPlan): Promise<Exchange[]> {
  const pool = new Pool(origin, {
    connections: null,
    connect: { timeout: 5_000 },
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: RESPONSE_TIMEOUT_MS,
  });
  const total = plan.total ?? Number.POSITIVE_INFINITY;
  const exchanges: Promise<Exchange>[] = [];
  const begin = performance.now();
  const sinceBegin = () => performance.now() - begin;

  async function exchange(number: number): Promise<Exchange> {
    const index = number % requests.length;
    const dueAtMs = (number * 1_000) / perSecond;
    const response = await sendRequest(pool, requests[index] as LoadRequest);
    return { index, dueAtMs, tookMs: sinceBegin() - dueAtMs, response };
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
