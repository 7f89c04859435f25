import type { QueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/generate";
import { httpErrorOf } from "../../../lib/http/http-client.ts";
import { type CreatedLink, ensureClaimCookie, LinkGenerationError } from "../api.ts";
import type { NewLinkOptions } from "../new-links.ts";
import { readLink } from "../read-link.ts";
import { createLink, isNetworkRetry, NETWORK_RETRY_DELAY_MS } from "../use-create-link.ts";

export interface BatchEntry {
  /** Position in the batch, counted from 0. */
  position: number;
  /** The address as pasted. */
  address: string;
  idempotencyKey: string;
  options: NewLinkOptions;
}

/** One pasted link and its result. While pending, it has neither a link nor an error. */
export interface BatchLine extends BatchEntry {
  link: CreatedLink | undefined;
  error: Error | null;
  /** Whether there were too many requests. The link is retried later. */
  isThrottled: boolean;
}

export interface LinkBatch {
  lines: readonly BatchLine[];
  /** The created links. */
  links: readonly GeneratedLink[];
  isRunning: boolean;
  /** Number of links of the last paste that exceed the limit. */
  leftOut: number;
  /** Adds links to a running batch, else starts a new one. */
  add(addresses: readonly string[], options: NewLinkOptions): Promise<void>;
  retry(line: BatchLine): void;
  clear(): void;
}

const MAX_THROTTLED_RETRIES = 5;
/** The limits of the api are per minute. */
const MAX_RETRY_AFTER_SECONDS = 60;
const DEFAULT_RETRY_AFTER_SECONDS = 5;

export async function createBatchLink(
  queryClient: QueryClient,
  { address, idempotencyKey, options }: BatchEntry,
): Promise<CreatedLink> {
  const result = readLink(address);
  if (!("url" in result)) throw new LinkGenerationError(result.validationMessage);
  await ensureClaimCookie(queryClient);
  return createLink(result.url, idempotencyKey, options);
}

/** Whether the server refused a link because there were too many requests. */
export function isThrottled(error: Error | null): boolean {
  return httpErrorOf(error)?.status === 429;
}

export function isRetried(failures: number, error: Error): boolean {
  return isThrottled(error)
    ? failures < MAX_THROTTLED_RETRIES && retryAfterSeconds(error) <= MAX_RETRY_AFTER_SECONDS
    : isNetworkRetry(failures, error);
}

export function retryDelay(_failures: number, error: Error): number {
  return isThrottled(error) ? retryAfterSeconds(error) * 1_000 : NETWORK_RETRY_DELAY_MS;
}

function retryAfterSeconds(error: Error): number {
  return httpErrorOf(error)?.retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS;
}
