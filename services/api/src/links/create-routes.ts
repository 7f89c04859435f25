import { createLink, createLinks, NewLink } from "@tapthru/proto/http/create-links";
import { generate, IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/http/generate";
import { ERRORS } from "@tapthru/proto/rules/errors";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import type { Guard } from "../http/guards.ts";
import { type ApiRouter, mount, mountWithGuard, parseInput } from "../http/mount.ts";
import {
  apiErrorOf,
  type CreateDependencies,
  type Created,
  createRequestedLink,
  createRequestedLinks,
} from "./create-links.ts";
import type { Creator } from "./creator.ts";

export function createRoutes(router: ApiRouter, deps: CreateDependencies) {
  mount(router, createLink, async (ctx, { caller, body: link }) => {
    const request = { link, idempotencyKey: readIdempotencyKey(ctx) };
    const created = await createRequestedLink(deps, caller, request, ctx.state);
    return { status: created.isNew ? 201 : 200, body: created.link };
  });

  mount(router, createLinks, async (ctx, { caller, body }) => {
    const key = readIdempotencyKey(ctx);
    const requests = body.links.map((item, index) => {
      return { link: readNewLink(item), idempotencyKey: key && `${key} ${index}` };
    });
    const results = await createRequestedLinks(deps, caller, requests, ctx.state);
    return { status: 200, body: { results: results.map(bulkResult) } };
  });
}

function readNewLink(item: unknown): NewLink | ApiError {
  try {
    return parseInput(NewLink, item, "invalid-body");
  } catch (error) {
    return apiErrorOf(error);
  }
}

function bulkResult(result: Created | ApiError) {
  if (result instanceof ApiError) {
    const { code, message } = result;
    return { status: ERRORS[code].status, code, message };
  }
  return { status: result.isNew ? (201 as const) : (200 as const), link: result.link };
}

/** @throws ApiError if the header is malformed */
function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError("bad-idempotency-key");
}

export interface GenerateRouteDependencies extends CreateDependencies {
  claimCookie: Pick<ClaimCookie, "set">;
  identifyCreator: Guard<Creator>;
}

export function generateRoute(router: ApiRouter, deps: GenerateRouteDependencies) {
  mountWithGuard(router, generate, deps.identifyCreator, async (ctx, { caller, body: link }) => {
    const request = { link, idempotencyKey: readIdempotencyKey(ctx) };
    const created = await createRequestedLink(deps, caller, request, ctx.state);
    if (created.claimToken !== undefined) deps.claimCookie.set(ctx, created.claimToken);
    return { status: created.isNew ? 201 : 200, body: created.link };
  });
}
