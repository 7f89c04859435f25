import { clickRowsQuery } from "@tapthru/core/clicks/queries";
import { channelOfLink } from "@tapthru/core/earnings/tag-channels";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { dimensionKey } from "@tapthru/proto/clicks/keys";
import { sumOfSeries } from "@tapthru/proto/clicks/packed-counts";
import { linkFallback } from "@tapthru/proto/redirect/link-of-owner";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ClosedLink, closedLink } from "../links/link-row.ts";

const LINKS_PER_PAGE = 200;
const CLICKS_MS = 30 * 86_400_000;

const ReportedLink = z.object({
  id: z.int(),
  shortCode: z.string(),
  webUrl: z.string(),
  tag: z.nullable(z.string()),
  channelId: z.nullable(z.int()),
  untaggedCode: z.nullable(z.string()),
});
const AnsweredRow = z.extend(ReportedLink, { closed: z.catch(z.nullable(ClosedLink), null) });

export interface ReportedLink extends z.infer<typeof ReportedLink> {
  isDead: boolean;
}

export async function* reportedLinks(
  db: Db<"any">,
  userId: number,
  newest: number,
): AsyncGenerator<readonly ReportedLink[]> {
  let before: number | null = null;
  for (let left = newest; left > 0; left -= LINKS_PER_PAGE) {
    const page: readonly ReportedLink[] = await findPage(db, userId, before, Math.min(left, LINKS_PER_PAGE));
    yield page;
    if (page.length < LINKS_PER_PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

async function findPage(db: Db<"any">, userId: number, before: number | null, limit: number): Promise<ReportedLink[]> {
  const rows = await db.any(sql.type(AnsweredRow)`
    SELECT link.id, short_code AS "shortCode", link_url(link, web_url) AS "webUrl", lower(link_tag(link)) AS tag, ${channelOfLink(userId)} AS "channelId",
      (SELECT short_code FROM link_codes WHERE link_id = link.id AND is_untagged) AS "untaggedCode",
      CASE WHEN product.check_state = 'product-gone' THEN ${closedLink} END AS closed
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE user_id BETWEEN ${userId} AND ${userId} AND (${before}::bigint IS NULL OR link.id < ${before})
      AND taken_down_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND (starts_at IS NULL OR starts_at <= now())
    ORDER BY user_id DESC, link.id DESC LIMIT ${limit}
  `);
  return rows.map(({ closed, ...link }) => {
    return { ...link, isDead: closed !== null && linkFallback(closed.link, closed.owner) === null };
  });
}

/** Places where Amazon allows no tag: the key of the place, and the taps from which on it counts, as anyone can add a source. */
const FORBIDDEN_PLACES = [
  ["tag-in-mail", dimensionKey("pay", "mail"), 1],
  ["tag-in-ads", dimensionKey("pay", "ads"), 2],
  ["tag-in-qr-code", dimensionKey("pay", "print"), 2],
] as const;

export async function findForbiddenPlaces(db: Db<"any">, links: readonly ReportedLink[]) {
  const linkIds = links.flatMap(({ id, tag }) => (tag === null ? [] : id));
  const keys = FORBIDDEN_PLACES.map(([, key]) => key);
  const query = clickRowsQuery({ linkIds, keys, hasSketches: false, from: Date.now() - CLICKS_MS, to: Date.now() });
  const rows = Map.groupBy(await db.any(query), ({ linkId }) => linkId);
  return (linkId: number) =>
    FORBIDDEN_PLACES.flatMap(([place, key, least]) => {
      const taps = rows.get(linkId)?.map(({ counts }) => sumOfSeries(counts[key] ?? "")) ?? [];
      return taps.reduce((sum, each) => sum + each, 0) >= least ? place : [];
    });
}
