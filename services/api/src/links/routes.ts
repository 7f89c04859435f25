import type { Router } from "@koa/router";
import { generate, IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import { mount } from "../http/mount.ts";
import { type GenerateNeeds, generateLink } from "./generate-link.ts";

export function linkRoutes(router: Router, needs: GenerateNeeds & { claimCookie: ClaimCookie }) {
  mount(router, generate, async (ctx, { body }) => {
    const visitorKey = needs.claimCookie.read(ctx);
    const idempotencyKey = readIdempotencyKey(ctx);
    const { isNew, link } = await generateLink(needs, {
      url: body.url,
      visitorKey,
      claimHash: visitorKey ?? needs.claimCookie.issue(ctx),
      idempotencyKey,
      requestId: ctx.state.requestId,
    });
    return {
      status: isNew ? 201 : 200,
      body: { ...link, shortUrl: `${needs.publicBaseUrl}/l/${link.shortCode}` },
    };
  });
}

function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError("bad-idempotency-key", messages.badIdempotencyKey);
}
