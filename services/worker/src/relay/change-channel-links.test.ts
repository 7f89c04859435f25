import { changeTags } from "@tapthru/core/links/change-tags";
import { findChannelTags } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import { ID_AND_CODE } from "@tapthru/core/links/insert-links";
import { linkAddresses } from "@tapthru/core/links/link-addresses";
import { addMassChange } from "@tapthru/core/links/mass-changes";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { setTag as withOtherTag } from "@tapthru/proto/rules/amazon/set-tag";
import { sql } from "slonik";
import { beforeEach, expect, it } from "vitest";
import * as z from "zod/mini";
import { makeFail, massChange, massChangeDeps, useDatabase } from "../testing/test-database.ts";
import { MASS_CHANGE_BATCH } from "./mass-change-kinds.ts";

const database = await useDatabase();
const { rows } = database;

const ASIN = "B0ZZ1Y2X3W";
const PAGE = `https://www.amazon.de/dp/${ASIN}`;

/** User 1 has the channel 1 (default) and 2, with a tag in the German store each; user 2 the channel 3. */
beforeEach(async () => {
  await rows(`INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, n, n, n FROM generate_series(1, 2) AS n`);
  await rows(`DELETE FROM channels`);
  await rows(`INSERT INTO channels (id, user_id, name, name_key, is_default)
    VALUES (1, 1, 'Main', 'main', true), (2, 1, 'Blog', 'blog', false), (3, 2, 'Main', 'main', true)`);
  await rows(`INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    VALUES (1, 1, 'de', 'main-21'), (2, 1, 'de', 'blog-21'), (3, 2, 'de', 'blog-21')`);
});

interface TestLink {
  url: string;
  channel?: number;
  channelTag?: string;
  userId?: number;
  routing?: boolean;
  fragment?: string;
}

async function addLink(
  code: string,
  { url, channel, channelTag, userId = 1, routing, fragment = "#reviews" }: TestLink,
): Promise<void> {
  const { originalUrl, webUrl, deepLink, marketplace, tag, asin } = linkAddresses(
    "https://t.example",
    url + fragment,
    storePage(url + fragment),
  );
  await rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, marketplace, tag, asin, user_id, channel_id,
       channel_tag, routing)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [code, originalUrl, webUrl, deepLink, marketplace, tag, asin, userId, channel, channelTag, routing],
  );
}

function storePage(url: string) {
  const page = parseStorePage(url);
  if (page === null) throw new Error(url);
  return page;
}

async function settle(): Promise<void> {
  while ((await massChange(database, "channel-tag")) || (await massChange(database, "delete-channel")));
}

const addMany = (count: number) =>
  rows(`INSERT INTO links
    (short_code, original_url, web_url, deep_link, marketplace, user_id, channel_id, channel_tag)
    SELECT 'many' || n, url, url, 'x?product_id=x', 'de', 1, 2, 'blog-21'
    FROM generate_series(1, ${count}) AS n, (SELECT '${PAGE}?tag=blog-21' AS url) AS one`);

/** As the api does. @param tag null: the channel has none any more */
async function setTag(channelId: number, tag: string | null): Promise<void> {
  await rows("DELETE FROM channel_tags WHERE channel_id = $1 AND $2::text IS NULL", [channelId, tag]);
  await rows("UPDATE channel_tags SET tag = $2 WHERE channel_id = $1", [channelId, tag]);
  const userId = channelId === 3 ? 2 : 1;
  await addMassChange(database.db, "channel-tag", { userId, channelId, marketplace: "de" });
}

const BLOG = { channel: 2, channelTag: "blog-21" };

async function linkOf(code: string) {
  const [link] = await rows(
    `SELECT original_url, web_url, deep_link, tag, channel_tag, revision FROM links WHERE short_code = $1`,
    [code],
  );
  return link;
}

