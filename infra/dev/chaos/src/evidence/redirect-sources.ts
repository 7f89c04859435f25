import type { Trial } from "../fault-case.ts";
import { insertLinks, newCodes } from "../load/insert-links.ts";
import { openLink } from "../load/open-link.ts";
import type { Visit } from "../load/visits.ts";
import { redirectDoors } from "../testbed/places.ts";
import { secondsUntil } from "../until.ts";
import { readMetric } from "./metrics.ts";

const TRIES = 200;

/** How often a replica of the redirect has answered with what one of its sources knew. */
export function answersFrom(adminPort: number, source: "l1" | "redis" | "postgres") {
  return readMetric(adminPort, "tapthru_redirects_total", { source });
}

/** How long it takes until one replica finds in Redis what the other one has put there. */
export async function secondsUntilRedisServes({ testbed, signal }: Trial): Promise<number> {
  const links = await insertLinks(testbed.databaseUrl, newCodes(TRIES));
  const [first, second] = redirectDoors(testbed.places);
  async function isServing(): Promise<boolean> {
    const link = links.pop() as Visit;
    const before = await answersFrom(second.adminPort, "redis");
    await openLink(first.origin, link);
    await openLink(second.origin, link);
    return (await answersFrom(second.adminPort, "redis")) > before;
  }
  return secondsUntil(isServing, { withinMs: 20_000, everyMs: 100, signal });
}
