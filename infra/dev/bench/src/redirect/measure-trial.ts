import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { codeOf, urlOf } from "./codes.ts";
import { compare } from "./compare.ts";
import type { Servers } from "./servers.ts";
import { countSources, sourceShares } from "./sources.ts";
import type { Line } from "./table.ts";
import type { Trial } from "./trials.ts";
import { AGENTS, visit } from "./visits.ts";

/** @throws if the server does not respond as expected */
export async function measureTrial(servers: Servers, trial: Trial): Promise<Line> {
  const { label, peer, visits, peerVisits } = trial;
  const server = servers[trial.server];
  if (server === null) throw new Error(`${label} is not installed`);
  await assertResponse(server.linksUrl, trial);
  const comparison = await compare(server, peer && servers[peer], visits, peerVisits);
  // Not over the comparison, in which the peer may be the service too.
  const before = await countSources(servers.adminPort);
  await visit(server.linksUrl, visits, 1);
  const after = await countSources(servers.adminPort);
  const residentBytes = await readMetric(servers.adminPort, "process_resident_memory_bytes");
  return { label, ...comparison, sources: sourceShares(before, after), residentBytes };
}

async function assertResponse(linksUrl: string, { label, visits, status }: Trial): Promise<void> {
  const code = status === 404 ? (visits.letters ?? "").slice(0, 7) : codeOf(0);
  const headers = { "user-agent": AGENTS[visits.agent ?? "desktop"] };
  const response = await fetch(`${linksUrl}${code}`, { headers, redirect: "manual" });
  await response.body?.cancel();
  const location = response.headers.get("location");
  const isRedirect = status >= 300 && status < 400;
  if (response.status !== status || (isRedirect && location !== urlOf(0))) {
    throw new Error(`${label}: ${response.status} ${location}`);
  }
}
