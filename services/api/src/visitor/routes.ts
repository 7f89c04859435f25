import type { Router } from "@koa/router";
import { visitor } from "@tapthru/proto/http/visitor";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";

export interface VisitorRoutesNeeds {
  claimCookie: ClaimCookie;
  anybody: Guard<void>;
}

export function visitorRoutes(router: Router, needs: VisitorRoutesNeeds) {
  mount(router, visitor, needs.anybody, async (ctx) => {
    if (needs.claimCookie.read(ctx) === null) needs.claimCookie.issue(ctx);
    return { status: 200, body: {} };
  });
}
