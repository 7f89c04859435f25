import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assignSortNames } from "./assign-sort-names.ts";
import { createThrowawayDatabase, type ThrowawayDatabase } from "./testing/throwaway-database.ts";

let database: ThrowawayDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createThrowawayDatabase(process.env.TEST_DATABASE_URL ?? "");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

it("gives a sort name to existing links with an owner, and changes nothing else", async () => {
  // Links from before the column, in more than one batch; every tenth has no owner.
  await client.query(`
    INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'ada', 'ada', 'ada');
    INSERT INTO products (canonical_url, marketplace, product_id, title) VALUES ('page', 'de', 'x', 'A lamp');
    ALTER TABLE links DISABLE TRIGGER links_set_sort_name;
    INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, nickname, user_id)
    SELECT 'code' || n, 'https://amazon.de/dp/B000000001', 'https://amazon.de/dp/B000000001',
      'https://t.example/redirect?product_id=B000000001', 'page',
      CASE n WHEN 7 THEN 'My lamp' END, CASE WHEN n % 10 > 0 THEN 1 END
    FROM generate_series(1, 5000) n;
    ALTER TABLE links ENABLE TRIGGER links_set_sort_name;
  `);
  const rows = async () =>
    (await client.query("SELECT to_jsonb(links) - 'sort_name' AS row FROM links ORDER BY id")).rows;
  const before = await rows();

  await assignSortNames(database.url);
  await assignSortNames(database.url);

  const { rows: names } = await client.query(
    "SELECT sort_name AS name, count(*)::int AS n FROM links GROUP BY 1 ORDER BY 1",
  );
  expect(names).toEqual([
    { name: "A lamp", n: 4_499 },
    { name: "My lamp", n: 1 },
    { name: null, n: 500 },
  ]);
  expect(await rows()).toEqual(before);
  expect((await client.query("SELECT FROM link_changes")).rowCount).toBe(0);
});
