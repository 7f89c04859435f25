import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { StandInRequest, StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import { createLoginWithAmazon } from "./login-with-amazon.ts";

const RETURN_URL = "http://localhost:8080/api/amazon-ads/callback";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters-0";

let now: number;
let send: (request: Partial<StandInRequest>) => StandInResponse | null;
beforeEach(() => {
  now = Date.parse("2026-11-20T12:00:00Z");
  const handle = createLoginWithAmazon(() => now);
  send = (request) =>
    handle({ host: "", method: "GET", target: "/", headers: {}, body: "", ...request });
});

const QUERY = {
  client_id: ADS_CLIENT.id,
  scope: "profile advertising::campaign_management",
  response_type: "code",
  redirect_uri: RETURN_URL,
  state: "the state",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
};

function authorize(changes: Record<string, string> = {}, host = "www.amazon.com") {
  const query = new URLSearchParams({ ...QUERY, ...changes });
  return send({ host, target: `/ap/oa?${query}` });
}

/** The query of the redirect back to the client. */
function redirectQuery(changes: Record<string, string> = {}, host?: string): URLSearchParams {
  const response = authorize({ consent: "allow", account: "anna", ...changes }, host);
  if (response === null || !("location" in response)) throw new Error("No redirect");
  return new URL(response.location ?? "").searchParams;
}

function token(form: Record<string, string>, host = "api.amazon.com") {
  const response = send({
    host,
    method: "POST",
    target: "/auth/o2/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams({ client_id: ADS_CLIENT.id, client_secret: ADS_CLIENT.secret, ...form })}`,
  });
  return response && "status" in response
    ? { status: response.status, ...JSON.parse(String(response.body)) }
    : response;
}

const exchange = (code: string | null, changes: Record<string, string> = {}, host?: string) =>
  token(
    {
      grant_type: "authorization_code",
      code: code ?? "",
      redirect_uri: RETURN_URL,
      code_verifier: VERIFIER,
      ...changes,
    },
    host,
  );

describe("the authorization page", () => {
  it("shows the consent form with the query's parameters", () => {
    expect(authorize()).toMatchObject({
      status: 200,
      body: expect.stringContaining('name="state" value="the state"'),
    });
  });

  it("redirects back with a code, or with a denial", () => {
    expect(Object.fromEntries(redirectQuery())).toMatchObject({
      code: expect.stringMatching(/^AN/),
      state: "the state",
    });
    expect(Object.fromEntries(redirectQuery({ consent: "cancel" }))).toMatchObject({
      error: "access_denied",
      state: "the state",
    });
  });

  it.each([
    ["a foreign return URL", { redirect_uri: "http://evil.example/" }],
    ["an unknown client", { client_id: "another" }],
  ])("does not redirect for %s", (_case, changes) => {
    expect(authorize({ consent: "allow", account: "anna", ...changes })).toMatchObject({
      status: 400,
    });
  });

  it.each([
    ["without a challenge", { code_challenge: "" }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["for another scope", { scope: "profile" }, "invalid_scope"],
  ])("refuses a request %s", (_case, changes, error) => {
    expect(redirectQuery(changes).get("error")).toBe(error);
  });
});

describe("the token endpoint", () => {
  it("exchanges a code for tokens once", () => {
    const code = redirectQuery().get("code");
    expect(exchange(code)).toMatchObject({
      status: 200,
      access_token: expect.stringMatching(/^Atza\|/),
      refresh_token: expect.stringMatching(/^Atzr\|/),
      expires_in: 3_600,
    });
    expect(exchange(code)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  it.each([
    ["another return URL", { redirect_uri: `${RETURN_URL}/` }, undefined],
    ["another verifier", { code_verifier: "x" }, undefined],
    ["another region", {}, "api.amazon.co.uk"],
  ])("refuses a code with %s", (_case, changes, host) => {
    expect(exchange(redirectQuery().get("code"), changes, host)).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("refuses a code after five minutes", () => {
    const [code, lateCode] = [redirectQuery().get("code"), redirectQuery().get("code")];
    now += 5 * 60_000 - 1;
    expect(exchange(code)).toMatchObject({ status: 200 });
    now += 1;
    expect(exchange(lateCode)).toMatchObject({ error: "invalid_grant" });
  });

  it("refuses a wrong client secret", () => {
    const code = redirectQuery().get("code");
    expect(exchange(code, { client_secret: "wrong" })).toMatchObject({
      status: 401,
      error: "invalid_client",
    });
  });

  it("issues access tokens for a refresh token of its region", () => {
    const { refresh_token } = exchange(redirectQuery().get("code"));
    const form = { grant_type: "refresh_token", refresh_token };
    expect(token(form)).toMatchObject({ status: 200, refresh_token });
    expect(token(form, "api.amazon.co.jp")).toMatchObject({ error: "invalid_grant" });
    expect(token({ ...form, refresh_token: "Atzr|x" })).toMatchObject({ error: "invalid_grant" });
  });

  it("ignores clients of the Creators API, which send JSON", () => {
    const headers = { "content-type": "application/json" };
    const target = "/auth/o2/token";
    expect(send({ host: "api.amazon.com", method: "POST", target, headers })).toBeNull();
  });
});

describe("an access token", () => {
  it("returns the user and the profiles of its region, with ids of any size", () => {
    const { access_token } = exchange(redirectQuery().get("code"));
    const headers = {
      authorization: `Bearer ${access_token}`,
      "amazon-advertising-api-clientid": ADS_CLIENT.id,
    };
    expect(send({ host: "api.amazon.com", target: "/user/profile", headers })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"name":"Anna Advertiser"'),
    });
    const target = "/v2/profiles";
    expect(send({ host: "advertising-api.amazon.com", target, headers })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"profileId":9007199254740993,'),
    });
    expect(send({ host: "advertising-api-eu.amazon.com", target, headers })).toMatchObject({
      status: 401,
    });
  });
});
