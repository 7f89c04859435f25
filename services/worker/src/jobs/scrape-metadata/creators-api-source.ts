import type { PartnerTags } from "@tapthru/core/platform/config/values";
import { parseJson } from "@tapthru/core/platform/parse-json";
import type { SafeFetch } from "@tapthru/core/platform/safe-fetch/safe-fetch";
import { isAsin } from "@tapthru/proto/rules/amazon/product-id";
import * as z from "zod/mini";
import { cleanMetadata } from "./clean-metadata.ts";
import { outcomeByStatus } from "./read-page/classify.ts";
import { type MetadataSource, type Outcome, type ReadResult, readResultFromError } from "./source.ts";

const HOUR_MS = 60 * 60 * 1_000;
/**
 * The API's license requires that images are linked for at most 24 hours and never stored, and that other content
 * is at most 24 hours old.
 */
const KEEP_FOR_MS = 24 * HOUR_MS;
/** Shorter than the limit, so that failed attempts can be retried in time. */
const FRESH_FOR_MS = 20 * HOUR_MS;
const EXPIRY_MARGIN_MS = 60_000;

/** By region: North America, Europe, Far East. */
const TOKEN_HOSTS = { "3.1": "api.amazon.com", "3.2": "api.amazon.co.uk", "3.3": "api.amazon.co.jp" };

export interface CreatorsCredentials {
  clientId: string;
  clientSecret: string;
  version: keyof typeof TOKEN_HOSTS;
  partnerTags: PartnerTags;
}

const Token = z.object({ access_token: z.string(), expires_in: z.number() });
const Item = z.object({
  asin: z.string(),
  itemInfo: z.optional(z.object({ title: z.optional(z.object({ displayValue: z.string() })) })),
  images: z.optional(z.object({ primary: z.optional(z.object({ large: z.optional(z.object({ url: z.string() })) })) })),
  offersV2: z.optional(
    z.object({
      listings: z.optional(z.array(z.object({ availability: z.optional(z.object({ type: z.string() })) }))),
    }),
  ),
});
const Items = z.object({
  errors: z.optional(z.array(z.object({ code: z.string() }))),
  itemsResult: z.optional(z.object({ items: z.array(Item) })),
});

/** webservices.amazon.com/paapi5/documentation/offersV2.html */
const UNAVAILABLE: ReadonlySet<string> = new Set(["OUT_OF_STOCK", "UNAVAILABLE"]);

interface Dependencies {
  safeFetch: SafeFetch;
  credentials: CreatorsCredentials;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

export function createCreatorsApiSource({ safeFetch, credentials, now = Date.now }: Dependencies): MetadataSource {
  const { clientId, clientSecret, version, partnerTags } = credentials;
  let cached = { token: "", until: Number.NEGATIVE_INFINITY };

  async function post(deadline: AbortSignal, url: string, body: object, headers = {}) {
    const type = "application/json";
    const response = await safeFetch({
      url,
      purpose: "creators-api",
      method: "POST",
      headers: { accept: type, "content-type": type, ...headers },
      body: JSON.stringify(body),
      withBody: true,
      deadline,
    });
    return { status: response.status, json: parseJson(response.body.bytes.toString()) };
  }

  /** Requests a token with the client's credentials, unless one is cached. @returns the result of the read if it was refused */
  async function getToken(signal: AbortSignal): Promise<string | ReadResult> {
    if (now() < cached.until) return cached.token;
    const { status, json } = await post(signal, `https://${TOKEN_HOSTS[version]}/auth/o2/token`, {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      scope: "creatorsapi::default",
    });
    const { success, data } = z.safeParse(Token, json);
    if (status !== 200 || !success) return resultWithoutItem(status);
    cached = { token: data.access_token, until: now() + data.expires_in * 1_000 - EXPIRY_MARGIN_MS };
    return cached.token;
  }

  return {
    name: "creators-api",
    freshForMs: FRESH_FOR_MS,
    keepForMs: KEEP_FOR_MS,
    async read({ marketplace: store, productId }, signal) {
      const partnerTag = partnerTags[store];
      if (partnerTag === undefined || !isAsin(productId)) {
        return { kind: "nothing", outcome: "unsupported", lasting: true };
      }
      try {
        const token = await getToken(signal);
        if (typeof token !== "string") return token;
        const marketplace = `www.amazon.${store}`;
        const resources = ["itemInfo.title", "images.primary.large", "offersV2.listings.availability"];
        const { status, json } = await post(
          signal,
          "https://creatorsapi.amazon/catalog/v1/getItems",
          { itemIds: [productId], itemIdType: "ASIN", marketplace, partnerTag, resources },
          { authorization: `Bearer ${token}`, "x-marketplace": marketplace },
        );
        if (status === 401) cached.until = Number.NEGATIVE_INFINITY;
        return status === 200 ? readItem(json, productId) : resultWithoutItem(status);
      } catch (error) {
        return readResultFromError(error, signal);
      }
    },
  };
}

function readItem(json: unknown, asin: string): ReadResult {
  const { itemsResult, errors = [] } = z.safeParse(Items, json).data ?? {};
  const item = itemsResult?.items.find((item) => item.asin === asin);
  if (item === undefined) return { kind: "nothing", outcome: outcomeOfErrors(errors) };
  const result = cleanMetadata({
    titles: [item.itemInfo?.title?.displayValue],
    images: [item.images?.primary?.large?.url],
  });
  if (result.kind !== "read") return result;
  // Without listings the API does not say whether other sellers have the product.
  const listings = item.offersV2?.listings ?? [];
  const isOutOfStock =
    listings.length > 0 && listings.every(({ availability }) => UNAVAILABLE.has(availability?.type ?? ""));
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

function resultWithoutItem(status: number): ReadResult {
  return { kind: "nothing", outcome: outcomeByStatus(status) ?? "unreadable" };
}