/** What the api stores of the address with another tag. An address that would be too long keeps its tag. */
function withTag(url: string, tag: string) {
  const changed = withOtherTag(url, tag);
  const page = changed === null ? null : parseStorePage(changed);
  if (changed === null || page === null) return { channel_tag: null, tag: "blog-21", original_url: url };
  const { originalUrl, webUrl, deepLink } = linkAddresses("https://t.example", changed, page);
  return { channel_tag: tag, tag, original_url: originalUrl, web_url: webUrl, deep_link: deepLink };
}

it("writes the tag into addresses of each form as the api does, and into those of the channel alone", async () => {
  const forms = [
    `/dp/${ASIN}?tag=blog-21`,
    `/dp/${ASIN}?th=1&%74ag=blog-21&ascsubtag=blog-21&x=%26tag%3Dblog-21`,
    `/A-Lamp/dp/${ASIN}/ref=sr_1_1?tag=blog-21`,
    `/o/ASIN/${ASIN}/ref=nosim/102-1234567-1234567?tag=blog-21`,
    "/s?tag=blog-21",
    "/shop/lamps?tag=blog-21",
    `/sspa/click?x=1&url=%2Fdp%2F${ASIN}%3Fth%3D1&tag=blog-21`,
    `/dp/${ASIN}?tag=blog-21&x=${"x".repeat(3_990)}`,
  ].map((form) => `https://www.amazon.de${form}`);
  for (const [n, url] of forms.entries()) await addLink(`form${n}`, { url, ...BLOG, fragment: "#tag=blog-21" });
  const [url = ""] = forms;
  await addLink("pasted", { url, channel: 2 });
  await addLink("main", { url, channel: 1, channelTag: "blog-21" });
  await addLink("other", { url, channel: 3, channelTag: "blog-21", userId: 2 });
  const others = () => rows("SELECT * FROM links WHERE short_code IN ('pasted', 'main', 'other') ORDER BY id");
  const before = await others();
  const tag = `${"long".repeat(14)}-21`;
  await setTag(2, tag);
  await settle();
  for (const [n, form] of forms.entries())
    expect(await linkOf(`form${n}`)).toMatchObject(withTag(`${form}#tag=blog-21`, tag));
  expect(await others()).toEqual(before);
  const changed = await rows("SELECT FROM links JOIN link_changes USING (short_code, revision) WHERE revision = 2");
  expect(changed).toHaveLength(forms.length);
});

it("keeps the latest 50 destinations of links that get another tag", async () => {
  const url = `${PAGE}?tag=blog-21`;
  await addLink("follower", { url, ...BLOG });
  await addLink("routed", { url, channel: 2, routing: true });
  await rows(`INSERT INTO link_destinations (link_id, user_id, original_url, web_url, marketplace, tag)
    SELECT id, user_id, 'x' || n, 'x' || n, 'de', 'old-21' FROM links, generate_series(1, 49) AS n WHERE short_code = 'follower'`);
  for (const tag of ["blog1-21", "blog2-21", "blog3-21"]) {
    await setTag(2, tag);
    await settle();
  }
  await setTag(2, null);
  await settle();
  const kept = await rows(`SELECT short_code, link_destinations.original_url, link_destinations.web_url
    FROM link_destinations JOIN links ON links.id = link_id ORDER BY link_destinations.id`);
  expect(kept).toHaveLength(50);
  expect([kept[0], ...kept.slice(-3)]).toMatchObject([
    { short_code: "follower", original_url: "x3" },
    ...["blog-21", "blog1-21", "blog2-21"].map((tag) => ({
      short_code: "follower",
      original_url: `${PAGE}?tag=${tag}#reviews`,
      web_url: `${PAGE}?tag=${tag}`,
    })),
  ]);
});

it("sets a change aside that fails, makes the next one in the same round, and tries again later", async () => {
  await addLink("broken", { url: `${PAGE}?tag=blog-21`, ...BLOG });
  await addLink("other", { url: `${PAGE}?tag=blog-21`, channel: 3, channelTag: "blog-21", userId: 2 });
  const accept = await makeFail(database, "all_links", { short_code: "broken" });
  await setTag(2, "new-21");
  await setTag(3, "new-21");
  expect(await massChange(database, "channel-tag")).toBe(true);
  expect(await linkOf("other")).toMatchObject({ channel_tag: "new-21" });
  await settle();
  expect(await linkOf("broken")).toMatchObject({ channel_tag: "blog-21" });
  expect(await rows("SELECT kind, error, attempts FROM failed_items")).toEqual([
    { kind: "mass-changes", error: expect.stringContaining("this row fails"), attempts: 1 },
  ]);
  await accept();
  await rows("UPDATE failed_items SET retry_at = now()");
  await settle();
  expect(await linkOf("broken")).toMatchObject({ channel_tag: "new-21" });
  expect(await rows("SELECT FROM failed_items")).toEqual([]);
});

