import type * as appOpeningStatusCalls from "../http/app-opening-status.ts";
import type * as metadataCalls from "../http/metadata.ts";
import type * as proofOfWorkCalls from "../http/proof-of-work.ts";
import type * as reportsCalls from "../http/reports.ts";
import type * as resolveLinkCalls from "../http/resolve-link.ts";
import type * as visitorCalls from "../http/visitor.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import {
  EXAMPLE_CODE,
  EXAMPLE_LINK,
  EXAMPLE_SHORT_STORE_URL,
  EXAMPLE_STORE_URL,
} from "./example-values.ts";

const { title, description, imageUrl, siteName } = EXAMPLE_LINK;

export const pagesDocumentation: DocumentationOf<
  typeof appOpeningStatusCalls &
    typeof metadataCalls &
    typeof proofOfWorkCalls &
    typeof reportsCalls &
    typeof resolveLinkCalls &
    typeof visitorCalls
> = {
  metadata: {
    tag: "Pages",
    summary: "Get the metadata of a page",
    description:
      "Title, description, image and store name of a product or store page that a link leads to; null where unknown. May wait up to two seconds for a page that was not read yet.",
    errors: [],
    example: {
      query: { product_id: "B0ZZ1Y2X3W", marketplace: "de" },
      replies: { 200: { title, description, imageUrl, siteName } },
    },
  },
  resolveLink: {
    tag: "Pages",
    summary: "Resolve a short link of Amazon",
    description: "Follows a short link such as amzn.to/… to the address of its store page.",
    errors: ["not-a-short-link", "short-link-failed", "short-link-too-slow", "unusable-link"],
    example: {
      body: { url: EXAMPLE_SHORT_STORE_URL },
      replies: { 200: { resolvedUrl: EXAMPLE_STORE_URL } },
    },
  },
  getAppOpeningStatus: {
    tag: "Status",
    summary: "Get how often the Amazon app opens",
    description:
      "The last 30 days of all links together, by row of the strategy table; no links and no visitors. `tried` counts pages that tried to open the Amazon app and reported the outcome, `opened` those that did not stay visible. On Android a page that was left counts as opened, because it does not know for what. Rows with fewer than 50 reports are left out. At most a minute old.",
    errors: [],
    example: {
      replies: {
        200: {
          since: "2026-10-24",
          rows: [
            {
              row: "instagram-ios",
              app: "instagram",
              os: "ios",
              tried: 1_240,
              opened: 1_180,
            },
          ],
        },
      },
    },
  },
  getChallenge: {
    tag: "Links",
    summary: "Get a proof-of-work challenge",
    description:
      "A challenge of altcha. While visitors without an account create too many links together, POST /api/generate responds with `proof-of-work-required` unless its header `Altcha` has a solution, which is accepted once. Users never need one.",
    errors: [],
    example: {
      replies: {
        200: {
          parameters: {
            algorithm: "PBKDF2/SHA-256",
            cost: 2_000,
            expiresAt: 1_795_711_095,
            keyLength: 32,
            keyPrefix: "9c4a56ed04b9673bfb899d39ce866b2d",
            keySignature: "f5736dd5d9cbbd3aafd5e3d564ba78b7766338869ea79478a4184155dd4ad7fd",
            nonce: "64c18c6e12dd30af5bfe86e6ecf48b18",
            salt: "efff8111349e0e5d4ce0d055ddfd6bd2",
          },
          signature: "0c6831c1c75ee0b6ece3484b62db95d84961a73a0400376210aa9a8a368bd46e",
        },
      },
    },
  },
  reportLink: {
    tag: "Reports",
    summary: "Report a link",
    description:
      "`code` is a short code or the address of a short link. Reports are anonymous. The reply is the same for an unknown link.",
    errors: [],
    example: { body: { code: EXAMPLE_CODE, reason: "misleading" }, replies: { 202: {} } },
  },
  visitor: {
    tag: "Links",
    summary: "Get a claim cookie",
    description:
      "Sets a claim cookie if the request has none. Browsers call it before they create the first link without an account, so that a lost reply does not lose the claim.",
    errors: [],
    replyHeaders: {
      "Set-Cookie": {
        description: "The claim cookie, if the request has none.",
        example: "__Host-claim=…; path=/; secure; httponly; samesite=lax",
      },
    },
    example: { replies: { 200: {} } },
  },
};
