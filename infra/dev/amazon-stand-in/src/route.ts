import { parseAmazonUrl } from "@tapthru/proto/rules/amazon/amazon-url";
import { IMAGE_HOSTS } from "@tapthru/proto/rules/amazon/images";
import { creatorsResponse, isCreatorsHost } from "./creators-api.ts";
import { healthCase } from "./health-pages.ts";
import { storePage } from "./pages.ts";
import { PRODUCT_PAGES } from "./product-pages.ts";
import type { StandInRequest, StandInResponse } from "./response.ts";
import { SHORT_LINKS } from "./short-links.ts";

/** The image for any address under /images/I/ of Amazon's image hosts. */
const PRODUCT_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300"><rect width="300" height="300" fill="#e8e4dc"/><circle cx="150" cy="150" r="80" fill="#b08968"/></svg>';

/** The date of yesterday. */
function exchangeRates(): string {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return `<?xml version="1.0"?><gesmes:Envelope xmlns:gesmes="g"><Cube><Cube time="${day}"><Cube currency="USD" rate="1.0875"/><Cube currency="GBP" rate="0.8547"/><Cube currency="JPY" rate="171.2"/></Cube></Cube></gesmes:Envelope>`;
}

export function respond(request: StandInRequest): StandInResponse {
  const { host, target } = request;
  if (IMAGE_HOSTS.includes(host)) {
    return { status: 200, contentType: "image/svg+xml", body: PRODUCT_IMAGE };
  }
  if (host === "www.ecb.europa.eu") return { status: 200, contentType: "text/xml", body: exchangeRates() };
  if (isCreatorsHost(host)) return creatorsResponse(request);
  const url = parseAmazonUrl(`https://${host}${target}`);
  switch (url.kind) {
    case "short":
      return SHORT_LINKS[`${url.host}/${url.code}`] ?? { status: 404 };
    case "refused":
      return { status: 404, contentType: "text/plain", body: url.message };
    case "product":
      return (
        (PRODUCT_PAGES[url.asin] ?? healthCase(url.asin))?.(url) ?? {
          status: 200,
          body: storePage(url),
        }
      );
    default:
      return { status: 200, body: storePage(url) };
  }
}
