import { imageUrl } from "./pages.ts";
import { jsonResponse, type StandInRequest, type StandInResponse } from "./response.ts";

/** The only client that gets tokens. */
export const CREATORS_CLIENT = { id: "stand-in-client", secret: "stand-in-secret" };

const TOKEN = "stand-in-token";

export function isCreatorsHost(host: string): boolean {
  return host === "creatorsapi.amazon" || /^api\.amazon\.(?:com|co\.uk|co\.jp)$/.test(host);
}

/** Amazon's Creators API: tokens by client credentials, and items by their ASINs. */
export function creatorsResponse({ host, method, target, headers, body }: StandInRequest): StandInResponse {
  const path = host === "creatorsapi.amazon" ? "/catalog/v1/getItems" : "/auth/o2/token";
  if (method !== "POST" || target !== path) return jsonResponse(404, { type: "ResourceNotFoundException" });
  const payload = JSON.parse(body);
  if (host !== "creatorsapi.amazon") {
    const isClient = payload.client_id === CREATORS_CLIENT.id && payload.client_secret === CREATORS_CLIENT.secret;
    if (!isClient) return jsonResponse(401, { error: "invalid_client" });
    return jsonResponse(200, { access_token: TOKEN, token_type: "bearer", expires_in: 3_600 });
  }
  if (headers.authorization !== `Bearer ${TOKEN}`) return UNAUTHORIZED;
  const [asin] = payload.itemIds;
  const marketplace = String(headers["x-marketplace"]).replace("www.amazon.", "");
  return CREATORS_ITEMS[asin] ?? item(asin, `Creators item ${asin} : ${marketplace}`);
}

const UNAUTHORIZED = jsonResponse(401, { type: "UnauthorizedException", reason: "TokenExpired" });

function item(
  asin: string,
  title: string,
  { image = imageUrl("71Item._SL500_"), availability = "IN_STOCK" } = {},
): StandInResponse {
  const found = {
    asin,
    itemInfo: { title: { displayValue: title } },
    images: { primary: { large: { url: image, height: 500, width: 375 } } },
    offersV2: { listings: [{ availability: { type: availability } }] },
  };
  return jsonResponse(200, { itemsResult: { items: [found] } });
}

/** Items by ASIN. Any other item has a title and an image. */
const CREATORS_ITEMS: Readonly<Record<string, StandInResponse>> = {
  B0ODDITEM1: item("B0ODDITEM1", " Desk\u202e  lamp ", { image: "https://evil.example/images/I/71Lamp.jpg" }),
  B0OUTITEM1: item("B0OUTITEM1", "A lamp", { availability: "OUT_OF_STOCK" }),
  B0NOITEM01: jsonResponse(200, { errors: [{ code: "ItemNotAccessible" }] }),
  B0NOTHERE1: jsonResponse(200, { errors: [{ code: "InvalidParameterValue" }] }),
  B0OTHERITM: item("B0SOMEELSE", "Another item"),
  B0EXPIRED1: UNAUTHORIZED,
  B0NOTELIGB: jsonResponse(403, { type: "AccessDeniedException", reason: "AssociateNotEligible" }),
  B0THROTTLE: jsonResponse(429, { type: "ThrottleException" }),
  B0APICRASH: jsonResponse(500, { type: "InternalServerException" }),
  B0APIHANGS: { fault: "hangs" },
  B0APITEXT1: { status: 200, contentType: "text/html", body: "<title>Amazon.com</title>" },
};
