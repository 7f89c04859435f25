import { judge, type Summary, type ThresholdReport } from "../summary.ts";
import { type Measured, sizeFor } from "./sizing.ts";

/** A scenario's last run. */
export interface Run {
  scenario: string;
  summary: Summary;
}

const whole = (value: number) => Math.round(value).toLocaleString("en");

const EXPLANATION = `
\`pnpm load <name>\` has k6 load a stack of its own, on free ports and without rate limits, or the one that
\`BASE_URL\` names; it needs k6 or Docker. \`RATE\`, \`PEAK\`, \`DURATION\` and \`LINKS\` (up to 1,000,000, put there
beforehand) change what is asked for. The devices are mixed as \`infra/dev/load/agents.json\` says. A run fails when a
threshold does not hold, or when visitors could not be sent in time. Its summary is in \`.data/load\` as JSON and,
where the run is long enough for k6 (not \`smoke\`), as HTML. \`pnpm load report\` writes this chapter from the last
run of each scenario; it refuses where a scenario of the table has none.

What a stack of one's own is not: with \`BASE_URL\`, \`create\`, \`mixed\` and \`soak\` make links to products that do
not exist, which its worker would ask Amazon for (set \`METADATA_PAGE_FETCH=off\`); \`smoke\`, \`dashboard\`, \`mixed\` and
\`soak\` sign up at the Firebase emulator. Never aim them at production.

Here k6, the gateway, all services, Postgres, Redis and the emulator share the machine: the rates are what was
asked for, not what would be possible. Only \`breakpoint\` asks for ever more, evenly rising, until it fails: at
about twice the rate that it has on average. On a machine this small k6 itself takes the larger part then; its
wrong answers are the gateway's refusals of what is too much at once. All were short runs: \`soak\` is made for
hours, and has not been run that long here.
`;

/** The text of the chapter on load. */
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
  return `### How much is needed

Reckoned from what was measured, on one core of this machine each, with half of it kept free. A replica of the
redirect carries ${whole(measured.replica)} a second, devices mixed as above, links by Zipf's law among 10,000,000. A core
of the gateway carries ${whole(measured.gatewayCore)}, a Redis ${whole(measured.redis)} reads (\`redis-benchmark\`, 50 connections). Of the
visits ${Math.round(measured.askRedis * 100)} % ask Redis. An answer has ${whole(measured.bytes)} bytes: what goes out is soon more than one
machine's network carries. A million links take ${whole(measured.megabytesPerMillionLinks)} MB of Redis.

Postgres hears nothing of known links: each replica reads the outbox twice a second, and lets unknown codes
through 500 times a second at most. One primary does for all of these until somebody guesses codes at the
largest, where the redirects would read from replicas of Postgres. All replicas share one cache: where it would have
to be several Redis, it is a managed one that spreads keys behind one address (not tried), or each replica keeps more
links in its memory and asks less.`;
}

function runsTable(runs: readonly Run[]): string {
  const rows = runs.flatMap(({ scenario, summary }) => {
    const verdict = judge(summary);
    return verdict.lines.map((line) =>
      row([
        scenario,
        line.request,
        whole(line.count),
        line.perSecond.toFixed(0),
        `${line.p50Ms.toFixed(1)} ms`,
        `${line.p99Ms.toFixed(1)} ms`,
        ...outcome(verdict),
      ]),
    );
  });
  const head = ["scenario", "request", "requests", "per second", "p50", "p99"];
  return table([...head, "wrong answers", "not sent in time", "held"], rows);
}

function outcome({ wrongAnswers, dropped, crossed }: ThresholdReport): string[] {
  return [String(wrongAnswers), String(dropped), crossed.length === 0 ? "yes" : crossed.join(", ")];
}

function sizesTable(measured: Measured): string {
  const rows = [3, 4, 5, 6].map((power) => {
    const size = sizeFor(10 ** power, measured);
    return row([
      whole(size.perSecond),
      whole(size.replicas),
      whole(size.gatewayCores),
      whole(size.redisReads),
      whole(size.redis),
      whole(size.postgresQueries),
      whole(size.postgresMisses),
      `${size.gigabitsPerSecond.toFixed(2)} Gbit/s`,
    ]);
  });
  return table(
    [
      "redirects a second",
      "replicas, a core each",
      "cores of the gateway",
      "Redis reads a second",
      "Redis",
      "Postgres queries a second",
      "and unknown codes, at most",
      "going out",
    ],
    rows,
  );
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(head), row(head.map(() => "---")), ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
