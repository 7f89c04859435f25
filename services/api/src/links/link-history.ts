import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { LinkHistory } from "@tapthru/proto/link-history";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { sql } from "slonik";
import * as z from "zod/mini";

export async function linkHistories(
  db: Db<"any">,
  linkIds: readonly number[],
  publicBaseUrl: string,
): Promise<ReadonlyMap<number, LinkHistory>> {
  const [destinations, codes] = await Promise.all([
    findEarlierDestinations(db, linkIds),
    findEarlierCodes(db, linkIds),
  ]);
  const histories = new Map<number, LinkHistory>();
  const historyOf = (linkId: number) => {
    const history = histories.get(linkId) ?? { destinations: [], shortCodes: [] };
    histories.set(linkId, history);
    return history;
  };
  for (const { linkId, originalUrl, webUrl, replacedAt } of destinations) {
    historyOf(linkId).destinations.push({
      originalUrl,
      webUrl: parseStorePage(webUrl)?.webUrl ?? null,
      replacedAt,
    });
  }
  for (const { linkId, shortCode } of codes) {
    historyOf(linkId).shortCodes.push({ shortCode, shortUrl: shortUrl(publicBaseUrl, shortCode) });
  }
  return histories;
}

const EarlierDestination = z.object({
  linkId: z.int(),
  originalUrl: z.string(),
  webUrl: z.string(),
  replacedAt: z.iso.datetime(),
});

function findEarlierDestinations(db: Db<"any">, linkIds: readonly number[]) {
  return db.any(sql.type(EarlierDestination)`
    SELECT link_id AS "linkId", original_url AS "originalUrl", web_url AS "webUrl",
      utc_text(replaced_at) AS "replacedAt"
    FROM link_destinations WHERE link_id = ANY(${sql.array(linkIds, "int8")})
    ORDER BY id DESC
  `);
}

const EarlierCode = z.object({ linkId: z.int(), shortCode: z.string() });

function findEarlierCodes(db: Db<"any">, linkIds: readonly number[]) {
  return db.any(sql.type(EarlierCode)`
    SELECT code.link_id AS "linkId", code.short_code AS "shortCode"
    FROM link_codes code JOIN links link ON link.id = code.link_id
    WHERE link.id = ANY(${sql.array(linkIds, "int8")}) AND link.has_earlier_codes
      AND code.short_code <> link.short_code AND NOT code.is_untagged
    ORDER BY code.created_at DESC, code.short_code
  `);
}
