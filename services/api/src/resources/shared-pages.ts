import { hash, randomBytes } from "node:crypto";
import { deleted, inserted } from "@tapthru/core/events";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { linkNotFound, notFound } from "@tapthru/proto/general-errors";
import { labelNotFound } from "@tapthru/proto/labels";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import * as calls from "@tapthru/proto/shared-pages";
import { SharedPage } from "@tapthru/proto/shared-pages";
import { sql } from "slonik";
import * as z from "zod/mini";
import { memberOf } from "../callers/acting.ts";
import { handlers } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { clickReport } from "./clicks.ts";

/** None of these calls accepts a key: it cannot publish clicks. */
export const sharedPageHandlers = handlers(calls, {
  createSharedPage: ({ db, publicBaseUrl }, { caller, userId, body: { of, name, endsOn } }) =>
    lockingUser(db, userId, async (transaction) => {
      // Those of deleted links too, which may be restored.
      const count = await transaction.oneFirst(sql.type(z.object({ count: z.int() }))`
        SELECT count(*)::int FROM shared_pages WHERE user_id = ${userId}
      `);
      if (count >= SHARED_PAGES_MAX_COUNT) throw new ApiError(calls.tooManySharedPages);
      const [linkId, labelId] = "linkId" in of ? [of.linkId, null] : [null, of.labelId];
      const token = randomBytes(24).toString("base64url");
      const page = await transaction.maybeOne(sql.type(SharedPage)`
        WITH ${inserted("shared-page.created")`(user_id, made_by, link_id, label_id, name, token_hash, ends_on)
          SELECT users.id, ${memberOf(caller)}::integer, links.id, labels.id, ${name}, ${hashOf(token)}, ${endsOn}::text::date
          FROM users
          LEFT JOIN links ON links.id = ${linkId} AND links.user_id = users.id
          LEFT JOIN labels ON labels.id = ${labelId} AND labels.user_id = users.id
          WHERE users.id = ${userId} AND num_nonnulls(links.id, labels.id) = 1`}
        SELECT ${pageColumns} FROM object AS shared_pages
      `);
      if (page === null) throw new ApiError(labelId === null ? linkNotFound : labelNotFound);
      return { ...page, url: `${publicBaseUrl}${paths.shared}#${token}` };
    }),

  listSharedPages: ({ db }, { userId }) => findSharedPages(db, userId),

  revokeSharedPage: async ({ db }, { userId, params: { id } }) => {
    const page = await db.maybeOne(changing(z.object({ id: z.int() }))`
      WITH ${deleted("shared-page.deleted")`id = ${id} AND user_id = ${userId}`} SELECT id FROM object
    `);
    if (page === null) throw new ApiError(notFound);
    return {};
  },

  readSharedPage: async (api, { ctx, body: { token, ...query } }) => {
    const page = await findReadablePage(api.db, token);
    if (page === null) throw new ApiError(notFound);
    const { userId, linkIds, shortCode, name } = page;
    // Anyone who has the address reads up to 36,500 rows.
    await ctx.state.countAlone(`shared pages of ${userId}`);
    const report = await clickReport(api, { scopes: [] }, { userId, linkIds }, query);
    const url = shortCode === null ? null : shortUrl(api.publicBaseUrl, shortCode);
    return { ...report, name, shortUrl: url, linkCount: linkIds.length };
  },
});

const pageColumns = sql.fragment`
  shared_pages.id, shared_pages.name, link_id AS "linkId", ends_on::text AS "endsOn",
  coalesce((SELECT short_code FROM links WHERE id = link_id), (SELECT name FROM labels WHERE id = label_id)) AS of
`;

export function findSharedPages(db: Db<"any">, userId: number) {
  return db.any(sql.type(SharedPage)`
    SELECT ${pageColumns} FROM shared_pages
    WHERE user_id = ${userId} AND (label_id IS NOT NULL OR EXISTS (SELECT FROM links WHERE id = link_id))
    ORDER BY id DESC
  `);
}

const ReadablePage = z.object({
  userId: z.int(),
  name: z.string(),
  /** Null if the page is of a label. */
  shortCode: z.nullable(z.string()),
  linkIds: z.array(z.int()),
});

/** @returns null also if it has ended, its link is deleted or taken down, or its user may not log in */
function findReadablePage(db: Db<"maybeOne">, token: string) {
  return db.maybeOne(sql.type(ReadablePage)`
    SELECT page.user_id AS "userId", page.name, short_code AS "shortCode",
      CASE WHEN page.link_id IS NOT NULL THEN ARRAY[page.link_id] ELSE ARRAY(
        SELECT link_id FROM link_labels JOIN links ON links.id = link_id
        WHERE label_id = page.label_id ORDER BY link_id LIMIT ${SHARED_LINKS_MAX_COUNT}
      ) END AS "linkIds"
    FROM shared_pages AS page JOIN users ON users.id = page.user_id LEFT JOIN links ON links.id = page.link_id
    WHERE token_hash = ${hashOf(token)} AND ends_on >= (now() AT TIME ZONE 'UTC')::date
      AND users.state = 'enabled' AND (label_id IS NOT NULL OR links.id IS NOT NULL) AND taken_down_at IS NULL
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
}

function hashOf(token: string) {
  return sql.binary(hash("sha256", token, "buffer"));
}
