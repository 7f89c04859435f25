import { type FragmentSqlToken, sql } from "slonik";
import * as z from "zod/mini";
import { linksOf, recordLinks } from "../events.ts";
import type { Db } from "../platform/postgres/postgres.ts";

export const LinksOfOne = z.union([
  z.object({ cause: z.literal("owner"), userId: z.int() }),
  /** The hash is hexadecimal. */
  z.object({ cause: z.literal("address"), addressHash: z.string() }),
]);
export type LinksOfOne = z.infer<typeof LinksOfOne>;

/** @param decision null: the links work, and their abuse reports are open @param cause null: the decision is about these links alone */
export function resolveAbuseReports(
  transaction: Db<"any" | "exists" | "oneFirst" | "query">,
  ids: readonly number[],
  decision: "taken-down" | "dismissed" | null,
  cause: LinksOfOne["cause"] | null = null,
): Promise<number> {
  return recordLinks(transaction, "link.changed", linksOf(ids), () =>
    transaction.oneFirst(sql.type(z.object({ count: z.int() }))`
      SELECT resolve_abuse_reports(${sql.array([...ids], "int8")}, ${decision}, ${cause}) AS count
    `),
  );
}

export function linksToChange(links: LinksOfOne, isTakenDown: boolean): FragmentSqlToken {
  const isOfOne =
    links.cause === "address"
      ? sql.fragment`id IN (${linksFromAddress(links.addressHash)})`
      : sql.fragment`user_id = ${links.userId}`;
  return isTakenDown
    ? sql.fragment`${isOfOne} AND taken_down_at IS NULL`
    : sql.fragment`${isOfOne} AND takedown_cause = ${links.cause}`;
}

export function linksFromAddress(addressHash: string): FragmentSqlToken {
  return sql.fragment`
    SELECT CASE WHEN action = 'link.created' THEN object_id::bigint END FROM audit_log
    WHERE address_hash = decode(${addressHash}, 'hex') AND action = 'link.created'
  `;
}
