import { type ChannelChoice, findChannelTags, newLinkAddresses } from "@tapthru/core/links/channel-tags";
import { linkAddresses } from "@tapthru/core/links/link-addresses";
import { addMassChange } from "@tapthru/core/links/mass-changes";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import fc from "fast-check";
import { expect, it } from "vitest";
import { massChange, useDatabase } from "../testing/test-database.ts";

const database = await useDatabase();

const SITE = "https://t.example";
const store = fc.constantFrom("de", "fr");
const path = fc.constantFrom(
  "/dp/B0ZZ1Y2X3W",
  "/A-Lamp/dp/B0ZZ1Y2X3W/ref=sr_1_1",
  "/o/ASIN/B0ZZ1Y2X3W/ref=nosim/102-1234567-1234567",
  "/s",
  "/shop/lamps",
  "/sspa/click?x=1&url=%2Fdp%2FB0ZZ1Y2X3W%3Fth%3D1",
);
const query = fc
  .array(fc.constantFrom("th=1", "ascsubtag=c1-de-21", "x=%26tag%3Dc1-de-21", "%74ag=", "", `x=${"x".repeat(3_990)}`), {
    maxLength: 2,
  })
  .map((parts) => (parts.length === 0 ? "" : `?${parts.join("&")}`));
const link = fc.record({
  store,
  path,
  query,
  fragment: fc.constantFrom("", "#tag=c1-de-21"),
  pasted: fc.constantFrom(null, "mine-21"),
  channel: fc.constantFrom(null, 1, 2),
  follows: fc.boolean(),
});
type GivenLink = typeof link extends fc.Arbitrary<infer Value> ? Value : never;
const tag = fc.constantFrom("a-21", "B-21", `${"long".repeat(14)}-21`, null);
const change = fc.record({ channel: fc.constantFrom(1, 2), store, tag });

/** User 1 has the channels 1 (default) and 2 with a tag in each store; user 2 the same tags. */
async function reset(): Promise<void> {
  await database.rows("DELETE FROM links; DELETE FROM link_changes");
  await database.rows("DELETE FROM users");
  await database.rows(`INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, n, n, n FROM generate_series(1, 2) AS n`);
  await database.rows(`DELETE FROM channels`);
  await database.rows(`INSERT INTO channels (id, user_id, name, name_key, is_default)
    SELECT n, greatest(1, n - 1), n, n, n <> 2 FROM generate_series(1, 3) AS n`);
  await database.rows(`INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT id, user_id, store, 'c' || CASE id WHEN 3 THEN 1 ELSE id END || '-' || store || '-21'
    FROM channels, unnest(ARRAY['de', 'fr']) AS store`);
}

async function settle(): Promise<void> {
  while (await massChange(database, "channel-tag"));
}

/** Null if the address is too long. */
function addressOf(given: GivenLink): string | null {
  const parts = [given.query, given.fragment];
  const [rest = ""] = given.path.includes("?") ? [given.query.replace("?", "&")] : parts;
  const url = `https://www.amazon.${given.store}${given.path}${rest}${given.fragment}`;
  return given.pasted === null ? url : setTag(url, given.pasted);
}

/** What is stored of a link. */
type Stored = Pick<
  ReturnType<typeof newLinkAddresses>,
  "originalUrl" | "webUrl" | "deepLink" | "marketplace" | "tag" | "asin" | "channelId" | "channelTag"
>;

/** What the api stores of a link with an address. Null: it refuses the address. */
async function planned(userId: number, originalUrl: string | null, choice: ChannelChoice): Promise<Stored | null> {
  const page = originalUrl === null ? null : parseStorePage(originalUrl);
  if (originalUrl === null || page === null) return null;
  const channels = await findChannelTags(database.db, userId);
  return newLinkAddresses(SITE, { originalUrl, page }, choice, channels);
}

const insert = (code: string, userId: number, added: Stored) =>
  database.rows(
    `INSERT INTO links (short_code, user_id, original_url, web_url, deep_link, marketplace, tag, asin, channel_id, channel_tag)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      code,
      userId,
      added.originalUrl,
      added.webUrl,
      added.deepLink,
      added.marketplace,
      added.tag,
      added.asin,
      added.channelId,
      added.channelTag,
    ],
  );

const stored = async (userId: number) =>
  (await database.rows(
    `SELECT original_url AS "originalUrl", web_url AS "webUrl", deep_link AS "deepLink", marketplace, tag, asin,
       channel_id AS "channelId", channel_tag AS "channelTag"
     FROM links WHERE user_id = $1 ORDER BY short_code`,
    [userId],
  )) as unknown as Stored[];

/** What the api stores of the link if its owner gives it the tag of its channel. */
function withTag(before: Stored, newTag: string): Stored {
  const originalUrl = setTag(before.originalUrl, newTag) ?? setTag(before.webUrl, newTag);
  const page = originalUrl === null ? null : parseStorePage(originalUrl);
  if (originalUrl === null || page === null) return { ...before, channelTag: null };
  const { page: _page, pageTitle: _title, ...addresses } = linkAddresses(SITE, originalUrl, page);
  return { ...before, ...addresses, channelTag: newTag };
}

/** Links of which a change is not in the outbox, or that have one without a change. */
const unannounced = () =>
  database.rows(`SELECT short_code FROM links JOIN users ON users.id = user_id
    WHERE (revision > 1) <> EXISTS (
      SELECT FROM link_changes AS change WHERE change.short_code = links.short_code AND change.revision = links.revision
    )`);

it("links have the tag of their channel or their own after all changes, as the api writes it, and no other user's", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { minLength: 4, maxLength: 4 }),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (links, changes) => {
        await reset();
        for (const [index, given] of links.entries()) {
          const choice = { channelId: given.channel, usesChannelTag: given.follows };
          const own = await planned(1, addressOf(given), choice);
          const others = await planned(2, addressOf(given), { ...choice, channelId: 3 });
          if (own !== null) await insert(`own${index}`, 1, own);
          if (others !== null) await insert(`other${index}`, 2, others);
        }
        let expected = await stored(1);
        const ofOthers = await stored(2);
        for (const { channel, store: marketplace, tag: newTag } of changes) {
          await database.rows(
            newTag === null
              ? "DELETE FROM channel_tags WHERE channel_id = $1 AND marketplace = $2"
              : `INSERT INTO channel_tags VALUES ($1::int, 1, $2, $3::text || '-' || $1::int)
                 ON CONFLICT (channel_id, marketplace) DO UPDATE SET tag = excluded.tag`,
            newTag === null ? [channel, marketplace] : [channel, marketplace, newTag],
          );
          await addMassChange(database.db, "channel-tag", { userId: 1, channelId: channel, marketplace });
          await settle();
          const written = newTag === null ? null : `${newTag}-${channel}`;
          expected = expected.map((before) => {
            const isConcerned =
              before.channelId === channel &&
              before.marketplace === marketplace &&
              before.channelTag !== null &&
              before.channelTag !== written;
            if (!isConcerned) return before;
            return written === null ? { ...before, channelTag: null } : withTag(before, written);
          });
        }
        expect(await stored(1)).toEqual(expected);
        expect(await stored(2)).toEqual(ofOthers);
        expect(await unannounced()).toEqual([]);
      },
    ),
    { numRuns: 20 },
  );
}, 600_000);
