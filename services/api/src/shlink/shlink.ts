import { findChannelTags, withChannelTag } from "@tapthru/core/links/channel-tags";
import { linksToAddress } from "@tapthru/core/links/links-to-address";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { CodeRecord } from "@tapthru/core/platform/redis/redirect-store";
import { internal, linkNotFound } from "@tapthru/proto/general-errors";
import { SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { labelKey } from "@tapthru/proto/rules/labels";
import { SHORT_CODE_PATTERN, shortCodeOf, splitShortCode } from "@tapthru/proto/rules/short-code";
import * as calls from "@tapthru/proto/shlink";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { type Caller, countUserRequest } from "../callers/guards.ts";
import { lockingUser } from "../callers/users.ts";
import { handlers } from "../calls/handlers.ts";
import { listDomains } from "../domains/domains.ts";
import { ApiError } from "../http/errors.ts";
import { findLabels, replaceLabels } from "../labels/labels.ts";
import { changeLink, countChange } from "../links/change-link.ts";
import { createRequestedLink } from "../links/create-links.ts";
import { parseDestination, resolveDestination } from "../links/destination.ts";
import { linkReply } from "../links/link-reply.ts";
import type { LinkRow } from "../links/link-row.ts";
import { findPlace, listLinks, SEARCHED_LINKS } from "../links/list-links.ts";
import { getLink, removeLink } from "../links/user-links.ts";

/** As many as an export reads at once. */
const PAGE_MAX_SIZE = 50;
const HEALTH = { status: "pass", version: "3.7.0" };
const NO_REDIRECTS = { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null };

/** Shlink's REST API, by the functions of our own. */
export const shlinkHandlers = handlers(calls, {
  shlinkHealth: () => HEALTH,
  shlinkVersionHealth: () => HEALTH,

  listShlinkUrls: async (api, { caller, query }) => {
    const { page = 1, itemsPerPage = 10, searchTerm: q, "tags[]": tags, tagsMode, domain, startDate, endDate } = query;
    const { userId } = caller;
    const labels = new Map((await findLabels(api.db, userId)).map(({ id, name }) => [labelKey(name), id]));
    // No label has the id 0.
    const ids = tags?.map((tag) => labels.get(labelKey(tag)) ?? 0);
    const labelLists = tagsMode === "all" ? ids?.map((id) => [id]) : ids && [ids];
    const host = domain === api.hostNames.siteHost ? SITE_DOMAIN : domain;
    const conditions = { userId, q, domain: host, labelLists, createdFrom: startDate, createdBefore: endDate };
    const size = itemsPerPage < 1 ? PAGE_MAX_SIZE : Math.min(itemsPerPage, PAGE_MAX_SIZE);
    const offset = (page - 1) * size;
    const first = await findPlace(api.db, conditions, { limit: SEARCHED_LINKS, offset });
    const rest = { limit: Math.min(size, first.count - offset), order: "newest" } as const;
    const cursor = { id: (first.id ?? 0) + 1, sortValue: null };
    const links = first.id === null ? [] : (await listLinks(api, { ...conditions, ...rest, cursor })).links;
    return {
      shortUrls: { data: await shortUrls(api, caller, links), pagination: pagination(first.count, page, size) },
    };
  },

  createShlinkUrl: async (api, { ctx, caller, userId, body }) => {
    const {
      longUrl,
      customSlug,
      title,
      tags: labels,
      validSince: startsAt,
      validUntil: expiresAt,
      domain: wanted,
      findIfExists,
    } = body;
    const domain = wanted === api.hostNames.siteHost ? null : wanted;
    const url = await pageUrl(api, ctx, userId, longUrl);
    const link = {
      url,
      usesChannelTag: true,
      ...(customSlug !== undefined && { slug: customSlug }),
      ...(title !== undefined && { title }),
      ...(startsAt !== undefined && { startsAt }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(domain !== undefined && { domain }),
    };
    const records: CodeRecord[] = [];
    const projectLinks = async (changed: readonly CodeRecord[]) => void records.push(...changed);
    const row = await lockingUser(api.db, userId, async (db) => {
      // The worker's relay queues the reads of pages.
      const app = { ...api, db, projectLinks, queueRead: async () => {} };
      const existing = findIfExists ? await findShortCode(app.db, { userId, url, customSlug, domain }) : null;
      if (existing !== null) return getLink(app.db, { userId, shortCode: existing });
      const created = await createRequestedLink(app, caller, { link, idempotencyKey: undefined }, ctx.state);
      const { id: linkId, shortCode } = created.link;
      if (labels !== undefined) await replaceLabels(db, { userId, linkId, refs: labels });
      return getLink(db, { userId, shortCode });
    });
    await api.projectLinks(records, ctx.state.redisBudget);
    return shortUrl(api, caller, row);
  },

  getShlinkUrl: async (api, { caller, params, query }) =>
    shortUrl(api, caller, await getLink(api.db, linkOf(api, caller, params, query))),

  updateShlinkUrl: async (api, { ctx, caller, params, query, body }) => {
    const { longUrl: url, title, tags: labels, validSince: startsAt, validUntil: expiresAt } = body;
    const change = { url, title, labels, startsAt, expiresAt };
    await countChange(api, ctx, caller.userId, change);
    const link = linkOf(api, caller, params, query);
    return shortUrl(api, caller, await changeLink(api, link, change, ctx.state));
  },

  deleteShlinkUrl: async (api, { ctx, caller, userId, params, query }) => {
    const { id } = await getLink(api.db, linkOf(api, caller, params, query));
    await removeLink(api, { userId, id }, ctx.state.redisBudget);
  },

  /** Single visits are not stored. */
  listShlinkVisits: async (api, { caller, params, query }) => {
    const link = await getLink(api.db, linkOf(api, caller, params, query));
    const { visitsSummary } = await shortUrl(api, caller, link, query);
    const total = query.excludeBots ? visitsSummary.nonBots : visitsSummary.total;
    return { visits: { data: [], pagination: pagination(total, 1, total), visitsSummary } };
  },

  listShlinkTags: async ({ db }, { userId, query }) => {
    const names = (await findLabels(db, userId)).map(({ name }) => name);
    const page = query.page ?? 1;
    return { tags: { data: page === 1 ? names : [], pagination: pagination(names.length, page, names.length) } };
  },

  listShlinkDomains: async (api, { userId }) => {
    const own = api.hasDomains ? await listDomains(api, userId) : [];
    const hosts = [api.hostNames.siteHost, ...own.map(({ host }) => host)];
    const data = hosts.map((domain, at) => ({ domain, isDefault: at === 0, redirects: NO_REDIRECTS }));
    return { domains: { data, defaultRedirects: NO_REDIRECTS } };
  },
});

/** The page of one of Amazon's short links, which no transaction waits for. Other addresses are returned unchanged. */
async function pageUrl(api: Api, ctx: Context, userId: number, url: string): Promise<string> {
  const parsed = parseDestination(url);
  if (parsed instanceof ApiError || parsed.kind === "page") return url;
  await countUserRequest(api.generateLimit, ctx, userId);
  const { whileWaiting, redisBudget } = ctx.state;
  return (await whileWaiting(() => resolveDestination(api, parsed, redisBudget))).originalUrl;
}

type Path = { shortCode: string };
type Query = { domain?: string | null | undefined };

/** @throws ApiError (link-not-found) if no link can have the code */
function linkOf({ hostNames }: Api, { userId }: Caller, { shortCode: name }: Path, { domain }: Query) {
  const host = domain === undefined || domain === hostNames.siteHost ? null : domain;
  const shortCode = shortCodeOf(name, host);
  if (!SHORT_CODE_PATTERN.test(shortCode)) throw new ApiError(linkNotFound);
  return { userId, shortCode };
}

function pagination(totalItems: number, currentPage: number, itemsPerPage: number) {
  const itemsInCurrentPage = Math.max(0, Math.min(itemsPerPage, totalItems - (currentPage - 1) * itemsPerPage));
  return {
    currentPage,
    pagesCount: Math.ceil(totalItems / itemsPerPage) || 0,
    itemsPerPage,
    itemsInCurrentPage,
    totalItems,
  };
}

async function shortUrl(api: Api, caller: Caller, row: LinkRow, range?: Range) {
  const [reply] = await shortUrls(api, caller, [row], range);
  if (reply === undefined) throw new ApiError(internal);
  return reply;
}

/** In ISO 8601; the visits of both days count. */
interface Range {
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** The links as Shlink shows them. Without the scope `clicks:read` no visits are counted. */
async function shortUrls(
  api: Api,
  { scopes }: Caller,
  rows: readonly LinkRow[],
  { startDate = "", endDate = "9" }: Range = {},
) {
  const ids = scopes === null || scopes.includes("clicks:read") ? rows.map(({ id }) => id) : [];
  const clicks = ids.length === 0 ? null : await api.clickReader.export(ids);
  return rows.map((row) => {
    const link = linkReply(row, api.publicBaseUrl);
    const { name: shortCode, host: domain } = splitShortCode(link.shortCode);
    const days = (clicks?.get(row.id) ?? []).filter(
      ({ day }) => day >= startDate.slice(0, 10) && day <= endDate.slice(0, 10),
    );
    const count = (key: string) => days.reduce((sum, { counts }) => sum + (counts[key] ?? 0), 0);
    const nonBots = count("person");
    const bots = count("preview") + count("bot") + count("prefetch") + count("assistant");
    return {
      shortCode,
      shortUrl: link.shortUrl,
      longUrl: link.originalUrl,
      dateCreated: link.createdAt,
      domain,
      visitsSummary: { total: nonBots + bots, nonBots, bots },
      tags: link.labels.map(({ name }) => name),
      meta: { validSince: link.startsAt, validUntil: link.expiresAt, maxVisits: null },
      title: link.title,
      crawlable: false,
      forwardQuery: true,
      hasRedirectRules: false,
    };
  });
}

interface Wanted {
  userId: number;
  url: string;
  customSlug: string | undefined;
  domain: string | null | undefined;
}

/** The newest live link to what a new link to the address of a product would open. */
async function findShortCode(db: Db<"any" | "maybeOneFirst">, { userId, url, customSlug, domain }: Wanted) {
  const untagged = parseStorePage(url);
  if (untagged === null || untagged.kind !== "product") return null;
  const channels = await findChannelTags(db, userId);
  const { page } = withChannelTag({ originalUrl: url, page: untagged }, { usesChannelTag: true }, channels);
  const code =
    customSlug === undefined ? sql.fragment`TRUE` : sql.fragment`split_part(short_code, '@', 1) = ${customSlug}`;
  const host =
    domain === undefined ? sql.fragment`TRUE` : sql.fragment`split_part(short_code, '@', 2) = ${domain ?? ""}`;
  return db.maybeOneFirst(sql.type(z.object({ shortCode: z.string() }))`
    SELECT short_code AS "shortCode" FROM (${linksToAddress(userId, sql.fragment`${page.webUrl}`)}) AS link
    WHERE ${code} AND ${host} AND taken_down_at IS NULL
    ORDER BY id DESC LIMIT 1
  `);
}
