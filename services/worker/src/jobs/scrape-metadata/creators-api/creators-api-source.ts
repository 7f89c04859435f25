import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { isAsin } from "@tapthru/proto/rules/amazon/product-id";
import * as z from "zod/mini";
import { cleanMetadata } from "../clean-metadata.ts";
import { outcomeByStatus } from "../read-page/classify.ts";
import { type MetadataSource, type Outcome, type ReadResult, readResultFromError } from "../source.ts";
import { type CreatorsCredentials, createTokenCache, type JsonResponse, postJson } from "./creators-token.ts";

const HOUR_MS = 60 * 60 * 1_000;
/**
 * The API's license requires that images are linked for at most 24 hours and never stored, and that other content
 * is at most 24 hours old.
 */
const KEEP_FOR_MS = 24 * HOUR_MS;
/** Shorter than the limit, so that failed attempts can be retried in time. */
const FRESH_FOR_MS = 20 * HOUR_MS;

const Items = z.object({
  errors: z.optional(z.array(z.object({ code: z.string() }))),
  itemsResult: z.optional(
    z.object({
      items: z.array(
        z.object({
          asin: z.string(),
          itemInfo: z.optional(z.object({ title: z.optional(z.object({ displayValue: z.string() })) })),
          offersV2: z.optional(
            z.object({
              listings: z.optional(z.array(z.object({ availability: z.optional(z.object({ type: z.string() })) }))),
            }),
          ),
          images: z.optional(
            z.object({
              primary: z.optional(z.object({ large: z.optional(z.object({ url: z.string() })) })),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** webservices.amazon.com/paapi5/documentation/offersV2.html */
const UNAVAILABLE: ReadonlySet<string> = new Set(["OUT_OF_STOCK", "UNAVAILABLE"]);

interface Dependencies {
  safeFetch: SafeFetch;
  credentials: CreatorsCredentials;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Queries Amazon's Creators API for products of the stores with a configured tag. */
export function createCreatorsApiSource({ safeFetch, credentials, now = Date.now }: Dependencies): MetadataSource {
  const tokens = createTokenCache(safeFetch, credentials, now);
  return {
    name: "creators-api",
    freshForMs: FRESH_FOR_MS,
    keepForMs: KEEP_FOR_MS,
    async read({ marketplace, productId }, signal) {
      const partnerTag = credentials.partnerTags[marketplace];
      if (partnerTag === undefined || !isAsin(productId)) {
        return { kind: "nothing", outcome: "unsupported", lasting: true };
      }
      try {
        const tokenResult = await tokens.get(signal);
        if ("refusal" in tokenResult) return resultWithoutItem(tokenResult.refusal);
        const response = await postJson(safeFetch, signal, {
          url: "https://creatorsapi.amazon/catalog/v1/getItems",
          headers: {
            authorization: `Bearer ${tokenResult.token}`,
            "x-marketplace": `www.amazon.${marketplace}`,
          },
          body: {
            itemIds: [productId],
            itemIdType: "ASIN",
            marketplace: `www.amazon.${marketplace}`,
            partnerTag,
            resources: ["itemInfo.title", "images.primary.large", "offersV2.listings.availability"],
          },
        });
        if (response.status === 401) tokens.clear();
        return readItem(response, productId);
      } catch (error) {
        return readResultFromError(error, signal);
      }
    },
  };
}

function readItem(response: JsonResponse, asin: string): ReadResult {
  const { success, data } = z.safeParse(Items, response.json);
  if (response.status !== 200 || !success) return resultWithoutItem(response);
  const { itemsResult, errors = [] } = data;
  const item = itemsResult?.items.find((item) => item.asin === asin);
  if (item === undefined) return { kind: "nothing", outcome: outcomeOfErrors(errors) };
  const result = cleanMetadata({
    titles: [item.itemInfo?.title?.displayValue],
    images: [item.images?.primary?.large?.url],
  });
  const isOutOfStock = hasOnlyUnavailable(item.offersV2?.listings ?? []);
  if (result.kind !== "read") return result;
  return { ...result, asin, ...(isOutOfStock && { state: "out-of-stock" }) };
}

/**
 * The API names an ASIN that does not exist invalid; the ASIN of a link has the form of one. It says of some products that
 * exist that they are not accessible.
 * webservices.amazon.com/paapi5/documentation/troubleshooting/error-messages.html
 */
function outcomeOfErrors(errors: readonly { code: string }[]): Outcome {
  if (errors.some(({ code }) => code === "ItemNotAccessible")) return "unsupported";
  return errors.some(({ code }) => code === "InvalidParameterValue") ? "gone" : "unreadable";
}

/** Without listings the API does not say whether other sellers have the product. */
function hasOnlyUnavailable(listings: readonly { availability?: { type: string } | undefined }[]): boolean {
  return listings.length > 0 && listings.every(({ availability }) => UNAVAILABLE.has(availability?.type ?? ""));
}

function resultWithoutItem({ status }: JsonResponse): ReadResult {
  return { kind: "nothing", outcome: outcomeByStatus(status) ?? "unreadable" };
}
