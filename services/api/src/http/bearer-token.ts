import type { Context } from "koa";

/** The token of `Authorization: Bearer …`; null where the request has none. */
export function bearerToken(ctx: Context): string | null {
  return /^Bearer +(\S+)$/i.exec(ctx.get("Authorization"))?.[1] ?? null;
}
