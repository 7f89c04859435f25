import type { ClickStore } from "@tapthru/core/clicks/click-store";
import type { Logger } from "@tapthru/core/platform/logger";
import * as calls from "@tapthru/proto/http/links";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { moveLinks } from "./change-code.ts";
import { setChannels } from "./change-tags.ts";
import { claimForUser } from "./claim-link.ts";
import { type EditDependencies, editUserLink } from "./edit-user-link.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import {
  findLinkStores,
  type LinksPageDependencies,
  listLinkIds,
  userLinksPage,
} from "./list-links.ts";
import { recheckHealth } from "./recheck-health.ts";
import { addUntaggedCode } from "./untagged-code.ts";
import { getLink, removeLink, removeLinks } from "./user-links.ts";

export interface UserLinkRoutesDependencies
  extends EditDependencies,
    Pick<LinksPageDependencies, "reports"> {
  clickStore: Pick<ClickStore, "people">;
  claimCookie: Pick<ClaimCookie, "read">;
  logger: Logger;
}

export function userLinkRoutes(router: ApiRouter, deps: UserLinkRoutesDependencies) {
  const { db, publicBaseUrl, claimCookie } = deps;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, async (ctx, { caller, query }) => {
    const { links, nextCursor } = await userLinksPage(deps, caller, query);
    if (nextCursor !== null) {
      const sort = query.sort === "newest" ? undefined : query.sort;
      const tz = sort === "clicks" ? query.tz : undefined;
      const next = { ...query, cursor: nextCursor, sort, tz };
      ctx.set("Link", nextPage(calls.listLinks.path, next));
    }
    return { status: 200, body: links };
  });

  mount(router, calls.listLinkIds, async (ctx, { caller: { userId }, query }) => {
    const { q: search, store, show: filter, label, before } = query;
    const { ids, next } = await listLinkIds(db, { userId, before, search, store, filter, label });
    if (next !== null) {
      ctx.set("Link", nextPage(calls.listLinkIds.path, { ...query, before: next }));
    }
    return { status: 200, body: ids };
  });

  mount(router, calls.listLinkStores, async (_ctx, { caller: { userId } }) => ({
    status: 200,
    body: await findLinkStores(db, userId),
  }));

  mount(router, calls.getLink, async (_ctx, { caller: { userId }, params }) => {
    const link = await getLink(db, { userId, ...params });
    return { status: 200, body: reply(link) };
  });

  mount(router, calls.checkLink, async (ctx, { caller: { userId }, params }) => {
    const requester = { userId, address: deps.addressOf(ctx.req), requestId: ctx.state.requestId };
    const isQueued = await recheckHealth(deps, { userId, ...params }, requester);
    return { status: 202, body: { isQueued } };
  });

  mount(router, calls.updateLink, async (ctx, { caller: { userId }, params, body }) => {
    const ref = { userId, ...params };
    const { userId: newOwner, ...change } = body;
    if (newOwner === undefined) {
      return { status: 200, body: reply(await editUserLink(deps, ctx, ref, change)) };
    }
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const link = await claimForUser(deps, ref, claimCookie.read(ctx), ctx.state.redisBudget);
    return { status: 200, body: reply(link) };
  });

  const untag = calls.createUntaggedCode;
  mount(router, untag, async (_ctx, { caller: { userId }, params }) => {
    return { status: 200, body: reply(await addUntaggedCode(db, { userId, ...params })) };
  });

  // Mounted before the call for one link, which matches the same path.
  mount(router, calls.deleteLinks, async (ctx, { caller: { userId }, body }) => {
    const removed = await removeLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    const removedIds = new Set(removed.map(({ id }) => id));
    return { status: 200, body: body.ids.map((id) => ({ id, isDeleted: removedIds.has(id) })) };
  });

  mount(router, calls.moveLinks, async (ctx, { caller: { userId }, body }) => {
    const results = await moveLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    return { status: 200, body: { results } };
  });

  mount(router, calls.setLinkChannels, async (ctx, { caller: { userId }, body }) => {
    const results = await setChannels(deps, { userId, ...body }, ctx.state.redisBudget);
    return { status: 200, body: { results } };
  });

  mount(router, calls.deleteLink, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(deps, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

/** The address of the next page. */
function nextPage(path: string, query: Record<string, string | number | undefined>): string {
  const parameters = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return `<${path}?${new URLSearchParams(parameters)}>; rel="next"`;
}
