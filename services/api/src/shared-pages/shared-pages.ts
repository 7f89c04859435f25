import { hash, randomBytes } from "node:crypto";
import { clickRange } from "@tapthru/core/clicks/click-range";
import { findCompleteUntil } from "@tapthru/core/clicks/queries";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { NO_CLICKS } from "@tapthru/proto/clicks/keys";
import { SHARED_LINKS_MAX_COUNT, SHARED_PAGES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import * as calls from "@tapthru/proto/shared-pages";
import { SharedPage } from "@tapthru/proto/shared-pages";
import { sql } from "slonik";
import * as z from "zod/mini";
import { lockUser } from "../accounts/queries.ts";
import type { Api } from "../api.ts";
import { ApiError } from "../errors.ts";
import { handlers } from "../handlers.ts";

/** Older clicks may be deleted: by default 25 months are kept. */
const MONTHS_MAX_COUNT = 24;

/** None of these calls accepts a key: it cannot publish clicks. */
export const sharedPageHandlers = handlers(calls, {
  createSharedPage: ({ db, publicBaseUrl }, { userId, body: { of, name, startsOn, endsOn } }) =>
    db.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await findSharedPages(transaction, userId)).length >= SHARED_PAGES_MAX_COUNT) {
        throw new ApiError("too-many-shared-pages");
      }
      const [linkId, labelId] = "linkId" in of ? [of.linkId, null] : [null, of.labelId];
      const token = randomBytes(24).toString("base64url");
      const page = await transaction.maybeOne(sql.type(SharedPage)`
        WITH page AS (
          INSERT INTO shared_pages (user_id, link_id, label_id, name, token_hash, starts_on, ends_on)
          SELECT users.id, link.id, label.id, ${name}, ${hashOf(token)}, ${startsOn}::text::date, ${endsOn}::text::date
          FROM users
          LEFT JOIN links AS link ON link.id = ${linkId} AND link.user_id = users.id
          LEFT JOIN labels AS label ON label.id = ${labelId} AND label.user_id = users.id
          WHERE users.id = ${userId} AND num_nonnulls(link.id, label.id) = 1
          RETURNING *
        )
        SELECT ${pageColumns} FROM page ${joinObjects}
      `);
      if (page === null) throw new ApiError(labelId === null ? "link-not-found" : "label-not-found");
      return { ...page, url: `${publicBaseUrl}${paths.shared}#${token}` };
    }),

  listSharedPages: ({ db }, { userId }) => findSharedPages(db, userId),

  revokeSharedPage: async ({ db }, { userId, params: { id } }) => {
    const page = await db.maybeOne(sql.type(z.object({ id: z.int() }))`
      DELETE FROM shared_pages WHERE id = ${id} AND user_id = ${userId} RETURNING id
    `);
    if (page === null) throw new ApiError("not-found");
    return {};
  },

  readSharedPage: async (api, { body: { token, month } }) => {
    const page = await findReadablePage(api.db, token);
    if (page === null) throw new ApiError("not-found");
    return sharedClicks(api, page, month);
  },

  listStatementKeys: async ({ db, statementKey }) => {
    const stored = await db.anyFirst(sql.type(z.object({ x: z.string() }))`SELECT public_key AS x FROM statement_keys`);
    const keys = new Set([statementKey.publicKey, ...stored]);
    return { keys: [...keys].map((x) => ({ kty: "OKP" as const, crv: "Ed25519" as const, x, kid: x })) };
  },
});

