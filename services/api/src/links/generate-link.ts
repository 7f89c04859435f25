import { hash } from "node:crypto";
import {
  parseAmazonUrl,
  parseStorePage,
  type StorePage,
} from "@tapthru/proto/rules/amazon/amazon-url";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/deep-link";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import {
  type CommonQueryMethods,
  ForeignKeyIntegrityConstraintViolationError,
  UniqueIntegrityConstraintViolationError,
} from "slonik";
import { ApiError } from "../errors.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import type { QueuePageRead, ReadRequester } from "../metadata/queue-read.ts";
import type { AnonymousBudget } from "./anonymous-budget.ts";
import type { Creator } from "./creator.ts";
import {
  createLink,
  findIdempotencyKeyUse,
  findRecentLink,
  type IdempotencyKey,
  type NewLink,
  storeIdempotencyKey,
} from "./generate-queries.ts";
import { type LinkRow, liveRecord } from "./link-row.ts";
import type { ProjectLink } from "./project-link.ts";
import { randomShortCode } from "./short-code.ts";

/** With a million links one collision has a chance of 1 in 27,000, so five in a row mean a bug. */
const CODE_ATTEMPTS = 5;

/** The canonical URL is ASCII and indexed; Postgres limits the size of index entries. */
const CANONICAL_URL_MAX_BYTES = 2_048;

export interface GenerateDependencies {
  db: CommonQueryMethods;
  publicBaseUrl: string;
  /** Resolves a short link to its store page. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
  anonymousBudget: AnonymousBudget;
  queueRead: QueuePageRead;
  projectLink: ProjectLink;
}

export interface GenerateRequest {
  url: string;
  creator: Creator;
  idempotencyKey: string | undefined;
  /** Decides the priority of the metadata read. */
  requester: ReadRequester;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
  log: Logger;
}

/**
 * Creates a short link, or returns the existing one for a repeated request of the same visitor.
 * @throws ApiError if the URL is not an Amazon shopping page, the idempotency key was used for another request,
 *   or the budget for anonymous links is used up
 */
export async function generateLink(
  deps: GenerateDependencies,
  request: GenerateRequest,
): Promise<{ isNew: boolean; link: LinkRow }> {
  const { creator, budget } = request;
  const pasted = request.url.trim();
  const key = idempotencyKey(request, pasted);
  const address = parseAmazonUrl(pasted);
  if (address.kind === "refused") {
    throw new ApiError(address.code, { message: linkErrorMessage(address) });
  }
  const replayed = key && (await replay(deps.db, key));
  if (replayed) return replayed;
  if (creator.userId === null) {
    await deps.anonymousBudget.take({ log: request.log, redisBudget: budget });
  }
  if (address.kind === "short") {
    const resolved = await request.whileWaiting(() => deps.resolveShortLink(address.url, budget));
    return createOrFind(deps, request, { originalUrl: resolved, page: storePage(resolved), key });
  }
  return createOrFind(deps, request, { originalUrl: pasted, page: address, key });
}

function storePage(resolved: string): StorePage {
  const page = parseStorePage(resolved);
  if (page === null) throw new ApiError("unusable-link");
  return page;
}

async function createOrFind(
  deps: GenerateDependencies,
  { creator, requester, budget }: GenerateRequest,
  { originalUrl, page, key }: { originalUrl: string; page: StorePage; key: IdempotencyKey | null },
): Promise<{ isNew: boolean; link: LinkRow }> {
  const addressHash = sha256(page.webUrl);
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++) {
    const shortCode = randomShortCode();
    try {
      const link = await createLink(deps.db, {
        shortCode,
        originalUrl,
        webUrl: page.webUrl,
        deepLink: buildDeepLink(deps.publicBaseUrl, page.productId, originalUrl),
        page: metadataPage(page),
        creator,
        addressHash,
        idempotencyKey: key,
      });
      if (link) {
        queueMetadataRead(deps, link, metadataPage(page), requester);
        await deps.projectLink(shortCode, liveRecord(link), budget);
        return { isNew: true, link };
      }
      const recent = await findRecentLink(deps.db, { visitorKey: creator.visitorKey, addressHash });
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

async function replay(
  db: CommonQueryMethods,
  key: IdempotencyKey,
): Promise<{ isNew: false; link: LinkRow } | null> {
  const use = await findIdempotencyKeyUse(db, key);
  if (!use) return null;
  if (!use.sameRequest || !use.sameVisitor) {
    throw new ApiError("idempotency-key-reused");
  }
  if (use.takenDown) throw new ApiError("unusable-link");
  return { isNew: false, link: use };
}

function idempotencyKey(request: GenerateRequest, pasted: string): IdempotencyKey | null {
  return request.idempotencyKey === undefined
    ? null
    : {
        keyHash: sha256(request.idempotencyKey),
        visitorKey: request.creator.isNewVisitor ? null : request.creator.visitorKey,
        requestHash: sha256(pasted),
      };
}

/** Queues a metadata read without delaying the response. */
function queueMetadataRead(
  { queueRead }: GenerateDependencies,
  { dueAttempt }: LinkRow,
  page: NewLink["page"],
  requester: ReadRequester,
): void {
  if (page === null || dueAttempt === null) return;
  void queueRead({ canonicalUrl: page.canonicalUrl, attempt: dueAttempt }, requester);
}

function metadataPage(page: StorePage): NewLink["page"] {
  const { canonicalUrl, marketplace, productId } = page;
  if (canonicalUrl === null || canonicalUrl.length > CANONICAL_URL_MAX_BYTES) return null;
  return { canonicalUrl, marketplace, productId };
}

function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
