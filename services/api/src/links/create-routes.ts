import { createLink, createLinks, NewLink } from "@tapthru/proto/http/create-links";
import { generate, IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/http/generate";
import { PROOF_HEADER } from "@tapthru/proto/http/proof-of-work";
import { ERRORS } from "@tapthru/proto/rules/errors";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import type { ClaimCookie } from "../http/claim-cookie.ts";
import type { Guard } from "../http/guards.ts";
import { type ApiRouter, mount, mountWithGuard, parseInput } from "../http/mount.ts";
import type { ProofOfWork } from "../proof-of-work/proof-of-work.ts";
import { type CreatedLink, createForUser, createOneForUser } from "./create-for-user.ts";
import type { CreateLinksDependencies } from "./create-links.ts";
import type { Creator } from "./creator.ts";
import { type GenerateDependencies, generateLink } from "./generate-link.ts";
import { linkReply } from "./link-reply.ts";

export interface CreateRoutesDependencies extends CreateLinksDependencies {}

export function createRoutes(router: ApiRouter, deps: CreateRoutesDependencies) {
  mount(router, createLink, async (ctx, { caller: { userId }, body }) => {
    const key = readIdempotencyKey(ctx);
    const { isNew, link } = await createOneForUser(deps, ctx, userId, body, key);
    return { status: isNew ? 201 : 200, body: link };
  });

  mount(router, createLinks, async (ctx, { caller: { userId }, body }) => {
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

/** @throws ApiError if the header is malformed */
function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError("bad-idempotency-key");
}

export interface GenerateRouteDependencies extends GenerateDependencies {
  addressOf(request: Context["req"]): string;
  claimCookie: Pick<ClaimCookie, "set">;
  identifyCreator: Guard<Creator>;
  proofOfWork: Pick<ProofOfWork, "accept">;
}

export function generateRoute(router: ApiRouter, deps: GenerateRouteDependencies) {
  mountWithGuard(router, generate, deps.identifyCreator, async (ctx, { caller, body }) => {
    const idempotencyKey = readIdempotencyKey(ctx);
    const { isNew, link, claimToken } = await generateLink(deps, {
      ...body,
      creator: caller,
      idempotencyKey,
      requester: { address: deps.addressOf(ctx.req), requestId: ctx.state.requestId },
      budget: ctx.state.redisBudget,
      whileWaiting: ctx.state.whileWaiting,
      countedRequest: ctx.state,
      acceptProof: () => deps.proofOfWork.accept(ctx.get(PROOF_HEADER), ctx.state.redisBudget),
    });
    if (claimToken !== undefined) deps.claimCookie.set(ctx, claimToken);
    const reply = linkReply(link, deps.publicBaseUrl);
    if (reply.invalid) throw new ApiError("unusable-link");
    return { status: isNew ? 201 : 200, body: reply };
  });
}
