import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as links from "@tapthru/proto/links";
import type { Context } from "koa";
import type * as z from "zod/mini";
import type { Api } from "../api.ts";
import { countUserRequest } from "../callers/guards.ts";
import { handlers } from "../calls/handlers.ts";
import { logAsApiError } from "../http/error-replies.ts";
import { ApiError } from "../http/errors.ts";
import { replaceLabels } from "../labels/labels.ts";
import { changeCode, moveLinks } from "./change-code.ts";
import { changeDestination } from "./change-destination.ts";
import { changeTag, setChannels } from "./change-tags.ts";
import { claimForUser, claimLinks } from "./claim-link.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import { recheckHealth } from "./recheck-health.ts";
import { addUntaggedCode } from "./untagged-code.ts";
import { getLink, removeLink, removeLinks, restoreLinks, type UserLink, updateLink } from "./user-links.ts";

export const linkHandlers = handlers(links, {
  getLink: async ({ db, publicBaseUrl }, { userId, params }) =>
    linkReply(await getLink(db, { userId, ...params }), publicBaseUrl),

  checkLink: async (api, { ctx, userId, params }) => {
    const requester = { userId, address: api.addressOf(ctx.req), requestId: ctx.state.requestId };
    return { isQueued: await recheckHealth(api, { userId, ...params }, requester) };
  },

  updateLink: async (api, { ctx, userId, params, body }) => {
    const link = { userId, ...params };
    const { userId: newOwner, ...change } = body;
    if (newOwner === undefined) {
      return linkReply(await editLink(api, ctx, link, change), api.publicBaseUrl);
    }
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const claim = api.claimCookie.read(ctx);
    const claimed = await claimForUser(api, link, claim, ctx.state.redisBudget);
    return linkReply(claimed, api.publicBaseUrl);
  },

  createUntaggedCode: async ({ db, publicBaseUrl }, { userId, params }) =>
    linkReply(await addUntaggedCode(db, { userId, ...params }), publicBaseUrl),

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
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const claim = { userId, shortCodes, claimHash: api.claimCookie.read(ctx) };
    return { results: [...(await claimLinks(api, claim, ctx.state.redisBudget))] };
  },

  moveLinks: async (api, { ctx, userId, body }) => ({
    results: await moveLinks(api, { userId, ...body }, reporting(ctx)),
  }),

  setLinkChannels: async (api, { ctx, userId, body }) => ({
    results: await setChannels(api, { userId, ...body }, reporting(ctx)),
  }),

  deleteLink: (api, { ctx, userId, params }) => removeLink(api, { userId, ...params }, ctx.state.redisBudget),
});

const reporting = (ctx: Context) => ({
  budget: ctx.state.redisBudget,
  codeOf: (error: unknown) => logAsApiError(ctx, error).code,
});

/** The api, also with a transaction in place of its database. */
export type EditDependencies = Omit<Api, "db"> & {
  db: Db<"any" | "maybeOne" | "maybeOneFirst" | "oneFirst" | "transaction">;
};

/** Makes the one change of a link of the user. */
export async function editLink(
  api: EditDependencies,
  ctx: Context,
  link: UserLink,
  change: Omit<z.output<typeof links.updateLink.body>, "userId">,
): Promise<LinkRow> {
  const { slug, domain, url, labels: refs, labelsRevision: revision = "", ...others } = change;
  const { channelId, tagSource, ...edit } = others;
  const { userId } = link;
  const { redisBudget: budget, whileWaiting, requestId } = ctx.state;
  if (slug !== undefined || domain !== undefined) {
    await countUserRequest(api.generateLimit, ctx, userId);
    return changeCode(api, { ...link, slug, domain }, budget);
  }
  if (url !== undefined) {
    await countUserRequest(api.generateLimit, ctx, userId);
    const requester = { userId, address: api.addressOf(ctx.req), requestId };
    return changeDestination(api, { ...link, url, requester, budget, whileWaiting });
  }
  if (channelId !== undefined || tagSource !== undefined) {
    return changeTag(api, link, { channelId, tagSource }, budget);
  }
  if (refs !== undefined) {
    const { id: linkId } = await getLink(api.db, link);
    await replaceLabels(api.db, { userId, linkId, refs, revision });
    return getLink(api.db, link);
  }
  return updateLink(api, link, edit, budget);
}
