import { record } from "@tapthru/core/events";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import {
  type LinksOfOne,
  linksFromAddress,
  linksToChange,
  resolveAbuseReports,
} from "@tapthru/core/links/taken-down-links";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/operator/links";
import { type listAllLinks, OperatorLink } from "@tapthru/proto/operator/links";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers, reply } from "../callers/handlers.ts";
import { searchedCount } from "../links/list-links.ts";
import { OPERATOR_PAGE_SIZE, ownerObject, requireUser } from "./owners.ts";

export const operatorLinkHandlers = handlers(calls, {
  listAllLinks: async (api, { query }) => {
    const { links, nextBefore } = await searchLinks(api, query);
    const shown = links.map((row) => ({ ...row, shortUrl: shortUrl(api.publicBaseUrl, row.shortCode) }));
    return { links: shown, nextBefore };
  },

  takeDownLinks: async ({ db }, { body: { links, isTakenDown } }) => {
    if ("shortCodes" in links) {
      const shortCodes = await db.transaction((transaction) =>
        takeDownSome(transaction, links.shortCodes, isTakenDown),
      );
      return reply(200, { count: shortCodes.length, shortCodes });
    }
    const ofOne: LinksOfOne =
      "ownerId" in links
        ? { cause: "owner", userId: links.ownerId }
        : { cause: "address", addressHash: links.addressHash };
    // Before the relay begins, and apart: the decision must not fail because of it.
    const count = await countLinks(db, ofOne, isTakenDown).catch(() => null);
    await db.transaction(async (transaction) => {
      const event = isTakenDown ? "links.taken-down" : "links.restored";
      await record(transaction, event, await subjectOf(transaction, ofOne));
      await addBulkUpdate(transaction, "take-down", { links: ofOne, isTakenDown });
    });
    return reply(202, { count });
  },
});

const LinkRow = z.omit(OperatorLink, { shortUrl: true });

const NEWEST = sql.fragment`link.id DESC`;
const NEWEST_OF_OWNER = sql.fragment`link.user_id DESC, link.id DESC`;

async function searchLinks(
  { db, publicBaseUrl }: Pick<Api, "db" | "publicBaseUrl">,
  { q = "", ownerId, addressHash, before }: z.output<typeof listAllLinks.query>,
) {
  const text = q.toLowerCase();
  const conditions = [sql.fragment`true`];
  if (before !== undefined) conditions.push(sql.fragment`link.id < ${before}`);
  // BETWEEN, so that Postgres uses the index of the user's links, as in linksPageQuery.
  if (ownerId !== undefined) {
    conditions.push(sql.fragment`link.user_id BETWEEN ${ownerId} AND ${ownerId}`);
  }
  if (addressHash !== undefined) {
    conditions.push(sql.fragment`link.id IN (${linksFromAddress(addressHash)})`);
  }
  const order = ownerId === undefined ? NEWEST : NEWEST_OF_OWNER;
  const end = text === "" ? null : await findSearchEnd(db, conditions, order);
  if (end !== null) conditions.push(sql.fragment`link.id >= ${end}`);
  if (text !== "") conditions.push(matches(text));
  // The link that is named comes first, on the first page.
  const isNarrow = text === "" || ownerId !== undefined || addressHash !== undefined;
  const code = isNarrow ? null : parseShortLink(text, new URL(publicBaseUrl).host);
  const isNamed = sql.fragment`link.id = (SELECT find_link_id(${code}))`;
  if (code !== null) conditions.push(sql.fragment`(${isNamed}) IS NOT TRUE`);
  const found = await findLinks(db, conditions, order);
  const page = found.slice(0, OPERATOR_PAGE_SIZE);
  const nextBefore = found.length > page.length ? (page.at(-1)?.id ?? null) : end;
  const named = code === null || before !== undefined ? [] : await findLinks(db, [isNamed], NEWEST);
  return { links: [...named, ...page], nextBefore };
}

