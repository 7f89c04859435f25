import type { Router } from "@koa/router";
import * as calls from "@tapthru/proto/http/routing";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { type Guard, mount } from "../http/mount.ts";
import { liveRecord } from "../links/link-row.ts";
import { findEditableLink } from "../links/own-links.ts";
import type { ProjectLink } from "../links/project-link.ts";
import {
  findLinkRouting,
  findRoutingSettings,
  type RoutingRow,
  updateLinkRouting,
  upsertRoutingSettings,
} from "./queries.ts";

export interface RoutingRoutesDependencies {
  db: Pick<CommonQueryMethods, "maybeOne" | "query">;
  projectLink: ProjectLink;
  readLinks: Guard<Pick<Caller, "userId">>;
  writeLinks: Guard<Pick<Caller, "userId">>;
}

const DEFAULTS: calls.RoutingSettings = { isOn: false, fallback: "original" };
const IS_ON: Record<RoutingChoice, boolean | null> = { account: null, on: true, off: false };

export function routingRoutes(
  router: Router,
  { db, projectLink, readLinks, writeLinks }: RoutingRoutesDependencies,
) {
  mount(router, calls.getRoutingSettings, readLinks, async (_ctx, { caller }) => {
    return { status: 200, body: (await findRoutingSettings(db, caller.userId)) ?? DEFAULTS };
  });

  mount(router, calls.saveRoutingSettings, writeLinks, async (_ctx, { caller, body }) => {
    await upsertRoutingSettings(db, caller.userId, body);
    return { status: 200, body };
  });

  mount(router, calls.getLinkRouting, readLinks, async (_ctx, { caller, params }) => {
    const row = await findLinkRouting(db, { userId: caller.userId, ...params });
    if (row === null) throw new ApiError("link-not-found");
    return { status: 200, body: routingReply(row) };
  });

  mount(router, calls.saveLinkRouting, writeLinks, async (ctx, { caller, params, body }) => {
    const link = { userId: caller.userId, ...params };
    await findEditableLink(db, link);
    const isOn = IS_ON[body.choice];
    const changed = await updateLinkRouting(db, link, isOn);
    if (changed === null) throw new ApiError("link-not-found");
    await projectLink(changed.shortCode, liveRecord(changed), ctx.state.redisBudget);
    return { status: 200, body: routingReply({ isOn, routing: changed.routing }) };
  });
}

function routingReply({ isOn, routing }: RoutingRow): calls.RoutingOfLink {
  if (isOn === null) return { choice: "account", routing };
  return { choice: isOn ? "on" : "off", routing };
}
