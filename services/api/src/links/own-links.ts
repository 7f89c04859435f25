import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import { claimLink, findClaimRefusal } from "./claim-queries.ts";
import { type LinkRow, liveRecord } from "./link-row.ts";
import {
  deleteLink,
  editLink,
  findOwnLink,
  type LinkEdit,
  type LinksPage,
  linksPageQuery,
} from "./own-queries.ts";
import type { ProjectLink } from "./project-link.ts";

type Db = Pick<CommonQueryMethods, "any" | "maybeOne">;

interface ChangeDependencies {
  db: Db;
  projectLink: ProjectLink;
}

interface UserLink {
  userId: number;
  shortCode: string;
}

/** Returns one page and the cursor of the next; `next` is null on the last page. */
export async function listLinks(
  db: Db,
  page: LinksPage,
): Promise<{ links: readonly LinkRow[]; next: number | null }> {
  const rows = await db.any(linksPageQuery({ ...page, limit: page.limit + 1 }));
  const links = rows.slice(0, page.limit);
  return { links, next: rows.length > page.limit ? (links.at(-1)?.id ?? null) : null };
}

export async function getLink(db: Db, link: UserLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw linkNotFound();
  return row;
}

export async function updateLink(
  { db, projectLink }: ChangeDependencies,
  link: UserLink,
  edit: LinkEdit,
  budget: RedisBudget,
): Promise<LinkRow> {
  const edited = await editLink(db, link, edit);
  if (edited === null) {
    await getLink(db, link);
    throw new ApiError("link-taken-down");
  }
  await projectLink(edited.shortCode, liveRecord(edited), budget);
  return edited;
}

/**
 * Claims an anonymous link with the claim token it was created with.
 * @param claimHash SHA-256 of the claim token; null without one
 */
export async function claimForUser(
  { db, projectLink }: ChangeDependencies,
  link: UserLink,
  claimHash: Buffer | null,
  budget: RedisBudget,
): Promise<LinkRow> {
  const claim = claimHash && { ...link, claimHash };
  const claimed = claim && (await claimLink(db, claim));
  if (claimed) {
    await projectLink(claimed.shortCode, liveRecord(claimed), budget);
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

export async function removeLink(
  { db, projectLink }: ChangeDependencies,
  link: { userId: number; id: number },
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }> {
  const removed = await deleteLink(db, link);
  if (removed === null) throw linkNotFound();
  const { id, shortCode, revision } = removed;
  await projectLink(shortCode, { state: "gone", revision, reason: "deleted" }, budget);
  return { id, shortCode };
}

/** Also used for links of other users, so that their existence is not revealed. */
function linkNotFound(): ApiError {
  return new ApiError("link-not-found");
}
