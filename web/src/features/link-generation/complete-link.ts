import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { isStorePage, parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { generate } from "./api/generate.ts";
import { getMetadata } from "./api/metadata.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";

export function isBare({ imageUrl, title }: Pick<GeneratedLink, "imageUrl" | "title">): boolean {
  return !imageUrl && !title;
}

/** Asks for the metadata of a bare link; if there is some, generation is run once more. */
export async function completeLink(
  link: GeneratedLink,
  signal: AbortSignal,
): Promise<GeneratedLink | null> {
  const page = parseAmazonUrl(link.originalUrl);
  const productId = new URL(link.deepLink).searchParams.get("product_id");
  if (!productId || !isStorePage(page)) return null;

  const found = await getMetadata({ productId, marketplace: page.marketplace }, signal);
  if (isBare(found)) return null;
  return generate(link.originalUrl, { idempotencyKey: newIdempotencyKey(), signal });
}
