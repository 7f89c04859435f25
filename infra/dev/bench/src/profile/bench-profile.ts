import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { manyLinks } from "../links/trials.ts";
import type { Server } from "../redirect/compare.ts";
import { fillRedis } from "../redirect/populate.ts";
import type { Servers } from "../redirect/servers.ts";
import { LINK_IN_MEMORY, OTHER_RESPONSES, type Trial } from "../redirect/trials.ts";
import { type Visits, visit } from "../redirect/visits.ts";
import { withServers } from "../redirect/with-servers.ts";
import { connectInspector } from "./inspector.ts";
import { type FunctionTime, largestDifferences, selfTimes } from "./self-times.ts";

const SECONDS = 5;
const FUNCTIONS = 20;
/** All are in memory when the trials start. */
const LINKS = 10 ** 5;
const FILL_SECONDS = 15;

/** Shows in which functions the service spends the time that a bare Fastify does not need. */
export async function benchProfile(signal: AbortSignal): Promise<string> {
  const machine = `${today()}, ${describeMachine()}.`;
  const tables = await withServers(signal, async (servers) => {
    await fillRedis(servers.redisPort, 0, LINKS);
    await visit(servers.service.linksUrl, { links: LINKS, spread: "each" }, FILL_SECONDS);
    const trials = [
      LINK_IN_MEMORY,
      ...OTHER_RESPONSES.filter(({ server }) => server === "service"),
      ...manyLinks(LINKS).filter(({ visits }) => visits.spread === "zipf"),
    ];
    const texts: string[] = [];
    for (const trial of trials) {
      signal.throwIfAborted();
      texts.push(`${trial.label}:\n\n${table(await differences(servers, trial))}`);
      console.log(texts.at(-1));
    }
    return texts;
  });
  return `${machine}\n\n${tables.join("\n\n")}`;
}

async function differences(servers: Servers, trial: Trial): Promise<FunctionTime[]> {
  const { service, fastify, debugPorts } = servers;
  const ofService = await timesPerRequest(service, debugPorts.service, trial.visits);
  const ofBare = await timesPerRequest(fastify, debugPorts.fastify, {});
  return largestDifferences(ofService, ofBare, FUNCTIONS);
}

/** Microseconds per request in each function. */
async function timesPerRequest(
  { linksUrl, processGroups }: Server,
  debugPort: number,
  visits: Visits,
): Promise<Map<string, number>> {
  await visit(linksUrl, visits, SECONDS);
  const [pid = 0] = processGroups;
  const inspector = await connectInspector(pid, debugPort);
  let responses = 0;
  const profile = await inspector.profile(async () => {
    ({ responses } = await visit(linksUrl, visits, SECONDS));
  });
  inspector.close();
  return new Map([...selfTimes(profile)].map(([name, micros]) => [name, micros / responses]));
}

function table(functions: readonly FunctionTime[]): string {
  const rows = functions.map(
    ({ name, service, bare }) =>
      `| \`${name}\` | ${service.toFixed(2)} | ${bare.toFixed(2)} | ${(service - bare).toFixed(2)} |`,
  );
  return [
    "| function | service, µs | bare Fastify, µs | difference, µs |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}
