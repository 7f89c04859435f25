import type { Db } from "@tapthru/runtime/postgres/postgres";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import {
  ForeignKeyIntegrityConstraintViolationError,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import { ApiError } from "../errors.ts";
import { type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import {
  hasTooManyCodes,
  isSlugTaken,
  type RenamedLink,
  renameLink,
  type SlugChange,
} from "./slug-queries.ts";
import { findEditableLink } from "./user-links.ts";

/** Each fails only if a visitor reports the link, or its owner creates it again, at the same moment. */
const ATTEMPTS = 3;

interface SlugDependencies {
  db: Db<"maybeOne" | "oneFirst">;
  projectLinks: ProjectLinks;
}

/**
 * Gives a link a slug. Its earlier codes go on opening it.
 * @throws ApiError if another link has or had the slug, the link has too many codes, was taken down or is unknown
 */
export async function changeSlug(
  { db, projectLinks }: SlugDependencies,
  change: SlugChange,
  budget: RedisBudget,
): Promise<LinkRow> {
  const link = await findEditableLink(db, change);
  if (link.shortCode === change.slug) return link;
  if (await isSlugTaken(db, change)) throw new ApiError("slug-taken");
  if (await hasTooManyCodes(db, change)) throw new ApiError("too-many-short-codes");
  const renamed = await rename(db, change);
  if (renamed === null) {
    const current = await findEditableLink(db, change);
    if (current.shortCode === change.slug) return current;
    throw new ApiError("slug-taken");
  }
  const records = redirectRecords([renamed, { ...renamed, shortCode: renamed.earlierCode }]);
  await projectLinks(records, budget);
  return renamed;
}

async function rename(db: SlugDependencies["db"], change: SlugChange): Promise<RenamedLink | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await renameLink(db, change);
    } catch (error) {
      if (isSlugInUse(error)) return null;
      const isRetried =
        error instanceof ForeignKeyIntegrityConstraintViolationError && attempt < ATTEMPTS;
      if (!isRetried) throw error;
    }
  }
}

function isSlugInUse(error: unknown): boolean {
  return (
    error instanceof UniqueIntegrityConstraintViolationError &&
    error.constraint === "links_short_code_key"
  );
}
