import { hash } from "node:crypto";
import {
  type ChannelChoice,
  type ChannelTags,
  findChannelTags,
  NO_CHANNELS,
  newLinkAddresses,
} from "@tapthru/core/links/channel-tags";
import { type IdempotencyKey, insertLink } from "@tapthru/core/links/insert-links";
import type { LinkAddresses } from "@tapthru/core/links/link-addresses";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { createSealer, type Sealer } from "@tapthru/core/platform/sealer";
import {
  type CommonQueryMethods,
  ForeignKeyIntegrityConstraintViolationError,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import { chooseDomain, findUsableDomains } from "../domains/link-domains.ts";
import { ApiError } from "../errors.ts";
import type { CountedRequest } from "../http/request-counter.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import type { QueuePageRead, ReadRequester } from "../metadata/queue-read.ts";
import type { AnonymousBudget } from "./anonymous-budget.ts";
import { type Creator, idempotencyKeyHash } from "./creator.ts";
import { parseDestination, type ResolveDependencies, resolveDestination } from "./destination.ts";
import { findIdempotencyKeyUse, findRecentLink, storeIdempotencyKey } from "./generate-queries.ts";
import { INSERTED_LINK, type LinkRow, redirectRecords } from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";

/** With a million links one collision has a chance of 1 in 27,000, so five in a row mean a bug. */
const CODE_ATTEMPTS = 5;

export interface GenerateDependencies extends ResolveDependencies {
  db: CommonQueryMethods;
  publicBaseUrl: string;
  hasDomains: boolean;
  anonymousBudget: AnonymousBudget;
  queueRead: QueuePageRead;
  projectLinks: ProjectLinks;
}

/** The channel is for users. */
export interface GenerateRequest extends ChannelChoice {
  url: string;
  /** Null: the site's own host; undefined: the user's default. */
  domain?: string | null | undefined;
  creator: Creator;
  idempotencyKey: string | undefined;
  /** Whom the metadata read of a visitor's link counts for. */
  requester: Omit<ReadRequester, "userId">;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
  countedRequest: CountedRequest;
  /** Whether the request has a proof of work; it is then used up. */
  acceptProof(): Promise<boolean>;
}

export interface GenerateResult {
  isNew: boolean;
  link: LinkRow;
  /** The claim token that the first request with the key issued, for a visitor who still has none. */
  claimToken?: string;
}

/** The idempotency key of a request, and what encrypts with it. */
interface RequestKey extends IdempotencyKey {
  sealer: Sealer;
}

/** What the encrypted texts belong to. */
const SEAL_OWNER = "claim token";

/**
 * Creates a short link, or returns the existing one for a repeated request: one with the same idempotency key, or of a visitor
 * without an account for the same address within ten minutes.
 * @throws ApiError if the URL is not an Amazon shopping page, the idempotency key was used for another request,
 *   or the budget for anonymous links is used up or requires a proof of work
 */
export async function generateLink(
  deps: GenerateDependencies,
  request: GenerateRequest,
): Promise<GenerateResult> {
  const { creator, budget } = request;
  const key = requestKey(request);
  const destination = parseDestination(request.url);
  if (destination instanceof ApiError) throw destination;
  const replayed = key && (await replay(deps.db, key));
  if (replayed) return replayed;
  const domains = creator.userId === null ? [] : await findUsableDomains(deps, creator.userId);
  const domain = chooseDomain(domains, request.domain);
  const channels = await findChannels(deps, request);
  if (creator.userId === null) {
    await deps.anonymousBudget.take(request.countedRequest, request.acceptProof);
  }
  const page =
    destination.kind === "page"
      ? destination
      : await request.whileWaiting(() => resolveDestination(deps, destination, budget));
  const addresses = newLinkAddresses(deps.publicBaseUrl, page, request, channels);
  return createOrFind(deps, { ...request, domain }, addresses, key);
}

/** @throws ApiError if the request names a channel that is not the user's */
async function findChannels(
  { db }: Pick<GenerateDependencies, "db">,
  { creator: { userId }, channelId = null, usesChannelTag = false }: GenerateRequest,
): Promise<ChannelTags> {
  const areNeeded = userId !== null && (channelId !== null || usesChannelTag);
  const channels = areNeeded ? await findChannelTags(db, userId) : NO_CHANNELS;
  if (channelId !== null && !channels.has(channelId)) {
    throw new ApiError("channel-not-found", { field: "channelId" });
  }
  return channels;
}

async function createOrFind(
  deps: GenerateDependencies,
  { creator, domain, requester, budget }: GenerateRequest,
  addresses: ReturnType<typeof newLinkAddresses>,
  key: RequestKey | null,
): Promise<GenerateResult> {
  const { userId, visitorKey } = creator;
  const visitor = { userId: null, visitorKey, addressHash: sha256(addresses.webUrl) };
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++) {
    try {
      const link = await insertLink(
        deps.db,
        userId === null ? visitor : { userId },
        { ...addresses, domain, idempotencyKey: key },
        INSERTED_LINK,
      );
      if (link) {
        if (userId === null) queueMetadataRead(deps, link, addresses.page, requester);
        await deps.projectLinks(redirectRecords([link]), budget);
        return { isNew: true, link };
      }
      const recent = await findRecentLink(deps.db, visitor);
      if (recent) {
        if (key) await storeIdempotencyKey(deps.db, key, recent.shortCode);
        return { isNew: false, link: recent };
      }
    } catch (error) {
      if (isRecentLinkDeleted(error)) continue;
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
      const replayed = key && (await replay(deps.db, key));
      if (replayed) return replayed;
    }
  }
  throw new Error(`No free short code in ${CODE_ATTEMPTS} attempts`);
}

