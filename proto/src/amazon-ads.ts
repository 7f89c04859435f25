import * as z from "zod/mini";
import { resource } from "./call.ts";
import { EXAMPLE_BASE_URL } from "./example-values.ts";
import { inputs } from "./fields.ts";
import { error } from "./rules/error.ts";

export const AmazonAdsConnection = z.object({
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  connectedAt: z.iso.datetime(),
});
export type AmazonAdsConnection = z.infer<typeof AmazonAdsConnection>;

export const notConfigured = error("not-configured", 503, "Amazon Ads is not set up on this server.");

const amazonAds = resource("Amazon Ads", { reads: "session", writes: "session" });

export const getAmazonAdsAuthUrl = amazonAds.get("/api/amazon-ads/auth-url", {
  needsConfirmedEmail: true,
  summary: "Start a connection",
  description: "Returns the address of Amazon's consent page.",
  replies: { 200: z.object({ url: z.string() }) },
  errors: [notConfigured],
});

/** A query parameter. If it is repeated, one of its values is used. */
const parameter = z
  .catch(z.optional(z.string().check(z.maxLength(2_048))), undefined)
  .register(inputs, { as: { type: "string" } });

export const finishAmazonAdsConnection = amazonAds.get("/api/amazon-ads/callback", {
  summary: "Finish a connection",
  description:
    "Amazon redirects the browser to this address, which always redirects it to the page that shows the result.",
  access: null,
  credentials: [[], ["session"]],
  query: z.object({ state: parameter, code: parameter, error: parameter }),
  replies: { 302: z.object({}) },
  replyHeaders: {
    Location: {
      description: "The page with the result: connected, denied or failed.",
      example: `${EXAMPLE_BASE_URL}/amazon-ads-auth?result=connected`,
    },
  },
});

export const getAmazonAdsConnection = amazonAds.get("/api/amazon-ads/connection", {
  summary: "Get the connection",
  description: "Null if there is none.",
  replies: { 200: z.object({ connection: z.nullable(AmazonAdsConnection) }) },
});

export const deleteAmazonAdsConnection = amazonAds.delete("/api/amazon-ads/connection", {
  summary: "Delete the connection",
  description: "Also succeeds if there is none.",
  replies: { 200: z.object({}) },
  records: "amazon-ads-connection.deleted",
});
