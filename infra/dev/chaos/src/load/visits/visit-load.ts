import { setTimeout as delay } from "node:timers/promises";
import type { Trial } from "../../fault-case.ts";
import type { Exchange } from "../exchange.ts";
import { startLoad } from "../load.ts";
import { type Visit, visitRequest } from "./visits.ts";

export interface VisitLoad {
  visits: readonly Visit[];
  perSecond: number;
  /** Default: the gateway. */
  origin?: string;
}

type VisitDeps = Pick<Trial, "testbed" | "signal">;

/** Visits links repeatedly at a constant rate while `work` runs. */
export async function visitWhile<T>(
  { testbed, signal }: VisitDeps,
  { visits, perSecond, origin = testbed.url }: VisitLoad,
  work: () => Promise<T>,
): Promise<[visited: Exchange[], result: T]> {
  const requests = visits.map(visitRequest);
  const load = startLoad({ origin, perSecond, requests, total: null }, signal);
  const result = await work();
  load.stop();
  return [await load.done, result];
}

export async function visitFor(
  deps: VisitDeps,
  visitLoad: VisitLoad,
  seconds: number,
): Promise<Exchange[]> {
  const wait = () => delay(seconds * 1_000, undefined, { signal: deps.signal });
  const [visited] = await visitWhile(deps, visitLoad, wait);
  return visited;
}
