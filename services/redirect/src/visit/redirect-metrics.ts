import { Counter, type Registry } from "prom-client";
import type { Decision } from "../choose-destination.ts";
import type { Resolution } from "../resolve/memory.ts";
import type { VisitorKind } from "../visitor/visitor.ts";

interface RedirectLabels {
  reply: Decision["kind"];
  device: VisitorKind;
  source: Resolution["source"];
}

export interface RedirectMetrics {
  countRedirect(labels: RedirectLabels): void;
}

/** Short codes are not labels: their number is not bounded. */
export function createRedirectMetrics(registry: Registry): RedirectMetrics {
  // prom-client looks up a series by its labels at each `inc`, so requests are counted here first, by kind of response,
  // device and source. A single key of all three would be a new string for each request.
  const uncollected = new Map<string, Map<string, Map<string, number>>>();

  function countsOf(reply: string, device: string): Map<string, number> {
    const devices = uncollected.get(reply) ?? new Map<string, Map<string, number>>();
    uncollected.set(reply, devices);
    const counts = devices.get(device) ?? new Map<string, number>();
    devices.set(device, counts);
    return counts;
  }

  new Counter({
    name: "tapthru_redirects_total",
    help: "Responses to /l/{code} by kind of response, device and source of the link",
    labelNames: ["reply", "device", "source"] as const,
    registers: [registry],
    collect() {
      for (const [reply, devices] of uncollected) {
        for (const [device, counts] of devices) {
          for (const [source, count] of counts) this.inc({ reply, device, source }, count);
          counts.clear();
        }
      }
    },
  });
  return {
    countRedirect({ reply, device, source }) {
      const counts = countsOf(reply, device);
      counts.set(source, (counts.get(source) ?? 0) + 1);
    },
  };
}
