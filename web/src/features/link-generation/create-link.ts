import { parseAmazonUrl, parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { messages } from "@tapthru/proto/rules/messages";
import { type CreatedLink, generate } from "./api/generate.ts";
import { resolveLink } from "./api/resolve-link.ts";
import { LinkGenerationError } from "./link-generation-error.ts";

/** Creates a short link from an Amazon link. Resolves short Amazon links first. */
export async function createLink(url: string, idempotencyKey: string): Promise<CreatedLink> {
  const storeUrl = parseAmazonUrl(url).kind === "short" ? await resolveToStore(url) : url;
  return generate(storeUrl, { idempotencyKey });
}

async function resolveToStore(shortUrl: string): Promise<string> {
  const resolvedUrl = await resolveLink(shortUrl);
  if (parseStorePage(resolvedUrl) === null) {
    throw new LinkGenerationError(messages.invalidAmazonUrl);
  }
  return resolvedUrl;
}
