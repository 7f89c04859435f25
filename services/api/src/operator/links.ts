import { linksFromAddress } from "@tapthru/core/links/taken-down-links";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { isoOrNull } from "@tapthru/core/platform/postgres/values";
import { listAllLinks, OperatorLink, takeDownLinks } from "@tapthru/proto/http/operator/links";
import { OPERATOR_PAGE_SIZE } from "@tapthru/proto/rules/limits";
import { parseShortLink } from "@tapthru/proto/rules/parse-short-link";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { type ApiRouter, mount } from "../http/mount.ts";
import { SEARCHED_LINKS } from "../links/list-links.ts";
import { ownerObject } from "./owner-object.ts";
import { takeDownAll, takeDownSome } from "./take-down.ts";

export interface OperatorLinksDependencies {
  db: Db<"any" | "maybeOneFirst" | "oneFirst" | "transaction">;
  publicBaseUrl: string;
}

export function operatorLinkRoutes(router: ApiRouter, deps: OperatorLinksDependencies) {
  const { db, publicBaseUrl } = deps;

  mount(router, listAllLinks, async (_ctx, { query }) => {
    const { links, nextBefore } = await searchLinks(deps, query);
    return {
      status: 200,
      body: { links: links.map((row) => reply(row, publicBaseUrl)), nextBefore },
    };
  });

  mount(router, takeDownLinks, async (_ctx, { body: { links, isTakenDown } }) => {
    if ("shortCodes" in links) {
      const shortCodes = await db.transaction((transaction) =>
        takeDownSome(transaction, links.shortCodes, isTakenDown),
      );
      return { status: 200, body: { count: shortCodes.length, shortCodes } };
    }
    return { status: 202, body: { count: await takeDownAll(db, links, isTakenDown) } };
  });
}

/** Times are Unix milliseconds. */
const LinkRow = z.extend(z.omit(OperatorLink, { shortUrl: true }), {
  createdAt: z.number(),
  expiresAt: z.nullable(z.number()),
  takenDownAt: z.nullable(z.number()),
});
type LinkRow = z.infer<typeof LinkRow>;

async function searchLinks(
  { db, publicBaseUrl }: OperatorLinksDependencies,
  { q = "", ownerId, addressHash, before }: z.output<typeof listAllLinks.query>,
): Promise<{ links: LinkRow[]; nextBefore: number | null }> {
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

const NEWEST = sql.fragment`link.id DESC`;
const NEWEST_OF_OWNER = sql.fragment`link.user_id DESC, link.id DESC`;

/** The last link that a search looks at; null: the oldest one. */
function findSearchEnd(
  db: Db<"maybeOneFirst">,
  conditions: FragmentSqlToken[],
  order: FragmentSqlToken,
) {
  return db.maybeOneFirst(sql.type(z.object({ id: z.int() }))`
    SELECT link.id FROM links link WHERE ${sql.join(conditions, sql.fragment` AND `)}
    ORDER BY ${order} OFFSET ${SEARCHED_LINKS - 1} LIMIT 1
  `);
}

function matches(text: string): FragmentSqlToken {
  return sql.fragment`(
    starts_with(link.short_code, ${text}) OR strpos(lower(link.web_url), ${text}) > 0
    OR link.user_id IN (
      SELECT id FROM users WHERE lower(username) = ${text} OR lower(email) = ${text}
    )
  )`;
}

function findLinks(db: Db<"any">, conditions: FragmentSqlToken[], order: FragmentSqlToken) {
  return db.any(sql.type(LinkRow)`
    SELECT link.id, link.short_code AS "shortCode", link.web_url AS "webUrl",
      coalesce(link.title, product.title, link.page_title) AS title, link.created_at AS "createdAt",
      link.expires_at AS "expiresAt", ${ownerObject} AS owner, link.taken_down_at AS "takenDownAt",
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

function reply(row: LinkRow, publicBaseUrl: string): OperatorLink {
  return {
    ...row,
    shortUrl: shortUrl(publicBaseUrl, row.shortCode),
    createdAt: new Date(row.createdAt).toISOString(),
    expiresAt: isoOrNull(row.expiresAt),
    takenDownAt: isoOrNull(row.takenDownAt),
  };
}
