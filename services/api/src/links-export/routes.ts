import { Readable } from "node:stream";
import { exportLinks, LinkInExport } from "@tapthru/proto/http/export";
import { LINKS_CSV_COLUMNS } from "@tapthru/proto/http/links-csv";
import * as z from "zod/mini";
import { findChannels } from "../channels/channels.ts";
import { type ApiRouter, mount, TextReply } from "../http/mount.ts";
import { CSV_TYPE, csvStream, serialized, streamJson } from "../http/streams.ts";
import { requireScope } from "../keys/key-access.ts";
import { csvRecord, linkInExport } from "./link-in-export.ts";
import { type CompleteLink, type LinkPagesDependencies, linkPages } from "./link-pages.ts";

export interface ExportRoutesDependencies extends LinkPagesDependencies {
  publicBaseUrl: string;
}

export function exportRoutes(router: ApiRouter, deps: ExportRoutesDependencies) {
  const { publicBaseUrl } = deps;

  mount(router, exportLinks, async (ctx, { caller: { userId, scopes }, query }) => {
    requireScope(scopes, "clicks:read");
    const { format, q: search, store, show: filter, label, ids } = query;
    const now = Date.now();
    const pages = await linkPages(deps, userId, { search, store, filter, label, ids });
    const channels = await findChannels(deps.db, userId);
    const exported = (link: CompleteLink) =>
      z.parse(LinkInExport, linkInExport(link, { publicBaseUrl, now, channels }));
    ctx.attachment(`links.${format}`);
    if (format === "csv") {
      const records = csvStream(LINKS_CSV_COLUMNS, recordsOf(pages, exported));
      return { status: 200, body: new TextReply(CSV_TYPE, records) };
    }
    const head = { exportedAt: new Date(now).toISOString() };
    const serialize = (link: CompleteLink) => JSON.stringify(exported(link));
    return {
      status: 200,
      body: Readable.from(streamJson(head, { name: "links", pages: serialized(pages, serialize) })),
    };
  });
}

async function* recordsOf(
  pages: AsyncIterable<readonly CompleteLink[]>,
  exported: (link: CompleteLink) => Parameters<typeof csvRecord>[0],
) {
  for await (const links of pages) {
    for (const link of links) yield csvRecord(exported(link));
  }
}
