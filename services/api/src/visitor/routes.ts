import type { Router } from "@koa/router";
import { visitor } from "@tapthru/proto/http/visitor";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";

export interface VisitorRoutesDependencies {
  claimCookie: ClaimCookie;
  publicAccess: Guard<void>;
}

export function visitorRoutes(router: Router, deps: VisitorRoutesDependencies) {
  mount(router, visitor, deps.publicAccess, async (ctx) => {
    if (deps.claimCookie.read(ctx) === null) deps.claimCookie.issue(ctx);
    return { status: 200, body: {} };
  });
}
