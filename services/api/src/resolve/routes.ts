import type { Router } from "@koa/router";
import { resolveLink } from "@tapthru/proto/http/resolve-link";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import { type Guard, mount } from "../http/mount.ts";

export interface ResolveRoutesDependencies {
  /** Resolves a short link to its store page. Throws ApiError for every other address. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
  publicAccess: Guard<void>;
}

export function resolveRoutes(router: Router, deps: ResolveRoutesDependencies) {
  mount(router, resolveLink, deps.publicAccess, async (ctx, { body }) => {
    const { redisBudget, whileWaiting } = ctx.state;
    const resolvedUrl = await whileWaiting(() => deps.resolveShortLink(body.url, redisBudget));
    return { status: 200, body: { resolvedUrl } };
  });
}
