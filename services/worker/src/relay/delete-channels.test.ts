import { beforeEach, expect, it } from "vitest";
import { massChange, useDatabase } from "../testing/test-database.ts";

const database = await useDatabase();

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W?tag=blog-21";

/** User 1 has the channel 1 (default) and 2, with a link on each. */
beforeEach(async () => {
  await database.rows("INSERT INTO users (id, username, email, firebase_uid) VALUES (1, '1', '1', '1')");
  await database.rows("DELETE FROM channels");
  await database.rows(`INSERT INTO channels (id, user_id, name, name_key, is_default)
    VALUES (1, 1, 'Main', 'main', true), (2, 1, 'Blog', 'blog', false)`);
  await addLinks(1, 1);
  await database.rows("UPDATE links SET channel_id = 1");
});

const addLinks = (first: number, last: number) =>
  database.rows(`INSERT INTO links
    (short_code, original_url, web_url, deep_link, marketplace, tag, user_id, channel_id, channel_tag)
    SELECT 'n' || n, '${PAGE}', '${PAGE}', 'x?product_id=x', 'de', 'blog-21', 1, 2, 'blog-21'
    FROM generate_series(${first}, ${last}) AS n`);
const deleteChannel = () => database.rows("UPDATE channels SET user_id = NULL WHERE id = 2");
const settle = async () => {
  while (await massChange(database, "delete-channel"));
};

it("removes a channel from its links, which keep their addresses, in batches, and then the channel", async () => {
  await addLinks(2, 1_002);
  await deleteChannel();
  expect(await massChange(database, "delete-channel")).toBe(true);
  expect(await database.rows("SELECT FROM channels WHERE id = 2")).toHaveLength(1);
  await settle();
  expect(
    await database.rows(`SELECT channel_id, channel_tag, web_url, revision, count(*)::int FROM links
      GROUP BY 1, 2, 3, 4 ORDER BY 1`),
  ).toEqual([
    { channel_id: 1, channel_tag: "blog-21", web_url: PAGE, revision: 1, count: 1 },
    { channel_id: null, channel_tag: null, web_url: PAGE, revision: 2, count: 1_001 },
  ]);
  expect(await database.rows("SELECT FROM link_changes WHERE revision = 2")).toHaveLength(1_001);
  expect(await database.rows("SELECT id FROM channels")).toEqual([{ id: 1 }]);
});

it("also from a link that gets the channel while it is deleted", async () => {
  await deleteChannel();
  const other = await database.connect();
  await other.query("BEGIN");
  await other.query(`INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, channel_id)
    VALUES ('late', '${PAGE}', '${PAGE}', 'x?product_id=x', 1, 2)`);
  await settle();
  await other.query("COMMIT");
  await settle();
  expect(await database.rows("SELECT channel_id, revision FROM links WHERE short_code = 'late'")).toEqual([
    { channel_id: null, revision: 2 },
  ]);
});
