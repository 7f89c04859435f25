import { linksOf, record, recordLinks } from "@tapthru/core/events";
import { addBulkUpdate } from "@tapthru/core/links/bulk-updates";
import { randomShortCode } from "@tapthru/core/links/short-code";
import { changing, type Db } from "@tapthru/core/platform/postgres/postgres";
import { slugOn } from "@tapthru/proto/fields";
import { linkNotFound, slugTaken } from "@tapthru/proto/general-errors";
import * as links from "@tapthru/proto/links";
import { linkNeedsTag, type ProductChange } from "@tapthru/proto/links";
import { opensWithoutTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { handlers, reply } from "../callers/handlers.ts";
import { ApiError } from "../http/errors.ts";
import { findCodeUses, moveLinks } from "./change-code.ts";
import { changeLink, countChange, tellingChange } from "./change-link.ts";
import { setChannels } from "./change-tags.ts";
import { claimLinks } from "./claim-link.ts";
import { labelLinks } from "./labels.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import type { QueuePageRead, ReadRequester } from "./queue-read.ts";
import { findEditableLink, getLink, removeLink, removeLinks, restoreLinks } from "./user-links.ts";

/** @returns false if the link has no page, or it was read within the last minute @throws ApiError if the user has no such link */
async function recheckHealth(
  { db, queueRead }: { db: Db<"any" | "maybeOne">; queueRead: QueuePageRead },
  link: { userId: number; shortCode: string },
  requester: ReadRequester,
): Promise<boolean> {
  const { id } = await getLink(db, link);
  const page = await makeDue(db, id);
  if (page === null) return false;
  await queueRead(page, requester);
  return true;
}

const DuePage = z.object({ canonicalUrl: z.string(), attempt: z.int() });

/** Returns null without a page, and if it was read within the last minute. */
function makeDue(db: Db<"maybeOne">, linkId: number) {
  return db.maybeOne(changing(DuePage)`
    UPDATE products SET next_attempt_at = now()
    FROM links
    WHERE links.id = ${linkId} AND products.canonical_url = links.canonical_url
      AND links.taken_down_at IS NULL
      AND (attempted_at IS NULL OR attempted_at < now() - interval '1 minute')
    RETURNING products.canonical_url AS "canonicalUrl", attempts AS attempt
  `);
}

/** Has the relay give all links of a user to a product another one. @returns when, by which that can be undone */
function changeProduct(db: Db<"transaction">, { userId, ...change }: ProductChange & { userId: number }) {
  const { marketplace, from, to } = change;
  return db.transaction(async (transaction) => {
    const Now = z.object({ now: z.string() });
    const changedAt = await transaction.oneFirst(sql.type(Now)`SELECT utc_text(now()) AS now`);
    await addBulkUpdate(transaction, "product", { userId, ...change, changedAt });
    await record(transaction, "links.changed", {
      ...{ objectId: String(userId), object: `amazon.${marketplace}`, ownerId: userId },
      ...{ before: { product: from }, after: { product: to } },
    });
    return changedAt;
  });
}

export const linkHandlers = handlers(links, {
  getLink: async ({ db, publicBaseUrl }, { userId, params }) =>
    linkReply(await getLink(db, { userId, ...params }), publicBaseUrl),

  checkLink: async (api, { ctx, userId, params }) => {
    const requester = { userId, address: api.addressOf(ctx.req), requestId: ctx.state.requestId };
    return { isQueued: await recheckHealth(api, { userId, ...params }, requester) };
  },

  // Before the call for one link, which matches the same path.
  changeLinks: async ({ db }, { userId, body: { product, ...labels } }) =>
    product === undefined
      ? reply(200, { results: await labelLinks(db, { userId, ...labels }) })
      : reply(202, { results: [], changedAt: await changeProduct(db, { userId, ...product }) }),

  updateLink: async (api, { ctx, caller, userId, params, body }) => {
    const { userId: newOwner, ...fields } = body;
    if (newOwner !== undefined && newOwner !== userId) throw new ApiError(linkNotFound);
    const change = newOwner === undefined ? fields : { ...fields, claimHash: api.claimCookie.read(ctx) };
    await countChange(api, ctx, caller, change);
    const write = () => changeLink(api, { userId, ...params }, change, ctx.state);
    return linkReply(await tellingChange(api, caller, params.shortCode, write), api.publicBaseUrl);
  },

  createUntaggedCode: async ({ db, publicBaseUrl }, { caller, userId, params }) => {
    const write = () => addUntaggedCode(db, { userId, ...params });
    return linkReply(await tellingChange({ db }, caller, params.shortCode, write), publicBaseUrl);
  },

  // Mounted before the call for one link, which matches the same path.
  deleteLinks: async (api, { ctx, userId, body }) => {
    const removed = await removeLinks(api, { userId, ...body }, ctx.state.redisBudget);
    const removedIds = new Set(removed.map(({ id }) => id));
    return body.ids.map((id) => ({ id, isDeleted: removedIds.has(id) }));
  },

  restoreLinks: async (api, { ctx, userId, body }) => ({
    results: await restoreLinks(api, { userId, ...body }, ctx.state.redisBudget),
  }),

  claimLinks: async (api, { ctx, userId, body: { userId: newOwner, shortCodes } }) => {
    if (newOwner !== userId) throw new ApiError(linkNotFound);
    const claim = { userId, shortCodes, claimHash: api.claimCookie.read(ctx) };
    const { records, results } = await claimLinks(api, claim);
    await api.projectLinks(records, ctx.state.redisBudget);
    return { results: [...results] };
  },

  moveLinks: async (api, { ctx, userId, body }) => ({
    results: await moveLinks(api, { userId, ...body }, ctx.state.redisBudget),
  }),

  setLinkChannels: async (api, { ctx, userId, body }) => ({
    results: await setChannels(api, { userId, ...body }, ctx.state.redisBudget),
  }),

  deleteLink: (api, { ctx, userId, params }) => removeLink(api, { userId, ...params }, ctx.state.redisBudget),
});

/** @throws ApiError if the link was taken down, is unknown or opens nothing without a tag */
async function addUntaggedCode(
  db: Db<"any" | "maybeOne" | "transaction">,
  ref: { userId: number; shortCode: string },
): Promise<LinkRow> {
  const { id, shortCode, webUrl } = await findEditableLink(db, ref);
  if (!opensWithoutTag(webUrl)) throw new ApiError(linkNeedsTag);
  const { name, host } = splitShortCode(shortCode);
  const readable = name === "" ? "print" : `${name}-print`;
  const names = [readable, randomShortCode(), randomShortCode()];
  for (const each of names.filter((text) => slugOn(host).safeParse(text).success)) {
    const link = await findEditableLink(db, ref);
    if (link.untaggedCode !== null) return link;
    const code = shortCodeOf(each, host);
    const [use] = await findCodeUses(db, [{ id, code }]);
    if (use?.isTaken) continue;
    try {
      await db.transaction((transaction) =>
        recordLinks(transaction, "link.changed", linksOf([id]), () => insertUntaggedCode(transaction, id, code)),
      );
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    }
  }
  const link = await findEditableLink(db, ref);
  if (link.untaggedCode === null) throw new ApiError(slugTaken);
  return link;
}

/** @throws UniqueIntegrityConstraintViolationError if the link just got one, or a link just took the code */
async function insertUntaggedCode(db: Db<"query">, id: number, code: string): Promise<void> {
  await db.query(sql.type(z.object({}))`
    WITH link AS (
      UPDATE links SET has_earlier_codes = true
      WHERE id = ${id} AND taken_down_at IS NULL
      RETURNING id, revision
    ), code AS (
      INSERT INTO link_codes (short_code, link_id, is_untagged) SELECT ${code}, id, true FROM link
    )
    INSERT INTO link_changes (short_code, revision) SELECT ${code}, revision FROM link
  `);
}
