import {
  type CommonQueryMethods,
  ForeignKeyIntegrityConstraintViolationError,
  sql,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import * as z from "zod/mini";
import { currentActor } from "../platform/actor.ts";
import { mapInTurns } from "../platform/map-in-turns.ts";
import {
  type IndexedLink,
  insertLinksQuery,
  type ReturnedColumns,
  recentLinkQuery,
  type User,
  UserDisabledError,
  type Visitor,
} from "./insert-links.ts";
import { type CreatorSettings, type NewLink, planLink } from "./plan-link.ts";

/** As many links with addresses of 4 KB as one statement inserts well within its timeout, also while the machine is busy. */
const BATCH = 50;
/** With a million links one collision has a chance of 1 in 27,000, so five in a row mean a bug. */
const ATTEMPTS = 5;

type LinksDb = Pick<CommonQueryMethods, "any" | "transaction">;

export interface CreateLinksDependencies {
  /** For several links a transaction. */
  db: LinksDb;
  publicBaseUrl: string;
}

export type Creator = (User | Visitor) & CreatorSettings;

/** `isNew`: false if a visitor created the link before. */
export type CreatedLink<Row> = { isNew: boolean; row: Row } | "slug-taken";

/**
 * Creates links with their products, idempotency keys, outbox rows and events, in one statement for each 50 links, or a few if codes
 * are in use. The redirect records are written by the relay. A visitor creates one link.
 * @returns for each link, in order, its row; or `slug-taken`, if its slug is or was in use by any link of the same host
 * @throws UniqueIntegrityConstraintViolationError on `idempotency_keys_pkey`; nothing was then inserted by that statement
 * @throws UserDisabledError
 */
export async function createLinks<Row extends { index: number }>(
  { db, publicBaseUrl }: CreateLinksDependencies,
  creator: Creator,
  newLinks: readonly NewLink[],
  returned: ReturnedColumns<Row>,
): Promise<CreatedLink<Row>[]> {
  const links = await mapInTurns(newLinks, (link, index) => ({
    ...planLink(publicBaseUrl, creator, link),
    index,
  }));
  const results: (CreatedLink<Row> | undefined)[] = [];
  const withoutResult = () => links.filter(({ index }) => results[index] === undefined);
  for (let attempt = 0; attempt < ATTEMPTS && withoutResult().length > 0; attempt++) {
    if (attempt > 0 && creator.userId !== null) await requireEnabled(db, creator.userId);
    const codes = withoutResult().flatMap(({ code }) => code ?? []);
    const used = codes.length === 0 ? new Set() : await findUsedCodes(db, codes);
    for (const link of withoutResult()) {
      const { index, code } = link;
      if (code === null) continue;
      // A code that is in the list twice is taken by the first link.
      if (!used.has(code)) used.add(code);
      else if (link.mayReplaceSlug) link.code = null;
      else results[index] = "slug-taken";
    }
    for (const batch of batches(withoutResult())) {
      const rows = await insertBatch(db, creator, batch, returned);
      for (const row of rows) results[row.index] = { isNew: true, row };
    }
    if (creator.userId !== null) continue;
    for (const link of withoutResult()) {
      const [row] = await db.any(recentLinkQuery(creator, link, returned)).catch(whenDeleted);
      if (row !== undefined) results[link.index] = { isNew: false, row };
    }
  }
  return links.map(({ index }) => {
    const result = results[index];
    if (result === undefined) throw new Error(`No free short code in ${ATTEMPTS} attempts`);
    return result;
  });
}

async function requireEnabled(db: LinksDb, userId: number): Promise<void> {
  const rows = await db.any(sql.type(z.object({ isEnabled: z.boolean() }))`
    SELECT lock_enabled_user(${userId}) AS "isEnabled"
  `);
  if (rows[0]?.isEnabled === false) throw new UserDisabledError();
}

/**
 * Those of the codes that are or were in use. A statement of its own, before the insert: a code that is being deleted at the
 * same time is then in `links` here, or in `retired_codes` or `link_codes` there.
 */
async function findUsedCodes(db: LinksDb, codes: readonly string[]): Promise<Set<string>> {
  const wanted = sql.array(codes, "text");
  const rows = await db.any(sql.type(z.object({ code: z.string() }))`
    SELECT short_code AS code FROM all_links WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM link_codes WHERE short_code = ANY(${wanted})
    UNION SELECT short_code FROM retired_codes WHERE short_code = ANY(${wanted})
  `);
  return new Set(rows.map(({ code }) => code));
}

/** Batches in the order of pages, so that concurrent transactions cannot deadlock. */
function* batches(links: readonly IndexedLink[]): Generator<readonly IndexedLink[]> {
  const sorted = links.toSorted(({ page: a }, { page: b }) =>
    (a?.canonicalUrl ?? "") < (b?.canonicalUrl ?? "") ? -1 : 1,
  );
  for (let i = 0; i < sorted.length; i += BATCH) yield sorted.slice(i, i + BATCH);
}

/** The constraints of codes that another transaction just took: of a slug, and of a generated code. */
const CODE_CONSTRAINTS: readonly (string | null)[] = ["link_codes_pkey", "links_short_code_key"];

/** None are inserted if a slug, or the code for a visitor, was just taken. */
async function insertBatch<Row extends { index: number }>(
  db: LinksDb,
  creator: User | Visitor,
  links: readonly IndexedLink[],
  returned: ReturnedColumns<Row>,
): Promise<readonly Row[]> {
  const statement = insertLinksQuery(creator, links, returned);
  try {
    const mustAuthorize = currentActor()?.authorize !== undefined;
    if (!mustAuthorize && links.every(({ code }) => code === null)) return await db.any(statement);
    // A savepoint if the caller has a transaction, which the error would otherwise abort.
    return await db.transaction((savepoint) => savepoint.any(statement));
  } catch (error) {
    const isCodeTaken =
      error instanceof UniqueIntegrityConstraintViolationError && CODE_CONSTRAINTS.includes(error.constraint);
    if (isCodeTaken) return [];
    throw error;
  }
}

/** The recent link was deleted before its key was stored. */
function whenDeleted(error: unknown): [] {
  const isDeleted =
    error instanceof ForeignKeyIntegrityConstraintViolationError &&
    error.constraint === "idempotency_keys_short_code_fkey";
  if (isDeleted) return [];
  throw error;
}
