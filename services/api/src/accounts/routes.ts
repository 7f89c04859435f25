import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { createUser, getUser, login, logout, updateUser } from "@tapthru/proto/http/accounts";
import type { SignUpMode } from "@tapthru/proto/http/public-config";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { bearerToken } from "../http/bearer-token.ts";
import type { Guard } from "../http/guards.ts";
import { type ApiRouter, mount, mountWithGuard } from "../http/mount.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import type { LiveSession, Sessions } from "../sessions/sessions.ts";
import type { Identity, IdentityProvider } from "./identity.ts";
import { identityUnavailable, type LogInDependencies, logIn, verifiedIdentity } from "./log-in.ts";
import { findUser } from "./queries.ts";
import { renameUser, signUp, userReply } from "./users.ts";

export interface AccountRoutesDependencies extends LogInDependencies {
  db: Db<"maybeOne" | "transaction">;
  identity: IdentityProvider;
  sessions: Sessions;
  usersLimit: RateLimit;
  signUpMode: SignUpMode;
  optionalSession: Guard<LiveSession | null>;
}

export function accountRoutes(router: ApiRouter, deps: AccountRoutesDependencies) {
  const { db, identity, sessions, usersLimit, signUpMode } = deps;
  const { optionalSession } = deps;

  const tokenHolder: Guard<Identity> = async (ctx) => {
    await usersLimit.countAddress(ctx);
    const holder = await ctx.state.whileWaiting(() =>
      verifiedIdentity(identity, bearerToken(ctx), { checkRevoked: true }),
    );
    await usersLimit.countVisitor(ctx, `account:${holder.uid}`);
    return holder;
  };

  mountWithGuard(router, createUser, tokenHolder, async (_ctx, { caller, body }) => {
    const { uid, email, isEmailVerified: emailIsVerified, isOperator } = caller;
    // The provider stores addresses in lower case.
    const isOwn = uid === body.firebaseUid && email?.toLowerCase() === body.email.toLowerCase();
    if (email === null || !isOwn) throw new ApiError("not-allowed");
    const { username, invitation } = body;
    const { isNew, user } = await signUp(
      db,
      { firebaseUid: uid, email, emailIsVerified, username, isOperator: isOperator ?? false },
      { signUpMode, invitation },
    );
    return { status: isNew ? 201 : 200, body: userReply(user) };
  });

  mount(router, getUser, async (ctx, { params: { firebaseUid } }) => {
    const user = (await isSelf(ctx, firebaseUid)) ? await findUser(db, firebaseUid) : null;
    if (user === null) throw new ApiError("account-not-found");
    return { status: 200, body: userReply(user) };
  });

  mount(router, updateUser, async (_ctx, { caller, params, body }) => {
    if (caller.firebaseUid !== params.firebaseUid) throw new ApiError("account-not-found");
    const user = await renameUser(db, caller, body.username);
    return { status: 200, body: userReply(user) };
  });

  mountWithGuard(router, login, optionalSession, async (ctx, { caller, body }) => {
    const user = await logIn(deps, ctx, caller, body.firebaseUid);
    return { status: 200, body: userReply(user) };
  });

  mountWithGuard(router, logout, optionalSession, async (ctx) => {
    await sessions.end(ctx);
    return { status: 200, body: {} };
  });

  /** Checks the token first, then the session. */
  async function isSelf(ctx: Context, firebaseUid: string): Promise<boolean> {
    const token = bearerToken(ctx);
    const verification = token === null ? null : await identity.verify(token);
    if (verification?.kind === "verified" && verification.identity.uid === firebaseUid) return true;
    const session = await sessions.read(ctx);
    if (session?.firebaseUid === firebaseUid) return true;
    if (verification?.kind === "unavailable") throw identityUnavailable();
    return false;
  }
}
