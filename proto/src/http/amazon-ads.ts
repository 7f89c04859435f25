import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** A connection without its secrets. */
export const AmazonAdsConnection = z.object({
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  connectedAt: z.iso.datetime(),
});
export type AmazonAdsConnection = z.infer<typeof AmazonAdsConnection>;

/** The address of Amazon's consent page. 503: this server has no client id at Amazon. */
export const getAmazonAdsAuthUrl = {
  method: "GET",
  path: "/api/amazon-ads/auth-url",
  access: "session",
  replies: { 200: z.object({ url: z.string() }) },
} as const satisfies Call;

/** A query parameter. If it is repeated, one of its values is used. */
const parameter = z.catch(z.optional(z.string().check(z.maxLength(2_048))), undefined);

/** Amazon redirects the browser to this call, which always redirects it to /amazon-ads-auth?result=. */
export const finishAmazonAdsConnection = {
  method: "GET",
  path: "/api/amazon-ads/callback",
  query: z.object({ state: parameter, code: parameter, error: parameter }),
  replies: { 302: z.object({}) },
} as const satisfies Call;

/** The result of an attempt to connect, as in the query of /amazon-ads-auth. */
export type AmazonAdsResult = "connected" | "denied" | "failed";

/** The user's connection; null if there is none. */
export const getAmazonAdsConnection = {
  method: "GET",
  path: "/api/amazon-ads/connection",
  access: "session",
  replies: { 200: z.object({ connection: z.nullable(AmazonAdsConnection) }) },
} as const satisfies Call;

/** Deletes the connection if there is one. */
export const deleteAmazonAdsConnection = {
  method: "DELETE",
  path: "/api/amazon-ads/connection",
  access: "session",
  replies: { 200: z.object({}) },
} as const satisfies Call;
