import { HttpResponse } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { addTestUser, identityFor } from "../../testing/fake-identity-provider.ts";
import { problem, serve } from "../../testing/serve.ts";
import { createBuiltInProvider } from "./built-in.ts";
import { CodeRequiredError, isProviderUnreachable, ProviderUnavailableError } from "./failures.ts";
import { invitation } from "./invitation.ts";

const ANNA = identityFor("anna@example.com");
const LOGIN = { identity: ANNA, user: addTestUser(ANNA) };
const TOKEN = "a-token-of-20-letters";

let requests: { call: string; body: unknown }[];

beforeEach(() => {
  requests = [];
});

function serveAuth(call: `${"GET" | "POST"} /${string}`, reply: () => unknown) {
  const [method = "", path = ""] = call.split(" ");
  serve(`${method as "GET"} /api/auth${path as "/"}`, ({ body = null }) => {
    requests.push({ call, body });
    return reply();
  });
}
const opens = () => LOGIN;
const calls = () => requests.map(({ call }) => call);
const provider = createBuiltInProvider;

describe("a login", () => {
  test("opens the session in the same reply", async () => {
    serveAuth("POST /sign-in", () => ({ login: LOGIN }));
    expect(await provider().logIn(ANNA.email, "secret")).toEqual(LOGIN);
    expect(requests).toEqual([{ call: "POST /sign-in", body: { email: ANNA.email, password: "secret" } }]);
  });

  test("a code completes a login that needs one, also to confirm who the user is", async () => {
    serveAuth("POST /sign-in", () => ({ login: null }));
    serveAuth("POST /code", opens);
    await expect(provider().logIn(ANNA.email, "secret")).rejects.toBeInstanceOf(CodeRequiredError);
    expect(await provider().builtIn?.verifyCode("123456")).toEqual(LOGIN);
    requests = [];
    await provider().reauthenticate(ANNA.email, "secret", "123456");
    expect(calls()).toEqual(["POST /sign-in", "POST /code"]);
  });

  test.each([
    ["a refusal is none", () => problem("wrong-credentials"), false],
    ["503", () => problem("unavailable"), true],
    ["a proxy's 502", () => new HttpResponse("Bad gateway", { status: 502 }), true],
    ["a lost connection", () => HttpResponse.error(), true],
  ])("fails for want of the provider: %s", async (_case, reply, expected) => {
    serveAuth("POST /sign-in", reply);
    const error = await provider()
      .logIn(ANNA.email, "secret")
      .catch((cause) => cause);
    expect(isProviderUnreachable(error)).toBe(expected);
  });

  test("a login at an OpenID provider creates a user with the invitation of the tab, and opens a session", async () => {
    const accounts = serveAccounts();
    invitation.set(TOKEN);
    serveAuth("GET /identity", () => ({ ...ANNA, displayName: "Anna" }));
    expect(await provider().restore()).toMatchObject({ identity: ANNA, user: { username: "Anna" } });
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/users", "POST /api/login"]);
    expect(accounts.requests[1]?.body).toMatchObject({ firebaseUid: ANNA.uid, invitation: TOKEN });
    expect(invitation.get()).toBeUndefined();
    serveAuth("GET /identity", () => problem("login-required"));
    expect(await provider().restore()).toBeNull();
  });
});

describe("a sign-up", () => {
  const form = { username: "Anna", email: ANNA.email, password: "secret1", confirmPassword: "secret1" };

  test("sends the invitation with which the tab was opened, and uses it up", async () => {
    invitation.set(TOKEN);
    serveAuth("POST /sign-up", opens);
    expect(await provider().signUp(form)).toEqual(LOGIN);
    const body = { displayName: "Anna", email: ANNA.email, password: "secret1", invitation: TOKEN };
    expect(requests).toEqual([{ call: "POST /sign-up", body }]);
    expect(invitation.get()).toBeUndefined();
  });

  test.each([
    ["that created the account, is followed by a login", true, ["POST /sign-in"]],
    ["that did not arrive, is repeated", false, ["POST /sign-in", "POST /sign-up"]],
  ])("a sign-up whose reply was lost and %s", async (_case, wasCreated, expected) => {
    const builtIn = provider();
    serveAuth("POST /sign-up", () => HttpResponse.error());
    await expect(builtIn.signUp(form)).rejects.toBeInstanceOf(ProviderUnavailableError);
    requests = [];
    const logIn = () => ({ login: LOGIN });
    serveAuth("POST /sign-in", wasCreated ? logIn : () => problem("wrong-credentials"));
    serveAuth("POST /sign-up", opens);
    expect(await builtIn.signUp(form)).toEqual(LOGIN);
    expect(calls()).toEqual(expected);
  });
});

test.each([
  ["null", null, [], []],
  ["the address of an OpenID provider, to which it goes", "https://id.example/end", [["https://id.example/end"]], []],
  ["no reply, and is repeated", undefined, [["https://id.example/end"]], ["POST /sign-out"]],
])("a logout ends with %s", async (_case, redirectUrl, visited, repeated) => {
  serveAuth("POST /sign-out", () => ({ redirectUrl: "https://id.example/end" }));
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  onTestFinished(() => assign.mockRestore());
  await provider().signOut(redirectUrl);
  expect(assign.mock.calls).toEqual(visited);
  expect(calls()).toEqual(repeated);
});
