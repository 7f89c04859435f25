import { describeMachine } from "@tapthru/chaos/report";
import { today } from "@tapthru/local/processes/machine";
import { fillRedis } from "./populate.ts";
import type { Servers } from "./servers.ts";
import { comparisonTable, type Line } from "./table.ts";
import { LINK_IN_MEMORY, OTHER_RESPONSES, PEERS, SHORTENERS, type Trial } from "./trials.ts";
import { type Measure, withServers } from "./with-servers.ts";

/** Measures each kind of response of the redirect service beside bare servers. */
export async function benchRedirect(signal: AbortSignal): Promise<string> {
  const machine = `${today()}, ${describeMachine()}.`;
  const lines = await withServers(signal, async (servers, measure) => {
    await fillRedis(servers.redisPort, 0, 1);
    return measureAll(servers, measure);
  });
  return `${machine}\n\n${comparisonTable(lines)}`;
}

async function measureAll(servers: Servers, measure: Measure): Promise<(Line | string)[]> {
  const lines: (Line | string)[] = [];
  for (const trial of PEERS) lines.push(await measure(trial));
  for (const trial of SHORTENERS) {
    lines.push(servers[trial.server] === null ? trial.label : await measure(trial));
  }
  const inMemory = await measure(LINK_IN_MEMORY);
  lines.push(inMemory, await measure(atHalfOf(inMemory.figures.perSecond)));
  for (const trial of OTHER_RESPONSES) lines.push(await measure(trial));
  return lines;
}

function atHalfOf(perSecond: number): Trial {
  const half = Math.floor(perSecond / 2);
  return {
    ...LINK_IN_MEMORY,
    label: "the same at half of that rate",
    peer: null,
    visits: { perSecond: half },
  };
}
