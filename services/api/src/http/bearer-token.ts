import { badToken } from "@tapthru/proto/general-errors";
import { keyNotAllowed } from "@tapthru/proto/keys";
import { API_KEY_PREFIX } from "@tapthru/proto/rules/api-key";
import { SHLINK_PATH } from "@tapthru/proto/shlink";
import type { Context } from "koa";
import { ApiError } from "./errors.ts";

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Returns the ID token of `Authorization: Bearer …`, or null without that header.
 * @throws ApiError if the header is malformed or repeated, so that a caller with invalid credentials is not
 *   treated as anonymous, or contains an API key
 */
export function bearerToken(ctx: Context): string | null {
  if (bearerKey(ctx) !== null) throw new ApiError(keyNotAllowed);
  return credentials(ctx);
}

/** Not within a token, which may contain the prefix. */
const START_OF_KEY = ` ${API_KEY_PREFIX}`;

/**
 * Returns what should be an API key, also from the header of Shlink's clients. Null without one, also if the header has other credentials or is malformed.
 * @throws ApiError if the header has a key and is malformed or repeated
 */
export function bearerKey(ctx: Context): string | null {
  const own = shlinkKey(ctx);
  if (own !== null) return own;
  const headers = ctx.req.headersDistinct.authorization ?? [];
  if (!headers.some((header) => header.includes(START_OF_KEY))) return null;
  return credentials(ctx);
}

export function shlinkKey({ url, req }: Context): string | null {
  return (url.startsWith(SHLINK_PATH) && req.headersDistinct["x-api-key"]?.[0]) || null;
}

function credentials(ctx: Context): string | null {
  const [header, ...more] = ctx.req.headersDistinct.authorization ?? [];
  if (header === undefined) return null;
  const [, token] = BEARER.exec(header) ?? [];
  if (token === undefined || more.length > 0) throw new ApiError(badToken);
  return token;
}
