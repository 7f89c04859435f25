import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { openLink } from "@tapthru/chaos/load/visits/open-link";
import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { findOnPath } from "@tapthru/local/programs/on-path";
import { withTemporaryStack } from "@tapthru/local/test-servers/start-temporarily";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { Redis } from "ioredis";
import { codeOf, urlOf } from "./codes.ts";
import { compare } from "./compare.ts";
import { fillPostgres, fillRedis } from "./populate.ts";
import { type Servers, startServers } from "./servers.ts";
import { countSources, sourceShares } from "./sources.ts";
import { comparisonTable, type Line } from "./table.ts";
import { manyLinks, ONE_LINK, type Trial, UNKNOWN_CODES, WITHOUT_REDIS } from "./trials.ts";
import { AGENTS } from "./visits.ts";

const LINKS = [10 ** 3, 10 ** 5, 10 ** 7];
const LINKS_IN_POSTGRES = 10 ** 5;

/** Measures the redirect service relative to bare servers. */
export async function benchRedirect(signal: AbortSignal): Promise<string> {
  if (!findOnPath("wrk"))
    throw new UserFacingError("Missing: wrk. Install with `sudo apt-get install wrk`.");
  const machine = `${today()}, ${describeMachine()}.`;
  const lines = await withTemporaryStack(signal, async (folder, stack) =>
    measureAll(await startServers(folder, stack), signal),
  );
  return `${machine}\n\n${comparisonTable(lines)}`;
}

async function measureAll(servers: Servers, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  const measure = async (trial: Trial) => {
    signal.throwIfAborted();
    const line = await measureOne(servers, trial);
    lines.push(line);
    console.log(comparisonTable([line]).split("\n").at(-1));
    return line;
  };

  await fillRedis(servers.redisPort, 0, 1);
  for (const trial of ONE_LINK) {
    const { figures } = await measure(trial);
    if (trial.label === "a link in memory") await measure(atHalfRate(trial, figures.perSecond));
  }
  let linksInRedis = 0;
  for (const links of LINKS) {
    await fillRedis(servers.redisPort, linksInRedis, links);
    linksInRedis = links;
    for (const trial of manyLinks(links)) await measure(trial);
  }
  await measure(UNKNOWN_CODES);
  await fillPostgres(servers.databaseUrl, LINKS_IN_POSTGRES);
  await stopRedis(servers.redisPort);
  for (const trial of WITHOUT_REDIS) await measure(trial);
  return lines;
}

function atHalfRate(trial: Trial, perSecond: number): Trial {
  const half = Math.floor(perSecond / 2);
  return {
    ...trial,
    label: "the same at half of that rate",
    peer: null,
    visits: { ...trial.visits, perSecond: half },
  };
}

async function measureOne(servers: Servers, trial: Trial): Promise<Line> {
  const { label, server, peer, visits } = trial;
  await assertResponse(servers[server], trial);
  const before = await countSources(servers.adminPort);
  const comparison = await compare(servers[server], peer && servers[peer], visits);
  const after = await countSources(servers.adminPort);
  const residentBytes = await readMetric(servers.adminPort, "process_resident_memory_bytes");
  return { label, ...comparison, sources: sourceShares(before, after), residentBytes };
}

/** @throws for an unexpected response */
async function assertResponse(origin: string, { label, visits, status }: Trial): Promise<void> {
  const code = status === 404 ? (visits.letters ?? "").slice(0, 7) : codeOf(0);
  const headers = { "user-agent": AGENTS[visits.agent ?? "desktop"] };
  const visit = { shortCode: code, location: urlOf(0) };
  const { response } = await openLink(origin, visit, headers);
  const isExpected = status !== 302 || response?.location === urlOf(0);
  if (response?.status !== status || !isExpected) {
    throw new Error(`${label}: ${response?.status} ${response?.location}`);
  }
}

async function stopRedis(port: number): Promise<void> {
  const redis = new Redis({ port, retryStrategy: null });
  redis.on("error", () => {});
  await redis.shutdown("NOSAVE").catch(() => {});
  redis.disconnect();
}
