import type { Router } from "@koa/router";
import { visitor } from "@tapthru/proto/http/visitor";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { mount } from "../http/mount.ts";

export function visitorRoutes(router: Router, needs: { claimCookie: ClaimCookie }) {
  mount(router, visitor, async (ctx) => {
    if (needs.claimCookie.read(ctx) === null) needs.claimCookie.issue(ctx);
    return { status: 200, body: {} };
  });
}
