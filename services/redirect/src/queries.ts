import { RedirectRecord } from "@tapthru/proto/redirect/record";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

/** The record of a code in use or once in use, as it would stand in Redis; null for any other. */
export async function findRedirectRecord(
  db: Pick<CommonQueryMethods, "maybeOneFirst">,
  shortCode: string,
): Promise<RedirectRecord | null> {
  return db.maybeOneFirst(sql.type(z.object({ record: RedirectRecord }))`
    SELECT CASE WHEN link.taken_down_at IS NULL THEN
      jsonb_build_object(
        'state', 'live',
        'revision', link.revision,
        'webUrl', link.web_url,
        'expiresAt', floor(extract(epoch FROM link.expires_at) * 1000)::bigint,
        'title', coalesce(link.title, product.title),
        'description', coalesce(link.description, product.description),
        'imageUrl', coalesce(link.image_url, product.image_url),
        'siteName', coalesce(link.site_name, product.site_name)
      )
    ELSE
      jsonb_build_object('state', 'gone', 'revision', link.revision, 'reason', 'taken-down')
    END AS record
    FROM links AS link LEFT JOIN products AS product USING (canonical_url)
    WHERE link.short_code = ${shortCode}
    UNION ALL
    SELECT jsonb_build_object('state', 'gone', 'revision', revision, 'reason', reason)
    FROM retired_codes
    WHERE short_code = ${shortCode}
    LIMIT 1
  `);
}
