import { setInterval } from "node:timers";
import { Pool } from "undici";
import { createRandom } from "../../random.ts";
import { chooseOperation, type Operation, type Send } from "./operations.ts";
import { Pace } from "./pace.ts";
import type { SoakPlan } from "./soak-load.ts";
import { createWindows } from "./windows.ts";

const TICK_MS = 2;
const TIMEOUT_MS = 15_000;
/** An operation that is due while this many wait for a response is not sent, and fails. */
const MAX_WAITING = 1_000;

/** Runs as a separate process: sends a window to its parent as soon as it has ended. */
process.once("message", (plan: SoakPlan) => {
  void sendOperations(plan).then((last) => process.send?.(last, () => process.disconnect()));
});
process.once("disconnect", () => process.exit());

async function sendOperations(plan: SoakPlan) {
  const { origin, perSecond, total, windowSeconds, seed } = plan;
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
  const pool = new Pool(origin, { connections: null, ...timeouts });
  const random = createRandom(seed);
  const windows = createWindows();
  const pace = new Pace(perSecond);
  const begin = performance.now();
  const elapsedMs = () => performance.now() - begin;
  let started = 0;
  let waiting = 0;
  let windowEndS = windowSeconds;

  const send: Send = async (request) => {
    const { statusCode, headers, body } = await pool.request(request);
    const { location } = headers;
    return {
      status: statusCode,
      location: typeof location === "string" ? location : null,
      cookie: [headers["set-cookie"] ?? []].flat().map(nameAndValue).join("; "),
      body: await body.text(),
    };
  };

  async function run({ group, run }: Operation, dueAtMs: number): Promise<void> {
    if (waiting >= MAX_WAITING) return windows.add(group, 0, "not sent in time");
    waiting++;
    const failure = await run(send).catch((error: unknown) => `no response: ${error}`);
    waiting--;
    windows.add(group, elapsedMs() - dueAtMs, failure);
  }

  await new Promise<void>((resolve) => {
    const ticker = setInterval(() => {
      const due = Math.min(total, pace.tick(elapsedMs()));
      for (; started < due; started++)
        void run(chooseOperation(plan, random), pace.dueAtMs(started));
      if (elapsedMs() >= windowEndS * 1_000) {
        process.send?.(windows.end(windowEndS, pace.pausedMs));
        windowEndS += windowSeconds;
      }
      if (started < total || waiting > 0) return;
      clearInterval(ticker);
      resolve();
    }, TICK_MS);
  });
  return windows.end(elapsedMs() / 1_000, pace.pausedMs);
}

function nameAndValue(cookie: string): string {
  return cookie.split(";", 1)[0] ?? "";
}
