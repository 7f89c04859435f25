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
import type { Project } from "./project.ts";

type Db = Pick<CommonQueryMethods, "any" | "maybeOne">;

interface ChangeNeeds {
  db: Db;
  project: Project;
}

interface UsersLink {
  userId: number;
  shortCode: string;
}

/** One page, and the cursor of the next; null after the last. */
export async function listLinks(
  db: Db,
  page: LinksPage,
): Promise<{ links: readonly LinkRow[]; next: number | null }> {
  const rows = await db.any(linksPageQuery({ ...page, limit: page.limit + 1 }));
  const links = rows.slice(0, page.limit);
  return { links, next: rows.length > page.limit ? (links.at(-1)?.id ?? null) : null };
}

export async function getLink(db: Db, link: UsersLink): Promise<LinkRow> {
  const row = await findOwnLink(db, link);
  if (row === null) throw noSuchLink();
  return row;
}

export async function changeLink(
  { db, project }: ChangeNeeds,
  link: UsersLink,
  edit: LinkEdit,
  budget: RedisBudget,
): Promise<LinkRow> {
  const edited = await editLink(db, link, edit);
  if (edited === null) {
    await getLink(db, link);
    throw new ApiError("link-taken-down");
  }
  await project(edited.shortCode, liveRecord(edited), budget);
  return edited;
}

/**
 * Takes a link that is nobody's into an account, by the claim token it was made with.
 * @param claimHash of the token the request brought; null where it brought none
 */
export async function takeLink(
  { db, project }: ChangeNeeds,
  link: UsersLink,
  claimHash: Buffer | null,
  budget: RedisBudget,
): Promise<LinkRow> {
  const claim = claimHash && { ...link, claimHash };
  const claimed = claim && (await claimLink(db, claim));
  if (claimed) {
    await project(claimed.shortCode, liveRecord(claimed), budget);
    return claimed;
  }
  const own = await findOwnLink(db, link);
  if (own) return own;
  switch (claim && (await findClaimRefusal(db, claim))) {
    case "expired":
      throw new ApiError("link-expired");
    case "taken-down":
      throw new ApiError("link-not-available");
    default:
      throw noSuchLink();
  }
}

export async function removeLink(
  { db, project }: ChangeNeeds,
  link: { userId: number; id: number },
  budget: RedisBudget,
): Promise<{ id: number; shortCode: string }> {
  const removed = await deleteLink(db, link);
  if (removed === null) throw noSuchLink();
  const { id, shortCode, revision } = removed;
  await project(shortCode, { state: "gone", revision, reason: "deleted" }, budget);
  return { id, shortCode };
}

/** The same for the links of others, so that nobody learns of them. */
function noSuchLink(): ApiError {
  return new ApiError("link-not-found");
}
