import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { logout } from "@tapthru/proto/accounts";
import { ERRORS } from "@tapthru/proto/errors";
import { getIdentity, OPEN_ID_CALLBACK_PATH, startOpenIdLogin } from "@tapthru/proto/identity";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkAccess } from "../../testing/access-checks.ts";
import { newBrowser, withCookies } from "../../testing/browser-headers.ts";
import { accountOf, deleteAccount, newEmail, revokeTokens, type TestAccount } from "../../testing/test-accounts.ts";
import { startTestApi, type TestApi } from "../../testing/test-api.ts";
import { createBackendUser, postLogin } from "../../testing/test-user.ts";

const PUBLIC_BASE_URL = "http://localhost:8080";

/** Each person's id at the provider is their address. */
let groups: string[] = [];

let server: Server;
let issuer: string;
let api: TestApi;

const startApi = () =>
  startTestApi({
    PUBLIC_BASE_URL,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "tapthru",
    OIDC_CLIENT_SECRET: "secret",
    OIDC_OPERATOR_GROUP: "tapthru-operators",
    PASSWORD_LOGIN: "off",
  });

beforeAll(async () => {
  // The provider warns that it is not set up for production.
  vi.spyOn(console, "info").mockReturnValue();
  vi.spyOn(console, "warn").mockReturnValue();
  server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "tapthru",
        client_secret: "secret",
        redirect_uris: [PUBLIC_BASE_URL + OPEN_ID_CALLBACK_PATH],
        post_logout_redirect_uris: [`${PUBLIC_BASE_URL}/`],
      },
    ],
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: true, name: "Anna", groups }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ["a key that signs the cookies of the provider"] },
  });
  server.on("request", provider.callback());
  api = await startApi();
});
afterAll(async () => {
  await api.stop();
  server.closeAllConnections();
  server.close();
});

async function logIn(email = newEmail(), client = api): Promise<TestAccount> {
  const start = await client.post(
    startOpenIdLogin.path,
    { returnPath: "/dashboard", confirmsIdentity: true },
    newBrowser(client),
  );
  const { url } = startOpenIdLogin.replies[200].parse(await start.json());
  const answers = [{ prompt: "login", login: email, password: "any" }, { prompt: "consent" }];
  let cookies = { cookie: "", origin: issuer };
  let target = url;
  while (!target.startsWith(PUBLIC_BASE_URL)) {
    const isForm = new URL(target).pathname.startsWith("/interaction/");
    const response = await fetch(target, {
      headers: cookies,
      redirect: "manual",
      ...(isForm && { method: "POST", body: new URLSearchParams(answers.shift()) }),
    });
    cookies = { ...cookies, ...withCookies(cookies, response) };
    target = new URL(response.headers.get("location") ?? "", issuer).href;
  }
  const browser = withCookies(newBrowser(client), start);
  const back = await fetch(target.replace(PUBLIC_BASE_URL, client.url), { headers: browser, redirect: "manual" });
  expect(back.headers.get("location")).toBe(`${PUBLIC_BASE_URL}/dashboard`);
  const account = await accountOf(client, withCookies(browser, back));
  if (account === null) throw new Error("No user is logged in");
  return account;
}

it("logs people in, and ends the provider's login too", async () => {
  const account = await logIn();
  await createBackendUser(api, account);
  expect((await postLogin(api, account)).status).toBe(200);
  const response = await api.request("POST", logout.path, account.login);
  const { redirectUrl } = logout.replies[200].parse(await response.json());
  const target = URL.parse(redirectUrl ?? "");
  expect(target?.origin).toBe(issuer);
  expect(target?.searchParams.get("post_logout_redirect_uri")).toBe(`${PUBLIC_BASE_URL}/`);
  expect(target?.searchParams.get("id_token_hint")).toEqual(expect.any(String));
});

it("makes the members of the group operators, for as long as they are members", async () => {
  const email = newEmail();
  groups = ["tapthru-operators"];
  const account = await logIn(email);
  expect(await createBackendUser(api, account)).toMatchObject({ isOperator: true });
  groups = [];
  const reply = await postLogin(api, await logIn(email));
  expect(await reply.json()).toMatchObject({ isOperator: false });
});

it("offers no login with a password, also to accounts that have one", async () => {
  const account = await logIn();
  await api.query(`UPDATE identity.account SET "providerId" = 'credential' WHERE "userId" = '${account.uid}'`);
  const identity = await api.request("GET", getIdentity.path, account.login);
  expect(await identity.json()).toMatchObject({ hasPassword: false });
  const body = { email: newEmail(), password: "correct horse" };
  expect((await api.post("/api/auth/sign-in", body, newBrowser(api))).status).toBe(404);
});

describe("the api with an OpenID provider", () => {
  checkAccess({
    startApi,
    createAccount: (client) => logIn(newEmail(), client),
    proofOf: ({ login }) => login,
    ended: ERRORS["login-required"].message,
    ends: [
      ["revoked", revokeTokens],
      ["deleted", deleteAccount],
    ],
  });
});
