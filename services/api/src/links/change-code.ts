import { randomShortCode } from "@tapthru/core/links/short-code";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { slugOn } from "@tapthru/proto/http/fields";
import { shortCodeOf, splitShortCode } from "@tapthru/proto/redirect/short-code";
import {
  ForeignKeyIntegrityConstraintViolationError,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import { chooseDomain, findUsableDomains, requireAllowedName } from "../domains/link-domains.ts";
import { ApiError } from "../errors.ts";
import {
  type CodeChange,
  findCodes,
  hasTooManyCodes,
  insertUntaggedCode,
  isCodeTaken,
  type RenamedLink,
  renameLink,
} from "./code-queries.ts";
import { type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import { findEditableLink } from "./user-links.ts";

/** Each fails only if a visitor reports the link, or its owner creates it again, at the same moment. */
const ATTEMPTS = 3;

export interface CodeDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst">;
  hasDomains: boolean;
  projectLinks: ProjectLinks;
}

/** What is undefined stays. */
interface Change {
  userId: number;
  /** The current code of the link, or an earlier one. */
  shortCode: string;
  slug?: string | undefined;
  /** Null: the site's own host. */
  domain?: string | null | undefined;
}

/**
 * Gives a link another name on its host, or moves it to another host with its name. Its earlier codes go on opening it.
 * @throws ApiError if another link has or had the code, the link has too many codes, was taken down, is unknown or is the one
 *   at `/` of a domain, or the user cannot use the domain
 */
export async function changeCode(
  deps: CodeDependencies,
  { userId, shortCode, slug, domain }: Change,
  budget: RedisBudget,
): Promise<LinkRow> {
  const { db, projectLinks } = deps;
  const link = await findEditableLink(db, { userId, shortCode });
  const current = splitShortCode(link.shortCode);
  if (current.name === "") throw new ApiError("root-link-fixed");
  const name = slug ?? current.name;
  const host =
    domain === undefined
      ? current.host
      : chooseDomain(await findUsableDomains(deps, userId), domain);
  const code = shortCodeOf(name, host);
  if (link.shortCode === code) return link;
  requireAllowedName(name, host);
  const change = { userId, shortCode, code };
  if (await isCodeTaken(db, change)) throw new ApiError("slug-taken");
  if (await hasTooManyCodes(db, change)) throw new ApiError("too-many-short-codes");
  const renamed = await rename(db, change);
  if (renamed === null) {
    const now = await findEditableLink(db, change);
    if (now.shortCode === code) return now;
    throw new ApiError("slug-taken");
  }
  const records = redirectRecords([renamed, { ...renamed, shortCode: renamed.earlierCode }]);
  await projectLinks(records, budget);
  return renamed;
}

/**
 * Gives a link a code that opens it without tags, unless it has one.
 * @throws ApiError if the link was taken down or is unknown
 */
export async function addUntaggedCode(
  db: Db<"maybeOne" | "oneFirst" | "query">,
  ref: { userId: number; shortCode: string },
): Promise<LinkRow> {
  const { shortCode } = await findEditableLink(db, ref);
  const { name, host } = splitShortCode(shortCode);
  const readable = name === "" ? "print" : `${name}-print`;
  const names = [readable, randomShortCode(), randomShortCode()];
  for (const each of names.filter((text) => slugOn(host).safeParse(text).success)) {
    const link = await findEditableLink(db, ref);
    if (link.untaggedCode !== null) return link;
    const change = { ...ref, code: shortCodeOf(each, host) };
    if (await isCodeTaken(db, change)) continue;
    try {
      await insertUntaggedCode(db, change);
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
    }
  }
  const link = await findEditableLink(db, ref);
  if (link.untaggedCode === null) throw new ApiError("slug-taken");
  return link;
}

interface Move {
  userId: number;
  ids: readonly number[];
  domain: string | null;
}

/** Moves several links, one after the other. `error` is the code of the error for which a link was not moved. */
export async function moveLinks(
  deps: CodeDependencies,
  { userId, ids, domain }: Move,
  budget: RedisBudget,
): Promise<{ id: number; error: string | null }[]> {
  chooseDomain(await findUsableDomains(deps, userId), domain);
  const codes = new Map(
    (await findCodes(deps.db, { userId, ids })).map(({ id, shortCode }) => [id, shortCode]),
  );
  const results = [];
  for (const id of ids) {
    const shortCode = codes.get(id);
    results.push({ id, error: shortCode === undefined ? "link-not-found" : await move(shortCode) });
  }
  return results;

  async function move(shortCode: string): Promise<string | null> {
    try {
      await changeCode(deps, { userId, shortCode, domain }, budget);
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.code !== "unavailable") return error.code;
      throw error;
    }
  }
}

async function rename(db: CodeDependencies["db"], change: CodeChange): Promise<RenamedLink | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await renameLink(db, change);
    } catch (error) {
      if (isCodeInUse(error)) return null;
      const isRetried =
        error instanceof ForeignKeyIntegrityConstraintViolationError && attempt < ATTEMPTS;
      if (!isRetried) throw error;
    }
  }
}

function isCodeInUse(error: unknown): boolean {
  return (
    error instanceof UniqueIntegrityConstraintViolationError &&
    error.constraint === "links_short_code_key"
  );
}
