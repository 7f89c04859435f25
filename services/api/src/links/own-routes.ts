import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/links";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { linkReply } from "./link-reply.ts";
import type { LinkRow } from "./link-row.ts";
import { changeLink, getLink, listLinks, removeLink, takeLink } from "./own-links.ts";
import type { Project } from "./project.ts";

export interface OwnLinkRoutesNeeds {
  db: Pick<CommonQueryMethods, "any" | "maybeOne">;
  project: Project;
  publicBaseUrl: string;
  claimCookie: Pick<ClaimCookie, "read">;
  signedIn: Guard<LiveSession>;
}

export function ownLinkRoutes(router: Router, needs: OwnLinkRoutesNeeds) {
  const { db, publicBaseUrl, claimCookie, signedIn } = needs;
  const reply = (row: LinkRow) => linkReply(row, publicBaseUrl);

  mount(router, calls.listLinks, signedIn, async (ctx, { caller: { userId }, query }) => {
    const { limit, cursor, q: search } = query;
    const { links, next } = await listLinks(db, { userId, limit, cursor, search });
    if (next !== null) ctx.set("Link", nextPage({ limit, cursor: next, q: search }));
    return { status: 200, body: links.map(reply) };
  });

  mount(router, calls.getLink, signedIn, async (_ctx, { caller: { userId }, params }) => {
    const link = await getLink(db, { userId, ...params });
    return { status: 200, body: reply(link) };
  });

  mount(router, calls.updateLink, signedIn, async (ctx, { caller: { userId }, params, body }) => {
    const ref = { userId, ...params };
    const { userId: newOwner, ...edit } = body;
    const { redisBudget } = ctx.state;
    if (newOwner === undefined) {
      return { status: 200, body: reply(await changeLink(needs, ref, edit, redisBudget)) };
    }
    if (newOwner !== userId) throw new ApiError("link-not-found");
    const link = await takeLink(needs, ref, claimCookie.read(ctx), redisBudget);
    return { status: 200, body: reply(link) };
  });

  mount(router, calls.deleteLink, signedIn, async (ctx, { caller: { userId }, params }) => {
    const body = await removeLink(needs, { userId, ...params }, ctx.state.redisBudget);
    return { status: 200, body };
  });
}

function nextPage(query: { limit: number; cursor: number; q: string | undefined }): string {
  const { limit, cursor, q } = query;
  const parameters = new URLSearchParams({ limit: String(limit), cursor: String(cursor) });
  if (q) parameters.set("q", q);
  return `<${calls.listLinks.path}?${parameters}>; rel="next"`;
}
