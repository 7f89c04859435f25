import { Counter, type Registry } from "prom-client";
import type { Decision } from "./choose-destination.ts";
import type { Resolution } from "./resolve/resolution.ts";
import type { VisitorKind } from "./visitor.ts";

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
  // prom-client looks up a series by its labels at each `inc`, so requests are counted here first.
  const uncollected = new Map<string, { labels: RedirectLabels; count: number }>();
  new Counter({
    name: "tapthru_redirects_total",
    help: "Responses to /l/{code} by kind of response, device and source of the link",
    labelNames: ["reply", "device", "source"] as const,
    registers: [registry],
    collect() {
      for (const series of uncollected.values()) {
        this.inc(series.labels, series.count);
        series.count = 0;
      }
    },
  });
  return {
    countRedirect({ reply, device, source }) {
      const key = `${reply} ${device} ${source}`;
      const series = uncollected.get(key);
      if (series === undefined) {
        uncollected.set(key, { labels: { reply, device, source }, count: 1 });
      } else {
        series.count++;
      }
    },
  };
}
