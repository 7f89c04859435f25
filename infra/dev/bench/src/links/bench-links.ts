import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { Redis } from "ioredis";
import { fillPostgres, fillRedis } from "../redirect/populate.ts";
import type { Servers } from "../redirect/servers.ts";
import { comparisonTable, type Line } from "../redirect/table.ts";
import { type Measure, withServers } from "../redirect/with-servers.ts";
import { manyLinks, UNKNOWN_CODES, WITHOUT_REDIS } from "./trials.ts";

const LINKS = [10 ** 3, 10 ** 5, 10 ** 7];
const LINKS_IN_POSTGRES = 10 ** 5;

/** Measures redirects of many links, of unknown codes and without Redis, beside a bare Fastify. */
export async function benchLinks(signal: AbortSignal): Promise<string> {
  const machine = `${today()}, ${describeMachine()}.`;
  const lines = await withServers(signal, measureAll);
  return `${machine}\n\n${comparisonTable(lines)}`;
}

async function measureAll({ redisPort, databaseUrl }: Servers, measure: Measure): Promise<Line[]> {
  const lines: Line[] = [];
  let linksInRedis = 0;
  for (const links of LINKS) {
    await fillRedis(redisPort, linksInRedis, links);
    linksInRedis = links;
    for (const trial of manyLinks(links)) lines.push(await measure(trial));
  }
  lines.push(await measure(UNKNOWN_CODES));
  await fillPostgres(databaseUrl, LINKS_IN_POSTGRES);
  await stopRedis(redisPort);
  lines.push(await measure(WITHOUT_REDIS));
  return lines;
}

async function stopRedis(port: number): Promise<void> {
  const redis = new Redis({ port, retryStrategy: null });
  redis.on("error", () => {});
  await redis.shutdown("NOSAVE").catch(() => {});
  redis.disconnect();
}
