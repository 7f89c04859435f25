import { createHash } from "node:crypto";
import { passkey } from "@better-auth/passkey";
import { hash as hashPassword, verify as verifyArgon2 } from "@node-rs/argon2";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { codeUsed, emailLinkInvalid, passkeyRefused } from "@tapthru/proto/identity";
import {
  EMAIL_LINK_LIFETIME_MS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  RECENT_LOGIN_MS,
  SESSION_ABSOLUTE_MS,
} from "@tapthru/proto/rules/limits";
import { normalized } from "@tapthru/proto/rules/names";
import { betterAuth } from "better-auth";
import { type GenericOAuthConfig, genericOAuth, twoFactor } from "better-auth/plugins";
import { PostgresDialect } from "kysely";
import type pg from "pg";
import { ApiError } from "../../http/errors.ts";
import type { Recipient } from "./emails.ts";
import { isFirebaseHash, verifyFirebasePassword } from "./firebase-scrypt.ts";
import { confirmAddress, isConfirmedByOther, takeFromUnconfirmed } from "./queries.ts";

interface AuthOptions {
  pool: pg.Pool;
  db: Db<"query" | "exists">;
  /** ENCRYPTION_KEYS */
  secrets: readonly string[];
  publicBaseUrl: string;
  productName: string;
  hasPasswordLogin: boolean;
  sendConfirmation(userId: string, token: string): Promise<void>;
  sendPasswordReset(account: Recipient, token: string): Promise<void>;
  /** When the person whose login begins has entered their password; null: now. */
  loginTime(): Date | null;
  logger: Logger;
}

const SECOND_MS = 1_000;
/** A code of the authenticator app is valid for 30 seconds, and 30 before and after. */
const CODE_LIFETIME_MS = 120 * SECOND_MS;

/**
 * Logins, passwords, second factors and passkeys by the library better-auth, in the schema `identity` (decision 1).
 * @param openId an instance with an OpenID provider fetches its configuration before the first call
 */
export function createAuth(options: AuthOptions, openId: GenericOAuthConfig | null = null) {
  const { pool, db, publicBaseUrl, productName, logger } = options;
  const isHttps = publicBaseUrl.startsWith("https://");
  return betterAuth({
    appName: productName,
    baseURL: publicBaseUrl,
    basePath: "/api/auth",
    // The library stores with each encrypted text by which key. The number of a key does not depend on the others, so that an old
    // one can be removed.
    secrets: options.secrets.map((value) => ({
      version: createHash("sha256").update(`identity ${value}`).digest().readUIntBE(0, 6),
      value,
    })),
    database: {
      dialect: new PostgresDialect({ pool }),
      type: "postgres",
      schemaName: "identity",
      transaction: true,
    },
    telemetry: { enabled: false },
    // The api counts the requests and checks their origin.
    rateLimit: { enabled: false },
    // Its warnings name email addresses.
    logger: {
      level: "error",
      log: (level, message) => logger[level]({ event: "identity_library", message }, "better-auth"),
    },
    advanced: {
      // As the session's cookie: for this host alone.
      useSecureCookies: false,
      cookiePrefix: isHttps ? "__Host-login" : "login",
      defaultCookieAttributes: { secure: isHttps, httpOnly: true, sameSite: "lax", path: "/" },
      // No request waits for an email, so that its duration does not reveal whether one is sent.
      backgroundTasks: { handler: (task) => void task.catch(() => {}) },
      ipAddress: { disableIpTracking: true },
    },
    session: {
      expiresIn: SESSION_ABSOLUTE_MS / SECOND_MS,
      disableSessionRefresh: true,
      freshAge: RECENT_LOGIN_MS / SECOND_MS,
    },
    user: {
      additionalFields: {
        /** The address that the user has entered. It is theirs if `emailVerified`. */
        address: { type: "string", required: true, returned: true },
        /** The groups of the OpenID provider; null without them. */
        isOperator: { type: "boolean", required: false },
      },
    },
    account: { encryptOAuthTokens: true },
    emailAndPassword: {
      enabled: options.hasPasswordLogin,
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: PASSWORD_MAX_LENGTH,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: EMAIL_LINK_LIFETIME_MS / SECOND_MS,
      sendResetPassword: ({ user, token }) =>
        options.sendPasswordReset(
          {
            to: "address" in user ? String(user.address) : user.email,
            displayName: user.emailVerified ? user.name : undefined,
            createdAt: user.createdAt.toISOString(),
          },
          token,
        ),
      password: {
        async hash(password) {
          // As long as a wrong password takes, as the library hashes one instead for an unknown address.
          if (isTypedInForms(password)) await hashPassword(password, ARGON2ID);
          return hashPassword(normalized("NFKC", password), ARGON2ID);
        },
        async verify({ hash, password }) {
          const isRight = (text: string) =>
            isFirebaseHash(hash) ? verifyFirebasePassword(hash, text) : verifyArgon2(hash, text);
          if (await isRight(normalized("NFKC", password))) return true;
          // Firebase, and the api earlier, hashed the text as typed.
          return isTypedInForms(password) && isRight(password);
        },
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: EMAIL_LINK_LIFETIME_MS / SECOND_MS,
      sendVerificationEmail: ({ user, token }) => options.sendConfirmation(user.id, token),
      async beforeEmailVerification({ id }) {
        if (await isConfirmedByOther(db, id)) throw new ApiError(emailLinkInvalid);
      },
      afterEmailVerification: ({ id }) => confirmAddress(db, id),
    },
    databaseHooks: {
      session: {
        create: {
          async before(login, call) {
            if (call?.path === "/two-factor/verify-totp") {
              const isUnused = await call.context.internalAdapter.reserveVerificationValue({
                identifier: `code ${login.userId} ${call.body.code}`,
                value: "used",
                expiresAt: new Date(Date.now() + CODE_LIFETIME_MS),
              });
              if (!isUnused) throw new ApiError(codeUsed);
            }
            return { data: { ...login, createdAt: options.loginTime() ?? login.createdAt } };
          },
        },
      },
      user: {
        update: {
          // An emailed link has confirmed a new address.
          async before(changes) {
            const { email } = changes;
            if (email === undefined) return;
            await takeFromUnconfirmed(db, email);
            return { data: { ...changes, email, address: email, emailVerified: true } };
          },
        },
      },
    },
    verification: { storeIdentifier: "hashed" },
    plugins: [
      twoFactor({ issuer: productName }),
      passkeys(publicBaseUrl, productName),
      genericOAuth({ config: openId === null ? [] : [openId] }),
    ],
  });
}

/** Each passkey is stored with the host at which it works. */
function passkeys(origin: string, rpName: string) {
  const host = new URL(origin).hostname;
  const plugin = passkey({
    rpID: host,
    rpName,
    origin,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    // Without it a stolen device would be enough.
    authentication: {
      async afterVerification({ verification }) {
        if (!verification.authenticationInfo.userVerified) throw new ApiError(passkeyRefused);
      },
    },
  });
  Object.assign(plugin.schema.passkey.fields, { host: { type: "string", defaultValue: host } });
  return plugin;
}

const isTypedInForms = (password: string) => password !== normalized("NFKC", password);

export type Auth = ReturnType<typeof createAuth>;

/** The second of OWASP's recommended settings. */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
