import { createThrowawayDatabase } from "@tapthru/postgres/testing/throwaway-database";
import { withClient } from "@tapthru/postgres/with-client";
import { createLogger } from "@tapthru/runtime/logger";
import { createPostgres } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { type LinksPage, linksPageQuery } from "../src/links/own-queries.ts";

// Measures the list query for a user with 10,000 links in a table with 100,000 links of 200 other users.
// Needs a URL for connecting to a server as a superuser. Creates a temporary database and drops it.
const [serverUrl] = process.argv.slice(2);
if (serverUrl === undefined) {
  console.error("Usage: node services/api/bench/list-links.ts <postgres url>");
  process.exit(1);
}

const USER = 1;
const ROUNDS = 30;

// Every eleventh link belongs to the user, so that the links of all users are interleaved.
const SEED = `
  INSERT INTO users (id, username, email, firebase_uid)
  SELECT n, 'user ' || n, 'user' || n || '@example.com', 'uid' || n FROM generate_series(1, 201) n;
  INSERT INTO products (canonical_url, marketplace, product_id, title, image_url, next_attempt_at)
  SELECT 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0'), 'com', 'B' || lpad(n::text, 9, '0'),
    'Lamp number ' || n || ' that looks like a book, folds open by itself, charges by USB-C, oak and '
      || 'paper, warm white, 500 lumen',
    'https://m.media-amazon.com/images/I/71' || n || '._AC_SL1500_.jpg', NULL
  FROM generate_series(1, 110000) n;
  INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id)
  SELECT lpad(to_hex(n), 7, '0'), url, url, 'https://t.example/redirect?product_id=B', page,
    CASE n % 11 WHEN 0 THEN ${USER} ELSE 2 + n % 200 END
  FROM generate_series(1, 110000) n,
    LATERAL (SELECT 'https://www.amazon.com/dp/B' || lpad(n::text, 9, '0') AS page) p,
    LATERAL (SELECT page || '?tag=tapthru-20&th=1&psc=1' AS url) u;
`;

const NEWEST = { limit: 51, order: "newest" } as const;
const BY_NAME = { limit: 51, order: "name" } as const;

const QUERIES: Record<string, Omit<LinksPage, "userId">> = {
  "first page (50)": NEWEST,
  "page in the middle (200)": { ...NEWEST, limit: 201, cursor: { id: 55_000, sortValue: null } },
  "last page (200)": { ...NEWEST, limit: 201, cursor: { id: 2_000, sortValue: null } },
  "by name, first page (50)": BY_NAME,
  "by name, last page (50)": { ...BY_NAME, cursor: { id: 0, sortValue: "Lamp number 109500" } },
  "search, every link matches": { ...NEWEST, search: "lamp" },
  "search, one link matches": { ...NEWEST, search: "number 55000 " },
  "search, none matches": { ...NEWEST, search: "unknown product" },
  "one store, none matches": { ...NEWEST, store: "fr" },
  "without a tag, none matches": { ...NEWEST, filter: "no-tag" },
  "needs attention, by name, none matches": { ...BY_NAME, filter: "needs-attention" },
};

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
}
const Explained = z.object({
  "QUERY PLAN": z.array(
    z.object({ Plan: z.custom<Plan>(), "Planning Time": z.number(), "Execution Time": z.number() }),
  ),
});

const database = await createThrowawayDatabase(serverUrl);
const db = createPostgres({
  url: database.url,
  applicationName: "bench",
  maxConnections: 1,
  statementTimeoutMs: 10_000,
  acquireTimeoutMs: 1_000,
  logger: createLogger({ service: "bench", level: "error" }),
});
try {
  await withClient(database.url, async (client) => {
    await client.query(SEED);
    await client.query("VACUUM ANALYZE");
  });
  console.log("| query | ms, median | ms, slowest | rows of links | 8 kB blocks | full scan |");
  console.log("|---|---|---|---|---|---|");
  for (const [name, page] of Object.entries(QUERIES)) console.log(await measure(name, page));
} finally {
  await db.stop?.();
  await database.drop();
}

async function measure(name: string, page: Omit<LinksPage, "userId">): Promise<string> {
  const times: number[] = [];
  let plan: Plan | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const { "QUERY PLAN": explained } = await db.one(
      sql.type(Explained)`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${linksPageQuery({ ...page, userId: USER })}
      `,
    );
    for (const { Plan, "Planning Time": planning, "Execution Time": execution } of explained) {
      times.push(planning + execution);
      plan = Plan;
    }
  }
  if (!plan) throw new Error("Postgres returned no plan");
  times.sort((one, other) => one - other);
  const nodes = nodesOf(plan);
  const scanned = nodes
    .filter((node) => node["Node Type"] === "Seq Scan")
    .map((node) => node["Relation Name"]);
  const cells = [
    name,
    times[Math.floor(ROUNDS / 2)]?.toFixed(1),
    times.at(-1)?.toFixed(1),
    nodes.reduce((sum, node) => sum + linksRead(node), 0),
    plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
    scanned.length > 0 ? `of ${scanned.join(", ")}` : "no",
  ];
  return `| ${cells.join(" | ")} |`;
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function linksRead(node: Plan): number {
  if (node["Relation Name"] !== "links") return 0;
  return (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
}
