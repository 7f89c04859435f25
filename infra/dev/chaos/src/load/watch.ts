import { setInterval } from "node:timers";
import type { HttpResponse } from "./exchange.ts";
import { openLink } from "./visits/open-link.ts";
import type { Visit } from "./visits/visits.ts";

/** One response of a replica, with its times in Unix milliseconds. */
export interface Observation {
  origin: string;
  sentAt: number;
  receivedAt: number;
  response: HttpResponse | null;
}

export interface Watch {
  observations: readonly Observation[];
  /** Stops sending requests, and waits for outstanding responses. */
  stop(): Promise<void>;
}

/** Visits a link at all replicas at the same time, at a constant rate. */
export function watchLink(
  origins: readonly string[],
  visit: Visit,
  perSecond: number,
  headers: Record<string, string> = {},
): Watch {
  const observations: Observation[] = [];
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    for (const origin of origins) {
      const pending = observe(origin, visit, headers).then((observation) => {
        observations.push(observation);
        open.delete(pending);
      });
      open.add(pending);
    }
  }, 1_000 / perSecond);
  return {
    observations,
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
    },
  };
}

export async function observe(
  origin: string,
  visit: Visit,
  headers: Record<string, string> = {},
): Promise<Observation> {
  const sentAt = unixMs();
  const { response } = await openLink(origin, visit, headers);
  return { origin, sentAt, receivedAt: unixMs(), response };
}

/** The current time in Unix milliseconds, with a fractional part. */
export function unixMs(): number {
  return performance.timeOrigin + performance.now();
}
