import { customerNetwork, siteNetwork } from "@tapthru/core/platform/http/network-address";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { loginRequired, notFound, recentLoginRequired, unavailable } from "@tapthru/proto/general-errors";
import { emailNotConfigured } from "@tapthru/proto/identity";
import { KNOWN_BROWSER_LIFETIME_MS, RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import PQueue from "p-queue";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { BuiltIn } from "../accounts/built-in/built-in-identity.ts";
import type { Emails } from "../accounts/built-in/emails.ts";
import type { Api } from "../api.ts";
import type { Guard } from "../callers/guards.ts";
import { cookieName } from "../http/browser-security.ts";
import { ApiError } from "../http/errors.ts";
import type { RateLimit } from "../http/rate-limits.ts";

export type LoginApi = ReturnType<typeof createLoginApi>;

export function createLoginApi(api: Api, builtIn: BuiltIn) {
  const { findLogin, hasPasswordLogin } = builtIn;
  const loginLimits = createLoginLimits({ ...api, identityLimit: api.rateLimits("identity") });

  /** Not found where people log in with OpenID Connect only: then there are no passkeys either. */
  const ifPasswordLogin =
    <Caller>(guard: Guard<Caller>): Guard<Caller> =>
    async (ctx) => {
      const caller = await guard(ctx);
      if (!hasPasswordLogin) throw new ApiError(notFound);
      return caller;
    };

  /** For logins: one that could open no session must not use up a code or an invitation. */
  const withSessions =
    <Caller>(guard: Guard<Caller>): Guard<Caller> =>
    async (ctx) => {
      const caller = await guard(ctx);
      await api.sessionStore.check(ctx.state.redisBudget);
      return caller;
    };

  const loggedIn = async (ctx: Context) => {
    const login = await findLogin(ctx);
    if (login === null) {
      await loginLimits.countNetwork(ctx);
      throw new ApiError(loginRequired);
    }
    await loginLimits.countUser(ctx, login.user.id);
    return login;
  };

  return {
    ...api,
    ...builtIn,
    loginLimits,
    passwordAttempt: ifPasswordLogin(loginLimits.attempt),
    loginAttempt: withSessions(ifPasswordLogin(loginLimits.attempt)),
    signUpAttempt: withSessions(ifPasswordLogin(loginLimits.countNetwork)),
    loggedIn,
    async ableToSend(): Promise<Emails> {
      if (api.emails === null) throw new ApiError(emailNotConfigured);
      await api.emails.check();
      return api.emails;
    },
    recentlyLoggedIn: async (ctx: Context) => {
      const login = await loggedIn(ctx);
      if (Date.now() - login.session.createdAt.getTime() <= RECENT_LOGIN_MS) return login;
      throw new ApiError(recentLoginRequired);
    },
  };
}

export interface KnownBrowser {
  value: string;
  uid: string;
  /** Null if another account has the address too, and this one has not confirmed it. */
  email: string | null;
}

/** A hash takes a core for about 20 ms, so a few may wait. The others are refused before anything is done. */
const MAX_WAITING = 20;
const MAX_WAIT_MS = 5_000;
/** The id of the account, and since when the browser is known, in Unix milliseconds. */
const COOKIE = /^([\w-]{1,64})\.(\d{13})$/;

/**
 * How much people may do who are not logged in, and with passwords. Nobody can lock out a person whose browser is known, or who
 * is logged in: they have limits of their own, which no other client uses up.
 */
export function createLoginLimits(options: {
  db: Db<"maybeOne">;
  publicBaseUrl: string;
  hasLimits: boolean;
  identityLimit: RateLimit;
  addressOf(request: Context["req"]): string;
}) {
  const { db, publicBaseUrl, hasLimits, identityLimit: limit, addressOf } = options;
  const cookie = cookieName("known", publicBaseUrl);
  const queues = { known: new PQueue({ concurrency: 1 }), unknown: new PQueue({ concurrency: 1 }) };

  const countNetwork = (ctx: Context) => limit.countAddress(ctx, customerNetwork(addressOf(ctx.req)));

  const attempt = async (ctx: Context): Promise<KnownBrowser | null> => {
    const [value, uid = "", since] = COOKIE.exec(ctx.cookies.get(cookie) ?? "") ?? [];
    if (value !== undefined) {
      // Null also if the logins of the account were revoked since.
      const account = await db.maybeOne(sql.type(z.object({ email: z.nullable(z.string()) }))`
        SELECT CASE WHEN "emailVerified" OR NOT EXISTS (
          SELECT FROM identity."user" AS other WHERE other.address = known.address AND other.id <> known.id
        ) THEN address END AS email
        FROM identity."user" AS known
        WHERE id = ${uid} AND logins_valid_from <= ${new Date(Number(since)).toISOString()}
      `);
      if (account !== null) {
        await limit.countVisitor(ctx, `browser ${value}`);
        return { value, uid, ...account };
      }
    }
    await countNetwork(ctx);
    return null;
  };

  return {
    countNetwork,
    /** Counts by known browser, otherwise by network. */
    attempt,

    /** Counts a guess of a password. One network cannot use up what all unknown browsers together may do. */
    async countGuess(ctx: Context, known: KnownBrowser | null, email: string): Promise<void> {
      if (known?.email === email) return;
      if (known !== null) await countNetwork(ctx);
      await limit.countVisitor(ctx, `${email} from ${siteNetwork(addressOf(ctx.req))}`);
      await limit.countAccount(ctx, email);
    },

    countUser: (ctx: Context, uid: string) => limit.countAccount(ctx, `user ${uid}`),
    countOwnPassword: (ctx: Context, uid: string) => limit.countVisitor(ctx, `user ${uid}`),

    /** Remembers that a person has logged in, in the cookie that the browser has, if any. The cookie is no login. */
    remember(ctx: Context, uid: string, known: KnownBrowser | null = null): void {
      ctx.cookies.set(cookie, known?.uid === uid ? known.value : `${uid}.${Date.now()}`, {
        httpOnly: true,
        sameSite: "lax",
        maxAge: KNOWN_BROWSER_LIFETIME_MS,
      });
    },

    /** One at a time; logins of strangers do not delay those of known browsers and users. @throws ApiError (unavailable) if too many wait */
    async hash<T>(ctx: Context, isKnown: boolean, work: () => Promise<T>): Promise<T> {
      if (!hasLimits) return work();
      const queue = queues[isKnown ? "known" : "unknown"];
      const since = performance.now();
      const inTime = () => {
        if (performance.now() - since > MAX_WAIT_MS) throw tooManyHashes();
        return work();
      };
      if (queue.size >= MAX_WAITING) throw tooManyHashes();
      return ctx.state.releaseSlotDuring(() => queue.add(inTime), { mayReject: false });
    },
  };
}

function tooManyHashes(): ApiError {
  return new ApiError(unavailable, { reason: "Too many passwords are being hashed" });
}
