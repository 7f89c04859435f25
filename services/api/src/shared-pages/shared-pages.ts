import { hash, randomBytes } from "node:crypto";
import { clickRange } from "@tapthru/core/clicks/click-range";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { internal, linkNotFound, notFound } from "@tapthru/proto/general-errors";
import { labelNotFound } from "@tapthru/proto/labels";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import * as calls from "@tapthru/proto/shared-pages";
import { type SharedClicks, SharedPage } from "@tapthru/proto/shared-pages";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { memberOf } from "../callers/acting.ts";
import { lockingUser } from "../callers/users.ts";
import { handlers } from "../calls/handlers.ts";
import { ApiError } from "../http/errors.ts";

const MONTHS = 12;

/** None of these calls accepts a key: it cannot publish clicks. */
export const sharedPageHandlers = handlers(calls, {
  createSharedPage: ({ db, publicBaseUrl }, { caller, userId, body: { of, name, endsOn } }) =>
    lockingUser(db, userId, async (transaction) => {
      const { length } = await findSharedPages(transaction, userId);
      if (length >= SHARED_PAGES_MAX_COUNT) throw new ApiError(calls.tooManySharedPages);
      const [linkId, labelId] = "linkId" in of ? [of.linkId, null] : [null, of.labelId];
      const token = randomBytes(24).toString("base64url");
      const page = await transaction.maybeOne(sql.type(SharedPage)`
        INSERT INTO shared_pages (user_id, made_by, link_id, label_id, name, token_hash, ends_on)
        SELECT users.id, ${memberOf(caller)}::integer, links.id, labels.id, ${name}, ${hashOf(token)}, ${endsOn}::text::date
        FROM users
        LEFT JOIN links ON links.id = ${linkId} AND links.user_id = users.id
        LEFT JOIN labels ON labels.id = ${labelId} AND labels.user_id = users.id
        WHERE users.id = ${userId} AND num_nonnulls(links.id, labels.id) = 1
        RETURNING ${pageColumns}
      `);
      if (page === null) throw new ApiError(labelId === null ? linkNotFound : labelNotFound);
      return { ...page, url: `${publicBaseUrl}${paths.shared}#${token}` };
    }),

  listSharedPages: ({ db }, { userId }) => findSharedPages(db, userId),

  revokeSharedPage: async ({ db }, { userId, params: { id } }) => {
    const page = await db.maybeOne(changing(z.object({ id: z.int() }))`
      DELETE FROM shared_pages WHERE id = ${id} AND user_id = ${userId} RETURNING id
    `);
    if (page === null) throw new ApiError(notFound);
    return {};
  },

  readSharedPage: async (api, { body: { token, month } }) => {
    const page = await findReadablePage(api.db, token);
    if (page === null) throw new ApiError(notFound);
    const months = Array.from({ length: MONTHS }, (_, ago) => monthOf(ago));
    const ago = months.indexOf(month || (months[0] ?? ""));
    if (ago < 0) throw new ApiError(notFound);
    return { months, ...(await readMonth(api, page, ago)) };
  },
});

async function readMonth({ clickReader, publicBaseUrl }: Api, page: ReadablePage, ago: number): Promise<SharedClicks> {
  const { userId, name, shortCode, linkIds } = page;
  const month = monthOf(ago);
  const query = { from: `${month}-01`, to: `${monthOf(ago - 1)}-01T00:00:00Z`, tz: "UTC", interval: "day" } as const;
  const range = clickRange(query, Date.now());
  if (range === null) throw new ApiError(internal);
  const { totals, series } = await clickReader.count({ userId, linkIds }, range, undefined);
  const countsOf = ({ person, visitors, preview, bot }: typeof totals) => ({ person, visitors, preview, bot });
  const today = new Date().toISOString();
  return {
    name,
    shortUrl: shortCode === null ? null : shortUrl(publicBaseUrl, shortCode),
    linkCount: linkIds.length,
    month,
    totals: countsOf(totals),
    days: series
      .map((counts, at) => ({ day: `${month}-${String(at + 1).padStart(2, "0")}`, ...countsOf(counts) }))
      .filter(({ day }) => day <= today),
  };
}

/** The month some months ago in UTC, such as 2026-11. */
function monthOf(ago: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
}

const pageColumns = sql.fragment`
  shared_pages.id, shared_pages.name, link_id AS "linkId", ends_on::text AS "endsOn",
  coalesce((SELECT short_code FROM links WHERE id = link_id), (SELECT name FROM labels WHERE id = label_id)) AS of
`;

/** The newest first. */
export function findSharedPages(db: Db<"any">, userId: number) {
  return db.any(sql.type(SharedPage)`
    SELECT ${pageColumns} FROM shared_pages WHERE user_id = ${userId} ORDER BY id DESC
  `);
}

const ReadablePage = z.object({
  userId: z.int(),
  name: z.string(),
  /** Null: the page is of a label. */
  shortCode: z.nullable(z.string()),
  linkIds: z.array(z.int()),
});
type ReadablePage = z.infer<typeof ReadablePage>;

/** @returns null also if it has ended, its link is taken down, or its user may not log in */
function findReadablePage(db: Db<"maybeOne">, token: string) {
  return db.maybeOne(sql.type(ReadablePage)`
    SELECT page.user_id AS "userId", page.name, short_code AS "shortCode",
      CASE WHEN page.link_id IS NOT NULL THEN ARRAY[page.link_id] ELSE ARRAY(
        SELECT link_id FROM link_labels WHERE label_id = page.label_id ORDER BY link_id LIMIT ${SHARED_LINKS_MAX_COUNT}
      ) END AS "linkIds"
    FROM shared_pages AS page JOIN users ON users.id = page.user_id LEFT JOIN links ON links.id = page.link_id
    WHERE token_hash = ${hashOf(token)} AND ends_on >= (now() AT TIME ZONE 'UTC')::date
      AND users.state = 'enabled' AND taken_down_at IS NULL
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
}

function hashOf(token: string) {
  return sql.binary(hash("sha256", token, "buffer"));
}
