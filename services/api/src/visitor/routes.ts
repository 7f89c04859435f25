import { visitor } from "@tapthru/proto/http/visitor";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type ApiRouter, mount } from "../http/mount.ts";

export interface VisitorRoutesDependencies {
  claimCookie: ClaimCookie;
}

export function visitorRoutes(router: ApiRouter, deps: VisitorRoutesDependencies) {
  mount(router, visitor, async (ctx) => {
    if (deps.claimCookie.read(ctx) === null) deps.claimCookie.issue(ctx);
    return { status: 200, body: {} };
  });
}