/** The recent link was deleted before its key was stored. */
function isRecentLinkDeleted(error: unknown): boolean {
  return (
    error instanceof ForeignKeyIntegrityConstraintViolationError &&
    error.constraint === "idempotency_keys_short_code_fkey"
  );
}

async function replay(db: CommonQueryMethods, key: RequestKey): Promise<GenerateResult | null> {
  const use = await findIdempotencyKeyUse(db, key);
  if (!use) return null;
  if (!use.sameRequest || !use.sameVisitor) {
    throw new ApiError("idempotency-key-reused");
  }
  if (use.takenDown) throw new ApiError("unusable-link");
  const { claimSeal } = use;
  if (key.visitorKey !== null || claimSeal === null) return { isNew: false, link: use };
  return { isNew: false, link: use, claimToken: key.sealer.open(claimSeal, SEAL_OWNER) };
}

function requestKey(request: GenerateRequest): RequestKey | null {
  const { idempotencyKey, creator } = request;
  if (idempotencyKey === undefined) return null;
  const { visitorKey, newClaimToken } = creator;
  const sealer = createSealer([idempotencyKey]);
  return {
    keyHash: idempotencyKeyHash(idempotencyKey, creator.userId),
    visitorKey: newClaimToken === null ? visitorKey : null,
    requestHash: sha256(requestText(request)),
    claimSeal: newClaimToken && sealer.seal(newClaimToken, SEAL_OWNER),
    sealer,
  };
}

function requestText({ url, domain, channelId, usesChannelTag }: GenerateRequest): string {
  return JSON.stringify({ url: url.trim(), domain, channelId, usesChannelTag });
}

/**
 * Queues the metadata read of a visitor's link without delaying the response, because only the api knows their address. The
 * worker's relay queues those of members' links.
 */
function queueMetadataRead(
  { queueRead }: GenerateDependencies,
  { dueAttempt }: LinkRow,
  page: LinkAddresses["page"],
  requester: GenerateRequest["requester"],
): void {
  if (page === null || dueAttempt === null) return;
  void queueRead(
    { canonicalUrl: page.canonicalUrl, attempt: dueAttempt },
    { ...requester, userId: null },
  );
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
