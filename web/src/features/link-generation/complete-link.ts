import type { GeneratedLink } from "@tapthru/proto/http/generate";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { getMetadata } from "../../lib/get-metadata.ts";
import { generate } from "./api/generate.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";

export function isMissingMetadata({
  imageUrl,
  title,
}: Pick<GeneratedLink, "imageUrl" | "title">): boolean {
  return !imageUrl && !title;
}

/** Requests the metadata of a link by the product id of its deep link. */
export async function requestMetadata(
  { originalUrl, deepLink }: GeneratedLink,
  signal: AbortSignal,
) {
  const page = parseStorePage(originalUrl);
  const productId = new URL(deepLink).searchParams.get("product_id");
  if (!productId || page === null) return null;
  return getMetadata({ productId, marketplace: page.marketplace }, signal);
}

/** Requests the metadata of an incomplete link. If there is any, generates the link again. */
export async function completeLink(
  link: GeneratedLink,
  signal: AbortSignal,
): Promise<GeneratedLink | null> {
  const metadata = await requestMetadata(link, signal);
  if (!metadata || isMissingMetadata(metadata)) return null;
  return generate(link.originalUrl, { idempotencyKey: newIdempotencyKey(), signal });
}
