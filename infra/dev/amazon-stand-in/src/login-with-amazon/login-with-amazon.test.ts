import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { StandInRequest, StandInResponse } from "../response.ts";
import { ADS_CLIENT } from "./client.ts";
import { createLoginWithAmazon } from "./login-with-amazon.ts";

const RETURN_URL = "http://localhost:8080/api/amazon-ads/callback";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters-0";

let now: number;
let ask: (question: Partial<StandInRequest>) => StandInResponse | null;
beforeEach(() => {
  now = Date.parse("2026-11-20T12:00:00Z");
  const answer = createLoginWithAmazon(() => now);
  ask = (question) =>
    answer({ host: "", method: "GET", target: "/", headers: {}, body: "", ...question });
});

const ASKED = {
  client_id: ADS_CLIENT.id,
  scope: "profile advertising::campaign_management",
  response_type: "code",
  redirect_uri: RETURN_URL,
  state: "the state",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
};

function authorize(changes: Record<string, string> = {}, host = "www.amazon.com") {
  const query = new URLSearchParams({ ...ASKED, ...changes });
  return ask({ host, target: `/ap/oa?${query}` });
}

/** The query with which the browser comes back. */
function comeBack(changes: Record<string, string> = {}, host?: string): URLSearchParams {
  const answer = authorize({ consent: "allow", account: "anna", ...changes }, host);
  if (answer === null || !("location" in answer)) throw new Error("No way back");
  return new URL(answer.location ?? "").searchParams;
}

function token(form: Record<string, string>, host = "api.amazon.com") {
  const answer = ask({
    host,
    method: "POST",
    target: "/auth/o2/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams({ client_id: ADS_CLIENT.id, client_secret: ADS_CLIENT.secret, ...form })}`,
  });
  return answer && "status" in answer
    ? { status: answer.status, ...JSON.parse(String(answer.body)) }
    : answer;
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
  it("asks for consent and keeps what it was asked with", () => {
    expect(authorize()).toMatchObject({
      status: 200,
      body: expect.stringContaining('name="state" value="the state"'),
    });
  });

  it("sends the browser back with a code, or with a denial", () => {
    expect(Object.fromEntries(comeBack())).toMatchObject({
      code: expect.stringMatching(/^AN/),
      state: "the state",
    });
    expect(Object.fromEntries(comeBack({ consent: "cancel" }))).toMatchObject({
      error: "access_denied",
      state: "the state",
    });
  });

  it.each([
    ["a foreign return URL", { redirect_uri: "http://evil.example/" }],
    ["an unknown client", { client_id: "another" }],
  ])("sends nobody anywhere for %s", (_case, changes) => {
    expect(authorize({ consent: "allow", account: "anna", ...changes })).toMatchObject({
      status: 400,
    });
  });

  it.each([
    ["without a challenge", { code_challenge: "" }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["for another scope", { scope: "profile" }, "invalid_scope"],
  ])("refuses to ask %s", (_case, changes, error) => {
    expect(comeBack(changes).get("error")).toBe(error);
  });
});

describe("the token endpoint", () => {
  it("gives tokens for a code, once", () => {
    const code = comeBack().get("code");
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
    expect(exchange(comeBack().get("code"), changes, host)).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("refuses a code after five minutes", () => {
    const [code, lateCode] = [comeBack().get("code"), comeBack().get("code")];
    now += 5 * 60_000 - 1;
    expect(exchange(code)).toMatchObject({ status: 200 });
    now += 1;
    expect(exchange(lateCode)).toMatchObject({ error: "invalid_grant" });
  });

  it("refuses who does not know the client's secret", () => {
    const code = comeBack().get("code");
    expect(exchange(code, { client_secret: "wrong" })).toMatchObject({
      status: 401,
      error: "invalid_client",
    });
  });

  it("gives new access tokens for a refresh token of its region", () => {
    const { refresh_token } = exchange(comeBack().get("code"));
    const form = { grant_type: "refresh_token", refresh_token };
    expect(token(form)).toMatchObject({ status: 200, refresh_token });
    expect(token(form, "api.amazon.co.jp")).toMatchObject({ error: "invalid_grant" });
    expect(token({ ...form, refresh_token: "Atzr|x" })).toMatchObject({ error: "invalid_grant" });
  });

  it("leaves clients of the Creators API, which send JSON, to that", () => {
    const headers = { "content-type": "application/json" };
    const target = "/auth/o2/token";
    expect(ask({ host: "api.amazon.com", method: "POST", target, headers })).toBeNull();
  });
});

describe("an access token", () => {
  it("tells who signed in, and the profiles of its region with ids of any size", () => {
    const { access_token } = exchange(comeBack().get("code"));
    const headers = {
      authorization: `Bearer ${access_token}`,
      "amazon-advertising-api-clientid": ADS_CLIENT.id,
    };
    expect(ask({ host: "api.amazon.com", target: "/user/profile", headers })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"name":"Anna Advertiser"'),
    });
    const target = "/v2/profiles";
    expect(ask({ host: "advertising-api.amazon.com", target, headers })).toMatchObject({
      status: 200,
      body: expect.stringContaining('"profileId":9007199254740993,'),
    });
    expect(ask({ host: "advertising-api-eu.amazon.com", target, headers })).toMatchObject({
      status: 401,
    });
  });
});
