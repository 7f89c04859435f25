import type { Router } from "@koa/router";
import { getLinkHistory } from "@tapthru/proto/http/link-history";
import * as calls from "@tapthru/proto/http/links";
import { LINKS_IDS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import type { ClickStore } from "@tapthru/runtime/clicks/click-store";
import type { Logger } from "@tapthru/runtime/logger";
import type * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { moveLinks } from "./change-code.ts";
import { setChannels } from "./change-tags.ts";
import { type EditDependencies, editUserLink } from "./edit-user-link.ts";
import { linkHistories } from "./link-history.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import { recheckHealth } from "./recheck-health.ts";
import {
  claimForUser,
  getLink,
  listLinkStores,
  removeLink,
  removeLinks,
  userLinksPage,
} from "./user-links.ts";
import { findLinkIds } from "./user-links-queries.ts";

export interface UserLinkRoutesDependencies extends EditDependencies {
  clickStore: Pick<ClickStore, "people">;
  claimCookie: Pick<ClaimCookie, "read">;
  readLinks: Guard<Caller>;
  checkLinks: Guard<Caller>;
  writeLinks: Guard<Caller>;
  /** As `writeLinks`, with a lower rate limit. */
  changeDomains: Guard<Caller>;
  logger: Logger;
}

export function userLinkRoutes(router: Router, deps: UserLinkRoutesDependencies) {
  const { db, publicBaseUrl, claimCookie, readLinks, writeLinks, checkLinks } = deps;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, readLinks, async (ctx, { caller, query }) => {
    const { links, nextCursor } = await userLinksPage(deps, caller, query);
    if (nextCursor !== null) ctx.set("Link", nextPage(query, nextCursor));
    return { status: 200, body: links };
  });

  mount(router, calls.listLinkIds, readLinks, async (_ctx, { caller: { userId }, query }) => {
    const { q: search, store, show: filter, label, before } = query;
    const conditions = { search, store, filter, label };
    return {
      status: 200,
      body: await findLinkIds(db, { userId, before, limit: LINKS_IDS_MAX_COUNT, ...conditions }),
    };
  });

  mount(router, calls.listLinkStores, readLinks, async (_ctx, { caller: { userId } }) => ({
    status: 200,
    body: await listLinkStores(db, userId),
  }));

  mount(router, calls.getLink, readLinks, async (_ctx, { caller: { userId }, params }) => {
    const link = await getLink(db, { userId, ...params });
    return { status: 200, body: reply(link) };
  });

  mount(router, getLinkHistory, readLinks, async (_ctx, { caller: { userId }, params }) => {
    const { id } = await getLink(db, { userId, ...params });
    const histories = await linkHistories(db, [id], publicBaseUrl);
    return { status: 200, body: histories.get(id) ?? { destinations: [], shortCodes: [] } };
  });

  mount(router, calls.checkLink, checkLinks, async (ctx, { caller: { userId }, params }) => {
    const requester = { userId, address: deps.addressOf(ctx.req), requestId: ctx.state.requestId };
    const isQueued = await recheckHealth(deps, { userId, ...params }, requester);
    return { status: 202, body: { isQueued } };
  });

  mount(router, calls.updateLink, writeLinks, async (ctx, { caller: { userId }, params, body }) => {
    const ref = { userId, ...params };
    const { userId: newOwner, ...change } = body;
    if (newOwner === undefined) {
      return { status: 200, body: reply(await editUserLink(deps, ctx, ref, change)) };
    }
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const link = await claimForUser(deps, ref, claimCookie.read(ctx), ctx.state.redisBudget);
    return { status: 200, body: reply(link) };
  });

  // Mounted before the call for one link, which matches the same path.
  mount(router, calls.deleteLinks, writeLinks, async (ctx, { caller: { userId }, body }) => {
    const removed = await removeLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    const removedIds = new Set(removed.map(({ id }) => id));
    return { status: 200, body: body.ids.map((id) => ({ id, isDeleted: removedIds.has(id) })) };
  });

  mount(router, calls.moveLinks, deps.changeDomains, async (ctx, { caller: { userId }, body }) => {
    const results = await moveLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    return { status: 200, body: { results } };
  });

  mount(router, calls.setLinkChannels, writeLinks, async (ctx, { caller: { userId }, body }) => {
    const results = await setChannels(deps, { userId, ...body }, ctx.state.redisBudget);
    return { status: 200, body: { results } };
  });

  mount(router, calls.deleteLink, writeLinks, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(deps, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

type ListQuery = z.output<typeof calls.listLinks.query>;

/** The address of the next page: the same query with another cursor. */
function nextPage(query: ListQuery, cursor: string): string {
  const { limit, q, sort, tz, store, label, show } = query;
  const parameters = new URLSearchParams({
    limit: String(limit),
    cursor,
    ...(q && { q }),
    ...(sort !== "newest" && { sort }),
    ...(sort === "clicks" && { tz }),
    ...(store && { store }),
    ...(show && { show }),
    ...(label !== undefined && { label: String(label) }),
  });
  return `<${calls.listLinks.path}?${parameters}>; rel="next"`;
}
