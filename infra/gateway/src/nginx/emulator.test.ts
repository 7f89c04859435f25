import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RequestOptions, sendRequest } from "../testing/send-request.ts";
import { gatewayForTest, type RunningGateway, startGateway } from "../testing/start-gateway.ts";
import { echo, startUpstream, type Upstream } from "../testing/upstream.ts";
import { EMULATOR_CALLS_PER_MINUTE } from "./limits.ts";

const IDENTITY = "/identitytoolkit.googleapis.com";

let emulator: Upstream;
let gateway: RunningGateway;
beforeAll(async () => {
  emulator = await startUpstream(echo("emulator"));
  gateway = await startGateway({ emulator: emulator.address });
});
afterAll(async () => {
  await gateway.stop();
  emulator.stop();
});

const send = (method: string, path: string, options?: RequestOptions) =>
  gateway.send(path, { method, ...options });

describe("the Firebase emulator", () => {
  it.each([
    ["POST", `${IDENTITY}/v1/accounts:signUp?key=demo`],
    ["POST", `${IDENTITY}/v1/accounts:signInWithPassword?key=demo`],
    ["POST", `${IDENTITY}/v1/accounts:sendOobCode?key=demo`],
    ["POST", `${IDENTITY}/v1/accounts:lookup?key=demo`],
    ["POST", `${IDENTITY}/v1/accounts:update?key=demo`],
    ["POST", `${IDENTITY}/v1/accounts:delete?key=demo`],
    ["GET", `${IDENTITY}/v2/recaptchaConfig?key=demo&clientType=CLIENT_TYPE_WEB`],
    ["GET", `${IDENTITY}/v2/passwordPolicy?key=demo`],
    ["POST", "/securetoken.googleapis.com/v1/token?key=demo"],
    ["GET", "/emulator/action?mode=verifyEmail&oobCode=a%2Bb&apiKey=k"],
    ["GET", "/emulator/action?mode=resetPassword&oobCode=c&newPassword=secret"],
  ])("receives %s %s", async (method, path) => {
    const { status, headers, text } = await send(method, path);

    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ service: "emulator", method, url: path });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });

  it("receives the body, but neither credentials nor cookies", async () => {
    const { text } = await send("POST", `${IDENTITY}/v1/accounts:signUp?key=demo`, {
      headers: { Authorization: "Bearer owner", Cookie: "sid=1", "X-Forwarded-For": "6.6.6.6" },
      body: '{"email":"a@t.example"}',
    });
    const { headers, body } = JSON.parse(text);

    expect(body).toBe('{"email":"a@t.example"}');
    expect(headers).toMatchObject({ host: "links.example", "x-forwarded-for": "127.0.0.1" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  });

  const accounts = `${IDENTITY}/v1/projects/demo-tapthru/accounts`;
  it.each([
    ["GET", `${accounts}:batchGet`],
    ["POST", `${accounts}:query`],
    ["POST", accounts],
    ["POST", `${IDENTITY}/v1/projects`],
    ["GET", `${IDENTITY}/v1/accounts:signUp`],
    ["DELETE", `${IDENTITY}/v1/accounts:delete`],
    ["OPTIONS", `${IDENTITY}/v1/accounts:signUp`],
    ["POST", `${IDENTITY}/v1/accounts`],
    ["POST", `${IDENTITY}/v1/accounts:signUp/x`],
    ["POST", `${IDENTITY}/v1/accounts:signInWithIdp`],
    ["POST", `${IDENTITY}/v1/accounts:createAuthUri`],
    ["POST", `${IDENTITY}/v1/accounts:resetPassword`],
    ["POST", `${IDENTITY}/v1/accounts:SIGNUP`],
    ["POST", `${IDENTITY}/v2/accounts/mfaSignIn:finalize`],
    ["POST", `${IDENTITY}/v2/passwordPolicy`],
    ["GET", `${IDENTITY}/v2/projects/demo-tapthru/config`],
    ["GET", "/securetoken.googleapis.com/v1/token"],
    ["POST", "/emulator/action"],
    ["GET", "/emulator/openapi.json"],
    ["GET", "/emulator/v1/projects/demo-tapthru/oobCodes"],
    ["DELETE", "/emulator/v1/projects/demo-tapthru/accounts"],
    ["PATCH", "/emulator/v1/projects/demo-tapthru/config"],
    ["GET", "/emulator"],
  ])("never receives %s %s", async (method, path) => {
    const { status, text } = await send(method, path);

    expect(status).toBe(404);
    expect(text).toContain("Page not found");
  });

  it("receives a limited number of calls per minute from one address, and more from others", async () => {
    const limited = await gatewayForTest({
      emulator: emulator.address,
      trustedProxies: ["127.0.0.1"],
    });
    const signIn = async (address: string) => {
      const path = `${limited.url}${IDENTITY}/v1/accounts:signInWithPassword?key=demo`;
      const { status } = await sendRequest(path, {
        method: "POST",
        headers: { "X-Forwarded-For": address },
      });
      return status;
    };
    const guesses = Array.from({ length: 2 * EMULATOR_CALLS_PER_MINUTE }, () =>
      signIn("203.0.113.9"),
    );

    expect(new Set(await Promise.all(guesses))).toEqual(new Set([200, 429]));
    expect(await signIn("203.0.113.10")).toBe(200);
  });

  it("receives the normalized path of an allowed call", async () => {
    const unnormalized =
      "/emulator/v1/projects/x%2f..%2f..%2f..%2f..%2fsecuretoken.googleapis.com/v1/token";

    const { text } = await send("POST", `${unnormalized}?key=a%20b`);

    expect(JSON.parse(text).url).toBe("/securetoken.googleapis.com/v1/token?key=a%20b");
  });
});

