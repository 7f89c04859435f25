import { UserDisabledError } from "@tapthru/core/links/insert-links";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { accountDisabled } from "@tapthru/proto/accounts";
import { channelNotFound } from "@tapthru/proto/channels";
import { domainNotUsable } from "@tapthru/proto/domains";
import { internal, linkNotFound, loginRequired, notFound, slugTaken, unavailable } from "@tapthru/proto/general-errors";
import { badKey } from "@tapthru/proto/keys";
import { SHLINK_PATH } from "@tapthru/proto/shlink";
import type { Context, Middleware } from "koa";
import { CheckIntegrityConstraintViolationError, ForeignKeyIntegrityConstraintViolationError } from "slonik";
import { ApiError, malformed } from "./errors.ts";

declare module "koa" {
  interface DefaultState {
    unavailableReason?: string | undefined;
    /** Why the request failed: the code of an error, or what a page is told instead. */
    errorCode?: string;
    /** What a program that is refused with 401 has to do. */
    challenge?: string;
  }
}

const RETRY_AFTER_SECONDS = 5;

export const errorReplies: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    sendError(ctx, logAsApiError(ctx, error));
  }
};

/** Converts an error into what the client may know of it. Logs an unknown error, and a known one that has a cause. */
export function logAsApiError(ctx: Context, error: unknown): ApiError {
  const apiError = toApiError(error);
  ctx.state.unavailableReason = apiError.details.reason;
  ctx.state.errorCode = apiError.code;
  if (apiError.code === internal.code) ctx.state.log.error({ event: "request_failed", err: error }, "request failed");
  else if (apiError.cause) ctx.state.log.warn({ event: "request_rejected", err: apiError.cause }, "request rejected");
  return apiError;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof PostgresUnavailableError || error instanceof RedisUnavailableError) {
    return new ApiError(unavailable, { reason: describe(error) });
  }
  if (error instanceof UserDisabledError) return new ApiError(accountDisabled);
  if (error instanceof ForeignKeyIntegrityConstraintViolationError) {
    if (isUserDeleted(error)) return new ApiError(loginRequired);
    if (CHANNEL_CONSTRAINTS.includes(error.constraint)) return new ApiError(channelNotFound);
  }
  const isRefused = error instanceof CheckIntegrityConstraintViolationError;
  if (isRefused && error.constraint === "links_starts_before_end") return malformed("startsAt");
  return new ApiError(internal);
}

/** Such as "Redis for session is unavailable: Command timed out". */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

const USER_CONSTRAINTS: readonly (string | null)[] = [
  "links_user_id_fkey",
  "onelink_stores_user_id_fkey",
  "routing_settings_user_id_fkey",
];

/** The channel was deleted after it was found. */
const CHANNEL_CONSTRAINTS: readonly (string | null)[] = ["links_channel_id_fkey", "channel_tags_channel_id_fkey"];

/** The caller has a session, but the row of the user no longer exists. */
function isUserDeleted({ constraint }: ForeignKeyIntegrityConstraintViolationError): boolean {
  return USER_CONSTRAINTS.includes(constraint);
}

export function sendError(ctx: Context, error: ApiError): void {
  const { code, status, message, details } = error;
  const { field, retryAfterSeconds = RETRY_AFTER_SECONDS } = details;
  ctx.status = status;
  // An error never changes the cookies of the caller.
  ctx.remove("Set-Cookie");
  if (status === 429 || status === 503) ctx.set("Retry-After", String(retryAfterSeconds));
  if (status === 401) ctx.set("WWW-Authenticate", ctx.state.challenge ?? "Bearer");
  if (ctx.url.startsWith(SHLINK_PATH)) {
    const problem = shlinkProblem(error);
    ctx.status = problem.status;
    ctx.body = JSON.stringify(problem);
    ctx.type = "application/problem+json";
  } else if (ctx.get("Accept").includes("application/problem+json")) {
    ctx.body = JSON.stringify({ title: message, status, code, field });
    ctx.type = "application/problem+json";
  } else {
    ctx.body = message;
    ctx.type = "text/plain";
  }
}

const PROBLEMS: Readonly<Record<string, readonly [type: string, title: string]>> = {
  [slugTaken.code]: ["non-unique-slug", "Invalid custom slug"],
  [linkNotFound.code]: ["short-url-not-found", "Short URL not found"],
  [loginRequired.code]: ["missing-authentication", "Invalid authorization"],
  [badKey.code]: ["invalid-api-key", "Invalid API key"],
  [domainNotUsable.code]: ["domain-not-found", "Domain not found"],
  [notFound.code]: ["not-found", "Not found"],
};
const INVALID_DATA = ["invalid-data", "Invalid data"] as const;

/** What is wrong with the data of a request has the status 400 there. */
const DATA_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

function shlinkProblem({ code, status: ownStatus, message: detail }: ApiError) {
  const isOfData = DATA_STATUSES.has(ownStatus);
  const [type, title] = PROBLEMS[code] ?? (isOfData ? INVALID_DATA : [code, detail]);
  return { type: `https://shlink.io/api/error/${type}`, title, detail, status: isOfData ? 400 : ownStatus, code };
}
