import { evaluateThresholds, type Summary, type ThresholdReport } from "../summary.ts";
import { type Measured, sizeFor } from "./sizing.ts";

/** The last run of a scenario. */
export interface Run {
  scenario: string;
  summary: Summary;
}

const formatInteger = (value: number) => Math.round(value).toLocaleString("en");

const EXPLANATION = `
\`pnpm load <name>\` runs k6 against a stack of its own, on free ports and without rate limits, or against the one that
\`BASE_URL\` names; it needs k6 or Docker. \`RATE\`, \`PEAK\`, \`DURATION\` and \`LINKS\` (up to 1,000,000, created beforehand)
change the load. \`infra/dev/load/agents.json\` defines the mix of devices. A run fails if a threshold is exceeded, or
if visits could not be sent in time. Its summary is in \`.data/load\` as JSON and, if the run is long enough for k6 (not
\`smoke\`), as HTML. \`pnpm load report\` writes this chapter from the last run of each scenario, and refuses if a
scenario of the table has no run.

On a stack that \`BASE_URL\` names, \`create\`, \`mixed\` and \`soak\` create links to products that do not exist, which its
worker would request from Amazon (set \`METADATA_PAGE_FETCH=off\`); \`smoke\`, \`dashboard\`, \`mixed\` and \`soak\` sign up at
the Firebase emulator. Never run them against production.

In these runs k6, the gateway, all services, Postgres, Redis and the emulator share the machine: the rates are the
requested ones, not the highest possible. Only \`breakpoint\` raises its rate steadily until it fails, at about twice its
average rate. On a machine this small k6 itself then takes the larger part of the CPU; its wrong responses are the
gateway's refusals. All runs were short: \`soak\` is made for hours, and has not been run that long.
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
  return `### Sizing

Estimated from measurements, on one core of this machine each, with half of it kept free. A replica of the redirect
serves ${formatInteger(measured.replica)} requests per second, with devices mixed as above and links by Zipf's law among 10,000,000. A core of the
gateway serves ${formatInteger(measured.gatewayCore)}, a Redis ${formatInteger(measured.redis)} reads (\`redis-benchmark\`, 50 connections). ${Math.round(measured.redisReadShare * 100)} % of the visits read from Redis. A
response has ${formatInteger(measured.bytes)} bytes, so the outgoing traffic soon exceeds the network of one machine. A million links take ${formatInteger(measured.megabytesPerMillionLinks)} MB
of Redis.

Known links cause no queries to Postgres: each replica reads the outbox twice a second, and looks up at most 500
unknown codes per second. One primary is enough for all of these sizes unless someone guesses codes at the largest;
then the redirects would read from replicas of Postgres. All replicas share one cache. Where several Redis servers are
needed, use a managed one that distributes keys behind one address (not tried), or let each replica keep more links in
its memory.`;
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
