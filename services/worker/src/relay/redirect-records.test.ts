import { isDeepStrictEqual } from "node:util";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { OwnerRecord } from "@tapthru/proto/redirect/owner";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { bulkUpdate, useDatabase } from "../testing/test-database.ts";

const database = await useDatabase();
const { rows } = database;

const ASIN = "B0ZZ1Y2X3W";
const PAGE = `https://www.amazon.com/dp/${ASIN}`;

beforeEach(async () => {
  await rows(`INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, n, n, n FROM generate_series(1, 2) AS n`);
  await rows(`INSERT INTO products (canonical_url, marketplace, product_id, title)
    VALUES ('${PAGE}', 'com', '${ASIN}', 'A lamp')`);
  await rows(`INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id)
    SELECT code, 'x', '${PAGE}', 'x?product_id=x', '${PAGE}', owner
    FROM (VALUES ('own', 1), ('others', 2), ('guest', NULL)) AS link (code, owner)`);
});

async function recordOf(key: string): Promise<unknown> {
  const [row] = await rows("SELECT record FROM redirect_records WHERE short_code = $1", [key]);
  return row?.record;
}

it.each([
  ["who has just signed up", "", { oneLink: [] }],
  ["who is blocked", "UPDATE users SET state = 'blocked' WHERE id = 1", { isBlocked: true }],
  ["with a name", "UPDATE users SET displayed_name = 'Ada' WHERE id = 1", { creatorName: "Ada" }],
  ["with a disclosure", "UPDATE users SET shows_disclosure = true WHERE id = 1", { showsDisclosure: true }],
  ["with routing", "INSERT INTO routing_settings VALUES (1, true, 'original', false)", { isRouted: true }],
  ["with searches", "INSERT INTO routing_settings VALUES (1, false, 'search', false)", { searches: true }],
  ["for assistants", "INSERT INTO routing_settings VALUES (1, false, 'original', true)", { assistantsGetTag: true }],
  ["with OneLink", "INSERT INTO onelink_stores VALUES (1, 'fr'), (1, 'de'), (2, 'it')", { oneLink: ["de", "fr"] }],
])("the record of an owner %s says so, and nothing else", async (_name, statement, expected) => {
  await rows(statement);
  const record = z.parse(OwnerRecord, await recordOf("~1"));
  const { state, revision, defaultChannel, channels, ...said } = record;
  expect([state, channels]).toEqual(["owner", { [String(defaultChannel)]: { tags: {} } }]);
  expect(revision).toBe(statement.startsWith("UPDATE users") ? 2 : 1);
  expect(said).toEqual({ oneLink: [], ...expected });
});

describe("redirects learn of each change of a column of users that the record shows, whoever writes it, and of no other", async () => {
  const VALUES: Record<string, string> = {
    state: "'blocked'",
    revision: "revision + 1",
    weekly_email: "'off'",
    weekly_email_token: "gen_random_uuid()",
  };
  const columns = await rows(`SELECT column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'users' AND column_name <> 'id'`);
  const changes = columns.map(({ name, type }) => {
    const value = { boolean: `NOT ${name}`, text: `coalesce(${name}, '') || 'x'` }[String(type)] ?? "now()";
    return `${name} = ${VALUES[String(name)] ?? value}`;
  });

  it.each([...changes, "state = 'disabled'", "displayed_name = 'Ada', revision = revision + 1"])(
    "%s",
    async (change) => {
      const ownerRecord = async () => z.parse(OwnerRecord, await recordOf("~1"));
      const before = await ownerRecord();
      await rows("DELETE FROM link_changes");
      await rows(`UPDATE users SET ${change} WHERE id = 1`);
      const after = await ownerRecord();
      const outbox = await rows("SELECT short_code, revision FROM link_changes");
      expect(outbox).toEqual(isDeepStrictEqual(after, before) ? [] : [{ short_code: "~1", revision: 2 }]);
      expect(after.revision).toBe(1 + outbox.length);
    },
  );

  it("and of a deletion", async () => {
    await rows("DELETE FROM all_links; DELETE FROM link_changes; DELETE FROM users WHERE id = 1");
    expect(await rows("SELECT short_code, revision FROM link_changes")).toEqual([{ short_code: "~1", revision: 2 }]);
  });
});

