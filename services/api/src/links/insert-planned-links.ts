import { linksOf, recordLinks } from "@tapthru/core/events";
import { withChannelTag } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import type { CreatorSettings, IdempotencyKey, NewLink } from "@tapthru/core/links/plan-link";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { BulkLink } from "@tapthru/proto/create-links";
import { loginRequired, slugTaken } from "@tapthru/proto/general-errors";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../http/errors.ts";
import { createMissingLabels, labelNewLinks } from "../labels/labels.ts";
import type { QueuePageRead } from "../metadata/queue-read.ts";
import type { Creator } from "./creator.ts";
import type { Destination, RequestState, ResolveDependencies } from "./destination.ts";
import { findKeyUses, replayOf } from "./idempotency-keys.ts";
import { findRepeatedLinks } from "./known-links.ts";
import type { LinkDomainsDependencies } from "./link-domains.ts";
import { INSERTED_LINK, type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";

/** Another request with the same keys can interfere only once; further attempts mean a bug. */
const ATTEMPTS = 3;

export interface CreateDependencies extends ResolveDependencies, LinkDomainsDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  publicBaseUrl: string;
  projectLinks: ProjectLinks;
  queueRead: QueuePageRead;
}

export interface PlannedItem {
  link: BulkLink;
  destination: Destination;
  /** Null for the site's own host. */
  domain: string | null;
  keyText: string | undefined;
  key: IdempotencyKey | null;
  isSlugTaken: boolean;
}

type Result = { isNew: boolean; row: LinkRow; claimToken?: string | undefined } | ApiError;
export type Item = PlannedItem | Result;

export const isPlanned = (item: Item): item is PlannedItem => !(item instanceof ApiError) && "destination" in item;

/** Runs a step for requests without a result. @param step returns the next state of each, in order @param isTaken selects requests */
export async function advance(
  items: readonly Item[],
  step: (planned: readonly PlannedItem[]) => readonly Item[] | Promise<readonly Item[]>,
  isTaken: (item: PlannedItem) => boolean = () => true,
): Promise<readonly Item[]> {
  const isNext = (item: Item): item is PlannedItem => isPlanned(item) && isTaken(item);
  const planned = items.filter(isNext);
  if (planned.length === 0) return items;
  const next = (await step(planned)).values();
  return items.map((item) => (isNext(item) ? (next.next().value ?? item) : item));
}

export async function insertUnknown(
  app: CreateDependencies,
  creator: Creator & CreatorSettings,
  items: readonly PlannedItem[],
  state: RequestState,
): Promise<readonly Item[]> {
  const known = await advance(
    items,
    (planned) => findKnownItems(app, creator, planned),
    ({ link }) => link.unlessKnown === true,
  );
  return insertItems(app, creator, known, state);
}

async function findKnownItems(
  { db }: CreateDependencies,
  { userId, channels }: Creator & CreatorSettings,
  items: readonly PlannedItem[],
): Promise<readonly Item[]> {
  if (userId === null) return items;
  const wanted = await mapInTurns(
    items,
    ({ link: { slug = null, nickname = null, ...choice }, destination, domain }, index) => {
      const webUrl = destination.kind === "page" ? withChannelTag(destination.page, choice, channels).webUrl : null;
      return { index, webUrl, code: slug === null ? null : shortCodeOf(slug, domain), nickname };
    },
  );
  const rows = new Map((await findRepeatedLinks(db, userId, wanted)).map((row) => [row.index, row]));
  return items.map((item, index) => {
    const row = rows.get(index);
    return row === undefined ? item : { isNew: false, row };
  });
}

export async function replayKeys({ db }: CreateDependencies, items: readonly PlannedItem[]): Promise<readonly Item[]> {
  const keyHashes = items.flatMap(({ key }) => key?.keyHash ?? []);
  if (keyHashes.length === 0) return items;
  const uses = new Map((await findKeyUses(db, keyHashes)).map((use) => [use.keyHash, use]));
  return items.map((item) => {
    const { key, keyText = "" } = item;
    const use = key === null ? undefined : uses.get(key.keyHash);
    return key === null || use === undefined ? item : replayOf(use, key, keyText);
  });
}

