import { randomInt } from "node:crypto";
import { actAs } from "@tapthru/core/platform/audit-log";
import * as calls from "@tapthru/proto/http/patterns";
import { SHORT_CODE_ALPHABET } from "@tapthru/proto/redirect/short-code";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { PATTERNS_MAX_COUNT, SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { lockUser } from "../accounts/queries.ts";
import { requireOwnChannel } from "../channels/channels.ts";
import { ApiError } from "../errors.ts";
import { type ApiRouter, mount, mountWithGuard } from "../http/mount.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { requestActor } from "../http/request-actor.ts";
import { deletePatternLinks } from "./delete-pattern-links.ts";
import {
  changePattern,
  countPatterns,
  findPatterns,
  insertPattern,
  type PatternRow,
  patternReply,
  removePattern,
} from "./queries.ts";
import { mayCreate, type VisitDependencies, visitPattern } from "./visit-pattern.ts";

export interface PatternRoutesDependencies extends VisitDependencies {
  visitLimit: RateLimit;
  /** Counts visits that create a link, by address and by pattern. */
  createLimit: RateLimit;
}

export function patternRoutes(router: ApiRouter, deps: PatternRoutesDependencies) {
  const { db, publicBaseUrl, visitLimit, createLimit } = deps;
  const reply = (row: PatternRow) => patternReply(row, publicBaseUrl);

  mount(router, calls.listPatterns, async (_ctx, { caller: { userId } }) => ({
    status: 200,
    body: (await findPatterns(db, userId)).map(reply),
  }));

  mount(router, calls.createPattern, async (_ctx, { caller, body }) => {
    const { userId } = caller;
    const pattern = await db.transaction(async (transaction) => {
      if (!(await lockUser(transaction, userId))) throw new ApiError("login-required");
      if ((await countPatterns(transaction, userId)) >= PATTERNS_MAX_COUNT) {
        throw new ApiError("too-many-patterns");
      }
      return insertPattern(transaction, { id: randomId(), userId, name: body.name });
    });
    return { status: 201, body: reply(pattern) };
  });

  mount(router, calls.updatePattern, async (_ctx, { caller, params, body }) => {
    const { userId } = caller;
    await requireOwnChannel(db, { userId, ...body });
    const tags = body.tags && [...new Set(body.tags)];
    const pattern = await changePattern(db, { userId, ...params, ...body, tags });
    if (pattern === null) throw new ApiError("pattern-not-found");
    return { status: 200, body: reply(pattern) };
  });

  mount(router, calls.deletePattern, async (_ctx, { caller, params: { id } }) => {
    const { userId } = caller;
    if (!(await removePattern(db, { id, userId }))) throw new ApiError("pattern-not-found");
    return { status: 200, body: { id } };
  });

  mount(router, calls.deletePatternLinks, async (ctx, { caller, params }) => {
    const pattern = { userId: caller.userId, ...params };
    const deletedCount = await deletePatternLinks(deps, pattern, ctx.state.redisBudget);
    return { status: 200, body: { deletedCount } };
  });

  mountWithGuard(
    router,
    calls.go,
    visitLimit.countAddress,
    async (ctx, { query: { p: patternId, url } }) => {
      const { redisBudget: budget } = ctx.state;
      const visit = {
        patternId,
        url,
        // A visit beyond the limits creates nothing, but is redirected.
        mayCreate: async () => {
          const pattern = `pattern:${patternId}`;
          if (!mayCreate(ctx.method, ctx.headers)) return false;
          if (!(await createLimit.isWithinLimit(ctx, pattern))) return false;
          const tooMany = (error: unknown) => error instanceof ApiError;
          return !(await ctx.state.takeTurn(pattern, 1).catch(tooMany));
        },
        budget,
      };
      // Without the address: a link that a visit creates is not among those that are taken down with the visitor's.
      const actor = { ...requestActor(ctx, null), addressHash: null };
      const { webUrl, shortCode } = await actAs(actor, () => visitPattern(deps, visit));
      const { device } = parseUserAgent(ctx.get("User-Agent"), BUILT_IN_OPENING_TABLE.apps);
      ctx.set("Location", device === "assistant" ? removeTag(webUrl) : webUrl);
      ctx.set("X-Robots-Tag", "noindex");
      ctx.set("Referrer-Policy", "strict-origin-when-cross-origin");
      // The gateway then responds as for the short link.
      if (shortCode !== null) ctx.set("X-Accel-Redirect", `${SHORT_LINK_PATH_PREFIX}${shortCode}`);
      return { status: 302, body: {} };
    },
  );
}

function randomId(): string {
  const character = () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)];
  return Array.from({ length: calls.PATTERN_ID_LENGTH }, character).join("");
}
