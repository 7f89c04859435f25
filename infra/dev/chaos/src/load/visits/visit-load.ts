import type { Trial } from "../../fault-case.ts";
import type { Exchange } from "../exchange.ts";
import { runLoad, startLoad } from "../load.ts";
import { type Visit, visitRequest } from "./visits.ts";

export interface VisitLoad {
  visits: readonly Visit[];
  perSecond: number;
}

/** Visits links repeatedly through nginx, at a constant rate, while `work` runs. */
export async function visitWhile<T>(
  { testbed, signal }: Trial,
  { visits, perSecond }: VisitLoad,
  work: () => Promise<T>,
): Promise<[visited: Exchange[], result: T]> {
  const requests = visits.map(visitRequest);
  const load = startLoad({ origin: testbed.url, perSecond, requests, total: null }, signal);
  const result = await work();
  load.stop();
  return [await load.done, result];
}

export async function visitFor(
  trial: Trial,
  visitLoad: VisitLoad,
  seconds: number,
): Promise<Exchange[]> {
  const wait = () => trial.pause(seconds * 1_000);
  const [visited] = await visitWhile(trial, visitLoad, wait);
  return visited;
}

/** Visits each link once, through nginx unless an origin is given. */
export function visitOnce(
  { testbed, signal }: Pick<Trial, "testbed" | "signal">,
  visits: readonly Visit[],
  perSecond: number,
  origin = testbed.url,
): Promise<Exchange[]> {
  const requests = visits.map(visitRequest);
  return runLoad({ origin, perSecond, requests, total: requests.length }, signal);
}
