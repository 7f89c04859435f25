import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { listActivity } from "@tapthru/proto/http/activity";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { getLink } from "../links/user-links.ts";
import { activityReply, OWNER_COLUMNS } from "./activity-reply.ts";
import { findActivity, type PageOf } from "./queries.ts";

export interface ActivityRoutesDependencies {
  db: Db<"any" | "maybeOne">;
}

export function activityRoutes(router: ApiRouter, { db }: ActivityRoutesDependencies) {
  mount(router, listActivity, async (ctx, { caller: { userId, scopes }, query }) => {
    const { link: shortCode, before } = query;
    if (shortCode === undefined && scopes !== null) throw new ApiError("key-not-allowed");
    const linkId = shortCode === undefined ? null : (await getLink(db, { userId, shortCode })).id;
    const findPage = (page: PageOf) => findActivity(db, { userId, linkId }, page);
    return activityReply(ctx, findPage, before, OWNER_COLUMNS);
  });
}
