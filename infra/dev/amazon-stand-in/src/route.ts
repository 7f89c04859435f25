import { parseAmazonUrl } from "@tapthru/proto/rules/amazon-url";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/images";
import { linkErrorMessage } from "@tapthru/proto/rules/link-errors";
import { creatorsResponse, isCreatorsHost } from "./creators-api.ts";
import { CAPTCHA_PAGE } from "./obstacle-pages.ts";
import { PRODUCT_IMAGE, storePage } from "./pages.ts";
import { PRODUCT_PAGES } from "./product-pages.ts";
import type { StandInRequest, StandInResponse } from "./response.ts";
import { SHORT_LINKS } from "./short-links.ts";

/** What the host would answer. */
export function respond(question: StandInRequest): StandInResponse {
  const { host, target } = question;
  if (IMAGE_HOSTS.includes(host)) {
    return { status: 200, contentType: "image/svg+xml", body: PRODUCT_IMAGE };
  }
  if (isCreatorsHost(host)) return creatorsResponse(question);
  const asked = parseAmazonUrl(`https://${host}${target}`);
  switch (asked.kind) {
    case "short":
      return SHORT_LINKS[`${asked.host}/${asked.code}`] ?? { status: 404 };
    case "refused":
      return { status: 404, contentType: "text/plain", body: linkErrorMessage(asked) };
    case "product":
      return PRODUCT_PAGES[asked.asin]?.(asked) ?? { status: 200, body: storePage(asked) };
    default:
      return target.startsWith("/errors/validateCaptcha")
        ? { status: 200, body: CAPTCHA_PAGE }
        : { status: 200, body: storePage(asked) };
  }
}
