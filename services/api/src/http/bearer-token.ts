import type { Context } from "koa";
import { ApiError } from "../errors.ts";

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Returns the token of `Authorization: Bearer …`, or null without that header.
 * @throws ApiError if the header is malformed or repeated, so that a caller with invalid credentials is not
 *   treated as anonymous
 */
export function bearerToken(ctx: Context): string | null {
  const [header, ...more] = ctx.req.headersDistinct.authorization ?? [];
  if (header === undefined) return null;
  const [, token] = BEARER.exec(header) ?? [];
  if (token === undefined || more.length > 0) throw new ApiError("bad-token");
  return token;
}
