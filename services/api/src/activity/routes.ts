import type { Router } from "@koa/router";
import { listActivity } from "@tapthru/proto/http/activity";
import type { Db } from "@tapthru/runtime/postgres/postgres";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { getLink } from "../links/user-links.ts";
import { activityReply, OWNER_COLUMNS } from "./activity-reply.ts";
import { findActivity, type PageOf } from "./queries.ts";

export interface ActivityRoutesDependencies {
  db: Db<"any" | "maybeOne">;
  readLinks: Guard<Caller>;
}

export function activityRoutes(router: Router, { db, readLinks }: ActivityRoutesDependencies) {
  mount(router, listActivity, readLinks, async (ctx, { caller: { userId, scopes }, query }) => {
    const { link: shortCode, before } = query;
    if (shortCode === undefined && scopes !== null) throw new ApiError("key-not-allowed");
    const linkId = shortCode === undefined ? null : (await getLink(db, { userId, shortCode })).id;
    const findPage = (page: PageOf) => findActivity(db, { userId, linkId }, page);
    return activityReply(ctx, findPage, before, OWNER_COLUMNS);
  });
}
