import { recentRange } from "@tapthru/core/clicks/click-range";
import type { ClickStore } from "@tapthru/core/clicks/click-store";
import type { OwnerValues } from "@tapthru/core/links/owner-columns";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { readEachRow } from "@tapthru/core/platform/unreadable";
import type { Link, listLinks as listLinksCall } from "@tapthru/proto/http/links";
import { LINKS_IDS_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/guards.ts";
import { requireScope } from "../keys/key-access.ts";
import { claimLink, findClaimRefusal } from "./claim-queries.ts";
import type { LinkConditions } from "./link-conditions.ts";
import { linkReply } from "./link-reply.ts";
import { type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import {
  deleteLinks,
  editLink,
  findLinkIds,
  findOwnLink,
  findSearchEnd,
  type LinksPage,
  ListedLink,
  linksPageQuery,
} from "./user-links-queries.ts";

interface ChangeDependencies {
  db: Db<"any" | "maybeOne">;
  projectLinks: ProjectLinks;
}

interface UserLink {
  userId: number;
  shortCode: string;
}

const CursorRow = z.pick(ListedLink, { id: true, sortValue: true });

/**
 * Links that one request looks at for those with a text or another condition, well within the statement timeout, also where
 * none has it.
 */
export const SEARCHED_LINKS = 50_000;

/** The last link that a page looks at; null: the user's last one. */
async function searchEnd(
  db: Db<"maybeOne">,
  page: LinksPage,
  count: number,
): Promise<Cursor | null> {
  const { search, label, store, filter } = page;
  const isSearch = Boolean(search ?? label ?? store ?? filter);
  return isSearch ? findSearchEnd(db, page, count) : null;
}

type Cursor = NonNullable<LinksPage["cursor"]>;

/** Returns one page, which may be short or empty, and the cursor of the next; `next` is null on the last page. */
export async function listLinks(
  deps: { db: Db<"any" | "maybeOne">; logger: Logger },
  page: LinksPage,
  searchedCount = SEARCHED_LINKS,
): Promise<{ links: readonly ListedLink[]; next: Cursor | null }> {
  const end = await searchEnd(deps.db, page, searchedCount);
  const query = linksPageQuery({ ...page, limit: page.limit + 1 }, end);
  const rows = await readEachRow(deps, query, ["id", "shortCode"]);
  const links = rows.slice(0, page.limit).flatMap(({ row }) => row ?? []);
  if (rows.length <= page.limit) return { links, next: end };
  const last = z.parse(CursorRow, rows[page.limit - 1]?.raw);
  return { links, next: { id: last.id, sortValue: last.sortValue } };
}

/** @returns the ids, newest first, and the last link that was looked at, after which there may be more; null if there are none */
export async function listLinkIds(
  db: Db<"any" | "maybeOne">,
  page: LinkConditions & { userId: number; before?: number | undefined },
  searchedCount = SEARCHED_LINKS,
): Promise<{ ids: number[]; next: number | null }> {
  const { before, ...conditions } = page;
  const cursor = before === undefined ? undefined : { id: before, sortValue: null };
  const limit = LINKS_IDS_MAX_COUNT;
  const idsPage: LinksPage = { ...conditions, cursor, limit, order: "newest" };
  const end = await searchEnd(db, idsPage, searchedCount);
  const ids = await findLinkIds(db, idsPage, end);
  return { ids, next: (ids.length === limit ? ids.at(-1) : end?.id) ?? null };
}

export async function getLink(db: Db<"any" | "maybeOne">, link: UserLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw linkNotFound();
  return row;
}

/** @throws ApiError if the user has no such link, or it was taken down */
export async function findEditableLink(db: Db<"maybeOne">, link: UserLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw linkNotFound();
  if (row.takenDown) throw new ApiError("link-taken-down");
  return row;
}

export async function updateLink(
  { db, projectLinks }: ChangeDependencies,
  link: UserLink,
  edit: OwnerValues,
  budget: RedisBudget,
): Promise<LinkRow> {
  const edited = await editLink(db, link, edit);
  if (edited === null) {
    await getLink(db, link);
    throw new ApiError("link-taken-down");
  }
  await projectLinks(redirectRecords([edited]), budget);
  return edited;
}

/**
 * Claims an anonymous link with the claim token it was created with.
 * @param claimHash SHA-256 of the claim token; null without one
 */
export async function claimForUser(
  { db, projectLinks }: ChangeDependencies,
  link: UserLink,
  claimHash: Buffer | null,
  budget: RedisBudget,
): Promise<LinkRow> {
  const claim = claimHash && { ...link, claimHash };
  const claimed = claim && (await claimLink(db, claim));
  if (claimed) {
    await projectLinks(redirectRecords([claimed]), budget);
    return claimed;
  }
  const ownLink = await findOwnLink(db, link);
  if (ownLink) return ownLink;
  switch (claim && (await findClaimRefusal(db, claim))) {
    case "expired":
      throw new ApiError("link-expired");
    case "taken-down":
      throw new ApiError("link-not-available");
    default:
      throw linkNotFound();
  }
}

/** Deletes those of the links that the user owns. */
export async function removeLinks(
  { db, projectLinks }: ChangeDependencies,
  links: { userId: number; ids: readonly number[] },
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }[]> {
  const removed = await deleteLinks(db, links);
  const records = removed.map(({ shortCode, revision }) => {
    return { shortCode, record: { state: "gone", revision, reason: "deleted" } as const };
  });
  await projectLinks(records, budget);
  return removed.map(({ id, shortCode }) => ({ id, shortCode }));
}

export async function removeLink(
  deps: ChangeDependencies,
  { userId, id }: { userId: number; id: number },
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }> {
  const [removed] = await removeLinks(deps, { userId, ids: [id] }, budget);
  if (removed === undefined) throw linkNotFound();
  return removed;
}

/** Also used for links of other users, so that their existence is not revealed. */
function linkNotFound(): ApiError {
  return new ApiError("link-not-found");
}

export interface LinksPageDependencies {
  db: Db<"any" | "maybeOne">;
  /** In the order by clicks. */
  reports: Db<"any" | "maybeOne">;
  clickStore: Pick<ClickStore, "people">;
  publicBaseUrl: string;
  logger: Logger;
}

/** @returns the links of a page, and the `cursor` of the next; null on the last page */
export async function userLinksPage(
  deps: LinksPageDependencies,
  { userId, scopes }: Caller,
  query: z.output<typeof listLinksCall.query>,
): Promise<{ links: Link[]; nextCursor: string | null }> {
  const { clickStore, publicBaseUrl, reports } = deps;
  const { limit, cursor, q: search, sort: order, tz, store, label, show: filter } = query;
  // The cursor of this order has numbers of clicks.
  if (order === "clicks") requireScope(scopes, "clicks:read");
  const people = order === "clicks" ? await clickStore.people(userId, recentRange(tz)) : undefined;
  const page = { userId, limit, cursor, search, order, people, store, label, filter };
  const { links, next } = await listLinks(
    order === "clicks" ? { ...deps, db: reports } : deps,
    page,
  );
  return {
    links: links.map((row) => linkReply(row, publicBaseUrl)),
    nextCursor: next ? cursorText(next) : null,
  };
}

function cursorText({ id, sortValue }: { id: number; sortValue: string | null }): string {
  return sortValue === null ? String(id) : `${id}~${sortValue}`;
}
