import { linksOf, recordLinks } from "@tapthru/core/events";
import { NO_CHANNELS, withChannelTag } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import type { IdempotencyKey, NewLink } from "@tapthru/core/links/plan-link";
import { mapInTurns } from "@tapthru/core/platform/map-in-turns";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { BulkLink } from "@tapthru/proto/create-links";
import { internal, loginRequired, slugTaken, tooManyRequests, unavailable } from "@tapthru/proto/general-errors";
import type { Link } from "@tapthru/proto/links";
import { SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import { shortCodeOf } from "@tapthru/proto/rules/short-code";
import { type CommonQueryMethods, UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../http/errors.ts";
import type { AnonymousBudget } from "./anonymous-budget.ts";
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
import { createMissingLabels, labelNewLinks } from "./labels.ts";
import {
  chooseDomain,
  findLinkSettings,
  type LinkDomainsDependencies,
  type LinkSettings,
  nameRefusal,
  requireRoomForLinks,
} from "./link-domains.ts";
import { linkReply } from "./link-reply.ts";
import { INSERTED_LINK, type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";
import type { QueuePageRead } from "./queue-read.ts";

/** Another request with the same keys can interfere only once; further attempts mean a bug. */
const ATTEMPTS = 3;

export interface CreateDependencies extends ResolveDependencies, LinkDomainsDependencies {
  db: Db<"any" | "maybeOne" | "transaction">;
  publicBaseUrl: string;
  projectLinks: ProjectLinks;
  queueRead: QueuePageRead;
  anonymousBudget: AnonymousBudget;
}

export interface CreateRequest {
  link: BulkLink | ApiError;
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

/** A link of a request, until it has an outcome. */
interface WantedLink {
  link: BulkLink;
  destination: Destination;
  /** Null for the site's own host. */
  domain: string | null;
  keyText: string | undefined;
  key: IdempotencyKey | null;
  /** Why it cannot be created, unless an earlier request with its key has created it. */
  refusal: ApiError | null;
  outcome: Outcome | null;
}

type Outcome = { isNew: boolean; row: LinkRow; claimToken?: string | undefined } | ApiError;

const OF_VISITOR: LinkSettings = { channels: NO_CHANNELS, domain: null, domains: [], maxLinks: null };

/**
 * Creates links, or returns those that were created with the same keys, or by the visitor for the same address within ten
 * minutes. The results are in order.
 * @throws ApiError if the budget for links of visitors and of unconfirmed accounts is used up, or the account has no room
 */
export async function createRequestedLinks(
  app: CreateDependencies,
  creator: Creator,
  requests: readonly CreateRequest[],
  state: RequestState,
): Promise<(Created | ApiError)[]> {
  const settings = creator.userId === null ? OF_VISITOR : (creator.settings ?? (await findLinkSettings(app, creator)));
  const planned = await mapInTurns(requests, (request) => planRequest(request, creator, settings));
  const wanted = planned.filter((item): item is WantedLink => !(item instanceof ApiError));
  // Otherwise the insert finds keys that were used before. For visitors it would use up their budget.
  const mustReplay = ({ refusal, destination }: WantedLink) => refusal !== null || destination.kind === "short";
  if (creator.userId === null || wanted.some(mustReplay)) await replayKeys(app, wanted);
  for (const item of open(wanted)) item.outcome = item.refusal;
  const isUnconfirmed = creator.userId === null || settings.maxLinks !== null;
  if (isUnconfirmed && open(wanted).length > 0) await app.anonymousBudget.take(state);
  await resolveShortLinks(app, open(wanted), state);
  const owner = { ...creator, ...settings };
  // They are known once the link that they repeat is created.
  const repeats = new Set(repeatsOf(open(wanted)));
  await insertUnknown(
    app,
    owner,
    open(wanted).filter((item) => !repeats.has(item)),
    state,
  );
  await insertUnknown(app, owner, [...repeats], state);
  return mapInTurns(planned, (item) => {
    const outcome = item instanceof ApiError ? item : (item.outcome ?? new ApiError(unavailable));
    if (outcome instanceof ApiError) return outcome;
    const link = linkReply(outcome.row, app.publicBaseUrl);
    return link.invalid ? new ApiError(unusableLink) : { ...outcome, link };
  });
}

const open = (wanted: readonly WantedLink[]) => wanted.filter(({ outcome }) => outcome === null);

/** For `catch`: returns what is reported to the client, and throws any other error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

function planRequest(
  { link, idempotencyKey: keyText }: CreateRequest,
  creator: Creator,
  settings: LinkSettings,
): WantedLink | ApiError {
  if (link instanceof ApiError) return link;
  const isOfUser = link.usesChannelTag === true || (link.channelId ?? link.domain ?? null) !== null;
  // The login of who chose it has ended: without it, the link would lose its tag and its owner.
  if (creator.userId === null && isOfUser) return new ApiError(loginRequired);
  const destination = parseDestination(link.url);
  if (destination instanceof ApiError) return destination;
  const key = keyText === undefined ? null : readKey(keyText, link, creator);
  const wanted = { link, destination, domain: null, keyText, key, refusal: null, outcome: null };
  try {
    return { ...wanted, ...choosePlace(link, settings) };
  } catch (error) {
    return { ...wanted, refusal: apiErrorOf(error) };
  }
}

function choosePlace(link: BulkLink, { channels, domains }: LinkSettings): Pick<WantedLink, "link" | "domain"> {
  const domain = chooseDomain(domains, link.domain);
  requireChannel(channels, link);
  const refusal = link.slug === undefined ? null : nameRefusal(link.slug, domain);
  if (refusal === null) return { link, domain };
  if (link.mayReplaceSlug) return { link: { ...link, slug: undefined }, domain };
  throw refusal;
}

async function replayKeys({ db }: CreateDependencies, wanted: readonly WantedLink[]): Promise<void> {
  const keyHashes = wanted.flatMap(({ key }) => key?.keyHash ?? []);
  if (keyHashes.length === 0) return;
  const uses = new Map((await findKeyUses(db, keyHashes)).map((use) => [use.keyHash, use]));
  for (const item of wanted) {
    const use = item.key && uses.get(item.key.keyHash);
    if (item.key && use) item.outcome = replayOf(use, item.key, item.keyText ?? "");
  }
}

async function resolveShortLinks(
  app: CreateDependencies,
  wanted: readonly WantedLink[],
  { redisBudget, releaseSlotDuring }: RequestState,
): Promise<void> {
  const short = wanted.filter(({ destination }) => destination.kind === "short");
  if (short.length === 0) return;
  for (const item of short.splice(SHORT_LINKS_CREATE_MAX_COUNT)) {
    item.outcome = new ApiError(tooManyRequests, {
      message: `At most ${SHORT_LINKS_CREATE_MAX_COUNT} of Amazon's short links can be created at once. Please send this one again.`,
    });
  }
  const resolve = async (item: WantedLink) => {
    const destination = await resolveDestination(app, item.destination, redisBudget).catch(apiErrorOf);
    if (destination instanceof ApiError) item.outcome = destination;
    else item.destination = destination;
  };
  await releaseSlotDuring(() => Promise.all(short.map(resolve)));
}

/** The links that must be new and lead to the page of an earlier one. */
function repeatsOf(wanted: readonly WantedLink[]): WantedLink[] {
  const pages = new Set<string>();
  return wanted.filter(({ link, destination }) => {
    const address = destination.kind === "page" ? destination.page.webUrl : destination.url;
    const isRepeat = link.unlessKnown === true && pages.has(address);
    pages.add(address);
    return isRepeat;
  });
}

type Owner = Creator & LinkSettings;

async function insertUnknown(
  app: CreateDependencies,
  owner: Owner,
  wanted: readonly WantedLink[],
  state: RequestState,
) {
  await findKnown(
    app,
    owner,
    wanted.filter(({ link }) => link.unlessKnown === true),
  );
  for (let attempt = 0; attempt < ATTEMPTS && open(wanted).length > 0; attempt++) {
    const isDone = await insertLinks(app, owner, open(wanted), state);
    // Another request with the same keys may have created them.
    await replayKeys(app, open(wanted));
    if (isDone) for (const item of open(wanted)) item.outcome = new ApiError(slugTaken);
  }
}

async function findKnown({ db }: CreateDependencies, { userId, channels }: Owner, wanted: readonly WantedLink[]) {
  if (userId === null || wanted.length === 0) return;
  const unique = await mapInTurns(wanted, ({ link, destination, domain }, index) => {
    const { slug = null, nickname = null, ...choice } = link;
    const webUrl = destination.kind === "page" ? withChannelTag(destination.page, choice, channels).webUrl : null;
    return { index, webUrl, code: slug === null ? null : shortCodeOf(slug, domain), nickname };
  });
  const rows = new Map((await findRepeatedLinks(db, userId, unique)).map((row) => [row.index, row]));
  for (const [index, item] of wanted.entries()) {
    const row = rows.get(index);
    if (row !== undefined) item.outcome = { isNew: false, row };
  }
}

/**
 * Inserts all of the links whose slug is free or, if an error is thrown, none.
 * @returns false if another request used one of the keys; then none were inserted
 */
async function insertLinks(
  app: CreateDependencies,
  owner: Owner,
  wanted: readonly WantedLink[],
  { redisBudget }: RequestState,
): Promise<boolean> {
  const links = wanted.flatMap(({ link: { url: _, labels: __, ...fields }, destination, domain, key }) =>
    destination.kind === "page" ? { ...fields, destination, domain, idempotencyKey: key } : [],
  );
  const { userId, maxLinks } = owner;
  const insert = (db: CreateDependencies["db"]) =>
    wanted.some(({ link }) => (link.labels ?? []).length > 0)
      ? insertLabelled({ ...app, db }, owner, links, wanted)
      : links.length === 1
        ? createLinks({ ...app, db }, owner, links, INSERTED_LINK)
        : db.transaction((transaction) => createLinks({ ...app, db: transaction }, owner, links, INSERTED_LINK));
  const insertCounted = async (db: CommonQueryMethods) => {
    if (userId !== null) await requireRoomForLinks(db, { userId, maxLinks }, links.length);
    return insert(db);
  };
  const inserting = maxLinks === null ? insert(app.db) : app.db.transaction(insertCounted);
  const created = await inserting.catch(whenKeyIsUsed);
  if (created === null) return false;
  const inserted = [];
  for (const [at, item] of wanted.entries()) {
    const result = created[at];
    if (result === undefined || result === "slug-taken") continue;
    item.outcome = result;
    if (!result.isNew) continue;
    inserted.push(result.row);
    const canonicalUrl = links[at]?.destination.page.canonicalUrl ?? null;
    const attempt = result.row.dueAttempt;
    // Only the api knows the address of a visitor. The worker's relay queues the reads of members' links.
    if (owner.userId === null && canonicalUrl !== null && attempt !== null)
      void app.queueRead({ canonicalUrl, attempt }, { ...owner.requester, userId: null });
  }
  if (inserted.length > 0) await app.projectLinks(redirectRecords(inserted), redisBudget);
  return true;
}

/** Inserts links like `createLinks`, with their labels; labels that the user lacks are created. */
async function insertLabelled(
  app: CreateDependencies,
  owner: Owner,
  links: readonly NewLink[],
  wanted: readonly WantedLink[],
) {
  const { userId } = owner;
  if (userId === null) throw new ApiError(loginRequired);
  await createMissingLabels(app.db, { userId, names: wanted.flatMap(({ link }) => link.labels ?? []) });
  return app.db.transaction(async (db) => {
    const created = await createLinks({ ...app, db }, owner, links, INSERTED_WITHOUT_EVENTS);
    const rows = created.flatMap((result, at) => {
      return result === "slug-taken" ? [] : [{ linkId: result.row.id, names: wanted[at]?.link.labels ?? [] }];
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
