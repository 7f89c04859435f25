import { Counter, type Registry } from "prom-client";
import type { Reply } from "./choose-destination.ts";
import type { Resolution } from "./resolve/resolution.ts";
import type { CountedAs } from "./visitor.ts";

interface RedirectLabels {
  reply: Reply["kind"];
  device: CountedAs;
  source: Resolution["source"];
}

export interface RedirectMetrics {
  countRedirect(labels: RedirectLabels): void;
}

/** Never labelled by code: there are as many as links. */
export function createRedirectMetrics(registry: Registry): RedirectMetrics {
  const redirects = new Counter({
    name: "tapthru_redirects_total",
    help: "Answers to /l/{code}, by what was answered, to whom, and who knew the code",
    labelNames: ["reply", "device", "source"] as const,
    registers: [registry],
  });
  // Finding a counter by its labels takes longer than counting.
  const counters = new Map<string, Counter.Internal>();
  return {
    countRedirect({ reply, device, source }) {
      const key = `${reply} ${device} ${source}`;
      let counter = counters.get(key);
      if (counter === undefined) {
        counter = redirects.labels({ reply, device, source });
        counters.set(key, counter);
      }
      counter.inc();
    },
  };
}
