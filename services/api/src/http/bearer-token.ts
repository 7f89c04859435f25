import type { Context } from "koa";
import { ApiError } from "../errors.ts";

/** RFC 6750, section 2.1. */
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * The token of `Authorization: Bearer …`; null without that header.
 * @throws ApiError for a header of another form, or several: a caller who means to be known is never anonymous
 */
export function bearerToken(ctx: Context): string | null {
  const [header, ...more] = ctx.req.headersDistinct.authorization ?? [];
  if (header === undefined) return null;
  const [, token] = BEARER.exec(header) ?? [];
  if (token === undefined || more.length > 0) throw new ApiError("bad-token");
  return token;
}
