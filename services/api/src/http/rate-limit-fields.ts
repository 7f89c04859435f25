import type { Context } from "koa";
import { type RequestCount, WINDOW_S } from "./request-counter.ts";

/**
 * Adds a limit to the fields `RateLimit-Policy` and `RateLimit` of the reply, as in
 * draft-ietf-httpapi-ratelimit-headers-10. Both are lists of structured fields (RFC 9651).
 * @param policy letters and hyphens only
 */
export function addLimitToReply(ctx: Context, policy: string, count: RequestCount): void {
  const { quota, remaining, resetSeconds } = count;
  addMember(ctx, "RateLimit-Policy", `"${policy}";q=${quota};w=${WINDOW_S}`);
  addMember(ctx, "RateLimit", `"${policy}";r=${remaining};t=${resetSeconds}`);
}

function addMember(ctx: Context, field: string, member: string): void {
  const earlier = ctx.res.getHeader(field);
  ctx.set(field, earlier === undefined ? member : `${earlier}, ${member}`);
}
