import { recordLinks } from "@tapthru/core/events";
import { randomShortCode } from "@tapthru/core/links/short-code";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { slugOn } from "@tapthru/proto/fields";
import { slugTaken } from "@tapthru/proto/general-errors";
import { linkNeedsTag } from "@tapthru/proto/links";
import { opensWithoutTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../http/errors.ts";
import { type CodeChange, isCodeTaken } from "./change-code.ts";
import type { LinkRow } from "./link-row.ts";
import { findEditableLink } from "./user-links.ts";

/**
 * Gives a link a code that opens it without tags, unless it has one.
 * @throws ApiError if the link was taken down, is unknown or opens nothing without a tag
 */
export async function addUntaggedCode(
  db: Db<"maybeOne" | "oneFirst" | "transaction">,
  ref: { userId: number; shortCode: string },
): Promise<LinkRow> {
  const { shortCode, webUrl } = await findEditableLink(db, ref);
  if (!opensWithoutTag(webUrl)) throw new ApiError(linkNeedsTag);
  const { name, host } = splitShortCode(shortCode);
  const readable = name === "" ? "print" : `${name}-print`;
  const names = [readable, randomShortCode(), randomShortCode()];
  for (const each of names.filter((text) => slugOn(host).safeParse(text).success)) {
    const link = await findEditableLink(db, ref);
    if (link.untaggedCode !== null) return link;
    const change = { ...ref, code: shortCodeOf(each, host) };
    if (await isCodeTaken(db, change)) continue;
    try {
      const isLink = sql.fragment`link.id = find_link_id(${shortCode})`;
      await db.transaction((transaction) =>
        recordLinks(transaction, "link.changed", isLink, () => insertUntaggedCode(transaction, change)),
      );
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    }
  }
  const link = await findEditableLink(db, ref);
  if (link.untaggedCode === null) throw new ApiError(slugTaken);
  return link;
}

/**
 * Adds a code that opens the link without tags. Its record is that of the link at the same revision.
 * @throws UniqueIntegrityConstraintViolationError if the link just got one, or a link just took the code
 */
async function insertUntaggedCode(db: Db<"query">, { userId, shortCode, code }: CodeChange): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH link AS (
      UPDATE links SET has_earlier_codes = true
      WHERE id = find_link_id(${shortCode}) AND user_id = ${userId} AND taken_down_at IS NULL
      RETURNING id, revision
    ), code AS (
      INSERT INTO link_codes (short_code, link_id, is_untagged) SELECT ${code}, id, true FROM link
    )
    INSERT INTO link_changes (short_code, revision) SELECT ${code}, revision FROM link
  `);
}
