import * as z from "zod/mini";
import { resource } from "./call.ts";
import { getEarnings } from "./earnings.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_CODE } from "./example-values.ts";
import { inputs } from "./fields.ts";
import { error } from "./rules/error.ts";
import { ATTRIBUTION_MAX_CAMPAIGNS } from "./rules/limits.ts";

export const AmazonAdsConnection = z.object({
  accountName: z.nullable(z.string()),
  accountEmail: z.nullable(z.string()),
  connectedAt: z.iso.datetime(),
  /** `waiting`: nothing was read yet; `no-attribution`: without Amazon Attribution; `revoked`: the user has to connect again. */
  state: z.enum(["waiting", "read", "no-attribution", "revoked"]),
  /** When Amazon Attribution was read last. */
  readAt: z.nullable(z.iso.datetime()),
});
export type AmazonAdsConnection = z.infer<typeof AmazonAdsConnection>;

/**
 * What Amazon Attribution counted for a campaign, or an ad group of it: what it attributes to a click within 14 days. Sales are in the
 * smallest unit of the currency.
 */
export const AttributionFigures = z.object({
  advertiser: z.string(),
  campaignId: z.string(),
  adGroupId: z.nullable(z.string()),
  currency: z.string(),
  clicks: z.int(),
  detailPageViews: z.int(),
  cartAdditions: z.int(),
  purchases: z.int(),
  sales: z.int(),
});

export const notConfigured = error("not-configured", 503, "Amazon Ads is not set up on this server.");

const amazonAds = resource("Amazon Ads", { reads: "session", writes: "session" });

export const EXAMPLE_CONNECTION: AmazonAdsConnection = {
  accountName: "Anna",
  accountEmail: "anna@example.com",
  connectedAt: "2026-11-10T08:00:00.000Z",
  state: "read",
  readAt: "2026-11-21T08:00:00.000Z",
};

export const EXAMPLE_ATTRIBUTION: z.infer<typeof AttributionFigures> = {
  advertiser: "Lamps and More",
  campaignId: "autumn-newsletter",
  adGroupId: null,
  currency: "EUR",
  clicks: 120,
  detailPageViews: 96,
  cartAdditions: 21,
  purchases: 8,
  sales: 19_960,
};

export const getAmazonAdsAuthUrl = amazonAds.get("/api/amazon-ads/auth-url", {
  needsConfirmedEmail: true,
  summary: "Start a connection",
  description: "Returns the address of Amazon's consent page.",
  replies: { 200: z.object({ url: z.string() }) },
  errors: [notConfigured],
  example: {
    replies: {
      200: {
        url: "https://www.amazon.com/ap/oa?client_id=amzn1.application-oa2-client.example&state=…",
      },
    },
  },
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
  example: { query: { state: "…", code: "…" }, replies: { 302: {} } },
});

/** The result of an attempt to connect, as in the query of /amazon-ads-auth. */
export type AmazonAdsResult = "connected" | "denied" | "failed";

export const getAmazonAdsConnection = amazonAds.get("/api/amazon-ads/connection", {
  summary: "Get the connection",
  description: "Null if there is none.",
  replies: { 200: z.object({ connection: z.nullable(AmazonAdsConnection) }) },
  example: { replies: { 200: { connection: EXAMPLE_CONNECTION } } },
});

export const deleteAmazonAdsConnection = amazonAds.delete("/api/amazon-ads/connection", {
  summary: "Delete the connection",
  description: "Succeeds also if there is none.",
  replies: { 200: z.object({}) },
  records: "amazon-ads-connection.deleted",
  example: { replies: { 200: {} } },
});

/** `links`: those with the `aa_campaignid` and `aa_adgroupid` of the row. What each of several got is not known. */
const AttributionRow = z.extend(AttributionFigures, {
  links: z.array(z.object({ shortCode: z.string(), name: z.string() })),
});
export type AttributionRow = z.infer<typeof AttributionRow>;

export const getAttribution = amazonAds.get("/api/amazon-ads/attribution", {
  access: "earnings:read",
  summary: "Read what Amazon Attribution counted",
  description: `By campaign, the ${ATTRIBUTION_MAX_CAMPAIGNS} with the most clicks, then by ad group with links: of 500 links with \`tag=maas\` those with its \`aa_campaignid\` and \`aa_adgroupid\`. Each currency has rows of its own, and none of it is in the earnings of Associates. \`from\` and \`to\` as for \`GET /api/earnings\`.`,
  query: z.pick(getEarnings.query, { from: true, to: true }),
  /** `connection`: null without one. */
  replies: {
    200: z.object({
      connection: z.nullable(z.pick(AmazonAdsConnection, { state: true, readAt: true })),
      rows: z.array(AttributionRow),
    }),
  },
  example: {
    query: { from: "2026-11-01", to: "2026-11-21" },
    replies: {
      200: {
        connection: { state: "read", readAt: EXAMPLE_CONNECTION.readAt },
        rows: [
          { ...EXAMPLE_ATTRIBUTION, adGroupId: "header", links: [{ shortCode: EXAMPLE_CODE, name: "Camping mug" }] },
        ],
      },
    },
  },
});
