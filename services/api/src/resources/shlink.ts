import type { ExportedClicks } from "@tapthru/core/clicks/click-reader";
import { linksOf, recordLinks } from "@tapthru/core/events";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { linkNotFound } from "@tapthru/proto/general-errors";
import { SHORT_CODE_PATTERN, shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import * as calls from "@tapthru/proto/shlink";
import type { Api } from "../api.ts";
import type { Caller } from "../callers/guards.ts";
import { handlers } from "../callers/handlers.ts";
import { lockingUser } from "../callers/users.ts";
import { ApiError } from "../http/errors.ts";
import { changeLink, countChange, tellingChange } from "../links/change-link.ts";
import { createRequestedLink } from "../links/create-links.ts";
import { resolvePage } from "../links/destination.ts";
import { replaceLabels } from "../links/labels.ts";
import { linkReply } from "../links/link-reply.ts";
import type { LinkRow } from "../links/link-row.ts";
import { findPlace, listLinks } from "../links/list-links.ts";
import { getLink, removeLink } from "../links/user-links.ts";

const LISTED_LINKS = 1_000;
const PAGE_MAX_SIZE = 50;
const HEALTH = { status: "pass", version: "3.7.0" };

export const shlinkHandlers = handlers(calls, {
  shlinkHealth: () => HEALTH,
  shlinkVersionHealth: () => HEALTH,

  listShlinkUrls: async (api, { caller, userId, query: { page = 1, itemsPerPage = 10, searchTerm: q } }) => {
    const size = itemsPerPage < 1 ? PAGE_MAX_SIZE : Math.min(itemsPerPage, PAGE_MAX_SIZE);
    const place = { limit: LISTED_LINKS, offset: (page - 1) * size };
    const { count, id } = await findPlace(api.db, { userId, q }, place);
    const rest = { limit: Math.min(size, count - place.offset), order: "newest" } as const;
    const cursor = { id: (id ?? 0) + 1, sortValue: null };
    const links = id === null ? [] : (await listLinks(api, { userId, q, ...rest, cursor })).links;
    const pages = { currentPage: page, pagesCount: Math.ceil(count / size), itemsPerPage: size };
    const pagination = { ...pages, itemsInCurrentPage: links.length, totalItems: count };
    return { shortUrls: { data: await shortUrls(api, caller, links), pagination } };
  },

  createShlinkUrl: async (api, { ctx, caller, userId, body }) => {
    const { customSlug: slug, domain, title, tags, validSince: startsAt, validUntil: expiresAt } = body;
    // No transaction waits for Amazon.
    const { originalUrl: url } = await resolvePage(api, body.longUrl, ctx.state);
    const place = { slug, domain: domain === api.hostNames.siteHost ? null : domain };
    const fields = { title: title ?? undefined, startsAt: startsAt ?? undefined, expiresAt: expiresAt ?? undefined };
    const request = { link: { url, usesChannelTag: true, ...place, ...fields }, idempotencyKey: undefined };
    const records: CodeRecord[] = [];
    const projectLinks = async (changed: readonly CodeRecord[]) => void records.push(...changed);
    const row = await lockingUser(api.db, userId, async (db) => {
      // The worker's relay queues the reads of pages.
      const app = { ...api, db, projectLinks, queueRead: async () => {} };
      const { link } = await createRequestedLink(app, caller, request, ctx.state);
      if (tags !== undefined) {
        const labels = { userId, linkId: link.id, refs: tags };
        await recordLinks(db, "link.changed", linksOf([link.id]), () => replaceLabels(db, labels));
      }
      return getLink(db, { userId, shortCode: link.shortCode });
    });
    await api.projectLinks(records, ctx.state.redisBudget);
    return shortUrl(api, caller, row);
  },

  getShlinkUrl: async (api, input) => shortUrl(api, input.caller, await getLink(api.db, linkOf(api, input))),

  updateShlinkUrl: async (api, input) => {
    const { ctx, caller, body } = input;
    const { longUrl: url, title, tags: labels, validSince: startsAt, validUntil: expiresAt } = body;
    const change = { url, title, labels, startsAt, expiresAt };
    await countChange(api, ctx, caller, change);
    const link = linkOf(api, input);
    const write = () => changeLink(api, link, change, ctx.state);
    return shortUrl(api, caller, await tellingChange(api, caller, link.shortCode, write));
  },

  deleteShlinkUrl: async (api, input) => {
    const { id } = await getLink(api.db, linkOf(api, input));
    await removeLink(api, { userId: input.userId, id }, input.ctx.state.redisBudget);
  },
});

interface Named {
  userId: number;
  /** Some clients send the whole path of a short link. */
  params: { shortCode: string };
  query: { domain?: string | null | undefined };
}

/** @throws ApiError (link-not-found) if no link can have the code */
function linkOf({ hostNames }: Api, { userId, params, query: { domain } }: Named) {
  const name = params.shortCode.toLowerCase().replace(/^\/?l\//, "");
  const shortCode = shortCodeOf(name, domain === undefined || domain === hostNames.siteHost ? null : domain);
  if (!SHORT_CODE_PATTERN.test(shortCode)) throw new ApiError(linkNotFound);
  return { userId, shortCode };
}

async function shortUrl(api: Api, caller: Caller, row: LinkRow) {
  return (await shortUrls(api, caller, [row]))[0] ?? {};
}

/** The links as Shlink shows them. Without the scope `clicks:read` no visits are counted. */
async function shortUrls(api: Api, { scopes }: Caller, rows: readonly LinkRow[]) {
  const counted = scopes === null || scopes.includes("clicks:read") ? rows : [];
  const clicks = await api.clickReader.export(counted.map(({ id }) => id));
  return rows.map((row) => {
    const link = linkReply(row, api.publicBaseUrl);
    const { name: shortCode, host: domain } = splitShortCode(link.shortCode);
    return {
      shortCode,
      shortUrl: link.shortUrl,
      longUrl: link.originalUrl,
      dateCreated: link.createdAt,
      domain,
      visitsSummary: visitsSummary(clicks.get(row.id) ?? []),
      tags: link.labels.map(({ name }) => name),
      meta: { validSince: link.startsAt, validUntil: link.expiresAt, maxVisits: null },
      title: link.title,
      crawlable: false,
      forwardQuery: true,
      hasRedirectRules: false,
    };
  });
}

function visitsSummary(days: ExportedClicks) {
  const count = (key: string) => days.reduce((sum, { counts }) => sum + (counts[key] ?? 0), 0);
  const nonBots = count("person");
  const bots = count("preview") + count("bot") + count("prefetch") + count("assistant");
  return { total: nonBots + bots, nonBots, bots };
}
