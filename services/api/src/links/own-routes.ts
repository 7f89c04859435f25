import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/links";
import type { CommonQueryMethods } from "slonik";
import type * as z from "zod/mini";
import { recentRange } from "../clicks/click-range.ts";
import type { ClickStore } from "../clicks/click-store.ts";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { changeSlug } from "./change-slug.ts";
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
import type { ProjectLink } from "./project-link.ts";

export interface OwnLinkRoutesDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne" | "oneFirst">;
  clickStore: Pick<ClickStore, "people">;
  projectLink: ProjectLink;
  publicBaseUrl: string;
  claimCookie: Pick<ClaimCookie, "read">;
  requiredSession: Guard<LiveSession>;
}

export function ownLinkRoutes(router: Router, deps: OwnLinkRoutesDependencies) {
  const { db, clickStore, publicBaseUrl, claimCookie, requiredSession } = deps;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, requiredSession, async (ctx, { caller: { userId }, query }) => {
    const { limit, cursor, q: search, sort: order, tz, store, show: filter } = query;
    const people =
      order === "clicks" ? await clickStore.people(userId, recentRange(tz)) : undefined;
    const page = { userId, limit, cursor, search, order, people, store, filter };
    const { links, next } = await listLinks(db, page);
    if (next) ctx.set("Link", nextPage(query, next));
    return { status: 200, body: links.map(reply) };
  });

  mount(router, calls.listLinkStores, requiredSession, async (_ctx, { caller: { userId } }) => ({
    status: 200,
    body: await listLinkStores(db, userId),
  }));

  mount(router, calls.getLink, requiredSession, async (_ctx, { caller: { userId }, params }) => {
    const link = await getLink(db, { userId, ...params });
    return { status: 200, body: reply(link) };
  });

  mount(
    router,
    calls.updateLink,
    requiredSession,
    async (ctx, { caller: { userId }, params, body }) => {
      const ref = { userId, ...params };
      const { userId: newOwner, slug, ...edit } = body;
      const { redisBudget } = ctx.state;
      if (slug !== undefined) {
        return { status: 200, body: reply(await changeSlug(deps, { ...ref, slug }, redisBudget)) };
      }
      if (newOwner === undefined) {
        return { status: 200, body: reply(await updateLink(deps, ref, edit, redisBudget)) };
      }
      if (newOwner !== userId) throw new ApiError("link-not-found");
      const link = await claimForUser(deps, ref, claimCookie.read(ctx), redisBudget);
      return { status: 200, body: reply(link) };
    },
  );

  // Mounted before the call for one link, which matches the same path.
  mount(router, calls.deleteLinks, requiredSession, async (ctx, { caller: { userId }, body }) => {
    const removed = await removeLinks(deps, { userId, ...body }, ctx.state.redisBudget);
    const removedIds = new Set(removed.map(({ id }) => id));
    return { status: 200, body: body.ids.map((id) => ({ id, isDeleted: removedIds.has(id) })) };
  });

  mount(router, calls.deleteLink, requiredSession, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(deps, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

type ListQuery = z.output<typeof calls.listLinks.query>;

/** The address of the next page: the same query with another cursor. */
function nextPage(query: ListQuery, { id, sortValue }: NonNullable<ListQuery["cursor"]>): string {
  const { limit, q, sort, tz, store, show } = query;
  const parameters = new URLSearchParams({
    limit: String(limit),
    cursor: sortValue === null ? String(id) : `${id}~${sortValue}`,
    ...(q && { q }),
    ...(sort !== "newest" && { sort }),
    ...(sort === "clicks" && { tz }),
    ...(store && { store }),
    ...(show && { show }),
  });
  return `<${calls.listLinks.path}?${parameters}>; rel="next"`;
}
