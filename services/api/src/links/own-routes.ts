import type { Router } from "@koa/router";
import { getLinkHistory } from "@tapthru/proto/http/link-history";
import * as calls from "@tapthru/proto/http/links";
import type { Context } from "koa";
import type { CommonQueryMethods } from "slonik";
import type * as z from "zod/mini";
import { recentRange } from "../clicks/click-range.ts";
import type { ClickStore } from "../clicks/click-store.ts";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Caller, countUserRequest } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { requireScope } from "../keys/key-access.ts";
import { replaceLabels } from "../labels/labels.ts";
import { changeSlug } from "./change-slug.ts";
import { linkHistories } from "./link-history.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import {
  claimForUser,
  getLink,
  listLinkStores,
  listLinks,
  removeLink,
  removeLinks,
  updateLink,
} from "./own-links.ts";
import { type RelinkDependencies, relink } from "./relink.ts";

export interface OwnLinkRoutesDependencies extends RelinkDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne" | "oneFirst" | "transaction">;
  clickStore: Pick<ClickStore, "people">;
  addressOf(request: Context["req"]): string;
  /** Also counts changes of destinations. */
  generateLimit: RateLimit;
  claimCookie: Pick<ClaimCookie, "read">;
  readLinks: Guard<Caller>;
  writeLinks: Guard<Caller>;
}

export function ownLinkRoutes(router: Router, deps: OwnLinkRoutesDependencies) {
  const { db, clickStore, publicBaseUrl, claimCookie, readLinks, writeLinks } = deps;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, readLinks, async (ctx, { caller, query }) => {
    const { userId, scopes } = caller;
    const { limit, cursor, q: search, sort: order, tz, store, label, show: filter } = query;
    // The cursor of this order has numbers of clicks.
    if (order === "clicks") requireScope(scopes, "clicks:read");
    const people =
      order === "clicks" ? await clickStore.people(userId, recentRange(tz)) : undefined;
    const page = { userId, limit, cursor, search, order, people, store, label, filter };
    const { links, next } = await listLinks(db, page);
    if (next) ctx.set("Link", nextPage(query, next));
    return { status: 200, body: links.map(reply) };
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

  mount(router, calls.updateLink, writeLinks, async (ctx, { caller: { userId }, params, body }) => {
    const ref = { userId, ...params };
    const { userId: newOwner, slug, url, labels: refs, ...edit } = body;
    const { redisBudget, whileWaiting, requestId } = ctx.state;
    if (slug !== undefined) {
      await countUserRequest(deps.generateLimit, ctx, userId);
      return { status: 200, body: reply(await changeSlug(deps, { ...ref, slug }, redisBudget)) };
    }
    if (url !== undefined) {
      const address = deps.addressOf(ctx.req);
      await countUserRequest(deps.generateLimit, ctx, userId);
      const requester = { userId, address, requestId };
      const request = { ...ref, url, requester, budget: redisBudget, whileWaiting };
      return { status: 200, body: reply(await relink(deps, request)) };
    }
    if (refs !== undefined) {
      const { id: linkId } = await getLink(db, ref);
      await replaceLabels(db, { userId, linkId, refs });
      return { status: 200, body: reply(await getLink(db, ref)) };
    }
    if (newOwner === undefined) {
      return { status: 200, body: reply(await updateLink(deps, ref, edit, redisBudget)) };
    }
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const link = await claimForUser(deps, ref, claimCookie.read(ctx), redisBudget);
    return { status: 200, body: reply(link) };
  });

  // Mounted before the call for one link, which matches the same path.
  mount(router, calls.deleteLinks, writeLinks, async (ctx, { caller: { userId }, body }) => {
    const removed = await removeLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    const removedIds = new Set(removed.map(({ id }) => id));
    return { status: 200, body: body.ids.map((id) => ({ id, isDeleted: removedIds.has(id) })) };
  });

  mount(router, calls.deleteLink, writeLinks, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(deps, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

type ListQuery = z.output<typeof calls.listLinks.query>;

/** The address of the next page: the same query with another cursor. */
function nextPage(query: ListQuery, { id, sortValue }: NonNullable<ListQuery["cursor"]>): string {
  const { limit, q, sort, tz, store, label, show } = query;
  const parameters = new URLSearchParams({
    limit: String(limit),
    cursor: sortValue === null ? String(id) : `${id}~${sortValue}`,
    ...(q && { q }),
    ...(sort !== "newest" && { sort }),
    ...(sort === "clicks" && { tz }),
    ...(store && { store }),
    ...(show && { show }),
    ...(label !== undefined && { label: String(label) }),
  });
  return `<${calls.listLinks.path}?${parameters}>; rel="next"`;
}
