import { readMetric } from "@tapthru/chaos/evidence/metrics";
import { connectInspector } from "../profile/inspector.ts";
import type { Servers } from "../redirect/servers.ts";
import { type Visits, visit } from "../redirect/visits.ts";
import { recordGcPauses, summarizePauses, takeGcPauses } from "./gc-pauses.ts";

const MINUTES = 3;

/** Visits for some minutes; returns a table with the service's memory and its pauses in each. */
export async function memoryByMinute(
  { service, debugPorts, adminPort }: Servers,
  visits: Visits,
): Promise<string> {
  const [pid = 0] = service.processGroups;
  const inspector = await connectInspector(pid, debugPorts.service);
  await recordGcPauses(inspector);
  const rows: string[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    await visit(service.linksUrl, visits, 60);
    const [links, ...bytes] = await Promise.all(
      [
        "tapthru_redirect_cache_links",
        "process_resident_memory_bytes",
        "nodejs_heap_size_used_bytes",
      ].map((name) => readMetric(adminPort, name)),
    );
    const memory = bytes.map((value) => `${Math.round(value / 1e6)} MB`);
    const pauses = summarizePauses(await takeGcPauses(inspector));
    const cells = [minute, links?.toLocaleString("en"), ...memory, pauses];
    rows.push(`| ${cells.join(" | ")} |`);
    console.log(rows.at(-1));
  }
  inspector.close();
  return [
    "| minute | links in memory | memory of the process | V8's heap | pauses: number, median, longest |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
