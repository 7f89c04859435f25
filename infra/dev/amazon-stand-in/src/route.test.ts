import { constants, gunzipSync } from "node:zlib";
import { isMarketplace, MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { describe, expect, it } from "vitest";
import { CREATORS_CLIENT } from "./creators-api.ts";
import { PRODUCT_PAGES } from "./product-pages.ts";
import type { StandInRequest, StandInResponse } from "./response.ts";
import { respond } from "./route.ts";

/** The decoded body; of a compressed one, which may be a gzip bomb, the start. */
function bodyOf(response: StandInResponse): string {
  if ("fault" in response || response.body === undefined) return "";
  const bytes = Buffer.from(response.body);
  if (response.contentEncoding === undefined) return String(bytes);
  return String(gunzipSync(bytes.subarray(0, 8_192), { finishFlush: constants.Z_SYNC_FLUSH }));
}

const get = (host: string, target: string) =>
  respond({ host, method: "GET", target, headers: {}, body: "" });

describe("a product's page", () => {
  it.each(Object.keys(PRODUCT_PAGES))("is specific to %s in every store", (asin) => {
    for (const host of ["www.amazon.com", "m.amazon.co.jp"]) {
      expect(bodyOf(get(host, `/dp/${asin}?th=1`))).not.toContain("Stand-in p");
    }
  });

  it.each(Object.keys(MARKETPLACES).filter(isMarketplace))(
    "is in the language of amazon.%s",
    (key) => {
      expect(get(`www.amazon.${key}`, "/dp/B0LANGUAGE")).toMatchObject({
        body: expect.stringContaining(`<html lang="${MARKETPLACES[key].languages[0]}"`),
      });
    },
  );

  it("is a plain one for any other ASIN", () => {
    expect(get("www.amazon.de", "/dp/B08N5WRWNW")).toMatchObject({
      status: 200,
      body: expect.stringContaining('<span id="productTitle">Stand-in product B08N5WRWNW</span>'),
    });
  });
});

it("serves the captcha page that redirects lead to", () => {
  expect(get("www.amazon.com", "/errors/validateCaptcha?amzn=x")).toMatchObject({
    body: expect.stringContaining("Enter the characters you see below"),
  });
});

describe("the Creators API", () => {
  const post = (request: Partial<StandInRequest>, body: object) =>
    respond({
      host: "api.amazon.co.uk",
      method: "POST",
      target: "/auth/o2/token",
      headers: {},
      ...request,
      body: JSON.stringify(body),
    });
  const grant = {
    grant_type: "client_credentials",
    scope: "creatorsapi::default",
    client_id: CREATORS_CLIENT.id,
    client_secret: CREATORS_CLIENT.secret,
  };
  const getItems = {
    host: "creatorsapi.amazon",
    target: "/catalog/v1/getItems",
    headers: { authorization: "Bearer stand-in-token", "x-marketplace": "www.amazon.de" },
  };

  it("issues a token to its client only", () => {
    expect(post({}, grant)).toMatchObject({ status: 200, body: expect.stringContaining("token") });
    expect(post({}, { ...grant, client_secret: "wrong" })).toMatchObject({ status: 401 });
  });

  it("returns items for a valid token only", () => {
    const body = { itemIds: ["B08N5WRWNW"], partnerTag: "me-21" };
    expect(post(getItems, body)).toMatchObject({
      status: 200,
      body: expect.stringContaining("Creators item B08N5WRWNW : de"),
    });
    expect(post({ ...getItems, headers: {} }, body)).toMatchObject({ status: 401 });
    expect(post(getItems, { itemIds: ["B08N5WRWNW"] })).toMatchObject({ status: 400 });
  });
});
