import type { Router } from "@koa/router";
import { resolveLink } from "@tapthru/proto/http/resolve-link";
import type { RedisBudget } from "@tapthru/runtime/redis-budget";
import { mount } from "../http/mount.ts";

export interface ResolveNeeds {
  newRedisBudget(): RedisBudget;
  /** The store page a short link leads to; throws ApiError for every other address. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
}

export function resolveRoutes(router: Router, needs: ResolveNeeds) {
  mount(router, resolveLink, async (_ctx, { body }) => {
    const resolvedUrl = await needs.resolveShortLink(body.url, needs.newRedisBudget());
    return { status: 200, body: { resolvedUrl } };
  });
}
