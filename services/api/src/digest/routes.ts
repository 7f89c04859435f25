import { parse } from "node:querystring";
import { actAs } from "@tapthru/core/platform/audit-log";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import {
  type DigestSettings,
  getDigest,
  saveDigest,
  UNSUBSCRIBE_PATH,
  UnsubscribeQuery,
} from "@tapthru/proto/http/digest";
import type { Context } from "koa";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { Guard } from "../http/guards.ts";
import { type ApiRouter, mount } from "../http/mount.ts";
import { requestActor } from "../http/request-actor.ts";
import { findDigest, switchDigest, unsubscribe } from "./queries.ts";
import { sendUnsubscribePage } from "./unsubscribe-page.ts";

export interface DigestRoutesDependencies {
  db: Db<"maybeOne" | "query">;
  /** Whether the worker sends emails. */
  sendsDigests: boolean;
  publicAccess: Guard<void>;
}

/** None of these calls accepts an API key. */
export function digestRoutes(router: ApiRouter, deps: DigestRoutesDependencies) {
  const { db, sendsDigests, publicAccess } = deps;

  async function settings(userId: number): Promise<DigestSettings> {
    const digest = await findDigest(db, userId);
    if (digest === null) throw new ApiError("login-required");
    const { isOn, emailIsVerified } = digest;
    return { isAvailable: sendsDigests, isOn, emailIsVerified };
  }

  mount(router, getDigest, async (_ctx, { caller }) => {
    return { status: 200, body: await settings(caller.userId) };
  });

  mount(router, saveDigest, async (_ctx, { caller, body }) => {
    await switchDigest(db, caller.userId, body.isOn);
    return { status: 200, body: await settings(caller.userId) };
  });

  // Programs that look at links in emails open them, so that only the button unsubscribes.
  router.get(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    sendUnsubscribePage(ctx, tokenOf(ctx) === null ? "invalid" : "question");
  });

  router.post(UNSUBSCRIBE_PATH, async (ctx: Context) => {
    await publicAccess(ctx);
    const token = tokenOf(ctx);
    const isDone =
      token !== null && (await actAs(requestActor(ctx, null), () => unsubscribe(db, token)));
    sendUnsubscribePage(ctx, isDone ? "done" : "invalid");
  });
}

function tokenOf(ctx: Context): string | null {
  return z.safeParse(UnsubscribeQuery, parse(ctx.querystring)).data?.token ?? null;
}
