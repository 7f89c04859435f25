import { readMetric } from "@tapthru/chaos/evidence/metrics";

const SOURCES = ["l1", "redis", "postgres", "none"] as const;

export type Counts = Record<(typeof SOURCES)[number], number>;

/** Counts the responses of the service by source since its start. */
export async function countSources(adminPort: number): Promise<Counts> {
  const counts = SOURCES.map(async (source) => {
    return [source, await readMetric(adminPort, "tapthru_redirects_total", { source })] as const;
  });
  return Object.fromEntries(await Promise.all(counts)) as Counts;
}

/** The share of each source, such as "l1 80 %, redis 20 %"; shares below 0.1 % are omitted. */
export function sourceShares(before: Counts, after: Counts): string {
  const grown = SOURCES.map((source) => [source, after[source] - before[source]] as const);
  const all = grown.reduce((sum, [, count]) => sum + count, 0);
  return grown
    .filter(([, count]) => count > all / 1_000)
    .map(([source, count]) => `${source} ${((100 * count) / all).toFixed(1)} %`)
    .join(", ");
}
