import type { Router } from "@koa/router";
import { generate } from "@tapthru/proto/http/generate";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { type Guard, mount } from "../http/mount.ts";
import type { Creator } from "./creator.ts";
import { type GenerateDependencies, generateLink } from "./generate-link.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { linkReply } from "./link-reply.ts";

export interface GenerateRouteDependencies extends GenerateDependencies {
  addressOf(request: Context["req"]): string;
  claimCookie: Pick<ClaimCookie, "set">;
  identifyCreator: Guard<Creator>;
}

export function generateRoute(router: Router, deps: GenerateRouteDependencies) {
  mount(router, generate, deps.identifyCreator, async (ctx, { caller, body }) => {
    const idempotencyKey = readIdempotencyKey(ctx);
    const { isNew, link, claimToken } = await generateLink(deps, {
      url: body.url,
      creator: caller,
      idempotencyKey,
      requester: { address: deps.addressOf(ctx.req), requestId: ctx.state.requestId },
      budget: ctx.state.redisBudget,
      whileWaiting: ctx.state.whileWaiting,
      log: ctx.state.log,
    });
    if (claimToken !== undefined) deps.claimCookie.set(ctx, claimToken);
    const reply = linkReply(link, deps.publicBaseUrl);
    if (reply.invalid) throw new ApiError("unusable-link");
    return { status: isNew ? 201 : 200, body: reply };
  });
}
