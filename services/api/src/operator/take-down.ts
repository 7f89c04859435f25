import {
  decideAboutLinks,
  type LinksOfOne,
  linksToChange,
} from "@tapthru/core/links/taken-down-links";
import { recordAction } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { takeDownLinks } from "@tapthru/proto/http/operator/links";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { findUserKey } from "./user-queries.ts";

type TakenDown = z.output<typeof takeDownLinks.body>["links"];

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

/** More links are not counted. */
const COUNTED_MAX = 10_000;

/**
 * Lets the relay take down the links of a user or an address, or let them work again.
 * @returns how many they are; null: more than 10,000, or they could not be counted in time
 * @throws ApiError (not-found) if there is no such user
 */
export async function takeDownAll(
  db: Db<"oneFirst" | "transaction">,
  links: Exclude<TakenDown, { shortCodes: string[] }>,
  isTakenDown: boolean,
): Promise<number | null> {
  const ofOne: LinksOfOne =
    "ownerId" in links
      ? { cause: "owner", userId: links.ownerId }
      : { cause: "address", addressHash: links.addressHash };
  // Before the relay begins, and apart: the decision must not fail because of it.
  const count = await countLinks(db, ofOne, isTakenDown).catch(() => null);
  await db.transaction((transaction) => storeTakeDown(transaction, ofOne, isTakenDown));
  return count;
}

async function storeTakeDown(
  transaction: Db<"maybeOne" | "query">,
  links: LinksOfOne,
  isTakenDown: boolean,
): Promise<void> {
  const action = isTakenDown ? "links.taken-down" : "links.restored";
  if (links.cause === "address") {
    // Not as the object, which is not deleted after 30 days.
    const about = { objectId: "", object: "", addressHash: Buffer.from(links.addressHash, "hex") };
    await recordAction(transaction, { action, ...about, ownerId: null });
  } else {
    const ownerId = links.userId;
    const user = await findUserKey(transaction, ownerId);
    if (user === null) throw new ApiError("not-found");
    const about = { objectId: String(ownerId), object: user.username };
    await recordAction(transaction, { action, ...about, ownerId });
  }
  await addTakeDown(transaction, links, isTakenDown);
}

async function countLinks(
  db: Db<"oneFirst">,
  links: LinksOfOne,
  isTakenDown: boolean,
): Promise<number | null> {
  const count = await db.oneFirst(sql.type(z.object({ count: z.int() }))`
    SELECT count(*)::int AS count FROM (
      SELECT FROM links WHERE ${linksToChange(links, isTakenDown)} LIMIT ${COUNTED_MAX + 1}
    ) AS counted
  `);
  return count > COUNTED_MAX ? null : count;
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
  await db.query(sql.type(z.object({}))`
    INSERT INTO mass_changes (kind, payload)
    VALUES ('take-down', ${sql.jsonb({ links, isTakenDown })})
  `);
}
