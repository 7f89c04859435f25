import { hash, timingSafeEqual } from "node:crypto";
import type { TokenUntil } from "@tapthru/core/platform/config/values";
import type { Middleware } from "koa";

declare module "koa" {
  interface DefaultState {
    /** The request belongs to a load test of the operator: it counts for no limit. */
    isUnlimited: boolean;
  }
}

/** Recognizes the requests that have the operator's token, until its time. */
export function recognizeLoadTest(accepted: TokenUntil | null): Middleware {
  const isAccepted = (token: string) =>
    accepted !== null && Date.now() < accepted.untilMs && timingSafeEqual(sha256(token), sha256(accepted.token));
  return (ctx, next) => {
    const token = ctx.get("rate-limit-token");
    ctx.state.isUnlimited = token !== "" && isAccepted(token);
    return next();
  };
}

/** Digests have the same length, so that the comparison takes the same time for every token. */
function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
