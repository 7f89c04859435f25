import type * as amazonAdsCalls from "../http/amazon-ads.ts";
import type { DocumentationOf } from "./call-documentation.ts";
import { EXAMPLE_BASE_URL, EXAMPLE_CONNECTION } from "./example-values.ts";

export const amazonAdsDocumentation: DocumentationOf<typeof amazonAdsCalls> = {
  getAmazonAdsAuthUrl: {
    tag: "Amazon Ads",
    summary: "Start a connection",
    description: "Returns the address of Amazon's consent page.",
    errors: ["not-configured"],
    example: {
      replies: {
        200: {
          url: "https://www.amazon.com/ap/oa?client_id=amzn1.application-oa2-client.example&state=…",
        },
      },
    },
  },
  finishAmazonAdsConnection: {
    tag: "Amazon Ads",
    summary: "Finish a connection",
    description:
      "Amazon redirects the browser to this address, which always redirects it to the page that shows the result.",
    access: [[], ["session"]],
    errors: [],
    replyHeaders: {
      Location: {
        description: "The page with the result: connected, denied or failed.",
        example: `${EXAMPLE_BASE_URL}/amazon-ads-auth?result=connected`,
      },
    },
    example: { query: { state: "…", code: "…" }, replies: { 302: {} } },
  },
  getAmazonAdsConnection: {
    tag: "Amazon Ads",
    summary: "Get the connection",
    description: "Null if there is none.",
    errors: [],
    example: { replies: { 200: { connection: EXAMPLE_CONNECTION } } },
  },
  deleteAmazonAdsConnection: {
    tag: "Amazon Ads",
    summary: "Delete the connection",
    description: "Succeeds also if there is none.",
    errors: [],
    example: { replies: { 200: {} } },
  },
};
