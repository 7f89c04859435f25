import type { Db } from "@tapthru/core/platform/postgres/postgres";
import * as calls from "@tapthru/proto/http/routing";
import type { RoutingChoice } from "@tapthru/proto/rules/routing/routing-choices";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { redirectRecords } from "../links/link-row.ts";
import type { ProjectLinks } from "../links/project-links.ts";
import { findEditableLink } from "../links/user-links.ts";
import {
  findLinkRouting,
  findRoutingSettings,
  updateLinkRouting,
  upsertRoutingSettings,
} from "./queries.ts";

export interface RoutingRoutesDependencies {
  db: Db<"maybeOne" | "query">;
  projectLinks: ProjectLinks;
}

const DEFAULTS: calls.RoutingSettings = {
  isOn: false,
  fallback: "original",
  assistantsGetTag: false,
};
const IS_ON: Record<RoutingChoice, boolean | null> = { account: null, on: true, off: false };

export function routingRoutes(router: ApiRouter, { db, projectLinks }: RoutingRoutesDependencies) {
  mount(router, calls.getRoutingSettings, async (_ctx, { caller }) => {
    return { status: 200, body: (await findRoutingSettings(db, caller.userId)) ?? DEFAULTS };
  });

  mount(router, calls.saveRoutingSettings, async (_ctx, { caller, body }) => {
    await upsertRoutingSettings(db, caller.userId, body);
    return { status: 200, body };
  });

  mount(router, calls.getLinkRouting, async (_ctx, { caller, params }) => {
    return { status: 200, body: await routingOf(db, { userId: caller.userId, ...params }) };
  });

  mount(router, calls.saveLinkRouting, async (ctx, { caller, params, body }) => {
    const link = { userId: caller.userId, ...params };
    await findEditableLink(db, link);
    const changed = await updateLinkRouting(db, link, IS_ON[body.choice]);
    if (changed === null) throw new ApiError("link-not-found");
    await projectLinks(redirectRecords([changed]), ctx.state.redisBudget);
    return { status: 200, body: await routingOf(db, link) };
  });
}

async function routingOf(
  db: Db<"maybeOne">,
  link: { userId: number; shortCode: string },
): Promise<calls.RoutingOfLink> {
  const row = await findLinkRouting(db, link);
  if (row === null) throw new ApiError("link-not-found");
  const { ownChoice, ...routing } = row;
  if (ownChoice === null) return { choice: "account", ...routing };
  return { choice: ownChoice ? "on" : "off", ...routing };
}
