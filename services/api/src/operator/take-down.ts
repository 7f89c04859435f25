import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { recordAction } from "@tapthru/runtime/audit-log";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { decideAboutLinks } from "./decide-about-links.ts";

type TakenDown = z.output<typeof takeDownLinks.body>["links"];
type Transaction = Db<"any" | "maybeOneFirst" | "oneFirst" | "query">;

/**
 * Takes links down, or lets them work again: some at once, those of a user or an address by the relay.
 * @returns how many; those of a user or an address as they are now
 * @throws ApiError (not-found) if there is no such user
 */
export async function takeDown(
  db: Transaction,
  links: TakenDown,
  isTakenDown: boolean,
): Promise<number> {
  if ("shortCodes" in links) {
    const ids = await findIds(db, links.shortCodes, isTakenDown);
    return decideAboutLinks(db, ids, isTakenDown ? "taken-down" : null);
  }
  const action = isTakenDown ? "links.taken-down" : "links.restored";
  if ("ownerId" in links) {
    const { ownerId } = links;
    const object = await findUsername(db, ownerId);
    if (object === null) throw new ApiError("not-found");
    await recordAction(db, { action, objectId: String(ownerId), object, ownerId });
    return addTakeDown(db, { ownerId }, isTakenDown);
  }
  const { addressHash } = links;
  // Not as the object, which is not deleted after 30 days.
  const about = { objectId: "", object: "", addressHash: Buffer.from(addressHash, "hex") };
  await recordAction(db, { action, ...about, ownerId: null });
  return addTakeDown(db, { addressHash }, isTakenDown);
}

/** The ids of links that were created from a network address in the last 30 days. */
export function linksFromAddress(addressHash: string): FragmentSqlToken {
  return sql.fragment`
    SELECT CASE WHEN action = 'link.created' THEN object_id::bigint END FROM audit_log
    WHERE address_hash = decode(${addressHash}, 'hex') AND action = 'link.created'
  `;
}

const Id = z.object({ id: z.int() });

/** The links of these codes, present or earlier, that are to be changed. */
async function findIds(
  db: Db<"any">,
  shortCodes: readonly string[],
  isTakenDown: boolean,
): Promise<number[]> {
  const rows = await db.any(sql.type(Id)`
    SELECT id FROM links
    WHERE id IN (SELECT find_link_id(code) FROM unnest(${sql.array(shortCodes, "text")}) AS code)
      AND (taken_down_at IS NULL) = ${isTakenDown}
  `);
  return rows.map(({ id }) => id);
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
