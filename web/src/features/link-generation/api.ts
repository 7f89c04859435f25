import type { QueryClient } from "@tanstack/react-query";
import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { authHeaders, keepLink } from "../../lib/api-auth.ts";
import { callApi, callApiForReply } from "../../lib/http/call-api.ts";
import { HttpError } from "../../lib/http/http-client.ts";

interface Options {
  /**
   * The same for every attempt to create a link from one pasted text, so that a lost response does not create a second
   * link.
   */
  idempotencyKey: string;
  signal?: AbortSignal;
}

export interface CreatedLink extends GeneratedLink {
  /** Whether it was created before, for an earlier request. */
  isExisting?: boolean;
}

export async function generate(
  url: string,
  { idempotencyKey, signal }: Options,
): Promise<CreatedLink> {
  try {
    const identity = await authHeaders();
    const { status, body: link } = await callApiForReply("POST", "/api/generate", {
      body: { url },
      headers: { "Idempotency-Key": idempotencyKey, ...identity },
      signal,
    });
    if (!identity.Authorization) void keepLink(link);
    return { ...link, isExisting: status === 200 };
  } catch (cause) {
    const message =
      cause instanceof HttpError ? messages.serverError(cause.text) : messages.failedToGenerateLink;
    throw new LinkGenerationError(message, { cause });
  }
}

/** Resolves a short Amazon link to the store page it leads to. */
export async function resolveLink(url: string): Promise<string> {
  try {
    const body = { url };
    return (await callApi("POST", "/api/resolve-link", { body })).resolvedUrl;
  } catch (cause) {
    throw new LinkGenerationError(messages.failedToProcessShortLink, { cause });
  }
}

interface NamedLink {
  url: string;
  slug: string;
}

/**
 * Creates a link with a short code of the user's choice. The api resolves short Amazon links. If the code is that of the user's
 * own link to the same page, returns that link: it was created by a request whose response was lost.
 */
export async function createNamedLink(
  body: NamedLink,
  idempotencyKey: string,
): Promise<GeneratedLink> {
  try {
    return await callApi("POST", "/api/links", {
      body,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  } catch (cause) {
    const isTaken = cause instanceof HttpError && cause.code === "slug-taken";
    const same = isTaken ? await findSameLink(body).catch(() => null) : null;
    if (same !== null) return same;
    const message =
      cause instanceof HttpError ? messages.serverError(cause.text) : messages.failedToGenerateLink;
    throw new LinkGenerationError(message, { cause });
  }
}

/** @returns the user's link with this code, if it leads to the same page @throws HttpError if the user has no such link */
async function findSameLink({ url, slug }: NamedLink): Promise<GeneratedLink | null> {
  const params = { shortCode: slug };
  const own = await callApi("GET", "/api/links/:shortCode", { params });
  const storeUrl = parseAmazonUrl(url).kind === "short" ? await resolveLink(url) : url;
  const isSame =
    own.shortCode === slug && !own.takenDown && own.webUrl === parseStorePage(storeUrl)?.webUrl;
  return isSame ? own : null;
}

const path = "/api/visitor";

/**
 * Requests the claim cookie once, before the first link is created. The guest can then claim the link even if the
 * response that creates it is lost. HTTP errors are ignored, so that they do not prevent creating the link.
 */
export async function ensureClaimCookie(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.ensureQueryData({ queryKey: [path], gcTime: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}

/** Its message is displayed to the user. */
export class LinkGenerationError extends Error {
  override name = "LinkGenerationError";
}
