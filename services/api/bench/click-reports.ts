import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import pg from "pg";
import { clickReport } from "../src/clicks/click-report.ts";
import { createPostgresClickStore } from "../src/clicks/postgres-store.ts";

// Measures the reports of the users with 1,000 and 10,000 links in the database that the worker's bench:clicks filled,
// as the api computes them, with its role and without HTTP.
const [databaseUrl] = process.argv.slice(2);
if (databaseUrl === undefined) {
  console.error("Say where: node services/api/bench/click-reports.ts <postgres>");
  process.exit(1);
}

const ROUNDS = 7;
const USERS = { "1,000 links": 1, "10,000 links": 2 };
const TZ = "Asia/Kolkata";
const DAY_MS = 86_400_000;
const PERIODS = { "24 h": 1, "30 days": 30, "90 days": 90 };
const BREAKDOWNS = [undefined, "country", "device", "app", "referrer", "outcome", "link"] as const;

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query("ALTER ROLE tapthru_api LOGIN");
await client.end();
const url = new URL(databaseUrl);
url.username = "tapthru_api";
const db = createPostgres({
  url: url.href,
  applicationName: "bench",
  maxConnections: 4,
  statementTimeoutMs: 10_000,
  acquireTimeoutMs: 1_000,
  logger: createLogger({ service: "bench", level: "error" }),
});
const deps = { db, clickStore: createPostgresClickStore(db) };

const results: Record<string, Record<string, string>> = {};
for (const [links, userId] of Object.entries(USERS)) {
  for (const [period, days] of Object.entries(PERIODS)) {
    for (const by of BREAKDOWNS) {
      const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS - 5.5 * 3_600_000);
      const from = new Date(to.getTime() - days * DAY_MS);
      const query = {
        from: from.toISOString(),
        to: to.toISOString(),
        tz: TZ,
        interval: days === 1 ? ("hour" as const) : ("day" as const),
        by,
      };
      const read = () => clickReport(deps, { userId, link: null }, query);
      results[`${period} by ${by ?? "period only"}`] ??= {};
      Object.assign(results[`${period} by ${by ?? "period only"}`] ?? {}, {
        [links]: await measure(read),
      });
    }
  }
}
console.table(results);
await db.stop?.();

/** The first and the median time. */
async function measure(read: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const since = performance.now();
    JSON.stringify(await read());
    times.push(performance.now() - since);
  }
  const [first = 0] = times;
  const median = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  return `${first.toFixed(0)} ms, then ${median.toFixed(0)} ms`;
}
