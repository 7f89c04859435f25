import type { Trial } from "../fault-case.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/visits/open-link.ts";
import type { Visit } from "../load/visits/visits.ts";
import { redirectEndpoints } from "../testbed/testbed-config.ts";
import { readMetric } from "./metrics.ts";

const MAX_PROBES = 200;

/** Redirects that a replica has served from one source. */
export function countRedirectsFrom(adminPort: number, source: "l1" | "redis" | "postgres") {
  return readMetric(adminPort, "tapthru_redirects_total", { source });
}

/** Seconds until one replica serves a record from Redis that the other replica has written. */
export async function secondsUntilRedisServes({ testbed, secondsUntil }: Trial): Promise<number> {
  const links = await insertLinks(testbed.databaseUrl, newCodes(MAX_PROBES));
  const [first, second] = redirectEndpoints(testbed.config);
  async function isServing(): Promise<boolean> {
    const link = links.pop() as Visit;
    const before = await countRedirectsFrom(second.adminPort, "redis");
    await openLink(first.origin, link);
    await openLink(second.origin, link);
    return (await countRedirectsFrom(second.adminPort, "redis")) > before;
  }
  return secondsUntil(isServing, 20_000, 100);
}
