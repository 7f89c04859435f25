import { badOrigin } from "@tapthru/proto/general-errors";
import { MCP_PATH, OAUTH_ROUTES } from "@tapthru/proto/mcp";
import { API_KEY_PREFIX } from "@tapthru/proto/rules/api-key";
import type { Context, Middleware } from "koa";
import { shlinkKey } from "./bearer-token.ts";
import { ApiError } from "./errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

const BEARER_KEY = new RegExp(`^Bearer +${API_KEY_PREFIX}`, "i");

export type TakesKeys = (ctx: Context) => boolean;

const OPEN_PATHS = new Set<string>([MCP_PATH, ...Object.values(OAUTH_ROUTES).map(({ path }) => path)]);

/** Returns true if a page of another site needs a key from its owner for the request, or the request depends on no owner. */
function hasOnlyKey(ctx: Context, takesKeys: TakesKeys): boolean {
  const { cookie, authorization = "" } = ctx.headers;
  if (cookie !== undefined || !takesKeys(ctx)) return false;
  return BEARER_KEY.test(authorization) || shlinkKey(ctx) !== null || OPEN_PATHS.has(ctx.path);
}

/**
 * Lets pages of any site read replies to requests that API keys can make, with a key and without cookies (CORS), also those that are refused: a
 * browser's question is always answered with yes. Never with credentials. The gateway does the same for errors of its own.
 */
export function allowKeys(takesKeys: TakesKeys): Middleware {
  return async (ctx, next) => {
    const isPreflight = ctx.method === "OPTIONS" && ctx.headers["access-control-request-method"] !== undefined;
    if (isPreflight || hasOnlyKey(ctx, takesKeys)) {
      ctx.set("Access-Control-Allow-Origin", "*");
      ctx.set("Access-Control-Expose-Headers", "*");
    }
    if (isPreflight) {
      ctx.set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE");
      ctx.set("Access-Control-Allow-Headers", "authorization, *");
      ctx.set("Access-Control-Max-Age", "7200");
      ctx.body = "";
      return;
    }
    await next();
  };
}

/**
 * Rejects cross-site requests (CSRF). Requests without cookies, such as those of scripts, may omit Origin. With an API key they
 * may have any, where keys can make the request.
 */
export function requireSameOrigin(publicBaseUrl: string, takesKeys: TakesKeys): Middleware {
  return async (ctx, next) => {
    const origin = ctx.headers.origin;
    const trusted =
      SAFE_METHODS.has(ctx.method) ||
      origin === publicBaseUrl ||
      hasOnlyKey(ctx, takesKeys) ||
      (origin === undefined && ctx.headers.cookie === undefined);
    if (!trusted) throw new ApiError(badOrigin);
    await next();
  };
}

export const replyHeaders: Middleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  ctx.set("X-Content-Type-Options", "nosniff");
  await next();
};

function isHttps(publicBaseUrl: string): boolean {
  return publicBaseUrl.startsWith("https://");
}

/** Browsers accept a cookie with the prefix `__Host-` only over https, for this host alone. */
export function cookieName(name: string, publicBaseUrl: string): string {
  return isHttps(publicBaseUrl) ? `__Host-${name}` : name;
}

/** Sets `secure` on all cookies by the public scheme, because nginx terminates TLS and this server sees plain HTTP. */
export function secureCookies(publicBaseUrl: string): Middleware {
  const isSecure = isHttps(publicBaseUrl);
  return async (ctx, next) => {
    ctx.cookies.secure = isSecure;
    await next();
  };
}
