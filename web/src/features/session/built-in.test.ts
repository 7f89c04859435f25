import { HttpResponse, http, type JsonBodyType } from "msw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { problem, serveAccounts } from "../../testing/accounts-server.ts";
import { addTestUser, identityFor } from "../../testing/fake-identity-provider.ts";
import { server } from "../../testing/server.ts";
import { createBuiltInProvider } from "./built-in.ts";
import { CodeRequiredError, isProviderUnreachable, ProviderUnavailableError } from "./failures.ts";
import { invitation } from "./invitation.ts";

const ANNA = identityFor("anna@example.com");
const LOGIN = { identity: ANNA, user: addTestUser(ANNA) };
const TOKEN = "a-token-of-20-letters";

let requests: { call: string; body: JsonBodyType }[];

beforeEach(() => {
  requests = [];
});

function serve(method: "get" | "post", path: string, reply: () => Response) {
  server.use(
    http[method](`/api/auth${path}`, async ({ request }) => {
      const text = await request.text();
      requests.push({ call: `${request.method} ${path}`, body: text ? JSON.parse(text) : null });
      return reply();
    }),
  );
}
const opens = () => HttpResponse.json(LOGIN);
const calls = () => requests.map(({ call }) => call);
const provider = createBuiltInProvider;

describe("a login", () => {
  test("opens the session in the same reply", async () => {
    serve("post", "/sign-in", () => HttpResponse.json({ login: LOGIN }));
    expect(await provider().logIn(ANNA.email, "secret")).toEqual(LOGIN);
    expect(requests).toEqual([{ call: "POST /sign-in", body: { email: ANNA.email, password: "secret" } }]);
  });

  test("that needs a code is completed by one, also to confirm who the user is", async () => {
    serve("post", "/sign-in", () => HttpResponse.json({ login: null }));
    serve("post", "/code", opens);
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
    serve("post", "/sign-in", reply);
    const error = await provider()
      .logIn(ANNA.email, "secret")
      .catch((cause) => cause);
    expect(isProviderUnreachable(error)).toBe(expected);
  });

  test("at an OpenID provider creates a user with the invitation of the tab, and opens a session", async () => {
    const accounts = serveAccounts();
    invitation.set(TOKEN);
    serve("get", "/identity", () => HttpResponse.json({ ...ANNA, displayName: "Anna" }));
    expect(await provider().restore()).toMatchObject({ identity: ANNA, user: { username: "Anna" } });
    expect(accounts.calls()).toEqual(["POST /api/login", "POST /api/users", "POST /api/login"]);
    expect(accounts.requests[1]?.body).toMatchObject({ firebaseUid: ANNA.uid, invitation: TOKEN });
    expect(invitation.get()).toBeUndefined();
    serve("get", "/identity", () => problem("login-required"));
    expect(await provider().restore()).toBeNull();
  });
});

describe("a sign-up", () => {
  const form = { username: "Anna", email: ANNA.email, password: "secret1", confirmPassword: "secret1" };

  test("sends the invitation with which the tab was opened, and uses it up", async () => {
    invitation.set(TOKEN);
    serve("post", "/sign-up", opens);
    expect(await provider().signUp(form)).toEqual(LOGIN);
    const body = { displayName: "Anna", email: ANNA.email, password: "secret1", invitation: TOKEN };
    expect(requests).toEqual([{ call: "POST /sign-up", body }]);
    expect(invitation.get()).toBeUndefined();
  });

  test.each([
    ["that created the account, is followed by a login", true, ["POST /sign-in"]],
    ["that did not arrive, is repeated", false, ["POST /sign-in", "POST /sign-up"]],
  ])("whose reply was lost and %s", async (_case, wasCreated, expected) => {
    const builtIn = provider();
    serve("post", "/sign-up", () => HttpResponse.error());
    await expect(builtIn.signUp(form)).rejects.toBeInstanceOf(ProviderUnavailableError);
    requests = [];
    const logIn = () => HttpResponse.json({ login: LOGIN });
    serve("post", "/sign-in", wasCreated ? logIn : () => problem("wrong-credentials"));
    serve("post", "/sign-up", opens);
    expect(await builtIn.signUp(form)).toEqual(LOGIN);
    expect(calls()).toEqual(expected);
  });
});

test.each([
  ["null", null, [], []],
  ["the address of an OpenID provider, to which it goes", "https://id.example/end", [["https://id.example/end"]], []],
  ["no reply, and is repeated", undefined, [["https://id.example/end"]], ["POST /sign-out"]],
])("a logout ends with %s", async (_case, redirectUrl, visited, repeated) => {
  serve("post", "/sign-out", () => HttpResponse.json({ redirectUrl: "https://id.example/end" }));
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  onTestFinished(() => assign.mockRestore());
  await provider().signOut(redirectUrl);
  expect(assign.mock.calls).toEqual(visited);
  expect(calls()).toEqual(repeated);
});
