import type { Link, listLinks as listLinksCall } from "@tapthru/proto/http/links";
import type { Logger } from "@tapthru/runtime/logger";
import type { CommonQueryMethods } from "slonik";
import type * as z from "zod/mini";
import { recentRange } from "../clicks/click-range.ts";
import type { ClickStore } from "../clicks/click-store.ts";
import type { Caller } from "../http/guards.ts";
import { requireScope } from "../keys/key-access.ts";
import { linkReply } from "./link-reply.ts";
import { listLinks } from "./own-links.ts";

export interface LinksPageDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne">;
  clickStore: Pick<ClickStore, "people">;
  publicBaseUrl: string;
  logger: Logger;
}

/** @returns the links of a page, and the `cursor` of the next; null on the last page */
export async function ownLinksPage(
  deps: LinksPageDependencies,
  { userId, scopes }: Caller,
  query: z.output<typeof listLinksCall.query>,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const { clickStore, publicBaseUrl } = deps;
  const { limit, cursor, q: search, sort: order, tz, store, label, show: filter } = query;
  // The cursor of this order has numbers of clicks.
  if (order === "clicks") requireScope(scopes, "clicks:read");
  const people = order === "clicks" ? await clickStore.people(userId, recentRange(tz)) : undefined;
  const page = { userId, limit, cursor, search, order, people, store, label, filter };
  const { links, next } = await listLinks(deps, page);
  return {
    links: links.map((row) => linkReply(row, publicBaseUrl)),
    nextCursor: next ? cursorText(next) : null,
  };
}

function cursorText({ id, sortValue }: { id: number; sortValue: string | null }): string {
  return sortValue === null ? String(id) : `${id}~${sortValue}`;
}
