import type { createLink as CreateLink } from "@tapthru/proto/http/create-links";
import type { GeneratedLink } from "@tapthru/proto/http/generate";
import type { getLink as GetLink } from "@tapthru/proto/http/links";
import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";
import { HttpError } from "../../../lib/http/http-client.ts";
import { LinkGenerationError } from "../link-generation-error.ts";
import { resolveLink } from "./resolve-link.ts";

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
    return await callApi<typeof CreateLink>("POST", "/api/links", {
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
  const own = await callApi<typeof GetLink>("GET", "/api/links/:shortCode", { params });
  const storeUrl = parseAmazonUrl(url).kind === "short" ? await resolveLink(url) : url;
  const isSame =
    own.shortCode === slug && !own.takenDown && own.webUrl === parseStorePage(storeUrl)?.webUrl;
  return isSame ? own : null;
}
