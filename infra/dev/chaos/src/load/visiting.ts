import { setTimeout as delay } from "node:timers/promises";
import type { Trial } from "../fault-case.ts";
import type { Exchange } from "./exchange.ts";
import { startLoad } from "./load.ts";
import { type Visit, visitRequest } from "./visits.ts";

export interface Visiting {
  visits: readonly Visit[];
  perSecond: number;
  /** The gateway's unless given. */
  origin?: string;
}

type Needs = Pick<Trial, "testbed" | "signal">;

/** Visits links over and over at a steady rate for as long as something takes. */
export async function visitWhile<T>(
  { testbed, signal }: Needs,
  { visits, perSecond, origin = testbed.url }: Visiting,
  work: () => Promise<T>,
): Promise<[visited: Exchange[], result: T]> {
  const requests = visits.map(visitRequest);
  const load = startLoad({ origin, perSecond, requests, repeats: true }, signal);
  const result = await work();
  load.stop();
  return [await load.done, result];
}

export async function visitFor(
  needs: Needs,
  visiting: Visiting,
  seconds: number,
): Promise<Exchange[]> {
  const wait = () => delay(seconds * 1_000, undefined, { signal: needs.signal });
  const [visited] = await visitWhile(needs, visiting, wait);
  return visited;
}
