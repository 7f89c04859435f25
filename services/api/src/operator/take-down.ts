import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { decideAboutLinks } from "./decide-about-links.ts";

type TakenDown = z.output<typeof takeDownLinks.body>["links"];
type Transaction = Db<"maybeOneFirst" | "oneFirst" | "query">;

/**
 * Takes links down, or lets them work again, at once.
 * @returns the codes of those that changed
 */
export async function takeDownSome(
  db: Db<"any" | "oneFirst">,
  codes: readonly string[],
  isTakenDown: boolean,
): Promise<string[]> {
  const links = await lockLinks(db, codes, isTakenDown);
  await decideAboutLinks(
    db,
    links.map(({ id }) => id),
    isTakenDown ? "taken-down" : null,
  );
  return links.filter((link) => link.isChanged).map(({ shortCode }) => shortCode);
}

/**
 * Lets the relay take down the links of a user or an address, or let them work again.
 * @returns how many they are now
 * @throws ApiError (not-found) if there is no such user
 */
export async function takeDownAll(
  db: Transaction,
  links: Exclude<TakenDown, { shortCodes: string[] }>,
  isTakenDown: boolean,
): Promise<number> {
  const action = isTakenDown ? "links.taken-down" : "links.restored";
  if ("ownerId" in links) {
    const { ownerId } = links;
    const object = await findUsername(db, ownerId);
    if (object === null) throw new ApiError("not-found");
    await recordAction(db, { action, objectId: String(ownerId), object, ownerId });
    return addTakeDown(db, { ownerId }, isTakenDown);
  }
  const { addressHash } = links;
  await recordAction(db, { action, objectId: addressHash, object: addressHash, ownerId: null });
  return addTakeDown(db, { addressHash }, isTakenDown);
}

/** The ids of links that were created from a network address in the last 30 days. */
export function linksFromAddress(addressHash: string): FragmentSqlToken {
  return sql.fragment`
    SELECT CASE WHEN action = 'link.created' THEN object_id::bigint END FROM audit_log
    WHERE address_hash = decode(${addressHash}, 'hex') AND action = 'link.created'
  `;
}

const LockedLink = z.object({ id: z.int(), shortCode: z.string(), isChanged: z.boolean() });

/**
 * The links of these codes, present or earlier, that are to be changed. One that is down with others is to be down alone, so that it
 * no longer follows them.
 */
function lockLinks(db: Db<"any">, shortCodes: readonly string[], isTakenDown: boolean) {
  return db.any(sql.type(LockedLink)`
    SELECT id, short_code AS "shortCode", (taken_down_at IS NULL) = ${isTakenDown} AS "isChanged"
    FROM links
    WHERE id IN (SELECT find_link_id(code) FROM unnest(${sql.array(shortCodes, "text")}) AS code)
      AND ((taken_down_at IS NULL) = ${isTakenDown} OR ${isTakenDown} AND taken_down_with IS NOT NULL)
    ORDER BY id FOR NO KEY UPDATE
  `);
}

function findUsername(db: Db<"maybeOneFirst">, userId: number) {
  return db.maybeOneFirst(sql.type(z.object({ username: z.string() }))`
    SELECT username FROM users WHERE id = ${userId}
  `);
}

/** Lets the relay change the links of a user or an address. @returns how many there are */
export function addTakeDown(
  db: Db<"oneFirst">,
  of: { ownerId: number } | { addressHash: string },
  isTakenDown: boolean,
): Promise<number> {
  const ownerId = "ownerId" in of ? of.ownerId : null;
  const addressHash = "addressHash" in of ? of.addressHash : null;
  const isOfOne =
    addressHash === null
      ? sql.fragment`user_id = ${ownerId}`
      : sql.fragment`id IN (${linksFromAddress(addressHash)})`;
  const isChanged = isTakenDown
    ? sql.fragment`taken_down_at IS NULL`
    : sql.fragment`taken_down_with = ${addressHash === null ? "user" : "address"}`;
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH added AS (
      INSERT INTO take_downs (user_id, address_hash, is_taken_down)
      VALUES (${ownerId}, decode(${addressHash}, 'hex'), ${isTakenDown})
    )
    SELECT count(*)::int AS count FROM links WHERE ${isOfOne} AND ${isChanged}
  `);
}