async function insertItems(
  app: CreateDependencies,
  creator: Creator & CreatorSettings,
  items: readonly Item[],
  state: RequestState,
  attempts = ATTEMPTS,
): Promise<readonly Item[]> {
  if (attempts === 0 || !items.some(isPlanned)) return items;
  const inserted = await advance(items, (planned) => insertLinks(app, creator, planned, state));
  // Another request with the same keys may have created them.
  const known = await advance(inserted, (planned) => replayKeys(app, planned));
  const left = known.map((item) => (isPlanned(item) && item.isSlugTaken ? new ApiError(slugTaken) : item));
  return insertItems(app, creator, left, state, attempts - 1);
}

/**
 * Inserts all of the links or, if an error is thrown or another request used one of the keys, none. Those whose slug is taken
 * are marked.
 */
async function insertLinks(
  app: CreateDependencies,
  creator: Creator & CreatorSettings,
  items: readonly PlannedItem[],
  { redisBudget }: RequestState,
): Promise<readonly Item[]> {
  const links = items.flatMap(
    ({
      link: { url: _, labels: _labels, unlessKnown: _unless, idempotencyKey: _key, ...fields },
      destination,
      domain,
      key,
    }) => (destination.kind === "page" ? [{ ...fields, destination, domain, idempotencyKey: key }] : []),
  );
  const insert = (db: CreateDependencies["db"]) => createLinks({ ...app, db }, creator, links, INSERTED_LINK);
  const insertAll = items.some(({ link }) => (link.labels ?? []).length > 0)
    ? insertLabelled(app, creator, links, items)
    : links.length === 1
      ? insert(app.db)
      : app.db.transaction(insert);
  const created = await insertAll.catch(whenKeyIsUsed);
  if (created === null) return items;
  const results = created.map((result) => (result === "slug-taken" ? null : result));
  if (creator.userId === null) {
    // Only the api knows the address of a visitor. The worker's relay queues the reads of members' links.
    for (const [at, result] of results.entries()) {
      const canonicalUrl = links[at]?.destination.page.canonicalUrl ?? null;
      const attempt = result?.isNew ? result.row.dueAttempt : null;
      if (canonicalUrl === null || attempt === null) continue;
      void app.queueRead({ canonicalUrl, attempt }, { ...creator.requester, userId: null });
    }
  }
  const rows = results.flatMap((result) => (result?.isNew ? result.row : []));
  if (rows.length > 0) await app.projectLinks(redirectRecords(rows), redisBudget);
  return items.map((item, at) => results[at] ?? { ...item, isSlugTaken: true });
}

/** Inserts links like `createLinks`, with their labels; labels that the user lacks are created. */
async function insertLabelled(
  app: CreateDependencies,
  creator: Creator & CreatorSettings,
  links: readonly NewLink[],
  items: readonly PlannedItem[],
) {
  const { userId } = creator;
  if (userId === null) throw new ApiError(loginRequired);
  await createMissingLabels(app.db, { userId, names: items.flatMap(({ link }) => link.labels ?? []) });
  return app.db.transaction(async (db) => {
    const created = await createLinks({ ...app, db }, creator, links, INSERTED_WITHOUT_EVENTS);
    const rows = created.flatMap((result, at) => {
      return result === "slug-taken" ? [] : [{ linkId: result.row.id, names: items[at]?.link.labels ?? [] }];
    });
    const ids = rows.map(({ linkId }) => linkId);
    const labels = await recordLinks(db, "link.created", linksOf(ids), () => labelNewLinks(db, userId, rows));
    return created.map((result) =>
      result === "slug-taken"
        ? result
        : { ...result, row: { ...result.row, labels: labels.filter(({ linkId }) => linkId === result.row.id) } },
    );
  });
}

const INSERTED_WITHOUT_EVENTS = { ...INSERTED_LINK, statementName: null, recordsLater: true };

function whenKeyIsUsed(error: unknown): null {
  if (error instanceof UniqueIntegrityConstraintViolationError && error.constraint === "idempotency_keys_pkey") {
    return null;
  }
  throw error;
}