it("gives links that are created, or put on the channel, with an earlier tag the present one", async () => {
  await addLink("own", { url: `${PAGE}?tag=blog-21` });
  const own = z.object({ id: z.int() });
  const id = await database.db.oneFirst(sql.type(own)`SELECT id FROM links`);
  const creator = { userId: 1, channels: await findChannelTags(database.db, 1), domain: null };
  const destination = { originalUrl: PAGE, page: storePage(PAGE) };
  await setTag(2, "new-21");
  await settle();
  const link = { destination, channelId: 2, usesChannelTag: true };
  await createLinks(massChangeDeps(database), creator, [link], ID_AND_CODE);
  const put = changeTags([{ id, channelId: 2, channelTag: "blog-21" }]);
  await database.db.query(sql.type(z.object({}))`${put} SELECT`);
  const tags = () => rows("SELECT tag, channel_tag FROM links");
  expect(await tags()).toEqual(Array(2).fill({ tag: "blog-21", channel_tag: "blog-21" }));
  await settle();
  expect(await tags()).toEqual(Array(2).fill({ tag: "new-21", channel_tag: "new-21" }));
});

it("changes links in batches, also when two relays run and the tag changes again", async () => {
  await addMany(2 * MASS_CHANGE_BATCH + 1);
  await setTag(2, "second-21");
  await Promise.all([settle(), setTag(2, "third-21"), settle()]);
  await settle();
  expect(await rows("SELECT DISTINCT web_url, original_url, channel_tag FROM links")).toEqual([
    { web_url: `${PAGE}?tag=third-21`, original_url: `${PAGE}?tag=third-21`, channel_tag: "third-21" },
  ]);
  expect(await rows("SELECT FROM mass_changes WHERE kind = 'channel-tag'")).toEqual([]);
});

it("removes a deleted channel from its links, which keep their addresses, in batches, and then the channel", async () => {
  await addLink("main", { url: `${PAGE}?tag=main-21`, channel: 1, channelTag: "main-21", fragment: "" });
  await addMany(MASS_CHANGE_BATCH + 1);
  const other = await database.connect();
  await rows("UPDATE channels SET user_id = NULL WHERE id = 2");
  await addMassChange(database.db, "delete-channel", { userId: 1, channelId: 2 });
  expect(await massChange(database, "delete-channel")).toBe(true);
  expect(await rows("SELECT FROM channels WHERE id = 2")).toHaveLength(1);
  await other.query(`BEGIN; INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, channel_id)
    VALUES ('late', 'x', '${PAGE}', 'x?product_id=x', 1, 2)`);
  await settle();
  await other.query("COMMIT");
  await settle();
  expect(
    await rows(`SELECT channel_id, channel_tag, web_url, revision, count(*)::int FROM links
      GROUP BY 1, 2, 3, 4 ORDER BY web_url`),
  ).toEqual([
    { channel_id: null, channel_tag: null, web_url: PAGE, revision: 2, count: 1 },
    { channel_id: null, channel_tag: null, web_url: `${PAGE}?tag=blog-21`, revision: 2, count: MASS_CHANGE_BATCH + 1 },
    { channel_id: 1, channel_tag: "main-21", web_url: `${PAGE}?tag=main-21`, revision: 1, count: 1 },
  ]);
  expect(await rows("SELECT FROM link_changes WHERE revision = 2")).toHaveLength(MASS_CHANGE_BATCH + 2);
  expect(await rows("SELECT FROM channels WHERE id = 2")).toEqual([]);
});
