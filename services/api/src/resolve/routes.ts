import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { resolveLink } from "@tapthru/proto/http/resolve-link";
import { type ApiRouter, mount } from "../http/mount.ts";

export interface ResolveRoutesDependencies {
  /** Resolves a short link to its store page. Throws ApiError for every other address. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
}

export function resolveRoutes(router: ApiRouter, deps: ResolveRoutesDependencies) {
  mount(router, resolveLink, async (ctx, { body }) => {
    const { redisBudget, whileWaiting } = ctx.state;
    const resolvedUrl = await whileWaiting(() => deps.resolveShortLink(body.url, redisBudget));
    return { status: 200, body: { resolvedUrl } };
  });
}
