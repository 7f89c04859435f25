import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { recordAction } from "@tapthru/runtime/audit-log";
import { type LinksOfOne, linksToChange } from "@tapthru/runtime/links/taken-down-links";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
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
    return addTakeDown(db, { cause: "owner", userId: ownerId }, isTakenDown);
  }
  const { addressHash } = links;
  await recordAction(db, { action, objectId: addressHash, object: addressHash, ownerId: null });
  return addTakeDown(db, { cause: "address", addressHash }, isTakenDown);
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

/** Lets the relay change links. @returns how many there are */
export function addTakeDown(
  db: Db<"oneFirst">,
  links: LinksOfOne,
  isTakenDown: boolean,
): Promise<number> {
  const { cause } = links;
  const userId = cause === "address" ? null : links.userId;
  const addressHash = cause === "address" ? links.addressHash : null;
  return db.oneFirst(sql.type(z.object({ count: z.int() }))`
    WITH added AS (
      INSERT INTO take_downs (user_id, address_hash, cause, is_taken_down)
      VALUES (${userId}, decode(${addressHash}, 'hex'), ${cause}, ${isTakenDown})
    )
    SELECT count(*)::int AS count FROM links WHERE ${linksToChange(links, isTakenDown)}
  `);
}
