import { changesQuery } from "@tapthru/core/outbox";
import { createPostgres } from "@tapthru/core/platform/postgres/postgres";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { sql } from "slonik";
import { afterAll, expect, it } from "vitest";
import * as z from "zod/mini";
import { databaseForFile } from "../../testing/start-world.ts";

const database = await databaseForFile();
await database.client.query(`
  INSERT INTO link_changes (short_code, revision, transaction_id)
  SELECT 'code' || n, 1 + n % 2, (100 + n)::text::xid8 FROM generate_series(1, 100000) n;
  ANALYZE link_changes;
`);
const postgres = createPostgres({
  url: database.url,
  applicationName: "changes-query-test",
  maxConnections: 1,
  statementTimeoutMs: 30_000,
  acquireTimeoutMs: 30_000,
  logger: createTestLogger().logger,
});
afterAll(() => postgres.stop?.());

interface Plan {
  "Relation Name"?: string;
  "Node Type": string;
  "Actual Rows": number;
  Plans?: Plan[];
}

it.each([
  ["a round", { knownSnapshot: "99101:99101:", after: { transactionId: "99101", id: 0 } }, 1_000],
  ["a page of the first round", { knownSnapshot: "1:1:", after: { transactionId: "5000", id: 0 } }, 10_000],
])("reads only the rows of the page for %s", async (_round, position, rows) => {
  const query = changesQuery({ ...position, includeCreated: true, limit: 10_000 });
  const Row = z.object({ "QUERY PLAN": z.array(z.object({ Plan: z.custom<Plan>() })) });
  const { "QUERY PLAN": plans } = await postgres.one(sql.type(Row)`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`);
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  const scans = plans
    .flatMap(({ Plan: plan }) => nodesOf(plan))
    .filter((node) => node["Relation Name"] === "link_changes");
  expect(scans).toHaveLength(1);
  expect(scans[0]?.["Node Type"]).not.toBe("Seq Scan");
  expect(scans[0]?.["Actual Rows"]).toBe(rows);
});
