import * as links from "@tapthru/proto/links";
import type { Context } from "koa";
import { handlers } from "../calls/handlers.ts";
import { logAsApiError } from "../http/error-replies.ts";
import { ApiError } from "../http/errors.ts";
import { moveLinks } from "./change-code.ts";
import { changeLink, countChange } from "./change-link.ts";
import { setChannels } from "./change-tags.ts";
import { claimLinks } from "./claim-link.ts";
import { linkReply } from "./link-reply.ts";
import { recheckHealth } from "./recheck-health.ts";
import { addUntaggedCode } from "./untagged-code.ts";
import { getLink, removeLink, removeLinks, restoreLinks } from "./user-links.ts";

export const linkHandlers = handlers(links, {
  getLink: async ({ db, publicBaseUrl }, { userId, params }) =>
    linkReply(await getLink(db, { userId, ...params }), publicBaseUrl),

  checkLink: async (api, { ctx, userId, params }) => {
    const requester = { userId, address: api.addressOf(ctx.req), requestId: ctx.state.requestId };
    return { isQueued: await recheckHealth(api, { userId, ...params }, requester) };
  },

  updateLink: async (api, { ctx, userId, params, body }) => {
    const { userId: newOwner, ...fields } = body;
    if (newOwner !== undefined && newOwner !== userId) throw new ApiError("link-not-found");
    const change = newOwner === undefined ? fields : { ...fields, claimHash: api.claimCookie.read(ctx) };
    await countChange(api, ctx, userId, change);
    return linkReply(await changeLink(api, { userId, ...params }, change, ctx.state), api.publicBaseUrl);
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
    const { records, results } = await claimLinks(api.db, claim);
    await api.projectLinks(records, ctx.state.redisBudget);
    return { results: [...results] };
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
