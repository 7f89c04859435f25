import { findChannelTags, NO_CHANNELS } from "@tapthru/core/links/channel-tags";
import { createLinks } from "@tapthru/core/links/create-links";
import type { CreatorSettings, IdempotencyKey } from "@tapthru/core/links/plan-link";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { NewLink } from "@tapthru/proto/create-links";
import type { Link } from "@tapthru/proto/links";
import { SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type { DefaultState } from "koa";
import { UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../http/errors.ts";
import type { QueuePageRead } from "../metadata/queue-read.ts";
import type { Creator } from "./creator.ts";
import { type Destination, parseDestination, type ResolveDependencies, resolveDestination } from "./destination.ts";
import { findKeyUses, readKey, replayOf } from "./idempotency-keys.ts";
import { chooseDomain, findUsableDomains, type LinkDomainsDependencies, requireAllowedName } from "./link-domains.ts";
import { linkReply } from "./link-reply.ts";
import { INSERTED_LINK, type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";

/** Another request with the same keys can interfere only once; further attempts mean a bug. */
const ATTEMPTS = 3;

export interface CreateDependencies extends ResolveDependencies, LinkDomainsDependencies {
  db: Db<"any" | "transaction">;
  publicBaseUrl: string;
  projectLinks: ProjectLinks;
  queueRead: QueuePageRead;
}

export interface CreateRequest {
  /** The link, or why it is invalid. */
  link: NewLink | ApiError;
  /** What makes a retry return the link of the first request. */
  idempotencyKey: string | undefined;
}

export interface Created {
  isNew: boolean;
  link: Link;
  /** The claim token that the first request with the key issued, for a visitor who still has none. */
  claimToken?: string | undefined;
}

type RequestState = Pick<DefaultState, "redisBudget" | "whileWaiting">;

/** @throws ApiError if the link cannot be created */
export async function createRequestedLink(
  app: CreateDependencies,
  creator: Creator,
  request: CreateRequest,
  state: RequestState,
): Promise<Created> {
  const [result] = await createRequestedLinks(app, creator, [request], state);
  if (result === undefined || result instanceof ApiError) throw result ?? new ApiError("internal");
  return result;
}

/**
 * Creates links, or returns those that were created with the same keys, or by the visitor for the same address within ten
 * minutes. The results are in order.
 * @throws ApiError if the budget for visitors' links is used up or requires a proof of work
 */
export async function createRequestedLinks(
  app: CreateDependencies,
  creator: Creator,
  requests: readonly CreateRequest[],
  state: RequestState,
): Promise<(Created | ApiError)[]> {
  const results = requests.map((request) => readRequest(request, creator));
  const items = results.flatMap((item) => (item instanceof ApiError ? [] : item));
  await replayKeys(app, items);
  const settings = await findSettings(app, creator, items);
  if (creator.userId === null && withoutResult(items).length > 0) await creator.takeBudget();
  await resolveShortLinks(app, items, state);
  for (let attempt = 0; withoutResult(items).length > 0 && attempt < ATTEMPTS; attempt++) {
    const areInserted = await insertItems(app, { ...creator, ...settings }, items, state);
    // Another request with the same keys may have created them.
    await replayKeys(app, items);
    if (!areInserted) continue;
    for (const item of withoutResult(items)) item.result = new ApiError("slug-taken");
  }
  return results.map((item) => {
    if (item instanceof ApiError) return item;
    const { result = new ApiError("unavailable") } = item;
    if (result instanceof ApiError) return result;
    const link = linkReply(result.row, app.publicBaseUrl);
    return link.invalid ? new ApiError("unusable-link") : { ...result, link };
  });
}

/** For `catch`: returns what is reported to the client, and throws any other error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

interface Item {
  link: NewLink;
  destination: Destination;
  /** Null: the site's own host. */
  domain: string | null;
  /** As sent. */
  keyText: string | undefined;
  key: IdempotencyKey | null;
  result: { isNew: boolean; row: LinkRow; claimToken?: string | undefined } | ApiError | undefined;
}

const withoutResult = (items: readonly Item[]) => items.filter(({ result }) => result === undefined);

function readRequest(request: CreateRequest, creator: Creator): Item | ApiError {
  const { link, idempotencyKey: keyText } = request;
  if (link instanceof ApiError) return link;
  const isOfUser = link.usesChannelTag === true || (link.channelId ?? link.domain ?? null) !== null;
  // The login of who chose it has ended: without it, the link would lose its tag and its owner.
  if (creator.userId === null && isOfUser) return new ApiError("login-required");
  const destination = parseDestination(link.url);
  if (destination instanceof ApiError) return destination;
  const key = keyText === undefined ? null : readKey(keyText, link, creator);
  return { link, destination, domain: null, keyText, key, result: undefined };
}

/** Adds the results of keys that were used before. */
async function replayKeys({ db }: CreateDependencies, items: readonly Item[]): Promise<void> {
  const keyHashes = withoutResult(items).flatMap(({ key }) => key?.keyHash ?? []);
  if (keyHashes.length === 0) return;
  const uses = new Map((await findKeyUses(db, keyHashes)).map((use) => [use.keyHash, use]));
  for (const item of withoutResult(items)) {
    const { key, keyText = "" } = item;
    const use = key === null ? undefined : uses.get(key.keyHash);
    if (key !== null && use !== undefined) item.result = replayOf(use, key, keyText);
  }
}

/** Looks up the channels, if a link has one or uses its tag, and the domains. Items that name others get an error. */
async function findSettings(
  app: CreateDependencies,
  { userId }: Creator,
  items: readonly Item[],
): Promise<CreatorSettings> {
  const links = withoutResult(items).map(({ link }) => link);
  const settings = { channels: NO_CHANNELS, domain: null };
  if (links.length === 0) return settings;
  const usesChannels = links.some((link) => link.channelId != null || link.usesChannelTag === true);
  if (userId !== null && usesChannels) settings.channels = await findChannelTags(app.db, userId);
  const domains = userId === null ? [] : await findUsableDomains(app, userId);
  for (const item of withoutResult(items)) {
    const { channelId = null, slug, domain } = item.link;
    try {
      item.domain = chooseDomain(domains, domain);
      if (slug !== undefined) requireAllowedName(slug, item.domain);
      if (channelId !== null && !settings.channels.has(channelId)) {
        throw new ApiError("channel-not-found", { field: "channelId" });
      }
    } catch (error) {
      item.result = apiErrorOf(error);
    }
  }
  return settings;
}

/** Resolves at most SHORT_LINKS_CREATE_MAX_COUNT of Amazon's short links. */
async function resolveShortLinks(
  app: CreateDependencies,
  items: readonly Item[],
  { redisBudget, whileWaiting }: RequestState,
): Promise<void> {
  const short = withoutResult(items).filter(({ destination }) => destination.kind === "short");
  for (const item of short.slice(SHORT_LINKS_CREATE_MAX_COUNT)) {
    item.result = new ApiError("too-many-requests", { message: messages.tooManyShortLinks });
  }
  const wanted = withoutResult(short);
  if (wanted.length === 0) return;
  const resolve = async (item: Item) => {
    const resolved = await resolveDestination(app, item.destination, redisBudget).catch(apiErrorOf);
    if (resolved instanceof ApiError) item.result = resolved;
    else item.destination = resolved;
  };
  await whileWaiting(() => Promise.all(wanted.map(resolve)));
}

/**
 * Inserts all items without a result or, if an error is thrown, none. Those whose slug is taken have no result afterwards.
 * @returns false, without inserting any, if another request used one of the keys
 */
async function insertItems(
  app: CreateDependencies,
  creator: Creator & CreatorSettings,
  allItems: readonly Item[],
  { redisBudget }: RequestState,
): Promise<boolean> {
  const items = withoutResult(allItems).flatMap((item) =>
    item.destination.kind === "page" ? [{ item, destination: item.destination }] : [],
  );
  const links = items.map(({ item: { link, domain, key }, destination }) => {
    const { url: _, ...fields } = link;
    return { ...fields, destination, domain, idempotencyKey: key };
  });
  const insert = (db: CreateDependencies["db"]) => createLinks({ ...app, db }, creator, links, INSERTED_LINK);
  try {
    const results = links.length === 1 ? await insert(app.db) : await app.db.transaction(insert);
    for (const [at, { item, destination }] of items.entries()) {
      const result = results[at];
      if (result === undefined || result === "slug-taken") continue;
      item.result = result;
      const { canonicalUrl } = destination.page;
      const { dueAttempt: attempt } = result.row;
      // Only the api knows the address of a visitor. The worker's relay queues the reads of members' links.
      if (creator.userId === null && result.isNew && canonicalUrl !== null && attempt !== null) {
        void app.queueRead({ canonicalUrl, attempt }, { ...creator.requester, userId: null });
      }
    }
    const rows = results.flatMap((each) => (each !== "slug-taken" && each.isNew ? each.row : []));
    if (rows.length > 0) await app.projectLinks(redirectRecords(rows), redisBudget);
    return true;
  } catch (error) {
    const isKeyUsed =
      error instanceof UniqueIntegrityConstraintViolationError && error.constraint === "idempotency_keys_pkey";
    if (isKeyUsed) return false;
    throw error;
  }
}
