import type { Config } from "@tapthru/core/platform/config/configs";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { IDENTITY_CONNECTIONS } from "@tapthru/core/platform/postgres/pool-sizes";
import type { Postgres } from "@tapthru/core/platform/postgres/postgres";
import pg from "pg";
import type { IdentityProvider } from "../identity.ts";
import { createAddresses } from "./addresses.ts";
import { type Auth, createAuth } from "./auth.ts";
import { createBuiltInIdentity } from "./built-in-identity.ts";
import type { Emails } from "./emails.ts";
import { createOpenIdLogin, loginTimes, type OpenIdLogin } from "./open-id.ts";
import { findAccount, insertEmailToken } from "./queries.ts";

export interface BuiltIn {
  identity: IdentityProvider & Component;
  auth: Auth;
  /** Null: no OpenID provider is configured. */
  openId: OpenIdLogin | null;
  hasPasswordLogin: boolean;
}

interface BuiltInOptions {
  config: Config<"api">;
  db: Postgres;
  emails: Emails | null;
  limits: { statementTimeoutMs: number; acquireTimeoutMs: number };
  logger: Logger;
}

/** @param secrets ENCRYPTION_KEYS */
export function createBuiltIn(options: BuiltInOptions, secrets: readonly string[]): BuiltIn {
  const { config, db, emails, limits, logger } = options;
  const { PUBLIC_BASE_URL: publicBaseUrl } = config;
  const hasPasswordLogin = config.PASSWORD_LOGIN === "on";
  const addresses = createAddresses(db);
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
  const identity = createBuiltInIdentity({ db, publicBaseUrl });

  async function sendConfirmation(userId: string, token: string): Promise<void> {
    const account = await findAccount(db, userId);
    if (account === null || emails === null) return;
    const { address: to, displayName } = account;
    if (await addresses.isConfirmedByOther(userId)) return emails.sendExistingAccount(to);
    await insertEmailToken(db, userId, token);
    await emails.sendConfirmation({ to, displayName }, token);
  }

  const authOptions = {
    pool,
    secrets,
    publicBaseUrl,
    productName: config.PRODUCT_NAME,
    hasPasswordLogin,
    addresses,
    sendConfirmation,
    sendPasswordReset: async (email: string, token: string) =>
      emails?.sendPasswordReset(email, token),
    loginTime: () => loginTimes.getStore()?.time ?? null,
    logger,
  };
  return {
    hasPasswordLogin,
    openId: createOpenIdLogin({ config, db, addresses }, (openId) =>
      createAuth(authOptions, openId),
    ),
    identity: {
      ...identity,
      async stop() {
        await pool.end();
      },
    },
    auth: createAuth(authOptions),
  };
}
