import { isMarketplace } from "@tapthru/proto/rules/amazon/marketplaces";
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
  if (method !== "POST") return jsonResponse(405, {});
  const payload = readJson(body);
  if (payload === null) return jsonResponse(400, { type: "ValidationException" });
  if (host !== "creatorsapi.amazon") return target === "/auth/o2/token" ? token(payload) : NOT_FOUND;
  if (headers.authorization !== `Bearer ${TOKEN}`) return UNAUTHORIZED;
  if (target !== "/catalog/v1/getItems") return NOT_FOUND;
  const [asin] = Array.isArray(payload.itemIds) ? payload.itemIds : [];
  const marketplace = String(headers["x-marketplace"]).replace("www.amazon.", "");
  if (typeof asin !== "string" || !payload.partnerTag || !isMarketplace(marketplace)) {
    return jsonResponse(400, { type: "ValidationException", reason: "InvalidParameterValue" });
  }
  return CREATORS_ITEMS[asin] ?? item(asin, `Creators item ${asin} : ${marketplace}`);
}

const NOT_FOUND = jsonResponse(404, { type: "ResourceNotFoundException" });
const UNAUTHORIZED = jsonResponse(401, { type: "UnauthorizedException", reason: "TokenExpired" });

function token(payload: Record<string, unknown>): StandInResponse {
  const granted =
    payload.grant_type === "client_credentials" &&
    payload.scope === "creatorsapi::default" &&
    payload.client_id === CREATORS_CLIENT.id &&
    payload.client_secret === CREATORS_CLIENT.secret;
  return granted
    ? jsonResponse(200, { access_token: TOKEN, token_type: "bearer", expires_in: 3_600 })
    : jsonResponse(401, {
        error: "invalid_client",
        error_description: "Client authentication failed",
      });
}

function item(
  asin: string,
  title: string | null,
  { image = imageUrl("71Item._SL500_"), availability = "IN_STOCK" } = {},
): StandInResponse {
  return jsonResponse(200, {
    itemsResult: {
      items: [
        {
          asin,
          detailPageURL: `https://www.amazon.com/dp/${asin}?tag=stand-in-20`,
          ...(title === null ? {} : { itemInfo: { title: { displayValue: title } } }),
          images: { primary: { large: { url: image, height: 500, width: 375 } } },
          offersV2: { listings: [{ availability: { type: availability } }] },
        },
      ],
    },
  });
}

/** Items by ASIN. Any other item has a title and an image. */
const CREATORS_ITEMS: Readonly<Record<string, StandInResponse>> = {
  B0ODDITEM1: item("B0ODDITEM1", " Desk\u202e  lamp ", {
    image: "https://evil.example/images/I/71Lamp.jpg",
  }),
  B0OUTITEM1: item("B0OUTITEM1", "A lamp", { availability: "OUT_OF_STOCK" }),
  B0BAREITEM: item("B0BAREITEM", null),
  B0NOITEM01: jsonResponse(200, {
    errors: [{ code: "ItemNotAccessible", message: "The item is not accessible." }],
  }),
  B0NOTHERE1: jsonResponse(200, {
    errors: [
      {
        code: "InvalidParameterValue",
        message: "The ItemId B0NOTHERE1 provided in the request is invalid.",
      },
    ],
  }),
  B0OTHERITM: item("B0SOMEELSE", "Another item"),
  B0EXPIRED1: UNAUTHORIZED,
  B0NOTELIGB: jsonResponse(403, { type: "AccessDeniedException", reason: "AssociateNotEligible" }),
  B0THROTTLE: jsonResponse(429, { type: "ThrottleException" }),
  B0APICRASH: jsonResponse(500, { type: "InternalServerException" }),
  B0APIHANGS: { fault: "hangs" },
  B0APITEXT1: { status: 200, contentType: "text/html", body: "<title>Amazon.com</title>" },
};

function readJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