it("an owner's record has each of their channels with its tags and fallback, and no other user's", async () => {
  await rows(`
    INSERT INTO channels (id, user_id, name, name_key, fallback_url) VALUES
      (901, 1, 'Blog', 'blog', '${PAGE}'), (902, NULL, 'Deleted', 'deleted', NULL);
    INSERT INTO channel_tags VALUES (901, 1, 'de', 'blog-21'), (901, 1, 'fr', 'blog-22'), (default_channel(2), 2, 'de', 'x-21')
  `);
  const { defaultChannel, channels } = z.parse(OwnerRecord, await recordOf("~1"));
  const blog = { tags: { de: "blog-21", fr: "blog-22" }, fallbackUrl: PAGE };
  expect(channels).toEqual({ [String(defaultChannel)]: { tags: {} }, 901: blog });
});

describe("the record of a link", () => {
  const SOLD = `INSERT INTO product_stores VALUES
    ('${ASIN}', 'fr', true, 'page', now()), ('${ASIN}', 'de', true, 'page', now()), ('${ASIN}', 'it', NULL, 'page', now()),
    ('${ASIN}', 'com', true, 'page', now()), ('B000000001', 'es', true, 'page', now())`;
  const own = { state: "live", revision: 1, webUrl: PAGE, expiresAt: null, owner: "~1" };

  it.each([
    ["its owner", "", { title: "A lamp" }],
    ["the stores that sell its product", SOLD, { soldIn: ["de", "fr"] }],
    [
      "the product's title beside its own",
      "UPDATE links SET title = 'Mine'",
      { title: "Mine", productTitle: "A lamp" },
    ],
    ["its channel", "UPDATE links SET channel_id = default_channel(1)", { channelId: expect.any(Number) }],
    ["its own choice of routing", "UPDATE links SET routing = false", { isRouted: false }],
    ["its fallback", `UPDATE links SET fallback_url = '${PAGE}'`, { fallbackUrl: PAGE }],
    ["that its product is gone", "UPDATE products SET check_state = 'product-gone'", { isProductGone: true }],
    ["how it opens", "UPDATE links SET opening = 'tap'", { opening: "tap" }],
  ])("says %s", async (_name, statement, expected) => {
    await rows(statement);
    const record = await recordOf("own");
    const metadata = { title: "A lamp", description: null, imageUrl: null, siteName: null };
    expect(record).toEqual({ ...own, ...metadata, ...expected });
  });

  it("names no owner and no stores of a link without an owner", async () => {
    await rows(SOLD);
    expect(Object.keys(Object(await recordOf("guest")))).not.toContain("owner");
    expect(Object.keys(Object(await recordOf("guest")))).not.toContain("soldIn");
  });

  it("changes with what is known of its product, unless it is taken down, and so does the name by which it is sorted", async () => {
    await rows(`INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url, user_id, taken_down_at)
      VALUES ('taken', 'x', '${PAGE}', 'x?product_id=x', '${PAGE}', 1, now())`);
    await rows("UPDATE products SET title = 'A red lamp'");
    for (const asin of [ASIN, "B000000001"]) await addBulkUpdate(database.db, "product-state", { asin });
    while (await bulkUpdate(database, "product-state"));
    const found = await rows("SELECT short_code, revision FROM link_changes WHERE short_code !~ '^~' ORDER BY 1");
    expect(found).toEqual(["guest", "others", "own"].map((code) => ({ short_code: code, revision: 2 })));
    expect(await rows("SELECT DISTINCT sort_name FROM links WHERE user_id IS NOT NULL AND revision = 2")).toEqual([
      { sort_name: "A red lamp" },
    ]);
  });
});
