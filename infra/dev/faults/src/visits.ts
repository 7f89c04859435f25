import { expect } from "vitest";
import { insertLinks, insertLinksInRedis, type TestLink } from "./links.ts";
import type { Testbed } from "./testbed.ts";

const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Visitors at a time. */
const VISITORS = 8;

/** "302" if the visitor gets to the link's exact destination, otherwise what they get. */
export async function visit(origin: string, { shortCode, location }: TestLink): Promise<string> {
  try {
    const response = await fetch(`${origin}/l/${shortCode}`, {
      headers: { "user-agent": DESKTOP },
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
    await response.arrayBuffer();
    const { status } = response;
    if (status === 302 && response.headers.get("location") !== location)
      return `302 to ${response.headers.get("location")}`;
    return status === 503 && !response.headers.has("retry-after") ? "503 without Retry-After" : String(status);
  } catch (error) {
    return String(error);
  }
}

/** Visits each link once. @returns what visitors got: each different response once */
export async function visitAll(origin: string, links: readonly TestLink[]): Promise<string[]> {
  const results: string[] = [];
  let next = 0;
  const visitor = async () => {
    for (let link = links[next++]; link; link = links[next++]) results.push(await visit(origin, link));
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
  return [...new Set(results)];
}

/**
 * Visits links again and again while `work` runs. `round` resolves when each link was visited once more.
 * @returns what visitors got: each different response once
 */
export async function visitWhile(
  origin: string,
  links: readonly TestLink[],
  work: (round: () => Promise<void>) => Promise<void>,
): Promise<string[]> {
  const results = new Set<string>();
  let rounds = 0;
  const visitOnce = async () => {
    for (const result of await visitAll(origin, links)) results.add(result);
    rounds++;
  };
  await repeatDuring(visitOnce, () =>
    work(async () => {
      const end = rounds + 2;
      await expect.poll(() => rounds).toBeGreaterThanOrEqual(end);
    }),
  );
  return [...results];
}

/** Repeats the task while `work` runs, also if that fails. */
export async function repeatDuring<Result>(task: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const repeating = (async () => {
    while (!isOver) await task();
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await repeating;
  }
}

export async function warm(origins: readonly string[], links: readonly TestLink[]): Promise<void> {
  for (const origin of origins) await expect.poll(() => visitAll(origin, links)).toEqual(["302"]);
}

/** Inserts links, and brings them into Redis and into the memory of both redirects. */
export async function insertWarmLinks({ databaseUrl, redirects }: Testbed, count: number): Promise<TestLink[]> {
  const links = await insertLinksInRedis(databaseUrl, count);
  await warm(redirects, links);
  return links;
}

/** Waits until one redirect serves from Redis what the other one wrote there. */
export async function untilRedisServes({ databaseUrl, redirects, metric }: Testbed): Promise<void> {
  const fromRedis = () => metric("redirect-2", "tapthru_redirects_total", 'source="redis"');
  const before = await fromRedis();
  await expect
    .poll(async () => {
      const newLink = await insertLinks(databaseUrl, 1);
      for (const origin of redirects) await visitAll(origin, newLink);
      return fromRedis();
    })
    .toBeGreaterThan(before);
}
