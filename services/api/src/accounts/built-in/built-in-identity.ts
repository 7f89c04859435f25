import type { Config } from "@tapthru/core/platform/config/configs";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { IDENTITY_CONNECTIONS } from "@tapthru/core/platform/postgres/pool-sizes";
import { type Db, type Postgres, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { unavailable } from "@tapthru/proto/general-errors";
import type { Context } from "koa";
import pg from "pg";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { IdentityProvider } from "../../callers/identity.ts";
import { ApiError } from "../../http/errors.ts";
import { createAuth } from "./auth.ts";
import type { Emails, Recipient } from "./emails.ts";
import { createOpenIdLogin, loginTimes } from "./open-id.ts";
import { findAccount, insertEmailToken, isConfirmedByOther, revokeLogins } from "./queries.ts";

export type BuiltIn = ReturnType<typeof createBuiltIn>;

/** @param secrets ENCRYPTION_KEYS */
export function createBuiltIn(
  options: {
    config: Config<"api">;
    db: Postgres;
    emails: Emails | null;
    limits: { statementTimeoutMs: number; acquireTimeoutMs: number };
    logger: Logger;
  },
  secrets: readonly string[],
) {
  const { config, db, emails, limits, logger } = options;
  const { PUBLIC_BASE_URL: publicBaseUrl } = config;
  const hasPasswordLogin = config.PASSWORD_LOGIN === "on";
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    application_name: "tapthru-api-identity",
    max: IDENTITY_CONNECTIONS,
    connectionTimeoutMillis: limits.acquireTimeoutMs,
    query_timeout: limits.statementTimeoutMs,
  });
  // A connection that breaks is replaced, and fails the work that uses it. Without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  async function sendConfirmation(userId: string, token: string): Promise<void> {
    const account = await findAccount(db, userId);
    if (account === null || emails === null) return;
    const { address: to, createdAt } = account;
    if (await isConfirmedByOther(db, userId)) return emails.sendExistingAccount(to);
    await insertEmailToken(db, userId, token);
    await emails.sendConfirmation({ to, createdAt }, token);
  }

  const authOptions = {
    pool,
    db,
    secrets,
    publicBaseUrl,
    productName: config.PRODUCT_NAME,
    hasPasswordLogin,
    sendConfirmation,
    sendPasswordReset: async (account: Recipient, token: string) => emails?.sendPasswordReset(account, token),
    loginTime: () => loginTimes.getStore()?.time ?? null,
    logger,
  };
  const auth = createAuth(authOptions);
  return {
    hasPasswordLogin,
    /** Null if no OpenID provider is configured. */
    openId: createOpenIdLogin(config, db, (openId) => createAuth(authOptions, openId)),
    identity: { ...createProvider(db), stop: () => pool.end() },
    auth,
    /** The browser's login at the provider; null without one. Guests need nothing of the library. */
    async findLogin(ctx: Context) {
      const cookie = ctx.get("Cookie");
      if (!LOGIN_COOKIE.test(cookie)) return null;
      return auth.api.getSession({ headers: new Headers({ cookie }) }).catch((cause) => {
        throw new ApiError(unavailable, { cause });
      });
    },
  };
}

const LOGIN_COOKIE = /(^|; )(__Host-)?login\.session_token=/;

const Usable = z.object({
  id: z.string(),
  /** Unix milliseconds; 0: no logins were revoked. */
  loginsValidFrom: z.int(),
});

function createProvider(db: Db<"any" | "query">): IdentityProvider & Component {
  return {
    name: "built-in identity provider",
    verify: async () => ({ kind: "refused" }),
    async findUsable(uids) {
      const query = sql.type(Usable)`
        SELECT id, CASE WHEN isfinite(logins_valid_from)
          THEN floor(extract(epoch FROM logins_valid_from) * 1000)::bigint ELSE 0 END AS "loginsValidFrom"
        FROM identity."user" WHERE id = ANY(${sql.array([...uids], "text")})
      `;
      const rows = await orUnavailable(db.any(query));
      if (rows === "unavailable") return rows;
      return new Map(rows.map(({ id, loginsValidFrom }) => [id, loginsValidFrom]));
    },
    revoke: (uid) => orUnavailable(revokeLogins(db, uid).then(() => "revoked")),
    remove(uid) {
      const query = sql.type(z.object({}))`DELETE FROM identity."user" WHERE id = ${uid}`;
      return orUnavailable(db.query(query).then(() => "removed"));
    },
  };
}

async function orUnavailable<T>(work: Promise<T>): Promise<T | "unavailable"> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PostgresUnavailableError) return "unavailable";
    throw error;
  }
}
