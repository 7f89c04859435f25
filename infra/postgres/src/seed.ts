import { linkAddresses } from "@tapthru/core/links/link-addresses";
import { insertLinkChanges } from "@tapthru/core/outbox";
import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { usernameLookalikeKey } from "@tapthru/proto/rules/names";
import type pg from "pg";
import { DEMO_LINKS, urlOf } from "./demo/links.ts";
import { seedEarnings } from "./seed-earnings.ts";
import { withClient } from "./with-client.ts";

interface SeedLink {
  shortCode: string;
  url: string;
  nickname?: string | null;
}

/** Links without an owner: one of each kind of page, in several stores. */
const ANONYMOUS_LINKS: readonly SeedLink[] = [
  { shortCode: "demcam2", url: "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1&psc=1" },
  { shortCode: "demde22", url: "https://www.amazon.de/dp/B08N5WRWNW?tag=tapthru-21" },
  { shortCode: "demjp22", url: "https://www.amazon.co.jp/gp/product/4101010013?tag=tapthru-22" },
  { shortCode: "dem2222", url: "https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20" },
  { shortCode: "demuk22", url: "https://www.amazon.co.uk/s?k=desk%20lamp&tag=tapthru-21" },
];

const ACCOUNT_LINKS: readonly SeedLink[] = [
  { shortCode: "demmy24", url: "https://www.amazon.com/shop/tapthru-kitchen?tag=mydemo-20", nickname: "My kitchen" },
  ...DEMO_LINKS.map((link) => ({ ...link, url: urlOf(link) })),
];

/** A user who exists at the identity provider. */
export interface SeedAccount {
  firebaseUid: string;
  email: string;
  username: string;
}

/**
 * Inserts some links without expiry into a migrated database, and more of them for the account, if any, with channels, clicks
 * and earnings. Idempotent.
 * @returns the short codes of new links
 */
export async function seed(
  databaseUrl: string,
  publicBaseUrl: string,
  account: SeedAccount | null = null,
): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const made: string[] = [];
    const insert = async (links: readonly SeedLink[], userId: number | null) => {
      for (const link of links) {
        if (await insertLink(client, publicBaseUrl, link, userId)) made.push(link.shortCode);
      }
    };
    await insert(ANONYMOUS_LINKS, null);
    if (account !== null) {
      const userId = await insertUser(client, account);
      await insert(ACCOUNT_LINKS, userId);
      await seedEarnings(client, userId);
    }
    return made;
  });
}

/** Identified by username: the uid changes when the identity provider loses its accounts. */
async function insertUser(client: pg.Client, { username, email, firebaseUid }: SeedAccount): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO users (username, username_lookalike_key, email, firebase_uid) VALUES ($1, $2, $3, $4)
     ON CONFLICT (username) DO UPDATE SET firebase_uid = excluded.firebase_uid
     RETURNING id`,
    [username, usernameLookalikeKey(username), email, firebaseUid],
  );
  // So that every page can be tried. Its emails arrive nowhere.
  await client.query(`UPDATE identity."user" SET "emailVerified" = true WHERE id = $1`, [firebaseUid]);
  await client.query("UPDATE users SET email_is_verified = true WHERE firebase_uid = $1", [firebaseUid]);
  const [user] = rows;
  if (user === undefined) throw new Error("The insert returned no row.");
  return user.id;
}

/** @returns whether it was new */
async function insertLink(
  client: pg.Client,
  publicBaseUrl: string,
  { shortCode, url, nickname }: SeedLink,
  userId: number | null,
): Promise<boolean> {
  const page = parseAmazonUrl(url);
  if (!isStorePage(page)) throw new TypeError(`${url} is not a store page`);
  const link = linkAddresses(publicBaseUrl, url, page);
  const { rowCount } = await client.query(
    `WITH link AS (
       INSERT INTO links
         (short_code, original_url, web_url, deep_link, marketplace, tag, asin, canonical_url, nickname, user_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING
       RETURNING short_code, revision, marketplace, canonical_url
     ), page AS (
       INSERT INTO products (canonical_url, marketplace, product_id)
       SELECT canonical_url, marketplace, $11 FROM link WHERE canonical_url IS NOT NULL
       ON CONFLICT DO NOTHING
     )
     ${insertLinkChanges.sql}`,
    [
      shortCode,
      url,
      link.webUrl,
      link.deepLink,
      link.marketplace,
      link.tag,
      link.asin,
      page.canonicalUrl,
      nickname ?? null,
      userId,
      page.productId,
    ],
  );
  return rowCount === 1;
}
