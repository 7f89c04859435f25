import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { withEmptyTag, withTag } from "@tapthru/core/links/link-addresses";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { storeAddress } from "@tapthru/proto/rules/testing/arbitrary-urls";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { bulkUpdate, useDatabase } from "../testing/test-database.ts";
import { BULK_UPDATE_BATCH } from "./bulk-update-kinds.ts";

const database = await useDatabase();
const { rows } = database;

const ASIN = "B0ZZ1Y2X3W";
const PAGE = `https://www.amazon.de/dp/${ASIN}`;
const SITE = "https://t.example";

beforeEach(async () => {
  await rows("INSERT INTO users (id, username, email, firebase_uid) VALUES (1, 'a', 'a', 'a')");
  await rows(`DELETE FROM channels`);
  await rows(`INSERT INTO channels (id, user_id, name, name_key, is_default)
    VALUES (1, 1, 'Main', 'main', true), (2, 1, 'Blog', 'blog', false)`);
  await rows("INSERT INTO channel_tags (channel_id, user_id, marketplace, tag) VALUES (1, 1, 'de', 'main-21')");
  await rows(
    "INSERT INTO earlier_channel_tags VALUES (1, 'de', 'new-21', 2, now()), (1, 'de', 'blog-21', 2, now() - interval '1 day')",
  );
});

async function deleteChannel(): Promise<void> {
  await rows("UPDATE channels SET user_id = NULL WHERE id = 2");
  await addBulkUpdate(database.db, "delete-channel", { userId: 1, channelId: 2 });
}

async function settle(): Promise<void> {
  while (await bulkUpdate(database, "delete-channel"));
}

it("a deleted channel leaves links that followed it its last tag, as the api writes it into addresses of each form", async () => {
  const forms = [
    `/dp/${ASIN}?tag=x-21`,
    `/dp/${ASIN}?th=1&%74ag=blog-21&ascsubtag=blog-21&x=%26tag%3Dblog-21`,
    `/dp/${ASIN}?a?tag=&tag=1`,
    `/A-Lamp/dp/${ASIN}/ref=sr_1_1?TAG=&associate-id=x`,
    `/o/ASIN/${ASIN}/ref=nosim/102-1234567-1234567?tag=blog-21`,
    "/s?k=a&amp;tag=x-21",
    "/gp/aws/cart/add.html?AssociateTag=x-21&ASIN.1=B0ZZ1Y2X3W",
    `/sspa/click?x=1&url=%2Fdp%2F${ASIN}%3Fth%3D1&tag=blog-21`,
  ].map((form) => `https://www.amazon.de${form}#a?tag=&b`);
  const links = [...forms, ...fc.sample(storeAddress, 2_000).map(({ url }) => url)].flatMap((originalUrl) => {
    const page = parseStorePage(originalUrl);
    const pasted = { originalUrl, webUrl: page?.webUrl ?? "" };
    const link = withEmptyTag(SITE, pasted);
    return link === null ? [] : { ...link, tagged: withTag(SITE, pasted, "new-21") };
  });
  expect(links.length).toBeGreaterThan(100);
  await rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, user_id, channel_id, follows_channel)
     SELECT 'form' || n, "originalUrl", "webUrl", "deepLink", 'de', 1, 2, true
     FROM ROWS FROM (jsonb_to_recordset($1) AS ("originalUrl" text, "webUrl" text, "deepLink" text)) WITH ORDINALITY AS form ("originalUrl", "webUrl", "deepLink", n)`,
    [JSON.stringify(links)],
  );
  const shown =
    "SELECT link_url(links, original_url) AS original_url, link_url(links, web_url) AS web_url FROM links ORDER BY id";
  const expected = links.map(({ tagged }) => ({ original_url: tagged?.originalUrl, web_url: tagged?.webUrl }));
  expect(await rows(shown)).toEqual(expected);
  await deleteChannel();
  await settle();
  expect(await rows(shown)).toEqual(expected);
  expect(await rows("SELECT DISTINCT tag, channel_id, follows_channel FROM links")).toEqual([
    { tag: "new-21", channel_id: null, follows_channel: false },
  ]);
});

it("removes a deleted channel from its links in batches, and then the channel", async () => {
  await rows(`INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, user_id, channel_id)
    VALUES ('main', '${PAGE}', '${PAGE}', 'x?product_id=x', 'de', 1, 1)`);
  await rows(`INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, user_id, channel_id, follows_channel)
    SELECT 'many' || n, url, url, 'x?product_id=x', 'de', 1, 2, true
    FROM generate_series(1, ${BULK_UPDATE_BATCH + 1}) AS n, (SELECT '${PAGE}?tag=' AS url) AS one`);
  const other = await database.connect();
  await deleteChannel();
  expect(await bulkUpdate(database, "delete-channel")).toBe(true);
  expect(await rows("SELECT FROM channels WHERE id = 2")).toHaveLength(1);
  await other.query(`BEGIN; INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, channel_id)
    VALUES ('late', 'x', '${PAGE}', 'x?product_id=x', 1, 2)`);
  await settle();
  await other.query("COMMIT");
  await settle();
  expect(
    await rows(
      "SELECT channel_id, web_url, tag, revision, count(*)::int FROM links GROUP BY 1, 2, 3, 4 ORDER BY count, revision",
    ),
  ).toEqual([
    { channel_id: 1, web_url: PAGE, tag: null, revision: 1, count: 1 },
    { channel_id: null, web_url: PAGE, tag: null, revision: 2, count: 1 },
    { channel_id: null, web_url: `${PAGE}?tag=new-21`, tag: "new-21", revision: 2, count: BULK_UPDATE_BATCH + 1 },
  ]);
  expect(await rows("SELECT FROM link_destinations")).toEqual([]);
  expect(await rows("SELECT FROM link_changes WHERE revision = 2")).toHaveLength(BULK_UPDATE_BATCH + 2);
  expect(await rows("SELECT FROM channels WHERE id = 2")).toEqual([]);
});
