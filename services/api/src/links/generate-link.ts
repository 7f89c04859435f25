import { createHash } from "node:crypto";
import { isStorePage, parseAmazonUrl, type StorePage } from "@tapthru/proto/rules/amazon-url";
import { buildDeepLink } from "@tapthru/proto/rules/deep-link";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import type { Logger } from "@tapthru/runtime/logger";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import { type CommonQueryMethods, UniqueIntegrityConstraintViolationError } from "slonik";
import { ApiError } from "../errors.ts";
import type { QueuePageRead, Reader } from "../metadata/queue-read.ts";
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
import type { Project } from "./project.ts";
import { randomShortCode } from "./short-code.ts";

/** Chance of one collision at a million links is 1 in 27,000: five in a row mean something is wrong. */
const CODE_ATTEMPTS = 5;

/** Of the key of a page, which is ASCII; Postgres takes no longer one. */
const CANONICAL_URL_MAX_BYTES = 2_048;

export interface GenerateNeeds {
  db: CommonQueryMethods;
  publicBaseUrl: string;
  /** The store page a short link leads to. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
  anonymousBudget: AnonymousBudget;
  queueRead: QueuePageRead;
  project: Project;
}

export interface GenerateRequest {
  url: string;
  maker: Creator;
  idempotencyKey: string | undefined;
  /** For whom the page is read later. */
  reader: Reader;
  budget: RedisBudget;
  log: Logger;
}

/**
 * Makes a short link of an Amazon address, or finds the one that this request, or one like it of the
 * same visitor, has made before.
 * @throws ApiError for addresses that are none of Amazon's shopping pages, misused keys, and visitors
 *   without an account once their common budget is spent
 */
export async function generateLink(
  needs: GenerateNeeds,
  request: GenerateRequest,
): Promise<{ isNew: boolean; link: LinkRow }> {
  const { maker, budget } = request;
  const pasted = request.url.trim();
  const key = idempotencyKey(request, pasted);
  const address = parseAmazonUrl(pasted);
  if (address.kind === "refused") {
    throw new ApiError(address.code, { message: linkErrorMessage(address) });
  }
  if (maker.userId === null) {
    await needs.anonymousBudget.take({ log: request.log, redisBudget: budget });
  }
  if (address.kind === "short") {
    const replayed = key && (await replay(needs.db, key));
    if (replayed) return replayed;
    const resolved = await needs.resolveShortLink(address.url, budget);
    return insertOrFind(needs, request, { originalUrl: resolved, page: storePage(resolved), key });
  }
  return insertOrFind(needs, request, { originalUrl: pasted, page: address, key });
}

function storePage(resolved: string): StorePage {
  const address = parseAmazonUrl(resolved);
  if (isStorePage(address)) return address;
  throw new ApiError("unusable-link");
}

async function insertOrFind(
  needs: GenerateNeeds,
  { maker, reader, budget }: GenerateRequest,
  { originalUrl, page, key }: { originalUrl: string; page: StorePage; key: IdempotencyKey | null },
): Promise<{ isNew: boolean; link: LinkRow }> {
  const addressHash = sha256(page.webUrl);
  for (let attempt = 0; attempt < CODE_ATTEMPTS; attempt++) {
    const shortCode = randomShortCode();
    try {
      const link = await createLink(needs.db, {
        shortCode,
        originalUrl,
        webUrl: page.webUrl,
        deepLink: buildDeepLink(needs.publicBaseUrl, page.productId, originalUrl),
        page: metadataPage(page),
        maker,
        addressHash,
        idempotencyKey: key,
      });
      if (link) {
        readPage(needs, link, metadataPage(page), reader);
        await needs.project(shortCode, liveRecord(link), budget);
        return { isNew: true, link };
      }
      const recent = await findRecentLink(needs.db, { visitorKey: maker.visitorKey, addressHash });
      if (recent) {
        if (key) await storeIdempotencyKey(needs.db, key, recent.shortCode);
        return { isNew: false, link: recent };
      }
    } catch (error) {
      if (!(error instanceof UniqueIntegrityConstraintViolationError)) throw error;
      const replayed = key && (await replay(needs.db, key));
      if (replayed) return replayed;
    }
  }
  throw new Error(`No free short code in ${CODE_ATTEMPTS} attempts`);
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
        visitorKey: request.maker.isNewVisitor ? null : request.maker.visitorKey,
        requestHash: sha256(pasted),
      };
}

/** The answer does not wait for it. */
function readPage(
  { queueRead }: GenerateNeeds,
  { dueAttempt }: LinkRow,
  page: NewLink["page"],
  reader: Reader,
): void {
  if (page === null || dueAttempt === null) return;
  void queueRead({ canonicalUrl: page.canonicalUrl, attempt: dueAttempt }, reader);
}

function metadataPage(page: StorePage): NewLink["page"] {
  const { canonicalUrl, marketplace, productId } = page;
  if (canonicalUrl === null || canonicalUrl.length > CANONICAL_URL_MAX_BYTES) return null;
  return { canonicalUrl, marketplace, productId };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