async function sharedClicks(
  { db, clickStore, publicBaseUrl, statementKey }: Api,
  { userId, name, shortCode, linkIds: found, startsOn }: z.infer<typeof ReadablePage>,
  chosen: string | undefined,
) {
  const now = new Date();
  const monthAgo = (count: number) => dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).slice(0, 7);
  const months = Array.from({ length: MONTHS_MAX_COUNT }, (_, count) => monthAgo(count)).filter(
    (each, count) => count === 0 || each >= startsOn.slice(0, 7),
  );
  const month = months.find((each) => each === chosen) ?? monthAgo(0);
  const [firstDay, lastDay] = [`${month}-01`, dayOf(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))];
  const from = startsOn > firstDay ? startsOn : firstDay;
  const to = month === monthAgo(0) ? dayOf(now) : lastDay;
  const range = clickRange({ from, to, tz: "UTC", interval: "day" }, now.getTime());
  const linkIds = found.slice(0, SHARED_LINKS_MAX_COUNT);
  // Read before the counts, which may include later clicks.
  const completeUntil = await findCompleteUntil(db);
  // There is no range before the first day.
  const { totals, series } =
    range === null || linkIds.length === 0
      ? { totals: NO_CLICKS, series: [] }
      : await clickStore.count({ userId, linkIds }, range, undefined);
  const clicks = {
    name,
    shortUrl: shortCode === null ? null : shortUrl(publicBaseUrl, shortCode),
    linkCount: linkIds.length,
    hasMoreLinks: found.length > linkIds.length,
    month,
    completeUntil: new Date(completeUntil).toISOString(),
    totals: countsOf(totals),
    days: series.map((counts, index) => ({ day: dayOf(range?.starts[index] ?? 0), ...countsOf(counts) })),
  };
  const isOver = range !== null && completeUntil >= range.to;
  // Without clicks there is nothing to prove, or they were deleted.
  const isSigned = isOver && Object.values(clicks.totals).some((count) => count > 0);
  if (isSigned) await storeStatementKey(db, statementKey.publicKey);
  const signed = { iss: publicBaseUrl, iat: Math.floor(now.getTime() / 1_000), ...clicks };
  return { ...clicks, months, statement: isSigned ? statementKey.sign(signed) : null };
}

const dayOf = (time: number | Date) => new Date(time).toISOString().slice(0, 10);
const countsOf = ({ person, preview, bot }: typeof NO_CLICKS) => ({ person, preview, bot });

const pageColumns = sql.fragment`
  page.id, page.name, page.link_id AS "linkId", coalesce(link.short_code, label.name) AS of,
  page.starts_on::text AS "startsOn", page.ends_on::text AS "endsOn"
`;
const joinObjects = sql.fragment`
  LEFT JOIN links AS link ON link.id = page.link_id LEFT JOIN labels AS label ON label.id = page.label_id
`;

/** The newest first. */
export function findSharedPages(db: Db<"any">, userId: number) {
  return db.any(sql.type(SharedPage)`
    SELECT ${pageColumns} FROM shared_pages AS page ${joinObjects} WHERE page.user_id = ${userId} ORDER BY page.id DESC
  `);
}

const ReadablePage = z.object({
  userId: z.int(),
  name: z.string(),
  startsOn: z.string(),
  /** Null: the page is of a label. */
  shortCode: z.nullable(z.string()),
  /** Of a label the oldest ones, one more than are counted. */
  linkIds: z.array(z.int()),
});

/** @returns null also if it has ended, its link is taken down, or its user may not log in */
function findReadablePage(db: Db<"maybeOne">, token: string) {
  return db.maybeOne(sql.type(ReadablePage)`
    SELECT page.user_id AS "userId", page.name, page.starts_on::text AS "startsOn", link.short_code AS "shortCode",
      CASE WHEN link.id IS NOT NULL THEN ARRAY[link.id] ELSE ARRAY(
        SELECT link_id FROM link_labels WHERE label_id = page.label_id ORDER BY link_id LIMIT ${SHARED_LINKS_MAX_COUNT + 1}
      ) END AS "linkIds"
    FROM shared_pages AS page JOIN users ON users.id = page.user_id ${joinObjects}
    WHERE token_hash = ${hashOf(token)} AND ends_on >= (now() AT TIME ZONE 'UTC')::date
      AND users.state = 'enabled' AND link.taken_down_at IS NULL
      AND NOT EXISTS (SELECT FROM account_deletions AS deletion WHERE deletion.user_id = users.id)
  `);
}

async function storeStatementKey(db: Db<"query">, publicKey: string): Promise<void> {
  await db.query(sql.type(z.object({}))`
    INSERT INTO statement_keys (public_key) VALUES (${publicKey}) ON CONFLICT DO NOTHING
  `);
}

function hashOf(token: string) {
  return sql.binary(hash("sha256", token, "buffer"));
}
