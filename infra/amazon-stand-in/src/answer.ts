import { parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { PRODUCT_IMAGE, storePage } from "./pages.ts";
import { SHORT_LINKS, type Trouble } from "./short-links.ts";

export type Answer =
  | { status: number; contentType?: string; location?: string; body?: string }
  | { trouble: Trouble };

const IMAGE_HOST = /^(?:m\.media|images-(?:na|eu|fe)\.ssl-images)-amazon\.com$/;

/**
 * What a host would answer.
 * @param host as in the Host header, with or without a port
 * @param target path and query
 */
export function answerOf(host: string, target: string): Answer {
  const hostname = host.replace(/:\d+$/, "");
  if (IMAGE_HOST.test(hostname)) {
    return { status: 200, contentType: "image/svg+xml", body: PRODUCT_IMAGE };
  }
  const asked = parseAmazonUrl(`https://${hostname}${target}`);
  switch (asked.kind) {
    case "short":
      return SHORT_LINKS[`${asked.host}/${asked.code}`] ?? { status: 404 };
    case "refused":
      return { status: 404, contentType: "text/plain", body: asked.message };
    default:
      return { status: 200, body: storePage(asked) };
  }
}
