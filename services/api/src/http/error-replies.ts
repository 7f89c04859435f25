import { messages } from "@tapthru/proto/rules/messages";
import { PostgresAwayError } from "@tapthru/runtime/postgres";
import { RedisAwayError } from "@tapthru/runtime/redis";
import type { Context, Middleware } from "koa";
import { ForeignKeyIntegrityConstraintViolationError } from "slonik";
import { ApiError, type ErrorCode } from "../errors.ts";

const STATUS: Record<ErrorCode, number> = {
  "account-deleted": 403,
  "bad-idempotency-key": 400,
  "bad-origin": 403,
  "bad-token": 401,
  "body-too-large": 413,
  "email-taken": 409,
  "idempotency-key-reused": 422,
  internal: 500,
  "invalid-body": 422,
  "invalid-query": 400,
  "link-expired": 410,
  "link-not-available": 410,
  "login-required": 401,
  "malformed-body": 400,
  "method-not-allowed": 405,
  "not-allowed": 403,
  "not-configured": 503,
  "not-found": 404,
  "short-link-failed": 502,
  "short-link-too-slow": 504,
  "too-many-requests": 429,
  unavailable: 503,
  "unsupported-media-type": 415,
  "unusable-link": 422,
  "username-taken": 409,
};

const RETRY_AFTER_SECONDS = 5;

/** Turns whatever a handler throws into one sentence, and says nothing of what it does not know. */
export const errorReplies: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const known = error instanceof ApiError ? error : translate(error);
    if (known.code === "internal") ctx.state.log.error({ err: error }, "request failed");
    else if (known.cause) ctx.state.log.warn({ err: known.cause }, "request refused");
    refuse(ctx, known);
  }
};

function translate(error: unknown): ApiError {
  if (error instanceof PostgresAwayError || error instanceof RedisAwayError) {
    return new ApiError("unavailable", messages.unavailable);
  }
  if (error instanceof ForeignKeyIntegrityConstraintViolationError && isOfGoneUser(error)) {
    return new ApiError("login-required", messages.loginRequired);
  }
  return new ApiError("internal", messages.internalError);
}

/** The caller's session is older than the loss of his row. */
function isOfGoneUser({ constraint }: ForeignKeyIntegrityConstraintViolationError): boolean {
  return constraint === "links_user_id_fkey";
}

function refuse(ctx: Context, { code, message, details }: ApiError): void {
  const { field, retryAfterSeconds = RETRY_AFTER_SECONDS } = details;
  const status = STATUS[code];
  ctx.status = status;
  // Whatever has failed, the caller keeps the cookies he has.
  ctx.remove("Set-Cookie");
  if (status === 429 || status === 503) ctx.set("Retry-After", String(retryAfterSeconds));
  if (ctx.get("Accept").includes("application/problem+json")) {
    ctx.body = JSON.stringify({ title: message, status, code, field });
    ctx.type = "application/problem+json";
  } else {
    ctx.body = message;
    ctx.type = "text/plain";
  }
}
