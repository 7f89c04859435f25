import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { findChannelTags, newLinkAddresses } from "@tapthru/runtime/links/channel-tags";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { changeChannelLinks } from "./change-channel-links.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const SITE = "https://t.example";
const store = fc.constantFrom("de", "fr");
const query = fc.constantFrom(
  "",
  "?th=1",
  "?ascsubtag=c1-de-21",
  "?tag=mine-21",
  "?x=%26tag%3Dc1-de-21",
);
const link = fc.record({
  store,
  query,
  channel: fc.constantFrom(null, 1, 2),
  follows: fc.boolean(),
});
const change = fc.oneof(
  fc.record({ channel: fc.constantFrom(1, 2), store, removed: fc.boolean() }),
  fc.record({ link: fc.nat(3), pasted: fc.constantFrom("mine-21", "Other-21") }),
);

/** What a link is expected to have. */
interface Expected {
  store: string;
  tag: string | null;
  /** Whose tag it is. Null: its owner's. */
  channel: number | null;
}

/** User 1 has the channels 1 (default) and 2 with a tag in each store; user 2 the same tags. */
async function reset(): Promise<void> {
  await database.rows("DELETE FROM links");
  await database.rows("DELETE FROM users");
  await database.rows(`INSERT INTO users (id, username, email, firebase_uid)
    SELECT n, n, n, n FROM generate_series(1, 2) AS n`);
  await database.rows(`DELETE FROM channels`);
  await database.rows(`INSERT INTO channels (id, user_id, name, name_key, is_default)
    SELECT n, greatest(1, n - 1), n, n, n <> 2 FROM generate_series(1, 3) AS n`);
  await database.rows(`INSERT INTO channel_tags (channel_id, user_id, marketplace, tag)
    SELECT id, user_id, store, 'c' || CASE id WHEN 3 THEN 1 ELSE id END || '-' || store || '-21'
    FROM channels, unnest(ARRAY['de', 'fr']) AS store`);
  await settle();
}

async function settle(): Promise<void> {
  while (await changeChannelLinks(database));
}

function addressesOf(url: string) {
  const page = parseStorePage(url);
  if (page === null) throw new Error(url);
  return { originalUrl: url, page };
}

async function addLink(
  code: string,
  userId: number,
  given: typeof link extends fc.Arbitrary<infer Value> ? Value : never,
): Promise<Expected> {
  const channels = await findChannelTags(database.db, userId);
  const url = `https://www.amazon.${given.store}/dp/B0ZZ1Y2X3W${given.query}`;
  const choice = { channelId: userId === 1 ? given.channel : 3, usesChannelTag: given.follows };
  const added = newLinkAddresses(SITE, addressesOf(url), choice, channels);
  await database.rows(
    `INSERT INTO links (short_code, original_url, web_url, deep_link, user_id, channel_id, channel_tag)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      code,
      added.originalUrl,
      added.webUrl,
      added.deepLink,
      userId,
      added.channelId,
      added.channelTag,
    ],
  );
  const tag = parseStorePage(added.webUrl)?.tag ?? null;
  return { store: given.store, tag, channel: added.channelTag === null ? null : added.channelId };
}

const linkTags = async (userId: number) => {
  const rows = await database.rows(
    "SELECT original_url, web_url, deep_link FROM links WHERE user_id = $1 ORDER BY short_code",
    [userId],
  );
  return rows.map(({ original_url, web_url, deep_link }) => {
    const pasted = new URL(String(deep_link)).searchParams;
    const inDeepLink = [...pasted.values()].find((value) =>
      value.startsWith("https://www.amazon."),
    );
    return [original_url, web_url, inDeepLink].map(
      (url) => parseStorePage(String(url))?.tag ?? null,
    );
  });
};

it("links have the tag of their channel or their own after all changes, and no other user's", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(link, { minLength: 4, maxLength: 4 }),
      fc.array(change, { minLength: 1, maxLength: 8 }),
      async (links, changes) => {
        await reset();
        const expected: Expected[] = [];
        for (const [index, given] of links.entries()) {
          expected.push(await addLink(`own${index}`, 1, given));
          await addLink(`other${index}`, 2, given);
        }
        const others = await linkTags(2);
        for (const [number, each] of changes.entries()) {
          if ("pasted" in each) await paste(each.link, each.pasted);
          else
            await setChannelTag(each.channel, each.store, each.removed ? null : `new${number}-21`);
        }
        await settle();
        expect(await linkTags(1)).toEqual(expected.map(({ tag }) => [tag, tag, tag]));
        expect(await linkTags(2)).toEqual(others);

        async function setChannelTag(channel: number, marketplace: string, tag: string | null) {
          if (tag === null) {
            // A link keeps the tag that the relay has written.
            await settle();
            await database.rows(
              "DELETE FROM channel_tags WHERE channel_id = $1 AND marketplace = $2",
              [channel, marketplace],
            );
            await settle();
          } else {
            await database.rows(
              `INSERT INTO channel_tags VALUES ($1, 1, $2, $3)
               ON CONFLICT (channel_id, marketplace) DO UPDATE SET tag = excluded.tag`,
              [channel, marketplace, tag],
            );
          }
          for (const one of expected) {
            if (one.channel !== channel || one.store !== marketplace) continue;
            if (tag === null) one.channel = null;
            else one.tag = tag;
          }
        }

        async function paste(at: number, tag: string) {
          const { store: marketplace } = expected[at] as Expected;
          const url = setTag(`https://www.amazon.${marketplace}/dp/B0ZZ1Y2X3W`, tag) ?? "";
          const { originalUrl, webUrl, deepLink } = newLinkAddresses(
            SITE,
            addressesOf(url),
            {},
            await findChannelTags(database.db, 1),
          );
          await database.rows(
            `UPDATE links SET original_url = $2, web_url = $3, deep_link = $4, channel_tag = NULL
             WHERE short_code = $1`,
            [`own${at}`, originalUrl, webUrl, deepLink],
          );
          expected[at] = { store: marketplace, tag, channel: null };
        }
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
