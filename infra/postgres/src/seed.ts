import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { buildDeepLink } from "@tapthru/proto/rules/deep-link";
import { withClient } from "./with-client.ts";

/** Short codes and what they lead to: one of each kind of page, several stores. */
const LINKS: Readonly<Record<string, string>> = {
  demcam2: "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1&psc=1",
  demde22: "https://www.amazon.de/dp/B08N5WRWNW?tag=tapthru-21",
  demjp22: "https://www.amazon.co.jp/gp/product/4101010013?tag=tapthru-22",
  dem2222: "https://www.amazon.com/shop/tapthru-kitchen?tag=tapthru-20",
  demuk22: "https://www.amazon.co.uk/s?k=desk%20lamp&tag=tapthru-21",
};

/**
 * Puts some links that never expire into a migrated database. Again it changes nothing.
 * @returns the short codes that were new
 */
export async function seed(databaseUrl: string, publicBaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const made: string[] = [];
    for (const [shortCode, url] of Object.entries(LINKS)) {
      const page = parseAmazonUrl(url);
      if (!isStorePage(page)) throw new TypeError(`${url} is no store page`);
      const deepLink = buildDeepLink(publicBaseUrl, page.productId, url);
      const { rowCount } = await client.query(
        `WITH link AS (
           INSERT INTO links (short_code, original_url, web_url, deep_link, canonical_url)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
           RETURNING short_code, revision, canonical_url
         ), page AS (
           INSERT INTO products (canonical_url, marketplace, product_id)
           SELECT canonical_url, $6, $7 FROM link WHERE canonical_url IS NOT NULL
           ON CONFLICT DO NOTHING
         )
         INSERT INTO link_changes (short_code, revision) SELECT short_code, revision FROM link`,
        [
          shortCode,
          url,
          page.webUrl,
          deepLink,
          page.canonicalUrl,
          page.marketplace,
          page.productId,
        ],
      );
      if (rowCount === 1) made.push(shortCode);
    }
    return made;
  });
}
