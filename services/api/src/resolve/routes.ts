import type { Router } from "@koa/router";
import { resolveLink } from "@tapthru/proto/http/resolve-link";
import { parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import type { RedisBudget } from "@tapthru/runtime/redis-budget";
import { ApiError } from "../errors.ts";
import { mount } from "../http/mount.ts";

export interface ResolveNeeds {
  newRedisBudget(): RedisBudget;
  /** The store page a short link leads to. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
}

export function resolveRoutes(router: Router, needs: ResolveNeeds) {
  mount(router, resolveLink, async (_ctx, body) => {
    const address = parseAmazonUrl(body.url.trim());
    if (address.kind !== "short") {
      throw new ApiError("unusable-link", messages.notAShortLink);
    }
    const resolvedUrl = await needs.resolveShortLink(address.url, needs.newRedisBudget());
    return { status: 200, body: { resolvedUrl } };
  });
}
