import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { emailNotConfirmed } from "@tapthru/proto/accounts";
import { type Access, type Call, roleOf } from "@tapthru/proto/call";
import { loginRequired } from "@tapthru/proto/general-errors";
import { keyNotAllowed, keyRequired } from "@tapthru/proto/keys";
import type { ApiKeyScope } from "@tapthru/proto/rules/api-key";
import type { Context } from "koa";
import { bearerKey } from "../http/bearer-token.ts";
import { ApiError } from "../http/errors.ts";
import type { RateLimit, RateLimits } from "../http/rate-limits.ts";
import { type Acting, findActing } from "./acting.ts";
import type { ClaimCookie } from "./claim-cookie.ts";
import { type AuthenticateKey, requireScope } from "./key-access.ts";
import type { LiveSession, Sessions } from "./sessions.ts";
import { hasConfirmedEmail, isEnabledUser } from "./users.ts";

/** Authorizes a request before its input is parsed. @throws ApiError if the caller is not allowed or exceeds a rate limit */
export type Guard<Caller> = (ctx: Context) => Promise<Caller>;

/** Allows every caller without reading a session. Counts by address and, if present, by claim cookie. */
export function publicAccess(limit: RateLimit, claimCookie: ClaimCookie): Guard<void> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const visitor = claimCookie.read(ctx);
    if (visitor) await limit.countVisitor(ctx, visitor.toString("hex"));
  };
}

export function optionalSession(limit: RateLimit, sessions: Sessions): Guard<LiveSession | null> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    if (bearerKey(ctx) !== null) throw new ApiError(keyNotAllowed);
    const session = await sessions.read(ctx);
    if (session) await countUserRequest(limit, ctx, session.userId);
    return session;
  };
}

interface SessionDependencies {
  db: Db<"exists">;
  sessions: Sessions;
}

/** Sessions of a user who was disabled may remain, as operators also disable users while Redis is unavailable. */
export function requiredSession(limit: RateLimit, { db, sessions }: SessionDependencies): Guard<LiveSession> {
  const readSession = optionalSession(limit, sessions);
  return async (ctx) => {
    const session = await readSession(ctx);
    if (session === null || !(await isEnabledUser(db, session))) {
      throw new ApiError(loginRequired);
    }
    return session;
  };
}

function withLimit<Caller extends { userId: number }>(limit: RateLimit, guard: Guard<Caller>): Guard<Caller> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const caller = await guard(ctx);
    await countUserRequest(limit, ctx, caller.userId);
    return caller;
  };
}

interface Person {
  userId: number;
  /** The account in which a key acts; null for its user's own. */
  accountId?: number | null;
  /** Null for a session, which may do everything. */
  scopes: readonly ApiKeyScope[] | null;
}

export type Caller = Person & Acting;

export function inAccount<P extends { userId: number }>(db: Db<"maybeOneFirst">, guard: Guard<P>): Guard<P & Acting> {
  return async (ctx) => {
    const person = await guard(ctx);
    return { ...person, ...(await findActing(db, ctx, person)) };
  };
}

/** For calls that are never about the account of another user. */
function ofPerson<P extends { userId: number }>(guard: Guard<P>): Guard<P & Acting> {
  return async (ctx) => {
    const person = await guard(ctx);
    return { ...person, personId: person.userId, role: "owner" };
  };
}

/** Guards calls that give others access: the address's holder must be able to take the account over from its creator. */
function withConfirmedEmail<C extends { userId: number }>(db: Db<"exists">, guard: Guard<C>): Guard<C> {
  return async (ctx) => {
    const caller = await guard(ctx);
    if (await hasConfirmedEmail(db, caller.userId)) return caller;
    throw new ApiError(emailNotConfirmed);
  };
}

export interface OperatorCaller extends Person {
  /** The time of the session's login in Unix seconds; null for a key. */
  authTime: number | null;
}

/** Requires an API key, with the scope if one is given. Its requests also count for its user. */
export function requiredKey(limit: RateLimit, authenticateKey: AuthenticateKey, scope?: ApiKeyScope): Guard<Person> {
  return async (ctx) => {
    await limit.countAddress(ctx);
    const key = bearerKey(ctx);
    if (key === null) throw new ApiError(keyRequired);
    const { userId, accountId, scopes } = await authenticateKey(ctx, key);
    if (scope !== undefined) requireScope(scopes, scope);
    await countUserRequest(limit, ctx, userId);
    return { userId, accountId, scopes };
  };
}

/** Requires a session, or an API key with the scope. A key decides if the request has both. */
function sessionOrKey(
  limit: RateLimit,
  deps: SessionDependencies,
  authenticateKey: AuthenticateKey,
  scope: ApiKeyScope,
): Guard<Person> {
  const readSession = requiredSession(limit, deps);
  const readKey = requiredKey(limit, authenticateKey, scope);
  return async (ctx) =>
    bearerKey(ctx) === null ? { userId: (await readSession(ctx)).userId, scopes: null } : readKey(ctx);
}

export type CallerOf<A extends Access | undefined> = A extends "anyone"
  ? undefined
  : A extends "session"
    ? LiveSession & Acting
    : A extends "operator"
      ? OperatorCaller
      : Caller;

export type GuardOf = <C extends Call & { access: NonNullable<Access> }>(call: C) => Guard<CallerOf<C["access"]>>;

interface GuardsDependencies extends SessionDependencies {
  db: Db<"exists" | "maybeOneFirst">;
  rateLimits: RateLimits;
  claimCookie: ClaimCookie;
  authenticateKey: AuthenticateKey;
  operator: Guard<OperatorCaller>;
}

export function createGuards(deps: GuardsDependencies): GuardOf {
  const { db, rateLimits, claimCookie, authenticateKey, operator } = deps;
  const withAccount = <P extends { userId: number }>(call: Call, guard: Guard<P>) => {
    const inOne = roleOf(call) === null ? ofPerson(guard) : inAccount(db, guard);
    return call.needsConfirmedEmail ? withConfirmedEmail(db, inOne) : inOne;
  };
  const guardOf = (call: Call & { access: NonNullable<Access> }) => {
    const { access, limit: name = "otherApi" } = call;
    const limit = rateLimits(name);
    if (access === "anyone") return publicAccess(limit, claimCookie);
    if (access === "operator") return operator;
    if (access === "session") return withAccount(call, requiredSession(limit, deps));
    const guard = sessionOrKey(rateLimits("otherApi"), deps, authenticateKey, access);
    return withAccount(call, name === "otherApi" ? guard : withLimit(limit, guard));
  };
  return guardOf as GuardOf;
}

/** In the account of another user, the member is counted. */
export function countUserRequest(limit: RateLimit, ctx: Context, userId: number): Promise<void> {
  return limit.countVisitor(ctx, `user:${ctx.state.personId ?? userId}`);
}
