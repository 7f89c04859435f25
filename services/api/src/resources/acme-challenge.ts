import type { Router } from "@koa/router";
import { notFound } from "@tapthru/proto/general-errors";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { ApiError } from "../http/errors.ts";

/** Base64url. The worker's own checks use such tokens too. */
const TOKEN = /^[\w-]{1,128}$/;

/**
 * Responds to HTTP-01 challenges of any token: the thumbprint of the account's key proves that the host leads here, and is no
 * secret. So no token has to be stored.
 */
export function acmeChallengeRoutes(router: Router, api: Api) {
  const { db, acmeDirectoryUrl, acmeChallengeLimit } = api;

  router.get("/.well-known/acme-challenge/:token", async (ctx: Context) => {
    await acmeChallengeLimit.countAddress(ctx);
    const { token } = ctx.params;
    if (acmeDirectoryUrl === null || !TOKEN.test(token)) throw new ApiError(notFound);
    const thumbprint = await db.maybeOneFirst(sql.type(z.object({ thumbprint: z.string() }))`
      SELECT thumbprint FROM acme_accounts WHERE directory_url = ${acmeDirectoryUrl}
    `);
    if (thumbprint === null) throw new ApiError(notFound);
    ctx.type = "text/plain";
    ctx.body = `${token}.${thumbprint}`;
  });
}