/** The last link that a search looks at; null: the oldest one. */
function findSearchEnd(db: Db<"maybeOneFirst">, conditions: FragmentSqlToken[], order: FragmentSqlToken) {
  return db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
    SELECT link.id FROM links link WHERE ${sql.join(conditions, sql.fragment` AND `)}
    ORDER BY ${order} OFFSET ${searchedCount({}) - 1} LIMIT 1
  `);
}

const matches = (text: string) => sql.fragment`(
    starts_with(link.short_code, ${text}) OR strpos(lower(link.web_url), ${text}) > 0
    OR link.follows_channel AND (link.channel_id, link.marketplace) IN (
      SELECT channel_id, marketplace FROM channel_tags WHERE strpos(concat('tag=', lower(tag)), ${text}) > 0
      UNION ALL SELECT channel_id, marketplace FROM earlier_channel_tags
      WHERE strpos(concat('tag=', lower(tag)), ${text}) > 0 AND followed_tag(channel_id, marketplace) = tag
    )
    OR link.user_id IN (
      SELECT id FROM users WHERE lower(username) = ${text} OR lower(email) = ${text}
    )
  )`;

function findLinks(db: Db<"any">, conditions: FragmentSqlToken[], order: FragmentSqlToken) {
  return db.any(sql.type(LinkRow)`
    SELECT link.id, link.short_code AS "shortCode", link_url(link, link.web_url) AS "webUrl",
      coalesce(link.title, product.title, link.page_title) AS title, utc_text(link.created_at) AS "createdAt",
      utc_text(link.expires_at) AS "expiresAt", ${ownerObject} AS owner, utc_text(link.taken_down_at) AS "takenDownAt",
      coalesce(owner.state = 'blocked', false) AS "isOwnerBlocked",
      (
        SELECT encode(address_hash, 'hex') FROM audit_log
        WHERE object_id = link.id::text AND action = 'link.created' ORDER BY id LIMIT 1
      ) AS "addressHash"
    FROM links link LEFT JOIN products product USING (canonical_url)
    LEFT JOIN users owner ON owner.id = link.user_id
    WHERE ${sql.join(conditions, sql.fragment` AND `)}
    ORDER BY ${order} LIMIT ${OPERATOR_PAGE_SIZE + 1}
  `);
}

const LockedLink = z.object({ id: z.int(), shortCode: z.string(), isChanged: z.boolean() });

/**
 * Takes links down, or lets them work again, at once. A code may be an earlier one. A link that is down with others is then down
 * alone, so that it no longer follows them.
 * @returns the codes of those that changed
 */
async function takeDownSome(
  db: Db<"any" | "exists" | "oneFirst" | "query">,
  codes: readonly string[],
  isTakenDown: boolean,
): Promise<string[]> {
  const links = await db.any(sql.type(LockedLink)`
    SELECT id, short_code AS "shortCode", (taken_down_at IS NULL) = ${isTakenDown} AS "isChanged"
    FROM links
    WHERE id IN (SELECT find_link_id(code) FROM unnest(${sql.array(codes, "text")}) AS code)
      AND ((taken_down_at IS NULL) = ${isTakenDown} OR ${isTakenDown} AND takedown_cause IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE
  `);
  const ids = links.map(({ id }) => id);
  await resolveAbuseReports(db, ids, isTakenDown ? "taken-down" : null);
  return links.filter((link) => link.isChanged).map(({ shortCode }) => shortCode);
}

const COUNTED_MAX = 10_000;

/** @returns null: more than 10,000 */
async function countLinks(db: Db<"oneFirst">, links: LinksOfOne, isTakenDown: boolean): Promise<number | null> {
  const count = await db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM (
      SELECT FROM links WHERE ${linksToChange(links, isTakenDown)} LIMIT ${COUNTED_MAX + 1}
    ) AS counted
  `);
  return count > COUNTED_MAX ? null : count;
}

/** For the audit log. @throws ApiError (not-found) if there is no such user */
async function subjectOf(db: Db<"maybeOne">, links: LinksOfOne) {
  if (links.cause === "address") {
    // Not as the object, which is not deleted after 30 days.
    return { objectId: "", object: "", addressHash: links.addressHash, ownerId: null };
  }
  const { id, username } = await requireUser(db, links.userId);
  return { objectId: String(id), object: username, ownerId: id };
}
