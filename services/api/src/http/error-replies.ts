import { UserDisabledError } from "@tapthru/core/links/insert-links";
import { PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { accountDisabled, emailTaken, usernameTaken } from "@tapthru/proto/accounts";
import { channelNotFound, channelTaken } from "@tapthru/proto/channels";
import { domainNotUsable } from "@tapthru/proto/domains";
import {
  internal,
  invalidBody,
  linkNotFound,
  loginRequired,
  notFound,
  slugTaken,
  tagInOtherChannel,
  unavailable,
} from "@tapthru/proto/general-errors";
import { badKey } from "@tapthru/proto/keys";
import { labelTaken } from "@tapthru/proto/labels";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import { SHLINK_PATH } from "@tapthru/proto/shlink";
import type { Context, Middleware } from "koa";
import { IntegrityConstraintViolationError } from "slonik";
import { ApiError, type ErrorDetails, malformedField } from "./errors.ts";

declare module "koa" {
  interface DefaultState {
    unavailableReason?: string | undefined;
    /** Why the request failed: the code of an error, or what a page is told instead. */
    errorCode?: string;
    /** The `WWW-Authenticate` header for a program that is refused with 401. */
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
  return refusalOf(error) ?? new ApiError(internal);
}

/** Such as "Redis for session is unavailable: Command timed out". */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** The errors of the schema's constraints, by name. No handler checks them before. */
const REFUSALS: Readonly<Record<string, readonly [ErrorReply, ErrorDetails?]>> = {
  channel_tags_channel_id_fkey: [channelNotFound],
  channel_tags_user_id_marketplace_tag_key: [tagInOtherChannel, { field: "tag" }],
  channels_user_id_name_key_key: [channelTaken, { field: "name" }],
  labels_user_id_name_key_key: [labelTaken, { field: "name" }],
  links_channel_id_fkey: [channelNotFound],
  links_starts_before_end: [invalidBody, { message: malformedField("startsAt") }],
  // The caller has a session, but the row of the user no longer exists.
  labels_user_id_fkey: [loginRequired],
  links_user_id_fkey: [loginRequired],
  onelink_stores_user_id_fkey: [loginRequired],
  routing_settings_user_id_fkey: [loginRequired],
  users_email_key: [emailTaken, { field: "email" }],
  users_username_key: [usernameTaken, { field: "username" }],
  users_username_lookalike_key: [usernameTaken, { field: "username" }],
};

/** The response to what a constraint refuses; null for any other error. */
export function refusalOf(error: unknown): ApiError | null {
  const refusal = error instanceof IntegrityConstraintViolationError && REFUSALS[String(error.constraint)];
  return refusal ? new ApiError(...refusal) : null;
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

/** Errors of a request's data have the status 400 there. */
const DATA_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

function shlinkProblem({ code, status: ownStatus, message: detail }: ApiError) {
  const isOfData = DATA_STATUSES.has(ownStatus);
  const [type, title] = PROBLEMS[code] ?? (isOfData ? INVALID_DATA : [code, detail]);
  return { type: `https://shlink.io/api/error/${type}`, title, detail, status: isOfData ? 400 : ownStatus, code };
}
