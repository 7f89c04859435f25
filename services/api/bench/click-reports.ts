import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import pg from "pg";
import { recentRange } from "../src/clicks/click-range.ts";
import { clickReport } from "../src/clicks/click-report.ts";
import { createPostgresClickStore } from "../src/clicks/postgres-store.ts";
import { findOwnLinks } from "../src/clicks/queries.ts";
import { listLinks } from "../src/links/own-links.ts";

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
const BREAKDOWNS = [
  undefined,
  "country",
  "device",
  "app",
  "store",
  "referrer",
  "outcome",
  "link",
] as const;

const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query("ALTER ROLE tapthru_api LOGIN");
await client.end();
const url = new URL(databaseUrl);
url.username = "tapthru_api";
const logger = createLogger({ service: "bench", level: "error" });
const db = createPostgres({
  url: url.href,
  applicationName: "bench",
  maxConnections: 4,
  statementTimeoutMs: 10_000,
  acquireTimeoutMs: 1_000,
  logger,
});
const deps = { db, logger, clickStore: createPostgresClickStore(db) };

for (const [links, userId] of Object.entries(USERS)) {
  for (const [period, days] of Object.entries(PERIODS)) {
    for (const by of BREAKDOWNS) {
      const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS - 5.5 * 3_600_000);
      const query = {
        from: new Date(to.getTime() - days * DAY_MS).toISOString(),
        to: to.toISOString(),
        tz: TZ,
        interval: days === 1 ? ("hour" as const) : ("day" as const),
        by,
      };
      const title = `${links}, ${period}${by === undefined ? "" : ` by ${by}`}`;
      await measure(title, () => clickReport(deps, { userId, link: null }, query));
    }
  }
  await measure(`${links}, order by clicks`, async () => {
    const people = await deps.clickStore.people(userId, recentRange(TZ));
    return listLinks(deps, { userId, limit: 50, order: "clicks", people });
  });
  await measure(`${links}, cards of 50`, async () => {
    const own = await findOwnLinks(db, userId);
    const ids = own.slice(0, 50).map(({ id }) => id);
    return [...(await deps.clickStore.peopleByPeriod(userId, ids, recentRange(TZ)))];
  });
}
await db.stop?.();

/** Prints the least and the median time. */
async function measure(title: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const since = performance.now();
    JSON.stringify(await read());
    times.push(performance.now() - since);
  }
  const [least = 0, ...others] = times.sort((a, b) => a - b);
  const median = others[Math.floor(ROUNDS / 2) - 1] ?? 0;
  console.log(`${title}: at least ${least.toFixed(0)} ms, median ${median.toFixed(0)} ms`);
}
