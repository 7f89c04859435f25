import { describe, expect, it } from "vitest";
import { CREATORS_CLIENT } from "./creators-api.ts";
import type { StandInRequest } from "./response.ts";
import { respond } from "./route.ts";

it("serves the captcha page that redirects lead to", () => {
  const target = "/errors/validateCaptcha?amzn=x";
  const request = { host: "www.amazon.com", method: "GET", target, headers: {}, body: "" };
  expect(respond(request)).toMatchObject({
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
