import { linksOf, recordLinks } from "@tapthru/core/events";
import { NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import type { CreatorSettings, IdempotencyKey, NewLink } from "@tapthru/core/links/plan-link";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { BulkLink } from "@tapthru/proto/create-links";
import { internal, loginRequired, slugTaken, tooManyRequests, unavailable } from "@tapthru/proto/general-errors";
import type { Link } from "@tapthru/proto/links";
import { SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../http/errors.ts";
import { createMissingLabels, labelNewLinks } from "../labels/labels.ts";
import type { QueuePageRead } from "../metadata/queue-read.ts";
import { requireChannel } from "./change-tags.ts";
import type { Creator } from "./creator.ts";
import {
  type Destination,
  parseDestination,
  type RequestState,
  type ResolveDependencies,
  resolveDestination,
} from "./destination.ts";
import { findKeyUses, readKey, replayOf } from "./idempotency-keys.ts";
import { findRepeatedLinks } from "./known-links.ts";
import {
  chooseDomain,
  findLinkSettings,
  isAllowedName,
  type LinkDomainsDependencies,
  type LinkSettings,
  requireAllowedName,
} from "./link-domains.ts";
import { linkReply } from "./link-reply.ts";
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

export interface CreateRequest {
  /** The link, or why it is invalid. */
  link: BulkLink | ApiError;
  /** What makes a retry return the link of the first request. */
  idempotencyKey: string | undefined;
}

export interface Created {
  isNew: boolean;
  link: Link;
  /** The claim token that the first request with the key issued, for a visitor who still has none. */
  claimToken?: string | undefined;
}

/** @throws ApiError if the link cannot be created */
export async function createRequestedLink(
  app: CreateDependencies,
  creator: Creator,
  request: CreateRequest,
  state: RequestState,
): Promise<Created> {
  const [result] = await createRequestedLinks(app, creator, [request], state);
  if (result === undefined || result instanceof ApiError) throw result ?? new ApiError(internal);
  return result;
}

/**
 * Creates links, or returns those that were created with the same keys, or by the visitor for the same address within ten
 * minutes. The results are in order.
 * @throws ApiError if the budget for visitors' links is used up
 */
export async function createRequestedLinks(
  app: CreateDependencies,
  creator: Creator,
  requests: readonly CreateRequest[],
  state: RequestState,
): Promise<(Created | ApiError)[]> {
  const parsed = await mapInTurns(requests, (request) => planRequest(request, creator));
  const ofVisitor: LinkSettings = { channels: NO_CHANNELS, domain: null, domains: [] };
  const settings = creator.userId === null ? ofVisitor : (creator.settings ?? (await findLinkSettings(app, creator)));
  const place = (items: readonly Item[]) =>
    advance(items, (planned) => planned.map((item) => choosePlace(item, settings)));
  const atOnce = await place(parsed);
  // Otherwise the insert finds keys that were used before. For visitors it would use up their budget.
  const mustReplay =
    creator.userId === null || !atOnce.every((item) => isPlanned(item) && item.destination.kind === "page");
  const placed = mustReplay ? await place(await advance(parsed, (planned) => replayKeys(app, planned))) : atOnce;
  if (creator.userId === null && placed.some(isPlanned)) await creator.takeBudget();
  const resolved = await advance(placed, (planned) => resolveShortLinks(app, planned, state));
  const owner = { ...creator, ...settings };
  // Those that lead where an earlier one does are known once that is created.
  const first = new Set(withoutRepeats(resolved));
  const insertFirst = (planned: readonly PlannedItem[]) => insertUnknown(app, owner, planned, state);
  const created = await advance(resolved, insertFirst, (item) => first.has(item));
  const finished = await advance(created, insertFirst);
  return mapInTurns(finished, (item) => {
    if (isPlanned(item)) return new ApiError(unavailable);
    if (item instanceof ApiError) return item;
    const link = linkReply(item.row, app.publicBaseUrl);
    return link.invalid ? new ApiError(unusableLink) : { ...item, link };
  });
}

/** For `catch`: returns what is reported to the client, and throws any other error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

interface PlannedItem {
  link: BulkLink;
  destination: Destination;
  /** Null: the site's own host. */
  domain: string | null;
  /** As sent. */
  keyText: string | undefined;
  key: IdempotencyKey | null;
  isSlugTaken: boolean;
}

/** What a request came to: a link, or why it has none. */
type Result = { isNew: boolean; row: LinkRow; claimToken?: string | undefined } | ApiError;
type Item = PlannedItem | Result;

const isPlanned = (item: Item): item is PlannedItem => !(item instanceof ApiError) && "destination" in item;

/** Takes the requests without a result a step further. @param step returns what each came to, in order @param isTaken of those */
async function advance(
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

/** Without the links that must be new and lead to the page of an earlier one. */
function withoutRepeats(items: readonly Item[]): PlannedItem[] {
  const pages = new Set<string>();
  return items.filter(isPlanned).filter(({ link, destination }) => {
    const address = destination.kind === "page" ? destination.page.webUrl : destination.url;
    const isRepeat = link.unlessKnown === true && pages.has(address);
    pages.add(address);
    return !isRepeat;
  });
}

/** Creates links, but not those that must be new and that the user has. */
async function insertUnknown(
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

function planRequest({ link, idempotencyKey: keyText }: CreateRequest, creator: Creator): Item {
  if (link instanceof ApiError) return link;
  const isOfUser = link.usesChannelTag === true || (link.channelId ?? link.domain ?? null) !== null;
  // The login of who chose it has ended: without it, the link would lose its tag and its owner.
  if (creator.userId === null && isOfUser) return new ApiError(loginRequired);
  const destination = parseDestination(link.url);
  if (destination instanceof ApiError) return destination;
  const key = keyText === undefined ? null : readKey(keyText, link, creator);
  return { link, destination, domain: null, keyText, key, isSlugTaken: false };
}

async function replayKeys({ db }: CreateDependencies, items: readonly PlannedItem[]): Promise<readonly Item[]> {
  const keyHashes = items.flatMap(({ key }) => key?.keyHash ?? []);
  if (keyHashes.length === 0) return items;
  const uses = new Map((await findKeyUses(db, keyHashes)).map((use) => [use.keyHash, use]));
  return items.map((item) => {
    const { key, keyText = "" } = item;
    const use = key === null ? undefined : uses.get(key.keyHash);
    return key === null || use === undefined ? item : replayOf(use, key, keyText);
  });
}

/** Refuses a domain, a name or a channel that the creator cannot use. */
function choosePlace(item: PlannedItem, { channels, domains }: LinkSettings): Item {
  const { slug, channelId, domain: wanted } = item.link;
  try {
    const domain = chooseDomain(domains, wanted);
    requireChannel(channels, { channelId });
    const isReplaced = slug !== undefined && item.link.mayReplaceSlug === true && !isAllowedName(slug, domain);
    if (isReplaced) return { ...item, domain, link: { ...item.link, slug: undefined } };
    if (slug !== undefined) requireAllowedName(slug, domain);
    return { ...item, domain };
  } catch (error) {
    return apiErrorOf(error);
  }
}

/** Resolves at most SHORT_LINKS_CREATE_MAX_COUNT of Amazon's short links. */
async function resolveShortLinks(
  app: CreateDependencies,
  items: readonly PlannedItem[],
  { redisBudget, whileWaiting }: RequestState,
): Promise<readonly Item[]> {
  const short = items.filter(({ destination }) => destination.kind === "short");
  if (short.length === 0) return items;
  const resolved = new Set(short.slice(0, SHORT_LINKS_CREATE_MAX_COUNT));
  const resolve = async (item: PlannedItem): Promise<Item> => {
    if (item.destination.kind === "page") return item;
    if (!resolved.has(item))
      return new ApiError(tooManyRequests, {
        message: `At most ${SHORT_LINKS_CREATE_MAX_COUNT} of Amazon's short links can be created at once. Please send this one again.`,
      });
    const destination = await resolveDestination(app, item.destination, redisBudget).catch(apiErrorOf);
    return destination instanceof ApiError ? destination : { ...item, destination };
  };
  return whileWaiting(() => Promise.all(items.map(resolve)));
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

/** As `createLinks`, with the labels of each link, of which new ones become labels of the user. */
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
