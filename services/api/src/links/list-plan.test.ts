import { type QuerySqlToken, sql } from "slonik";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { linksPageQuery } from "./own-queries.ts";

const OWNER = 1;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  // 30,000 links with products. The oldest 10,000 belong to one user.
  await api.query(`
    INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, 'user ' || n, 'user' || n || '@example.com', 'uid' || n FROM generate_series(1, 3) n;
    INSERT INTO products (canonical_url, marketplace, product_id, title)
    SELECT 'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0'), 'de', 'B' || lpad(n::text, 9, '0'),
      'A product of number ' || n || ' with a title of the length that Amazon likes'
    FROM generate_series(1, 30000) n;
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id)
    SELECT 'c' || lpad(n::text, 6, '0'), url, url, 'http://localhost:8080/redirect?product_id=x',
      url, (n - 1) / 10000 + 1
    FROM (SELECT n, 'https://www.amazon.de/dp/B' || lpad(n::text, 9, '0') AS url
      FROM generate_series(1, 30000) n) AS numbers;
    ANALYZE;
  `);
}, 60_000);
afterAll(() => api.stop());

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

async function planOf(query: QuerySqlToken): Promise<Plan[]> {
  const Row = z.object({ "QUERY PLAN": z.array(z.object({ Plan: z.custom<Plan>() })) });
  const { "QUERY PLAN": plans } = await api.context.db.one(
    sql.type(Row)`EXPLAIN (ANALYZE, FORMAT JSON) ${query}`,
  );
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
  return plans.flatMap(({ Plan: plan }) => nodesOf(plan));
}

const linksRead = (plan: Plan[]) =>
  plan
    .filter((node) => node["Relation Name"] === "links")
    .reduce((sum, node) => sum + node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0), 0);

describe("the list of a user with 10,000 links", () => {
  it.each([
    ["first", undefined],
    ["last", 200],
  ])("reads only the links of the %s page", async (_title, cursor) => {
    const plan = await planOf(linksPageQuery({ userId: OWNER, limit: 51, cursor }));
    const nodeTypes = plan.map((node) => node["Node Type"]);
    for (const type of ["Seq Scan", "Sort"]) expect(nodeTypes).not.toContain(type);
    expect(linksRead(plan)).toBe(51);
  });

  it.each(["number 29999", "nothing like it"])(
    "reads only links of the user for the search %j",
    async (search) => {
      const plan = await planOf(linksPageQuery({ userId: OWNER, limit: 51, search }));
      expect(linksRead(plan)).toBeLessThanOrEqual(10_000);
    },
  );
});
