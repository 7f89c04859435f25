import { evaluateThresholds, type Summary, type ThresholdReport } from "../summary.ts";
import { type Measured, sizeFor } from "./sizing.ts";

/** The last run of a scenario. */
export interface Run {
  scenario: string;
  summary: Summary;
}

const formatInteger = (value: number) => Math.round(value).toLocaleString("en");

const EXPLANATION = `
\`pnpm load <name>\` runs k6 against a separate stack on free ports without rate limits, or against the stack at
\`BASE_URL\`; it needs k6 or Docker. \`RATE\`, \`PEAK\`, \`DURATION\` and \`LINKS\` (up to 1,000,000, inserted before the
run) change the load. \`infra/dev/load/agents.json\` defines the mix of devices. A run fails when it crosses a threshold
or drops iterations. Its summary is in \`.data/load\` as JSON and, unless the run is short (\`smoke\`), as HTML.
\`pnpm load report\` writes this chapter from the last run of each scenario, and fails when a scenario of the table has
no run.

With \`BASE_URL\`, \`create\`, \`mixed\` and \`soak\` create links to products that do not exist, and the worker of that
stack requests them from Amazon unless \`METADATA_PAGE_FETCH=off\` is set. \`smoke\`, \`dashboard\`, \`mixed\` and
\`soak\` sign up at the Firebase emulator. Never run them against production.

Here k6, the gateway, all services, Postgres, Redis and the emulator share the machine: the rates are the requested
rates, not the maximum. Only \`breakpoint\` raises the rate steadily until it fails, at about twice its average rate.
On a machine this small, k6 then uses most of the processor; the wrong responses are refusals by the gateway's
concurrency limits. All runs were short: \`soak\` is meant for hours and has not run that long here.
`;

/** The chapter on load in docs/benchmarks.md. */
export function loadChapter(machine: string, runs: readonly Run[], measured: Measured): string {
  return [
    EXPLANATION.trim(),
    machine,
    runsTable(runs),
    sizingExplanation(measured),
    sizesTable(measured),
  ].join("\n\n");
}

function sizingExplanation(measured: Measured): string {
  return `### Capacity planning

Estimated from measurements on one core of this machine each, with half the capacity kept free. A redirect replica
serves ${formatInteger(measured.replica)} visits per second, with the mix of devices above and 10,000,000 links by Zipf's law. A core
of the gateway serves ${formatInteger(measured.gatewayCore)}, a Redis ${formatInteger(measured.redis)} reads (\`redis-benchmark\`, 50 connections). Of the
visits, ${Math.round(measured.redisReadShare * 100)} % read Redis. A response has ${formatInteger(measured.bytes)} bytes, so outgoing traffic soon exceeds the network of
one machine. A million links use ${formatInteger(measured.megabytesPerMillionLinks)} MB of Redis.

Visits of known links do not query Postgres: each replica reads the outbox twice per second and looks up at most 500
unknown codes per second. One primary is enough for all sizes, except when codes are guessed at the largest size:
there the redirects would read from replicas of Postgres. All replicas share one cache. Where it needs several Redis
servers, use a managed Redis that distributes keys behind one address (not tested), or keep more links in the memory
of each replica.`;
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
  return table([...head, "wrong responses", "dropped", "passed"], lines);
}

function outcome({ wrongResponses, dropped, crossed }: ThresholdReport): string[] {
  return [
    String(wrongResponses),
    String(dropped),
    crossed.length === 0 ? "yes" : crossed.join(", "),
  ];
}

function sizesTable(measured: Measured): string {
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
      "gateway cores",
      "Redis reads per second",
      "Redis servers",
      "Postgres queries per second",
      "lookups of unknown codes, at most",
      "outgoing traffic",
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
