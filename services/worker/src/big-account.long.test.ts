import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import type { BulkUpdateKind } from "@tapthru/core/links/bulk-updates";
import { readConfig } from "@tapthru/core/platform/config/configs";
import { costlyStatements, explainStatements } from "@tapthru/core/platform/testing/statement-costs";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { seedBigAccount } from "@tapthru/postgres/testing/big-account";
import { createThrowawayDatabase, type ThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { DUE_KINDS, JOBS } from "@tapthru/proto/jobs/catalogue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Context, createContext } from "./context.ts";
import { queuePagesOf } from "./jobs/scrape-metadata/queue-attempts.ts";
import { createJobs } from "./registry.ts";
import { makeBulkUpdate } from "./relay/bulk-updates.ts";
import { relayBatch } from "./relay/relay.ts";
import { startTestMailServer, type TestMailServer } from "./testing/test-mail-server.ts";
import { addFile } from "./testing/test-reports.ts";

const USER = 1;
const PAGE = "https://www.amazon.de/dp/B000000001";

let amazon: AmazonStandIn;
let mailServer: TestMailServer;
let database: ThrowawayDatabase;
let context: Context;
const { logger, lines } = createTestLogger();
const { signal } = new AbortController();

beforeAll(async () => {
  amazon = await startAmazonStandIn();
  mailServer = await startTestMailServer();
  database = await createThrowawayDatabase();
  await database.rows(
    "INSERT INTO users (username, email, firebase_uid, email_is_verified) VALUES ('u', 'u@t.example', 'u', true)",
  );
  await seedBigAccount(database, USER);
  await explainStatements(database);
  const redisUrl = process.env.TEST_REDIS_URL ?? "";
  context = createContext(
    readConfig("worker", {
      TAPTHRU_ENV: "local",
      LOG_LEVEL: "fatal",
      DATABASE_URL: await database.urlAs("tapthru_worker"),
      REDIS_CACHE_URL: redisUrl,
      REDIS_QUEUE_URL: redisUrl,
      EGRESS_STAND_IN_URL: amazon.url,
      SMTP_URL: mailServer.url,
      SMTP_FROM: "mail@t.example",
    }),
    logger,
  );
  for (const client of context.clients) await client.start?.();
}, 600_000);
afterAll(async () => {
  for (const client of context.clients.toReversed()) await client.stop?.();
  await database.drop();
  await Promise.all([amazon.stop(), mailServer.stop()]);
});

const SALES = Array.from(
  { length: 5_000 },
  (_, n) => `Mug,B00000${1_000 + n},big${n % 20}-21,2026-09-03,1,0,12.99,0.52,Direct`,
);
const REPORT = [
  "Fee-Earnings reports from 2026-09-01 to 2026-09-30",
  "Name,ASIN,Tracking ID,Date Shipped,Items Shipped,Returns,Revenue(€),Ad Fees(€),Direct",
  ...SALES,
].join("\n");

const PAYLOADS: Record<string, () => Promise<object>> = {
  "read-earnings": async () => ({ importId: await addFile(database, REPORT, { userId: USER }) }),
  // The last pages.
  "rebuild-redirects": async () => {
    await context.projection.beginRebuild();
    await context.projection.continueRebuild(950_000);
    return {};
  },
  "send-weekly-emails": async () => {
    const since = "now() - interval '2 days'";
    await database.rows(`UPDATE link_health SET state = 'product-gone', since = ${since} WHERE link_id % 10 = 0`);
    return {};
  },
  "scrape-metadata": async () => {
    await database.rows("UPDATE products SET next_attempt_at = now() WHERE canonical_url = $1", [PAGE]);
    return { canonicalUrl: PAGE, attempt: 0 };
  },
};

/** Changes of many links, each as a query of its payload. */
const CHANGES: Record<BulkUpdateKind, string> = {
  "product-state": `SELECT jsonb_build_object('asin', asin) FROM links WHERE user_id = ${USER} AND asin IS NOT NULL LIMIT 1`,
  product: `SELECT jsonb_build_object('userId', ${USER}, 'marketplace', marketplace, 'from', asin, 'to', 'B0NEW00001',
       'changedAt', utc_text(now()))
     FROM links WHERE user_id = ${USER} AND asin IS NOT NULL LIMIT 1`,
  "delete-channel": `SELECT jsonb_build_object('userId', user_id, 'channelId', id) FROM channels WHERE name = 'Channel 2'`,
  label: `SELECT jsonb_build_object('userId', ${USER}, 'labelId', label_id, 'isDeleted', true) FROM link_labels LIMIT 1`,
  "take-down": `SELECT '{"links": {"userId": ${USER}, "cause": "owner"}, "isTakenDown": true}'::jsonb`,
};

/** Statements that read more, by the function that runs them. */
const EXEMPT: Record<string, string> = {
  findTagChannels: "looks for earlier destinations with each tag that no channel has",
  insertRows: "stores 5,000 rows and the names of their products",
};

function expectFewBuffers(): void {
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(costlyStatements(lines, EXEMPT)).toEqual([]);
}

const names = [...Object.keys(JOBS).filter((name) => name !== "send-email"), ...DUE_KINDS];

describe("with 1,000,000 links of one user", () => {
  // Thirty pages are read by programs of their own.
  const timeout = 600_000;
  it.each(names)("%s reads little", { timeout }, async (name) => {
    lines.length = 0;
    const payload = (await PAYLOADS[name]?.()) ?? {};
    await createJobs(context).handlers[name]?.(payload, { signal });
    expectFewBuffers();
  });

  it.each(Object.keys(CHANGES) as BulkUpdateKind[])("a batch of a change of kind %s reads little", async (kind) => {
    const payload = CHANGES[kind];
    lines.length = 0;
    const [row] = await database.rows(payload);
    await database.rows("INSERT INTO bulk_updates (kind, payload) VALUES ($1, $2)", [
      kind,
      Object.values(row ?? {})[0],
    ]);
    await makeBulkUpdate(context, kind, signal);
    expect(await database.rows("SELECT FROM link_changes WHERE revision > 1 AND projected_at IS NULL")).not.toEqual([]);
    expectFewBuffers();
  });

  it("a batch of the relay reads little", async () => {
    lines.length = 0;
    expect(await relayBatch({ ...context, queuePagesOf: (codes) => queuePagesOf(context, codes) })).toBeGreaterThan(0);
    expectFewBuffers();
  });
});
