import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { recordAction } from "@tapthru/runtime/audit-log";
import {
  decideAboutLinks,
  type LinksOfOne,
  linksToChange,
} from "@tapthru/runtime/links/taken-down-links";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { findUserKey } from "./user-queries.ts";

type TakenDown = z.output<typeof takeDownLinks.body>["links"];
type Transaction = Db<"maybeOne" | "oneFirst" | "query">;

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
    const user = await findUserKey(db, ownerId);
    if (user === null) throw new ApiError("not-found");
    await recordAction(db, { action, objectId: String(ownerId), object: user.username, ownerId });
    return addAndCount({ cause: "owner", userId: ownerId });
  }
  const { addressHash } = links;
  // Not as the object, which is not deleted after 30 days.
  const about = { objectId: "", object: "", addressHash: Buffer.from(addressHash, "hex") };
  await recordAction(db, { action, ...about, ownerId: null });
  return addAndCount({ cause: "address", addressHash });

  async function addAndCount(ofOne: LinksOfOne): Promise<number> {
    await addTakeDown(db, ofOne, isTakenDown);
    return db.oneFirst(sql.type(z.object({ count: z.int() }))`
      SELECT count(*)::int AS count FROM links WHERE ${linksToChange(ofOne, isTakenDown)}
    `);
  }
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

/** Lets the relay change links. */
export async function addTakeDown(
  db: Db<"query">,
  links: LinksOfOne,
  isTakenDown: boolean,
): Promise<void> {
  const { cause } = links;
  const userId = cause === "address" ? null : links.userId;
  const addressHash = cause === "address" ? links.addressHash : null;
  await db.query(sql.type(z.object({}))`
    INSERT INTO take_downs (user_id, address_hash, cause, is_taken_down)
    VALUES (${userId}, decode(${addressHash}, 'hex'), ${cause}, ${isTakenDown})
  `);
}
