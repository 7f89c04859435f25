import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import * as calls from "@tapthru/proto/create-links";
import { BulkLink } from "@tapthru/proto/create-links";
import { invalidBody } from "@tapthru/proto/general-errors";
import { badIdempotencyKey, generate, IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/generate";
import type { Context } from "koa";
import { guarded, handlers, reply } from "../callers/handlers.ts";
import { ApiError, malformed } from "../http/errors.ts";
import { parseInput } from "../http/parse-input.ts";
import { apiErrorOf, type Created, createRequestedLink, createRequestedLinks } from "./create-links.ts";
import { findKnownLinks } from "./known-links.ts";

export const generateHandlers = handlers(
  { generate },
  {
    generate: guarded(
      (api) => api.identifyCreator,
      async (api, { ctx, caller, body: newLink }) => {
        const request = { link: newLink, idempotencyKey: readIdempotencyKey(ctx) };
        const created = await createRequestedLink(api, caller, request, ctx.state);
        if (created.claimToken !== undefined) api.claimCookie.set(ctx, created.claimToken);
        // Otherwise exactly the fields of the specification.
        const { hasUnknownTag, ...link } = created.link;
        const body = hasUnknownTag ? { ...link, hasUnknownTag } : link;
        return created.isNew ? reply(201, body) : reply(200, body);
      },
    ),
  },
);

export const createLinkHandlers = handlers(calls, {
  createLink: async (api, { ctx, caller, body: link }) => {
    const request = { link, idempotencyKey: readIdempotencyKey(ctx) };
    return (await createRequestedLink(api, caller, request, ctx.state)).link;
  },

  createLinks: async (api, { ctx, caller, body }) => {
    const key = readIdempotencyKey(ctx);
    const requests = await mapInTurns(body.links, (item, index) => {
      const link = readBulkLink(item);
      const ownKey = link instanceof ApiError ? undefined : link.idempotencyKey;
      return { link, idempotencyKey: ownKey ?? (key && `${key} ${index}`) };
    });
    const results = await createRequestedLinks(api, caller, requests, ctx.state);
    return { results: results.map(bulkResult) };
  },

  findKnownLinks: (api, { userId, body }) => findKnownLinks(api, { userId, links: body.links }),
});

function readBulkLink(item: unknown): BulkLink | ApiError {
  try {
    const link = parseInput(BulkLink, item, invalidBody);
    const { startsAt, expiresAt } = link;
    const isNeverOpen = startsAt && expiresAt && Date.parse(startsAt) >= Date.parse(expiresAt);
    return isNeverOpen ? malformed("startsAt") : link;
  } catch (error) {
    return apiErrorOf(error);
  }
}

function bulkResult(result: Created | ApiError) {
  if (result instanceof ApiError) {
    const { status, code, message } = result;
    return { status, code, message };
  }
  return { status: result.isNew ? (201 as const) : (200 as const), link: result.link };
}

/** @throws ApiError if the header is malformed */
function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError(badIdempotencyKey);
}
