import { setInterval } from "node:timers";
import type { Answer } from "./exchange.ts";
import { openLink } from "./open-link.ts";
import type { Visit } from "./visits.ts";

/** One answer of a replica, and when; in Unix milliseconds. */
export interface Observation {
  origin: string;
  sentAt: number;
  answeredAt: number;
  answer: Answer | null;
}

export interface Watch {
  observations: readonly Observation[];
  /** Asks no more, and waits for the answers that are due. */
  stop(): Promise<void>;
}

/** Opens a link at each of these replicas, so often a second, each time at once. */
export function watchLink(
  origins: readonly string[],
  visit: Visit,
  perSecond: number,
  headers: Record<string, string> = {},
): Watch {
  const observations: Observation[] = [];
  const open = new Set<Promise<void>>();
  async function look(origin: string): Promise<void> {
    const sentAt = unixMs();
    const { answer } = await openLink(origin, visit, headers);
    observations.push({ origin, sentAt, answeredAt: unixMs(), answer });
  }
  const timer = setInterval(() => {
    for (const origin of origins) {
      const looking = look(origin).finally(() => open.delete(looking));
      open.add(looking);
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

/** With fractions. */
export function unixMs(): number {
  return performance.timeOrigin + performance.now();
}
