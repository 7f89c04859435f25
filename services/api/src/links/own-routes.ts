import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/links";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import { claimForUser, getLink, listLinks, removeLink, updateLink } from "./own-links.ts";
import type { ProjectLink } from "./project-link.ts";

export interface OwnLinkRoutesDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne">;
  projectLink: ProjectLink;
  publicBaseUrl: string;
  claimCookie: Pick<ClaimCookie, "read">;
  requiredSession: Guard<LiveSession>;
}

export function ownLinkRoutes(router: Router, deps: OwnLinkRoutesDependencies) {
  const { db, publicBaseUrl, claimCookie, requiredSession } = deps;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, requiredSession, async (ctx, { caller: { userId }, query }) => {
    const { limit, cursor, q: search } = query;
    const { links, next } = await listLinks(db, { userId, limit, cursor, search });
    if (next !== null) ctx.set("Link", nextPage({ limit, cursor: next, q: search }));
    return { status: 200, body: links.map(reply) };
  });

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
      const { userId: newOwner, ...edit } = body;
      const { redisBudget } = ctx.state;
      if (newOwner === undefined) {
        return { status: 200, body: reply(await updateLink(deps, ref, edit, redisBudget)) };
      }
      if (newOwner !== userId) throw new ApiError("link-not-found");
      const link = await claimForUser(deps, ref, claimCookie.read(ctx), redisBudget);
      return { status: 200, body: reply(link) };
    },
  );

  mount(router, calls.deleteLink, requiredSession, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(deps, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

function nextPage(query: { limit: number; cursor: number; q: string | undefined }): string {
  const { limit, cursor, q } = query;
  const parameters = new URLSearchParams({ limit: String(limit), cursor: String(cursor) });
  if (q) parameters.set("q", q);
  return `<${calls.listLinks.path}?${parameters}>; rel="next"`;
}
