import { createHash } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { StandInRequest } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import { createLoginWithAmazon } from "./login-with-amazon.ts";

const RETURN_URL = "http://localhost:8080/api/amazon-ads/callback";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters-0";
const QUERY = {
  client_id: ADS_CLIENT.id,
  scope: "profile advertising::campaign_management",
  response_type: "code",
  redirect_uri: RETURN_URL,
  state: "the state",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
  account: "anna",
  consent: "allow",
};

let handle: ReturnType<typeof createLoginWithAmazon>;
beforeEach(() => {
  handle = createLoginWithAmazon();
});

const send = (request: Partial<StandInRequest>) =>
  handle({ host: "", method: "GET", target: "/", headers: {}, body: "", ...request });

const authorize = (changes: Record<string, string>) =>
  send({
    host: "www.amazon.com",
    target: `/ap/oa?${new URLSearchParams({ ...QUERY, ...changes })}`,
  });

/** The query of the redirect back to the client. */
function redirectQuery(changes: Record<string, string> = {}): Record<string, string> {
  const response = authorize(changes);
  if (response === null || !("location" in response)) throw new Error("No redirect");
  return Object.fromEntries(new URL(response.location ?? "").searchParams);
}

function token(form: Record<string, string>, host = "api.amazon.com") {
  const body = new URLSearchParams({
    client_id: ADS_CLIENT.id,
    client_secret: ADS_CLIENT.secret,
    ...form,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { host, method: "POST", target: "/auth/o2/token", headers, body: `${body}` };
  const response = send(request);
  if (response === null || "fault" in response) throw new Error("No response");
  return { status: response.status, ...JSON.parse(String(response.body)) };
}

const exchange = (changes: Record<string, string> = {}, host?: string) =>
  token(
    {
      grant_type: "authorization_code",
      code: redirectQuery().code ?? "",
      redirect_uri: RETURN_URL,
      code_verifier: VERIFIER,
      ...changes,
    },
    host,
  );

it("shows the consent form with the query's parameters", () => {
  expect(authorize({ consent: "" })).toMatchObject({
    status: 200,
    body: expect.stringContaining('name="state" value="the state"'),
  });
});

it.each([
  ["a denial", { consent: "cancel" }, "access_denied"],
  ["a request with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
  ["a request for another scope", { scope: "profile" }, "invalid_scope"],
])("redirects back with the error of %s", (_case, changes, error) => {
  expect(redirectQuery(changes)).toEqual({ error, state: "the state" });
});

it.each([
  ["a foreign return URL", { redirect_uri: "http://evil.example/" }],
  ["an unknown client", { client_id: "another" }],
])("does not redirect for %s", (_case, changes) => {
  expect(authorize(changes)).toMatchObject({ status: 400 });
});

it("exchanges a code once", () => {
  const { code = "" } = redirectQuery();
  expect(exchange({ code })).toMatchObject({ status: 200, expires_in: 3_600 });
  expect(exchange({ code })).toMatchObject({ status: 400, error: "invalid_grant" });
});

it.each([
  ["another return URL", { redirect_uri: `${RETURN_URL}/` }, "api.amazon.com", "invalid_grant"],
  ["another verifier", { code_verifier: "x" }, "api.amazon.com", "invalid_grant"],
  ["another region", {}, "api.amazon.co.uk", "invalid_grant"],
  ["a wrong client secret", { client_secret: "wrong" }, "api.amazon.com", "invalid_client"],
])("refuses a code with %s", (_case, changes, host, error) => {
  expect(exchange(changes, host)).toMatchObject({ error });
});

it("issues access tokens for a refresh token of its region", () => {
  const { refresh_token } = exchange();
  const form = { grant_type: "refresh_token", refresh_token };
  expect(token(form)).toMatchObject({ status: 200, refresh_token });
  expect(token(form, "api.amazon.co.jp")).toMatchObject({ error: "invalid_grant" });
});

it("ignores clients of the Creators API, which send JSON", () => {
  const headers = { "content-type": "application/json" };
  const target = "/auth/o2/token";
  expect(send({ host: "api.amazon.com", method: "POST", target, headers })).toBeNull();
});

it("returns the profiles of an access token's region, with ids of any size", () => {
  const headers = {
    authorization: `Bearer ${exchange().access_token}`,
    "amazon-advertising-api-clientid": ADS_CLIENT.id,
  };
  const target = "/v2/profiles";
  expect(send({ host: "advertising-api.amazon.com", target, headers })).toMatchObject({
    body: expect.stringContaining('"profileId":9007199254740993,'),
  });
  expect(send({ host: "advertising-api-eu.amazon.com", target, headers })).toMatchObject({
    status: 401,
  });
});
