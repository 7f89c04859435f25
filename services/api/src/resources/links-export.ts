import { Readable } from "node:stream";
import type { ExportedClicks } from "@tapthru/core/clicks/click-reader";
import { redirectFile } from "@tapthru/core/links/redirect-file";
import type { Channel } from "@tapthru/proto/channels";
import * as calls from "@tapthru/proto/export";
import { LinkInExport, type LinkState } from "@tapthru/proto/export";
import type { LinkHistory } from "@tapthru/proto/link-history";
import { SITE_DOMAIN } from "@tapthru/proto/link-lists";
import { LINKS_CSV_COLUMNS, type LinksCsvColumn, linkCells } from "@tapthru/proto/links-csv";
import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { displayName } from "@tapthru/proto/rules/display-name";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { handlers, TextReply } from "../callers/handlers.ts";
import { requireScope } from "../callers/key-access.ts";
import { CSV_TYPE, csvStream, serialized, streamJson } from "../http/streams.ts";
import type { LinkSelection } from "../links/link-conditions.ts";
import { linkHistories } from "../links/link-history.ts";
import { linkReply } from "../links/link-reply.ts";
import type { LinkRow } from "../links/link-row.ts";
import { listLinks } from "../links/list-links.ts";
import { findChannels } from "./channels.ts";

export const linksExportHandlers = handlers(calls, {
  exportLinks: async (api, { ctx, caller: { userId, scopes }, query }) => {
    requireScope(scopes, "clicks:read");
    const { format, separator, ...conditions } = query;
    if (format === "redirects") {
      const { domain = SITE_DOMAIN } = conditions;
      const file = await redirectFile(api.db, { userId, host: domain === SITE_DOMAIN ? null : domain });
      ctx.attachment("_redirects");
      return new TextReply("text/plain; charset=utf-8", file);
    }
    const now = Date.now();
    const pages = await linkPages(api, userId, conditions);
    const channels = await findChannels(api.db, userId);
    const exported = (link: CompleteLink) => linkInExport(api, link, channels, now);
    ctx.attachment(`links.${format}`);
    if (format === "csv") {
      const records = async function* () {
        for await (const links of pages) {
          for (const link of links) yield csvRecord(exported(link));
        }
      };
      return new TextReply(CSV_TYPE, csvStream(LINKS_CSV_COLUMNS, records(), separator));
    }
    const head = { exportedAt: new Date(now).toISOString() };
    const items = serialized(pages, (link) => JSON.stringify(exported(link)));
    return Readable.from(streamJson(head, { name: "links", pages: items }));
  },
});

/** A link may have 50 destinations and the clicks of each of its days. */
const LINKS_PER_PAGE = 50;

export interface CompleteLink {
  row: LinkRow;
  clicks: ExportedClicks;
  history: LinkHistory;
}

/**
 * The user's links with their clicks and history, newest first. Resolves after the first page was read; further pages are read when
 * they are needed.
 */
export async function linkPages(
  api: Pick<Api, "db" | "clickReader" | "publicBaseUrl" | "logger">,
  userId: number,
  conditions: LinkSelection = {},
): Promise<AsyncIterable<readonly CompleteLink[]>> {
  const readPage = async (cursor?: { id: number; sortValue: string | null }) => {
    const query = { ...conditions, userId, limit: LINKS_PER_PAGE, cursor };
    const { links: rows, next } = await listLinks(api, { ...query, order: "newest" });
    const ids = rows.map(({ id }) => id);
    const [clicks, histories] = await Promise.all([
      api.clickReader.export(ids),
      linkHistories(api.db, ids, api.publicBaseUrl),
    ]);
    const links = rows.map((row) => ({
      row,
      clicks: clicks.get(row.id) ?? [],
      history: histories.get(row.id) ?? { destinations: [], shortCodes: [] },
    }));
    return { links, next };
  };
  const firstPage = await readPage();
  return (async function* () {
    let page = firstPage;
    yield page.links;
    while (page.next) {
      page = await readPage(page.next);
      yield page.links;
    }
  })();
}

function linkInExport(
  { publicBaseUrl }: Pick<Api, "publicBaseUrl">,
  { row, clicks, history }: CompleteLink,
  channels: readonly Pick<Channel, "id" | "name" | "isDefault">[],
  now: number,
): LinkInExport {
  const link = linkReply(row, publicBaseUrl);
  const sum = (name: string) => clicks.reduce((total, { counts }) => total + (counts[name] ?? 0), 0);
  return z.parse(LinkInExport, {
    ...link,
    url: link.originalUrl,
    title: row.ownTitle,
    imageUrl: row.ownImageUrl,
    name: displayName(row, new URL(publicBaseUrl).host),
    state: stateOf(row, link.invalid, now),
    history,
    channel:
      channels.find(({ id, isDefault }) => (link.channelId === null ? isDefault : id === link.channelId))?.name ?? null,
    clicks: {
      person: sum("person"),
      preview: sum("preview"),
      bot: sum("bot"),
      prefetch: sum("prefetch"),
      assistant: sum("assistant"),
      opened: sum("opened"),
      tried: sum("opened") + sum("stayed"),
    },
  } satisfies LinkInExport);
}

function stateOf({ takenDown, expiresAt }: LinkRow, isInvalid: boolean, now: number): LinkState {
  if (takenDown) return "taken-down";
  if (isInvalid) return "invalid";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

function csvRecord(link: LinkInExport): Record<LinksCsvColumn, string | number> {
  const labels = link.labels.map((label) => label.name);
  return {
    ...linkCells({ ...link, shortCode: splitShortCode(link.shortCode).name, labels }),
    domain: link.domain ?? "",
    short_url: link.shortUrl,
    name: escapeFormula(link.name),
    state: link.state,
    created_at: link.createdAt,
    earlier_urls: link.history.destinations.flatMap(({ webUrl }) => webUrl ?? []).join(" "),
    earlier_short_codes: link.history.shortCodes.map((code) => code.shortCode).join(" "),
    ...link.clicks,
    channel: escapeFormula(link.channel ?? ""),
  };
}
