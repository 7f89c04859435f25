import { messages } from "@tapthru/proto/rules/messages";
import { PostgresAwayError } from "@tapthru/runtime/postgres";
import type { Context, Middleware } from "koa";
import { ApiError, type ErrorCode } from "../errors.ts";

const STATUS: Record<ErrorCode, number> = {
  "bad-idempotency-key": 400,
  "bad-origin": 403,
  "body-too-large": 413,
  "idempotency-key-reused": 422,
  "invalid-body": 422,
  "invalid-query": 400,
  "malformed-body": 400,
  "method-not-allowed": 405,
  "not-found": 404,
  "short-link-failed": 502,
  "short-link-too-slow": 504,
  unavailable: 503,
  "unsupported-media-type": 415,
  "unusable-link": 422,
};

const RETRY_AFTER_SECONDS = "5";

/** Turns whatever a handler throws into one sentence, and says nothing of what it does not know. */
export const errorReplies: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error instanceof ApiError) {
      refuse(ctx, STATUS[error.code], error.code, error.message);
    } else if (error instanceof PostgresAwayError) {
      refuse(ctx, 503, "unavailable", messages.unavailable);
    } else {
      ctx.state.log.error({ err: error }, "request failed");
      refuse(ctx, 500, "internal", messages.internalError);
    }
  }
};

function refuse(ctx: Context, status: number, code: string, message: string): void {
  ctx.status = status;
  if (status === 503) ctx.set("Retry-After", RETRY_AFTER_SECONDS);
  if (ctx.get("Accept").includes("application/problem+json")) {
    ctx.body = JSON.stringify({ title: message, status, code });
    ctx.type = "application/problem+json";
  } else {
    ctx.body = message;
    ctx.type = "text/plain";
  }
}
