import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { LinkHistory } from "@tapthru/proto/link-history";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { sql } from "slonik";
import * as z from "zod/mini";

const HistoryRow = z.object({
  id: z.int(),
  destinations: LinkHistory.shape.destinations,
  shortCodes: z.array(z.string()),
});

/** The earlier destinations and short codes of links, the latest first. */
export async function linkHistories(
  db: Db<"any">,
  linkIds: readonly number[],
  publicBaseUrl: string,
): Promise<ReadonlyMap<number, LinkHistory>> {
  const rows = await db.any(sql.type(HistoryRow)`
    SELECT id, (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
        'originalUrl', original_url, 'webUrl', web_url, 'replacedAt', utc_text(replaced_at)) ORDER BY id DESC), '[]')
      FROM link_destinations WHERE link_id = link.id
    ) AS destinations, ARRAY(
      SELECT short_code FROM link_codes
      WHERE link.has_earlier_codes AND link_id = link.id AND short_code <> link.short_code AND NOT is_untagged
      ORDER BY created_at DESC, short_code
    ) AS "shortCodes"
    FROM links AS link WHERE id = ANY(${sql.array(linkIds, "int8")})
  `);
  return new Map(
    rows.map(({ id, destinations, shortCodes }) => {
      const codes = shortCodes.map((shortCode) => ({ shortCode, shortUrl: shortUrl(publicBaseUrl, shortCode) }));
      const pages = destinations.map((each) => ({
        ...each,
        webUrl: parseStorePage(each.webUrl ?? "")?.webUrl ?? null,
      }));
      return [id, { destinations: pages, shortCodes: codes }];
    }),
  );
}
