import { hash, randomBytes } from "node:crypto";
import { CLAIM_COOKIE_LIFETIME_MS } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { cookieName } from "../http/browser-security.ts";

const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The claim cookie: a random token that identifies an anonymous visitor. A link stores its SHA-256, so that the
 * visitor can claim the link later.
 */
export class ClaimCookie {
  readonly #name: string;

  constructor(publicBaseUrl: string) {
    this.#name = cookieName("claim", publicBaseUrl);
  }

  /** Returns the hash of the caller's token, or null without a valid one. */
  read(ctx: Context): Buffer | null {
    const token = ctx.cookies.get(this.#name, { signed: false });
    return token !== undefined && TOKEN_PATTERN.test(token) ? claimHash(token) : null;
  }

  issue(ctx: Context): string {
    const token = randomBytes(32).toString("base64url");
    this.set(ctx, token);
    return token;
  }

  set(ctx: Context, token: string): void {
    ctx.cookies.set(this.#name, token, {
      httpOnly: true,
      sameSite: "lax",
      signed: false,
      maxAge: CLAIM_COOKIE_LIFETIME_MS,
      overwrite: true,
    });
  }
}

export function claimHash(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
