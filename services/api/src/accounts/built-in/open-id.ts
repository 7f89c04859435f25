import { AsyncLocalStorage } from "node:async_hooks";
import type { Config } from "@tapthru/core/platform/config/configs";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { withDeadline } from "@tapthru/core/platform/waiting";
import { EMAIL_MAX_LENGTH } from "@tapthru/proto/fields";
import { unavailable } from "@tapthru/proto/general-errors";
import { RECENT_LOGIN_MS, USERNAME_MAX_LENGTH } from "@tapthru/proto/rules/limits";
import type { GenericOAuthConfig } from "better-auth/plugins";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../../http/errors.ts";
import type { Auth } from "./auth.ts";
import { placeholderEmail, takeFromUnconfirmed } from "./queries.ts";

/** Its name in the address to which the provider returns: OPEN_ID_CALLBACK_PATH. */
export const OPEN_ID_PROVIDER = "oidc";

const DEADLINE_MS = 5_000;

/** A claim of another type than the standard's is as if it were not sent, so that no login fails for it. */
const optional = <T extends z.ZodMiniType>(claim: T) => z.catch(z.optional(claim), undefined);

const Profile = z.object({
  sub: z.string(),
  email: optional(z.string().check(z.maxLength(EMAIL_MAX_LENGTH), z.includes("@"))),
  /** Some providers send it as text. */
  email_verified: optional(z.union([z.boolean(), z.string()])),
  name: optional(z.string()),
  preferred_username: optional(z.string()),
  /** A list; some providers send one group as text. */
  groups: z.optional(z.unknown()),
  /** When the person has entered their password, in Unix seconds. Sent after `max_age`. */
  auth_time: optional(z.int().check(z.nonnegative())),
});

/** Characters that no name has: see `username`. */
const UNNAMED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

export type OpenIdLogin = NonNullable<ReturnType<typeof createOpenIdLogin>>;

/** @returns null if no provider is configured */
export function createOpenIdLogin(
  config: Config<"api">,
  db: Db<"query">,
  createAuth: (openId: GenericOAuthConfig) => Auth,
) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_OPERATOR_GROUP, OIDC_SCOPES } = config;
  if (OIDC_ISSUER === null || OIDC_CLIENT_ID === null || OIDC_CLIENT_SECRET === null) return null;

  /** Another provider's people have other accounts, also if it gives them the same ids. */
  const accountIdOf = (sub: string) => `${OIDC_ISSUER} ${sub}`;

  async function toUser(profile: unknown) {
    const { sub, email, name, preferred_username, groups, ...claims } = Profile.parse(profile);
    if (email === undefined) return { email: "" };
    const address = email.toLowerCase();
    const accountId = accountIdOf(sub);
    // Only an address that both sides have verified names an existing account.
    const emailVerified = String(claims.email_verified).toLowerCase() === "true";
    if (emailVerified) await takeFromUnconfirmed(db, address, accountId);
    const isOperator = OIDC_OPERATOR_GROUP === null ? null : [groups].flat().includes(OIDC_OPERATOR_GROUP);
    const linkedEmail = emailVerified ? address : null;
    await db.query(setOperator({ accountId, linkedEmail, isOperator }));
    const loginTime = loginTimes.getStore();
    if (loginTime !== undefined) loginTime.time = timeOf(claims.auth_time);
    return {
      email: emailVerified ? address : placeholderEmail(),
      emailVerified,
      name: (name || preferred_username || "").slice(0, USERNAME_MAX_LENGTH).replaceAll(UNNAMED, " "),
      image: "",
      address,
      isOperator,
    };
  }

  let auth: Auth | undefined;
  return {
    /** Calls the library, which may call the provider. @throws ApiError (unavailable) if the provider is too slow */
    call<T>(ctx: Context, use: (auth: Auth) => Promise<T>): Promise<T> {
      auth ??= createAuth({
        providerId: OPEN_ID_PROVIDER,
        discoveryUrl: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
        clientId: OIDC_CLIENT_ID,
        clientSecret: OIDC_CLIENT_SECRET,
        scopes: OIDC_SCOPES.split(" "),
        pkce: true,
        requireIdTokenVerification: true,
        accountSubject: ({ profile }) => accountIdOf(z.parse(z.string(), profile.sub)),
        mapProfileToUser: toUser,
      });
      const instance = auth;
      const called = () =>
        withDeadline(
          loginTimes.run({ time: null }, () => use(instance)),
          DEADLINE_MS,
          () => new ApiError(unavailable, { reason: "The OpenID provider is too slow" }),
        );
      // The provider accepts a code once.
      return ctx.state.releaseSlotDuring(called, { mayReject: false });
    },
  };
}

export const loginTimes = new AsyncLocalStorage<{ time: Date | null }>();

/** Without the provider's word a login does not count as recent: the person may have left the browser long ago. */
function timeOf(authTime: number | undefined): Date {
  const now = Date.now();
  return new Date(authTime === undefined ? now - RECENT_LOGIN_MS - 1_000 : Math.min(authTime * 1_000, now));
}

/**
 * The user follows with the login to the api.
 * @param login `linkedEmail`: of an account that it is linked to
 */
function setOperator(login: { accountId: string; linkedEmail: string | null; isOperator: boolean | null }) {
  const { accountId, linkedEmail, isOperator } = login;
  return sql.type(z.object({}))`
    UPDATE identity."user" SET "isOperator" = ${isOperator}
    WHERE id IN (
      SELECT id FROM identity."user" WHERE "emailVerified" AND email = ${linkedEmail}
      UNION
      SELECT "userId" FROM identity.account
      WHERE "providerId" = ${OPEN_ID_PROVIDER} AND "accountId" = ${accountId}
    )
  `;
}
