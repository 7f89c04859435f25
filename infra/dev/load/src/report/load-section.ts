import { evaluateThresholds, type Summary, type ThresholdReport } from "../summary.ts";
import { type MeasuredCapacity, sizeFor } from "./sizing.ts";

/** The last run of a scenario. */
export interface Run {
  scenario: string;
  summary: Summary;
}

const formatInteger = (value: number) => Math.round(value).toLocaleString("en");

/** The figures on load in docs/benchmarks.md. */
export function loadTestSection(
  machine: string,
  runs: readonly Run[],
  measured: MeasuredCapacity,
): string {
  return [machine, runsTable(runs), sizingExplanation(measured), sizesTable(measured)].join("\n\n");
}

function sizingExplanation(measured: MeasuredCapacity): string {
  return `### Sizing

Estimated from measurements of 2026-11-20, on one core each, with half of it kept free. A replica of the redirect
serves ${formatInteger(measured.replica)} requests per second, with devices mixed as above and links by Zipf's law among 10,000,000. A core of the
gateway serves ${formatInteger(measured.gatewayCore)}, a Redis ${formatInteger(measured.redis)} reads (\`redis-benchmark\`, 50 connections). ${Math.round(measured.redisReadShare * 100)} % of the visits read from Redis. A
response has ${formatInteger(measured.bytes)} bytes, so the outgoing traffic soon exceeds the network of one machine. A million links take ${formatInteger(measured.megabytesPerMillionLinks)} MB
of Redis.

Known links cause no queries to Postgres: each replica reads the outbox twice a second, and looks up at most 500
unknown codes per second. One primary is enough for all of these sizes unless someone guesses codes at the largest; a
[standby](OPERATIONS.md#a-standby-for-redirects) does not help there, because codes that it lacks are looked up in the
primary. All replicas share one cache. Where several Redis servers are needed, use a
[Redis Cluster](OPERATIONS.md#redis-cluster-and-sentinel), or let each replica keep more links in its memory
(\`LINK_CACHE_BYTES\`).`;
}

function runsTable(runs: readonly Run[]): string {
  const lines = runs.flatMap(({ scenario, summary }) => {
    const verdict = evaluateThresholds(summary);
    return verdict.lines.map((line) =>
      tableRow([
        scenario,
        line.request,
        formatInteger(line.count),
        line.perSecond.toFixed(0),
        `${line.p50Ms.toFixed(1)} ms`,
        `${line.p99Ms.toFixed(1)} ms`,
        ...outcome(verdict),
      ]),
    );
  });
  const head = ["scenario", "request", "requests", "per second", "p50", "p99"];
  return table([...head, "wrong responses", "not sent in time", "passed"], lines);
}

function outcome({ wrongResponses, dropped, crossed }: ThresholdReport): string[] {
  return [
    String(wrongResponses),
    String(dropped),
    crossed.length === 0 ? "yes" : crossed.join(", "),
  ];
}

function sizesTable(measured: MeasuredCapacity): string {
  const lines = [3, 4, 5, 6].map((power) => {
    const size = sizeFor(10 ** power, measured);
    return tableRow([
      formatInteger(size.perSecond),
      formatInteger(size.replicas),
      formatInteger(size.gatewayCores),
      formatInteger(size.redisReads),
      formatInteger(size.redis),
      formatInteger(size.postgresQueries),
      formatInteger(size.postgresMisses),
      `${size.gigabitsPerSecond.toFixed(2)} Gbit/s`,
    ]);
  });
  return table(
    [
      "redirects per second",
      "replicas, one core each",
      "cores of the gateway",
      "Redis reads per second",
      "Redis",
      "Postgres queries per second",
      "and unknown codes, at most",
      "outgoing",
    ],
    lines,
  );
}

function table(head: readonly string[], lines: readonly string[]): string {
  return [tableRow(head), tableRow(head.map(() => "---")), ...lines].join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
