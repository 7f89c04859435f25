import { Readable } from "node:stream";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { RedisUnavailableError } from "@tapthru/core/platform/redis/redis";
import { emailDiffers } from "@tapthru/proto/accounts";
import { recentLoginRequired } from "@tapthru/proto/general-errors";
import * as calls from "@tapthru/proto/own-account";
import {
  type AccountExport,
  ExportedDeletedLink,
  ExportedEarnings,
  ExportedLink,
  exportAccount,
} from "@tapthru/proto/own-account";
import { RECENT_LOGIN_MS } from "@tapthru/proto/rules/limits";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers } from "../callers/handlers.ts";
import type { LiveSession } from "../callers/sessions.ts";
import { findSessionUser, userReply } from "../callers/users.ts";
import { listDomains } from "../domains/domains.ts";
import { earningsPages } from "../earnings/export-earnings.ts";
import { findRates } from "../earnings/rates.ts";
import { findImports as findEarningsImports } from "../earnings-imports/find-imports.ts";
import { ApiError } from "../http/errors.ts";
import { serialized, streamJson } from "../http/streams.ts";
import { findLabels } from "../links/labels.ts";
import { linkReply } from "../links/link-reply.ts";
import { activityPages } from "./activity.ts";
import { findConnection } from "./amazon-ads.ts";
import { findCountedChannels } from "./channels.ts";
import { findKeys } from "./keys.ts";
import { type CompleteLink, linkPages } from "./links-export.ts";
import { findMembers, findMemberships } from "./members.ts";
import { findRoutingSettings } from "./routing.ts";
import { findSharedPages } from "./shared-pages.ts";
import { findOneLinkStores, findStoreTags } from "./stores.ts";
import { findWebhooks } from "./webhook-queries.ts";

export const ownAccountHandlers = handlers(calls, {
  exportAccount: async (api, { ctx, caller }) => {
    const body = await accountExport(api, caller, ctx.state.redisBudget);
    ctx.attachment("account.json");
    return body;
  },

  deleteAccount: async ({ db, accountDeletions, sessions }, { ctx, caller, body }) => {
    const { userId, firebaseUid, authTime } = caller;
    const user = await findSessionUser(db, caller);
    if (user.email.toLowerCase() !== body.email.trim().toLowerCase()) {
      throw new ApiError(emailDiffers);
    }
    if (Date.now() - authTime * 1_000 > RECENT_LOGIN_MS) {
      throw new ApiError(recentLoginRequired);
    }
    await accountDeletions.delete({ userId, firebaseUid });
    try {
      await sessions.end(ctx);
    } catch (error) {
      // The account is deleted even if the session cannot be ended.
      if (!(error instanceof RedisUnavailableError)) throw error;
    }
    return {};
  },
});

const Head = z.omit(exportAccount.replies[200], {
  activity: true,
  earnings: true,
  links: true,
  deletedLinks: true,
});
type Head = Omit<AccountExport, "activity" | "earnings" | "links" | "deletedLinks">;

/**
 * Streams all data of a user as the JSON of `AccountExport`. Resolves after the first queries to Postgres and Redis
 * succeed, and reads further links while streaming.
 */
async function accountExport(
  deps: Api,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  budget: RedisBudget,
): Promise<Readable> {
  const { db, sessionStore, publicBaseUrl } = deps;
  const { userId, firebaseUid } = session;
  const user = await findSessionUser(db, session);
  // One after the other: an export takes one connection.
  const sessions = await sessionStore.list(session, budget);
  const amazonAds = await findConnection(db, userId);
  const storeTags = await findStoreTags(deps, userId);
  const channels = await findCountedChannels(db, userId);
  const oneLinkStores = await findOneLinkStores(deps, userId);
  const routing = await findRoutingSettings(db, userId);
  const domains = await listDomains(deps, userId);
  const keys = await findKeys(db, sql.fragment`user_id = ${userId}`);
  const members = await findMembers(db, userId);
  const memberships = await findMemberships(db, userId);
  const webhooks = await findWebhooks(db, userId);
  const sharedPages = await findSharedPages(db, userId);
  const labels = await findLabels(db, userId);
  const { currency, rates } = (await findRates(db, userId)).saved;
  const earningsImports = await findEarningsImports(db, { userId, after: null, limit: null });
  const pages = await linkPages(deps, userId);
  const head: Head = {
    exportedAt: new Date().toISOString(),
    user: { ...userReply(deps, user), firebaseUid },
    sessions: sessions.map(({ createdAt, lastSeenAt, userAgent }) => ({
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
      userAgent,
    })),
    amazonAds,
    storeTags: [...storeTags],
    channels: [...channels],
    oneLinkStores,
    routing,
    domains,
    apiKeys: [...keys],
    members: [...members],
    memberships: [...memberships],
    webhooks: [...webhooks],
    sharedPages: [...sharedPages],
    labels: [...labels],
    earningsRates: { currency, rates },
    earningsImports: [...earningsImports],
  };

  const serializeEarnings = (row: ExportedEarnings) => JSON.stringify(z.parse(ExportedEarnings, row));
  const serializeLink = ({ row, ...rest }: CompleteLink) =>
    JSON.stringify(z.parse(ExportedLink, { ...linkReply(row, publicBaseUrl), ...rest }));
  return Readable.from(
    streamJson(
      z.parse(Head, head),
      { name: "activity", pages: serialized(activityPages(db, userId), (row) => JSON.stringify(row)) },
      { name: "earnings", pages: serialized(earningsPages(db, userId), serializeEarnings) },
      { name: "links", pages: serialized(pages, serializeLink) },
      { name: "deletedLinks", pages: serialized(deletedLinkPages(db, userId), (row) => JSON.stringify(row)) },
    ),
  );
}

const DELETED_LINKS_PER_PAGE = 500;

async function* deletedLinkPages(db: Db<"any">, userId: number): AsyncGenerator<readonly ExportedDeletedLink[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const links: readonly ExportedDeletedLink[] = await db.any(sql.type(ExportedDeletedLink)`
      SELECT id, short_code AS "shortCode", link_url(ROW(link.*)::links, original_url) AS "originalUrl",
        title, nickname,
        utc_text(created_at) AS "createdAt", utc_text(deleted_at) AS "deletedAt"
      FROM all_links AS link WHERE user_id = ${userId} AND deleted_at IS NOT NULL AND id > ${after}
      ORDER BY id LIMIT ${DELETED_LINKS_PER_PAGE}
    `);
    yield links;
    after = links[DELETED_LINKS_PER_PAGE - 1]?.id;
  }
}
