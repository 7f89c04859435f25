import { randomInt } from "node:crypto";
import { actAs } from "@tapthru/core/platform/audit-log";
import { changing } from "@tapthru/core/platform/postgres/postgres";
import { PAGE_PARAMETER } from "@tapthru/proto/clicks/keys";
import * as calls from "@tapthru/proto/patterns";
import { PATTERN_ID_LENGTH } from "@tapthru/proto/patterns";
import { parseUserAgent } from "@tapthru/proto/rules/agents/agent";
import { removeTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { PATTERNS_MAX_COUNT, SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { SHORT_CODE_ALPHABET } from "@tapthru/proto/rules/short-code";
import { sql } from "slonik";
import * as z from "zod/mini";
import { requestActor } from "../callers/request-actor.ts";
import { lockingUser, requireRoom } from "../callers/users.ts";
import { guarded, handlers } from "../calls/handlers.ts";
import { requireOwnChannel } from "../channels/channels.ts";
import { ApiError } from "../http/errors.ts";
import { deletePatternLinks } from "./delete-pattern-links.ts";
import { findPatterns, joinUse, PatternRow, patternColumns, patternReply } from "./queries.ts";
import { mayCreate, visitPattern } from "./visit-pattern.ts";

export const patternHandlers = handlers(calls, {
  listPatterns: async ({ db, publicBaseUrl }, { userId }) =>
    (await findPatterns(db, userId)).map((row) => patternReply(row, publicBaseUrl)),

  createPattern: async ({ db, publicBaseUrl }, { userId, body: { name } }) => {
    const pattern = await lockingUser(db, userId, async (transaction) => {
      const own = sql.fragment`link_patterns WHERE user_id = ${userId}`;
      await requireRoom(transaction, own, PATTERNS_MAX_COUNT, calls.tooManyPatterns);
      return transaction.one(sql.type(PatternRow)`
        INSERT INTO link_patterns (id, user_id, name) VALUES (${randomId()}, ${userId}, ${name})
        RETURNING id, name, tags, channel_id AS "channelId", uses_channel_tag AS "usesChannelTag",
          utc_text(created_at) AS "createdAt", 0 AS "linkCount", 0 AS "linkCountOfDay"
      `);
    });
    return patternReply(pattern, publicBaseUrl);
  },

  /** What is undefined stays. */
  updatePattern: async ({ db, publicBaseUrl }, { userId, params: { id }, body }) => {
    await requireOwnChannel(db, { userId, ...body });
    const { channelId, usesChannelTag } = body;
    const tags = body.tags === undefined ? null : sql.array([...new Set(body.tags)], "text");
    const pattern = await db.maybeOne(changing(PatternRow)`
      WITH pattern AS (
        UPDATE link_patterns SET
          tags = coalesce(${tags}::text[], tags),
          channel_id = CASE
            WHEN ${channelId !== undefined}::boolean THEN ${channelId ?? null}::integer ELSE channel_id
          END,
          uses_channel_tag = coalesce(${usesChannelTag ?? null}::boolean, uses_channel_tag)
        WHERE id = ${id} AND user_id = ${userId}
        RETURNING *
      )
      SELECT ${patternColumns} FROM pattern ${joinUse}
    `);
    if (pattern === null) throw new ApiError(calls.patternNotFound);
    return patternReply(pattern, publicBaseUrl);
  },

  deletePattern: async ({ db }, { userId, params: { id } }) => {
    const removed = await db.maybeOne(changing(z.object({ id: z.string() }))`
      DELETE FROM link_patterns WHERE id = ${id} AND user_id = ${userId} RETURNING id
    `);
    if (removed === null) throw new ApiError(calls.patternNotFound);
    return { id };
  },

  deletePatternLinks: async (api, { ctx, userId, params }) => ({
    deletedCount: await deletePatternLinks(api, { userId, ...params }, ctx.state.redisBudget),
  }),

  go: guarded(
    ({ visitLimit }) => visitLimit.countAddress,
    async (api, { ctx, query: { p: patternId, url, page } }) => {
      const { redisBudget: budget } = ctx.state;
      const visit = {
        patternId,
        url,
        // A visit beyond the limits creates nothing, but is redirected.
        mayCreate: async () => {
          const pattern = `pattern:${patternId}`;
          if (!mayCreate(ctx.method, ctx.headers)) return false;
          if (!(await api.createLimit.isWithinLimit(ctx, pattern))) return false;
          const tooMany = (error: unknown) => error instanceof ApiError;
          return !(await ctx.state.takeTurns([pattern, 1]).catch(tooMany));
        },
        budget,
      };
      // Without the address: a link that a visit creates is not among those that are taken down with the visitor's.
      const actor = { ...requestActor(ctx, null), addressHash: null };
      const { webUrl, shortCode, assistantsGetTag } = await actAs(actor, () => visitPattern(api, visit));
      const { device } = parseUserAgent(ctx.get("User-Agent"), BUILT_IN_OPENING_TABLE.apps);
      ctx.set("Location", device === "assistant" && !assistantsGetTag ? removeTag(webUrl) : webUrl);
      ctx.set("X-Robots-Tag", "noindex");
      ctx.set("Referrer-Policy", "strict-origin-when-cross-origin");
      // The gateway then responds as for the short link.
      const named = page === undefined ? "" : `?${PAGE_PARAMETER}=${encodeURIComponent(page)}`;
      if (shortCode !== null) ctx.set("X-Accel-Redirect", `${SHORT_LINK_PATH_PREFIX}${shortCode}${named}`);
      return {};
    },
  ),
});

function randomId(): string {
  const character = () => SHORT_CODE_ALPHABET[randomInt(SHORT_CODE_ALPHABET.length)];
  return Array.from({ length: PATTERN_ID_LENGTH }, character).join("");
}
