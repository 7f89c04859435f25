import { Counter, type Registry } from "prom-client";

const RESULTS = ["sent", "postponed", "failed"] as const;

export interface DigestMetrics {
  countDigest(result: (typeof RESULTS)[number]): void;
}

export function createDigestMetrics(registry: Registry): DigestMetrics {
  const digests = new Counter({
    name: "tapthru_digests_total",
    help: "Weekly emails by result; postponed: refused for now; failed: refused for good, or the connection broke",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of RESULTS) digests.inc({ result }, 0);
  return { countDigest: (result) => digests.inc({ result }) };
}
