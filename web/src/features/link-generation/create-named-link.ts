import type { GeneratedLink } from "@tapthru/proto/generate";
import { shortCodeOf } from "@tapthru/proto/redirect/short-code";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import type { ChannelChoice } from "../../components/channel-fields.tsx";
import { callApi } from "../../lib/http/call-api.ts";
import { HttpError } from "../../lib/http/http-client.ts";
import { LinkGenerationError, resolveLink } from "./api.ts";

interface NamedLink extends Partial<ChannelChoice> {
  url: string;
  slug: string;
  domain?: string | null | undefined;
}

/**
 * Creates a link with a short code of the user's choice. The api resolves short Amazon links. If the code is that of the user's
 * own link to the same page, returns that link: it was created by a request whose response was lost.
 */
export async function createNamedLink(body: NamedLink, idempotencyKey: string): Promise<GeneratedLink> {
  try {
    return await callApi("POST", "/api/links", {
      body,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  } catch (cause) {
    const isTaken = cause instanceof HttpError && cause.code === "slug-taken";
    const same = isTaken ? await findSameLink(body).catch(() => null) : null;
    if (same !== null) return same;
    const message = cause instanceof HttpError ? `Server error: ${cause.text}` : "Failed to generate link";
    throw new LinkGenerationError(message, { cause });
  }
}

/** @returns the user's link with this code, if it leads to the same page @throws HttpError if the user has no such link */
async function findSameLink({ url, slug, domain = null }: NamedLink): Promise<GeneratedLink | null> {
  const shortCode = shortCodeOf(slug, domain);
  const params = { shortCode };
  const own = await callApi("GET", "/api/links/:shortCode", { params });
  const storeUrl = parseAmazonUrl(url).kind === "short" ? await resolveLink(url) : url;
  const isSame = own.shortCode === shortCode && !own.takenDown && own.webUrl === parseStorePage(storeUrl)?.webUrl;
  return isSame ? own : null;
}
