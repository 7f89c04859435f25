import type { Router } from "@koa/router";
import { createLink, createLinks, NewLink } from "@tapthru/proto/http/create-links";
import { ERRORS } from "@tapthru/proto/rules/errors";
import { ApiError } from "../errors.ts";
import { type Guard, mount, parseInput } from "../http/mount.ts";
import { type CreatedLink, createForUser, createOneForUser } from "./create-for-user.ts";
import type { CreateLinksDependencies } from "./create-links.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";

export interface CreateRoutesDependencies extends CreateLinksDependencies {
  /** Also limits how many links a user creates. */
  createOne: Guard<{ userId: number }>;
  createMany: Guard<{ userId: number }>;
}

export function createRoutes(router: Router, deps: CreateRoutesDependencies) {
  mount(router, createLink, deps.createOne, async (ctx, { caller: { userId }, body }) => {
    const key = readIdempotencyKey(ctx);
    const { isNew, link } = await createOneForUser(deps, ctx, userId, body, key);
    return { status: isNew ? 201 : 200, body: link };
  });

  mount(router, createLinks, deps.createMany, async (ctx, { caller: { userId }, body }) => {
    const key = readIdempotencyKey(ctx);
    const links = body.links.map(readNewLink);
    const keyOf = (index: number) => (key === undefined ? undefined : `${key} ${index}`);
    const results = await createForUser(deps, ctx, userId, links, keyOf);
    return { status: 200, body: { results: results.map(bulkResult) } };
  });
}

function readNewLink(item: unknown): NewLink | ApiError {
  try {
    return parseInput(NewLink, item, "invalid-body");
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function bulkResult(result: CreatedLink | ApiError) {
  if (result instanceof ApiError) {
    const { code, message } = result;
    return { status: ERRORS[code].status, code, message };
  }
  return { status: result.isNew ? (201 as const) : (200 as const), link: result.link };
}
