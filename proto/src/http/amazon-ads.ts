import * as z from "zod/mini";
import { ADS_REGIONS } from "../rules/ads-regions.ts";
import type { Call } from "./call.ts";

const region = z.enum(ADS_REGIONS);

/** What an Amazon Ads account may do its advertising as. */
export const AdsProfile = z.object({
  /** Digits, more than a number can hold. */
  id: z.string(),
  name: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2. */
  countryCode: z.string(),
});
export type AdsProfile = z.infer<typeof AdsProfile>;

/** What is known of a connection, without its secrets. */
export const AmazonAdsConnection = z.object({
  region,
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  profiles: z.array(AdsProfile),
  connectedAt: z.iso.datetime(),
  /** Amazon no longer accepts it, as when its user took the consent back there. */
  hasEnded: z.boolean(),
});
export type AmazonAdsConnection = z.infer<typeof AmazonAdsConnection>;

/** The page of Amazon's where the user consents; 503 where this server is no client of Amazon's. */
export const getAmazonAdsAuthUrl = {
  method: "GET",
  path: "/api/amazon-ads/auth-url",
  query: z.object({ region: z._default(region, "na") }),
  replies: { 200: z.object({ url: z.string() }) },
} as const satisfies Call;

/** One value of a query, however it was written. */
const parameter = z.catch(z.optional(z.string().check(z.maxLength(2_048))), undefined);

/** Where Amazon sends the browser back to; it always leads to /amazon-ads-auth?result=. */
export const finishAmazonAdsConnection = {
  method: "GET",
  path: "/api/amazon-ads/callback",
  query: z.object({ state: parameter, code: parameter, error: parameter }),
  replies: { 302: z.object({}) },
} as const satisfies Call;

/** How an attempt to connect came out, as /amazon-ads-auth is told. */
export type AmazonAdsResult = "connected" | "denied" | "failed";

/** The user's own connection, null where there is none. */
export const getAmazonAdsConnection = {
  method: "GET",
  path: "/api/amazon-ads/connection",
  replies: { 200: z.object({ connection: z.nullable(AmazonAdsConnection) }) },
} as const satisfies Call;

/** Erases the connection, if there is one. */
export const deleteAmazonAdsConnection = {
  method: "DELETE",
  path: "/api/amazon-ads/connection",
  replies: { 200: z.object({}) },
} as const satisfies Call;
