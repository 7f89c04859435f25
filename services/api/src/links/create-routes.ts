import type { Router } from "@koa/router";
import { createLink, createLinks, NewLink } from "@tapthru/proto/http/create-links";
import { ERRORS } from "@tapthru/proto/rules/errors";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { type Guard, mount, parseInput } from "../http/mount.ts";
import { type CreateLinksDependencies, createOwnLinks } from "./create-links.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { linkReply } from "./link-reply.ts";

export interface CreateRoutesDependencies extends CreateLinksDependencies {
  addressOf(request: Context["req"]): string;
  /** Also limits how many links a user creates. */
  createOne: Guard<{ userId: number }>;
  createMany: Guard<{ userId: number }>;
}

export function createRoutes(router: Router, deps: CreateRoutesDependencies) {
  const create = async (
    ctx: Context,
    userId: number,
    links: (NewLink | ApiError)[],
    keyOf: (index: number) => string | undefined,
  ) => {
    const { redisBudget: budget, whileWaiting, requestId } = ctx.state;
    const requester = { userId, address: deps.addressOf(ctx.req), requestId };
    const results = await createOwnLinks(deps, {
      userId,
      links,
      keyOf,
      requester,
      budget,
      whileWaiting,
    });
    return results.map((result) => {
      if (result instanceof ApiError) return result;
      const link = linkReply(result.link, deps.publicBaseUrl);
      return link.invalid ? new ApiError("unusable-link") : { isNew: result.isNew, link };
    });
  };

  mount(router, createLink, deps.createOne, async (ctx, { caller: { userId }, body }) => {
    const key = readIdempotencyKey(ctx);
    const [result] = await create(ctx, userId, [body], () => key);
    if (result === undefined || result instanceof ApiError) {
      throw result ?? new ApiError("internal");
    }
    return { status: result.isNew ? 201 : 200, body: result.link };
  });

  mount(router, createLinks, deps.createMany, async (ctx, { caller: { userId }, body }) => {
    const key = readIdempotencyKey(ctx);
    const links = body.links.map(readNewLink);
    const keyOf = (index: number) => (key === undefined ? undefined : `${key} ${index}`);
    const results = await create(ctx, userId, links, keyOf);
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

type RouteResult = { isNew: boolean; link: ReturnType<typeof linkReply> } | ApiError;

function bulkResult(result: RouteResult) {
  if (result instanceof ApiError) {
    const { code, message } = result;
    return { status: ERRORS[code].status, code, message };
  }
  return { status: result.isNew ? (201 as const) : (200 as const), link: result.link };
}
