import { Counter, type Registry } from "prom-client";
import type { Reply } from "./choose-destination.ts";
import type { Resolution } from "./resolve/resolution.ts";
import type { VisitorKind } from "./visitor.ts";

interface RedirectLabels {
  reply: Reply["kind"];
  device: VisitorKind;
  source: Resolution["source"];
}

export interface RedirectMetrics {
  countRedirect(labels: RedirectLabels): void;
}

/** Never labelled by code: there are as many as links. */
export function createRedirectMetrics(registry: Registry): RedirectMetrics {
  // prom-client finds a series by its labels at each count, which takes longer than all the rest.
  const uncollected = new Map<string, { labels: RedirectLabels; count: number }>();
  new Counter({
    name: "tapthru_redirects_total",
    help: "Answers to /l/{code}, by what was answered, to whom, and who knew the code",
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
