import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BulkUpdateKind, followProducts } from "@tapthru/core/links/bulk-updates";
import { sql } from "slonik";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { bulkUpdate, useDatabase } from "../testing/test-database.ts";
import { BULK_UPDATE_BATCH, BULK_UPDATE_KINDS } from "./bulk-update-kinds.ts";

const database = await useDatabase();
const { rows } = database;

const ROOT = join(import.meta.dirname, "../../../..");
const pageOf = (user: number) => `https://www.amazon.de/dp/B00000000${user}`;
const changedAt = "2026-11-30T12:00:00.000Z";

/** A change of the links of each of two users. */
const PAYLOADS: Record<BulkUpdateKind, (user: number) => object> = {
  "take-down": (userId) => ({ links: { cause: "owner", userId }, isTakenDown: true }),
  "product-state": (user) => ({ canonicalUrl: pageOf(user) }),
  product: (userId) => ({ userId, marketplace: "de", from: `B00000000${userId}`, to: "B0NEW00001", changedAt }),
  label: (userId) => ({ userId, labelId: userId, isDeleted: true }),
  "delete-channel": (userId) => ({ userId, channelId: 900 + userId }),
};

it.each(Object.keys(BULK_UPDATE_KINDS) as BulkUpdateKind[])(
  "changes of kind %s take turns: one of many links does not delay another",
  async (kind) => {
    await rows(`
      INSERT INTO users (id, username, email, firebase_uid) SELECT n, n, n, n FROM generate_series(1, 3) AS n;
      INSERT INTO channels (id, user_id, name, name_key) SELECT 900 + id, id, 'Blog', 'blog' FROM users;
      INSERT INTO labels (id, user_id, name, name_key, colour) OVERRIDING SYSTEM VALUE SELECT id, id, 'Blog', 'blog', 'red' FROM users;
      INSERT INTO links (id, short_code, original_url, web_url, deep_link, canonical_url, marketplace, asin, user_id, channel_id)
      SELECT n, 'own' || n, url, url, 'x?product_id=x', url, 'de', right(url, 10), owner, 900 + owner
      FROM (SELECT n, CASE WHEN n <= ${5 * BULK_UPDATE_BATCH} THEN 2 ELSE 1 + n % 2 * 2 END AS owner
        FROM generate_series(1, ${5 * BULK_UPDATE_BATCH + 2}) AS n) AS of_owner,
        LATERAL (SELECT 'https://www.amazon.de/dp/B00000000' || owner AS url) AS page;
      INSERT INTO link_labels (link_id, label_id) SELECT id, user_id FROM links;
    `);
    for (const user of [2, 1, 3]) {
      await rows("INSERT INTO bulk_updates (kind, payload) VALUES ($1, $2)", [kind, PAYLOADS[kind](user)]);
    }
    for (let round = 0; round < 4; round++) await bulkUpdate(database, kind);
    expect(await rows("SELECT payload FROM bulk_updates")).toEqual([{ payload: PAYLOADS[kind](2) }]);
    while (await bulkUpdate(database, kind));
    expect(await rows("SELECT FROM bulk_updates")).toEqual([]);
  },
);

it("a page or product that changes again and again while its links wait adds one change", async () => {
  for (const [name, value] of Object.entries({ canonicalUrl: pageOf(1), asin: "B000000001" })) {
    const changed = sql.fragment`changed AS (SELECT ${value}::text AS ${sql.identifier([name])} FROM generate_series(1, 3))`;
    const follow = () => database.db.query(sql.type(z.object({}))`WITH ${changed}, ${followProducts} SELECT`);
    const waiting = () => rows("SELECT payload FROM bulk_updates WHERE payload ? $1", [name]);
    for (let n = 0; n < 3; n++) await follow();
    expect(await waiting()).toEqual([{ payload: { [name]: value } }]);
    await rows("UPDATE bulk_updates SET after_id = 1");
    for (let n = 0; n < 3; n++) await follow();
    expect(await waiting()).toHaveLength(2);
  }
});

it("each statement that adds changes of many links adds what the relay reads", async () => {
  const sources = globSync(["services/*/src/**/*.ts", "infra/*/src/**/*.ts", "infra/**/*.sql"], { cwd: ROOT });
  const adding = sources.filter(
    (path) => !/\.test\.ts$|testing/.test(path) && /INTO bulk_updates/i.test(readFileSync(join(ROOT, path), "utf8")),
  );
  expect(adding).toEqual(["services/core/src/links/bulk-updates.ts"]);
  for (const payload of ['{"links": {"cause": "owner"}}', "{}", '{"asin": null}']) {
    await expect(
      rows("INSERT INTO bulk_updates (kind, payload) VALUES ('product-state', $1)", [payload]),
    ).rejects.toThrow("owner");
  }
});
