import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { onPath } from "@tapthru/local/programs/on-path";
import { createStack } from "@tapthru/local/stack/stack";
import { createTestRun } from "@tapthru/local/test-servers/test-run";
import { UserFacingError } from "@tapthru/local/user-facing-error";
import { Redis } from "ioredis";
import type { ReportChapter } from "../report/benchmarks-page.ts";
import { addressOf, codeOf } from "./codes.ts";
import { compare } from "./compare.ts";
import { fillPostgres, fillRedis } from "./populate.ts";
import { type Servers, startServers } from "./servers.ts";
import { countSources, sourceShares } from "./sources.ts";
import { type Line, table } from "./table.ts";
import { manyLinks, ONE_LINK, type Trial, UNKNOWN_CODES, WITHOUT_REDIS } from "./trials.ts";
import { look } from "./visits.ts";

const LINKS = [10 ** 3, 10 ** 5, 10 ** 7];
const LINKS_IN_POSTGRES = 10 ** 5;

const EXPLANATION = `
\`pnpm bench redirect\` starts the real service with everything on, beside a Fastify and an nginx that do
nothing but send a redirect. These have one core to themselves; wrk with 32 connections, Redis and Postgres
share the others. Each line is the median of three rounds; its ratio is to the bare Fastify, visited by
turns with the same script. Latencies are wrk's, under as much load as the server takes unless said.
Memory is the redirect process's in every line, with these 32 connections. A replica that has had more open
needs more: 190 MiB after 600, 218 MiB after 4,000 connections (2026-11-21, visits of all kinds to 100,000 links).
`;

/** The redirect service beside servers that do nothing. */
export async function benchRedirect(signal: AbortSignal): Promise<ReportChapter> {
  if (!onPath("wrk"))
    throw new UserFacingError("Missing: wrk. Install with `sudo apt-get install wrk`.");
  const machine = `${today()}, ${describeMachine()}.`;
  const run = await createTestRun();
  const stack = createStack(run.ledger, signal);
  process.once("exit", stack.kill);
  try {
    const lines = await measureAll(await startServers(run.folder, stack), signal);
    return {
      subject: "The redirect",
      text: `${EXPLANATION.trim()}\n\n${machine}\n\n${table(lines)}`,
    };
  } finally {
    await stack.stop();
    process.off("exit", stack.kill);
    await run.remove();
  }
}

async function measureAll(servers: Servers, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  const measure = async (trial: Trial) => {
    signal.throwIfAborted();
    const line = await measureOne(servers, trial);
    lines.push(line);
    console.log(table([line]).split("\n").at(-1));
    return line;
  };

  await fillRedis(servers.redisPort, 0, 1);
  for (const trial of ONE_LINK) {
    const { figures } = await measure(trial);
    if (trial.what === "a link in memory") await measure(atHalf(trial, figures.perSecond));
  }
  let filled = 0;
  for (const links of LINKS) {
    await fillRedis(servers.redisPort, filled, links);
    filled = links;
    for (const trial of manyLinks(links)) await measure(trial);
  }
  await measure(UNKNOWN_CODES);
  await fillPostgres(servers.databaseUrl, LINKS_IN_POSTGRES);
  await stopRedis(servers.redisPort);
  for (const trial of WITHOUT_REDIS) await measure(trial);
  return lines;
}

function atHalf(trial: Trial, perSecond: number): Trial {
  const half = Math.floor(perSecond / 2);
  return {
    ...trial,
    what: "the same at half of that rate",
    beside: null,
    visits: { ...trial.visits, perSecond: half },
  };
}

async function measureOne(servers: Servers, trial: Trial): Promise<Line> {
  const { what, of, beside, visits } = trial;
  await expectAnswer(servers[of], trial);
  const before = await countSources(servers.adminPort);
  const comparison = await compare(servers[of], beside && servers[beside], visits);
  const after = await countSources(servers.adminPort);
  const residentBytes = await readMetric(servers.adminPort, "process_resident_memory_bytes");
  return { what, ...comparison, sources: sourceShares(before, after), residentBytes };
}

/** @throws when the server does not answer as it is supposed to */
async function expectAnswer(origin: string, { what, visits, status }: Trial): Promise<void> {
  const code = status === 404 ? (visits.letters ?? "").slice(0, 7) : codeOf(0);
  const answer = await look(origin, `/l/${code}`, visits);
  const isRight = status !== 302 || answer.location === addressOf(0);
  if (answer.status !== status || !isRight) {
    throw new Error(`${what}: ${answer.status} ${answer.location}`);
  }
}

async function stopRedis(port: number): Promise<void> {
  const redis = new Redis({ port, retryStrategy: null });
  redis.on("error", () => {});
  await redis.shutdown("NOSAVE").catch(() => {});
  redis.disconnect();
}