describe("the password-reset link", () => {
  const link = "/emulator/action?mode=resetPassword&lang=en&oobCode=aB-_9&apiKey=k";

  it.each([link, `${link}&newPassword=`])(
    "leads to a form for the new password: %s",
    async (path) => {
      const { status, headers, text } = await send("GET", path);

      expect(status).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(text).toContain('<form action="/emulator/action">');
      expect(text).toContain('name="oobCode" value="aB-_9"');
      expect(text).toContain('name="continueUrl" value="https://links.example/login"');
    },
  );

  it("has a policy that allows the form and little else", async () => {
    const { headers, text } = await send("GET", link);
    const style = text.slice(text.indexOf("<style>") + 7, text.indexOf("</style>"));
    const hash = createHash("sha256").update(style).digest("base64");

    expect(headers["cache-control"]).toBe("no-store");
    expect(String(headers["content-security-policy"]).split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  });

  it("escapes its parameters in that page", async () => {
    const path = '/emulator/action?mode=resetPassword&oobCode="><script>';
    const outgoing = request({ port: gateway.port, path });
    outgoing.end();
    const [incoming] = await once(outgoing, "response");

    expect(await text(incoming)).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it("is the only URL of that page", async () => {
    expect((await send("GET", "/_emulator/new-password.html")).status).toBe(404);
  });
});

describe("without an emulator", () => {
  it("its paths belong to the SPA", async () => {
    const without = await gatewayForTest();

    expect((await without.send("/emulator/action")).text).toContain("<p>The SPA</p>");
    const { status } = await without.send(`${IDENTITY}/v1/accounts:signUp`, {
      method: "POST",
    });
    expect(status).toBe(404);
  });
});

it("sends the browser the emulator flag and the Firebase options", async () => {
  const webConfig = { apiKey: "demo", projectId: "demo-tapthru" };
  const customGateway = await gatewayForTest({
    emulator: emulator.address,
    firebaseWebConfig: webConfig,
  });

  const { text } = await customGateway.send("/config.json");

  expect(JSON.parse(text)).toMatchObject({ firebase: webConfig, emulator: true });
});
