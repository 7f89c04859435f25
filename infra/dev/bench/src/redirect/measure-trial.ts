import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { openLink } from "@tapthru/chaos/load/visits/open-link";
import { codeOf, urlOf } from "./codes.ts";
import { compare } from "./compare.ts";
import type { Servers } from "./servers.ts";
import { countSources, sourceShares } from "./sources.ts";
import type { Line } from "./table.ts";
import type { Trial } from "./trials.ts";
import { AGENTS } from "./visits.ts";

/** @throws if the server does not respond as expected */
export async function measureTrial(servers: Servers, trial: Trial): Promise<Line> {
  const { label, server, peer, visits } = trial;
  await assertResponse(servers[server].origin, trial);
  const before = await countSources(servers.adminPort);
  const comparison = await compare(servers[server], peer && servers[peer], visits);
  const after = await countSources(servers.adminPort);
  const residentBytes = await readMetric(servers.adminPort, "process_resident_memory_bytes");
  return { label, ...comparison, sources: sourceShares(before, after), residentBytes };
}

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
