import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { Redis } from "ioredis";
import { fillPostgres, fillRedis } from "../redirect/populate.ts";
import type { Servers } from "../redirect/servers.ts";
import { comparisonTable, type Line } from "../redirect/table.ts";
import { visit } from "../redirect/visits.ts";
import { type Measure, withServers } from "../redirect/with-servers.ts";
import { memoryByMinute } from "./memory-minutes.ts";
import { manyLinks, UNKNOWN_CODES, WITHOUT_REDIS } from "./trials.ts";

const LINKS = [10 ** 3, 10 ** 5, 10 ** 7];
const LINKS_IN_POSTGRES = 10 ** 5;
/** Room for a million links. */
const LINK_CACHE_BYTES = "194000000";
const LINKS_IN_MEMORY = 10 ** 6;
/** A slow machine serves more visits of links that are not in memory. */
const VISITS_PER_SECOND = 11_000;

/** Measures redirects of many links and of unknown codes beside those of one link, and these beside a bare Fastify. */
export async function benchLinks(signal: AbortSignal): Promise<string> {
  const machine = `${today()}, ${describeMachine()}. \`LINK_CACHE_BYTES=${LINK_CACHE_BYTES}\`.`;
  const tables = await withServers(signal, measureAll, { LINK_CACHE_BYTES });
  return [machine, ...tables].join("\n\n");
}

async function measureAll(servers: Servers, measure: Measure): Promise<string[]> {
  const { redisPort, databaseUrl } = servers;
  const lines: Line[] = [];
  let linksInRedis = 0;
  for (const links of LINKS) {
    await fillRedis(redisPort, linksInRedis, links);
    linksInRedis = links;
    await visitEach(servers, Math.min(links, LINKS_IN_MEMORY));
    for (const trial of manyLinks(links)) lines.push(await measure(trial));
  }
  lines.push(await measure(UNKNOWN_CODES));
  const minutes = await memoryByMinute(servers, { links: linksInRedis, spread: "zipf" });
  await fillPostgres(databaseUrl, LINKS_IN_POSTGRES);
  await stopRedis(redisPort);
  lines.push(await measure(WITHOUT_REDIS));
  return [comparisonTable(lines), minutes];
}

/** Fills the memory. Of the links that Zipf's law prefers, the first ones, those that fit are in it then. */
async function visitEach({ service }: Servers, links: number): Promise<void> {
  const seconds = Math.ceil(links / VISITS_PER_SECOND);
  await visit(service.linksUrl, { links, spread: "each" }, seconds);
}

async function stopRedis(port: number): Promise<void> {
  const redis = new Redis({ port, retryStrategy: null });
  redis.on("error", () => {});
  await redis.shutdown("NOSAVE").catch(() => {});
  redis.disconnect();
}
