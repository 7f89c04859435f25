import type { QueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/generate";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { shortLinkFailed, unusableLink } from "@tapthru/proto/rules/link-errors";
import { authHeaders, keepLink } from "../../../lib/api-auth.ts";
import { callApi, callApiForReply } from "../../../lib/http/call-api.ts";
import { errorText, HttpError, isNetworkFailure, NetworkError, unlessOffline } from "../../../lib/http/http-client.ts";
import { MAX_THROTTLED_RETRIES, waitSeconds } from "../../../lib/http/too-many-requests.ts";
import type { ChannelChoice } from "../../channels/index.ts";
import { readLink } from "./read-link.ts";

/** The choices of the user when they added the link; undefined: their defaults. */
export interface NewLinkOptions {
  domain?: string | null | undefined;
  channel?: ChannelChoice | undefined;
  slug?: string | undefined;
  expiresAt?: string | undefined;
  /** Chosen earlier in this browser, as stored: the channel of a user, or the tags of a guest. */
  stored: { channels: string | null; tags: string | null };
}

export interface NewLink {
  /** As pasted. */
  address: string;
  options: NewLinkOptions;
  /** The same for every attempt, so that a lost response does not create a second link. */
  idempotencyKey: string;
}

export interface CreatedLink extends GeneratedLink {
  /** That was chosen. Null: the default one. */
  channelId: number | null;
  /** True if an earlier request created it. */
  isExisting: boolean;
  /** True if it was to get the tag of a channel that has none for this store. */
  lacksChannelTag: boolean;
}

/** @throws LinkCreationError, whose message is displayed to the user */
export async function createLink(queryClient: QueryClient, newLink: NewLink): Promise<CreatedLink> {
  const { address, options, idempotencyKey } = newLink;
  const found = readLink(address);
  if (!("url" in found)) throw new LinkCreationError(found.validationMessage);
  try {
    await ensureClaimCookie(queryClient);
    const storeUrl = await resolveShortLink(found.url);
    // Waits for the session, which the channels need.
    const identity = await authHeaders();
    const isMember = identity !== null;
    const { url, channel } = await withTag(queryClient, storeUrl, options, isMember);
    const { domain, slug, expiresAt } = options;
    const hasFields = slug !== undefined || expiresAt !== undefined;
    const { status, body: link } = await callApiForReply(hasFields ? "POST /api/links" : "POST /api/generate", {
      body: { url, domain, ...channel, ...(hasFields && { slug, expiresAt }) },
      headers: { "Idempotency-Key": idempotencyKey, ...identity },
    });
    if (!isMember) void keepLink(link);
    const lacksChannelTag = channel?.usesChannelTag === true && isUntagged(link.originalUrl);
    return { ...link, channelId: channel?.channelId ?? null, isExisting: status === 200, lacksChannelTag };
  } catch (cause) {
    if (cause instanceof LinkCreationError) throw cause;
    const failed = cause instanceof HttpError ? `Server error: ${cause.text}` : "Failed to generate link";
    const message = cause instanceof HttpError && cause.status === 403 ? errorText(cause, failed) : failed;
    throw new LinkCreationError(message, { cause });
  }
}

/** The channel of a user's link, or the address with the tag that a guest entered for its store. */
async function withTag(queryClient: QueryClient, url: string, options: NewLinkOptions, isMember: boolean) {
  const { channel, stored } = options;
  if (channel || (!isMember && stored.tags === null)) return { url, channel };
  // Not in the first script.
  const { addStoredTag, findUsualChannel } = await import("./remembered.ts").catch((cause) => {
    throw new NetworkError("Failed to load the choices", { cause });
  });
  if (!isMember) return { url: addStoredTag(url, stored.tags), channel };
  return { url, channel: await findUsualChannel(queryClient, stored.channels) };
}

function isUntagged(url: string): boolean {
  const page = parseStorePage(url);
  return page !== null && tagHealth(page).kind === "none";
}

async function resolveShortLink(url: string): Promise<string> {
  if (parseAmazonUrl(url).kind !== "short") return url;
  const { resolvedUrl } = await callApi("POST /api/resolve-link", { body: { url } }).catch((cause) => {
    throw new LinkCreationError(shortLinkFailed.message, { cause });
  });
  if (parseStorePage(resolvedUrl) === null) throw new LinkCreationError(unusableLink.message);
  return resolvedUrl;
}

/**
 * Requests the claim cookie once, before the first link is created. The guest can then claim the link even if the
 * response that creates it is lost. HTTP errors are ignored, so that they do not prevent creating the link.
 */
async function ensureClaimCookie(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.ensureQueryData({ queryKey: ["/api/visitor"], gcTime: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

/** Its message is displayed to the user. Without a cause, another attempt would fail in the same way. */
class LinkCreationError extends Error {
  override name = "LinkCreationError";
}

/** Where the error stays: a link that could not be sent says so. */
export function lastingMessage(error: Error): string {
  return isNetworkFailure(error) ? unlessOffline(error.message) : error.message;
}

const NETWORK_RETRIES = 2;
const NETWORK_RETRY_DELAY_MS = 1_000;

export function isRetried(failures: number, error: Error): boolean {
  if (waitSeconds(error) !== null) return failures < MAX_THROTTLED_RETRIES;
  return isNetworkFailure(error) && failures < NETWORK_RETRIES;
}

export function retryDelay(_failures: number, error: Error): number {
  const seconds = waitSeconds(error);
  return seconds === null ? NETWORK_RETRY_DELAY_MS : seconds * 1_000;
}
