import type { Router } from "@koa/router";
import { generate, IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/http/generate";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { type Guard, mount } from "../http/mount.ts";
import { checkLink } from "./check-link.ts";
import type { Creator } from "./creator.ts";
import { type GenerateNeeds, generateLink } from "./generate-link.ts";

export interface GenerateRouteNeeds extends GenerateNeeds {
  addressOf(request: Context["req"]): string;
  linkMaker: Guard<Creator>;
}

export function generateRoute(router: Router, needs: GenerateRouteNeeds) {
  mount(router, generate, needs.linkMaker, async (ctx, { caller, body }) => {
    const idempotencyKey = readIdempotencyKey(ctx);
    const { isNew, link } = await generateLink(needs, {
      url: body.url,
      maker: caller,
      idempotencyKey,
      reader: {
        userId: caller.userId,
        address: needs.addressOf(ctx.req),
        requestId: ctx.state.requestId,
      },
      budget: ctx.state.redisBudget,
      log: ctx.state.log,
    });
    const checked = checkLink(link, needs.publicBaseUrl);
    if (checked.invalid) throw new ApiError("unusable-link");
    return {
      status: isNew ? 201 : 200,
      body: { ...checked, shortUrl: shortUrl(needs.publicBaseUrl, link.shortCode) },
    };
  });
}

function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError("bad-idempotency-key");
}
